/* fact_shapes.h - the members of facts that a facts file (facts_file.h) has. A new member of the facts is a row here.
 */
#pragma once

#include "facts/fact_fields.h"
#include "facts/rank_facts.h"
#include "facts/rank_keys.h"
#include "pipeline/result.h"

/* A graph without pointers to pointers. */
struct fact_graph {
    LIST(struct graph_step) steps;
    LIST(struct slice) calls;
    bool cut;
    struct world_hints world;
};

/* The guards of a compile. */
struct fact_guard {
    struct slice key, value;
};
struct fact_guards {
    LIST(struct fact_guard) list;
};

/* Graphs with their collectives or estimates, of one or several ranks. */
struct fact_graphs {
    LIST(struct rank_graph) list;
};

/* Data that ranks of one program share. */
struct fact_program {
    struct slice torch, python, cuda, triton, program;
    LIST(struct slice) frame_files, decisions;
    struct world_hints world;
};

struct fact_order {
    LIST(struct slice) ids;
};

/* A log has hundreds of settings, and a key hundreds of components, most of them equal on all ranks. They are stored in
 * pieces, which are definitions, so a difference costs only one piece. */
struct fact_setting {
    uint32_t kind;
    struct slice name, value;
};
struct fact_settings {
    LIST(struct fact_setting) list;
};
struct fact_configuration {
    LIST(struct slice) pieces; /* hashes */
};

/* A component of a cache key. */
struct fact_part {
    struct slice name;
    struct slice hash; /* the beginning of the hash; ptr NULL: the text identifies the component */
    struct slice text;
};
struct fact_parts {
    LIST(struct fact_part) list;
};
struct fact_key {
    struct slice name;
    enum cache cache;
    LIST(struct slice) pieces; /* hashes */
};

struct fact_lookup {
    struct rank_lookup lookup;
    struct slice key; /* hash of its definition; ptr NULL: no components are logged */
};
struct fact_lookups {
    LIST(struct fact_lookup) list;
};

/* The parts of pipeline_result that facts keep. */
struct fact_result {
    uint64_t counters[COUNTERS];
    uint64_t no_compile_id, no_compile_id_line, processes, namesakes, namesake, compiles, artifacts, bytes,
        missing_inputs;
    const char *no_compile_id_file;
    LIST(struct slice) unknown_keys;
};

extern const struct fact_shape fact_compile_shape; /* struct rank_compile, without its graph and guards */
extern const struct fact_shape fact_graph_shape, fact_guards_shape, fact_graphs_shape, fact_program_shape,
    fact_order_shape, fact_settings_shape, fact_configuration_shape, fact_parts_shape, fact_key_shape,
    fact_lookups_shape, fact_names_shape, fact_timeline_shape, fact_result_shape;
extern const struct fact_shape fact_finding_shape; /* struct rank_finding */
extern const struct fact_shape fact_log_shape;     /* struct rank_facts: the members of one rank only */
