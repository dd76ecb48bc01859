/* compile_records.h - the records of one compile, taken from a log while it is read.
 *
 * Texts are copied, so they outlive the block of their record. What is kept is bounded: RECORDS_BYTES in all.
 *
 * Life cycle: {.wanted = …}, compile_records_add() for each record in order, compile_records_finish(). One thread. */
#pragma once

#include "base/base.h"
#include "trace/record.h"

enum { RECORDS_BYTES = 512 << 20, RECORDS_IDS = 24, RECORDS_SYMBOLS = 4096, RECORDS_SOURCES = 16384 };

/* Which compile: "0/1", "4711:0/1", "0/1#2". */
struct compile_wanted {
    struct slice id; /* without process and generation; empty: none is wanted, ids are collected only */
    bool has_process;
    uint64_t process;
    uint64_t generation; /* from 1 */
};

/* A graph, a program or code. */
struct compile_text {
    struct slice text;
    int64_t attempt;
    bool backward; /* its arguments are tangents */
    /* Of programs: */
    struct slice code;    /* what Inductor wrote for the graph; empty: not in the log */
    struct slice donated; /* of a forward: which inputs of its backward Inductor may write to, "7, 8"; empty: none */
};

struct compile_fact {
    struct slice name, value;
};

/* Texts of the latest attempt that has one, in the order of the log. */
struct compile_texts {
    struct compile_text *items;
    size_t count, cap;
};

struct compile_records {
    struct compile_wanted wanted;
    bool keeps_log; /* also keep the records as they are in the log */
    struct arena arena;
    size_t bytes;                     /* kept */
    bool is_cut;                      /* texts beyond RECORDS_BYTES were left out */
    uint64_t number;                  /* of records of the compile */
    bool found_process, is_in_others; /* in_others: further processes have a compile with this id */
    uint64_t process;                 /* of the compile */
    uint64_t generation;              /* the current one of the id in the process; 0: none yet */
    bool has_metrics;                 /* the current generation */
    bool has_aot;                     /* AOTAutograd made graphs */
    LIST(struct slice) ids;           /* with a graph, in the order of the log, in the arena: RECORDS_IDS at most */
    size_t more_ids;
    size_t without_id; /* graphs of no compile: export and AOTInductor */
    struct compile_texts programs, graphs, codes;
    LIST(struct compile_fact) symbols; /* name of a symbol, its value in the first call */
    LIST(struct compile_fact) sources; /* source of an input, and what it is: "requires_grad leaf parameter" */
    struct slice tensor_facts;         /* of the latest describe_tensor */
    struct slice donated;              /* of the latest metadata of AOTAutograd */
    struct slice torch_version, torch_commit;
    struct slice frame_name;             /* the function that Dynamo compiled, from the metrics */
    struct slice fail_type, fail_reason; /* of the metrics, or of the backward's */
    bool failed_in_backward;             /* they are of the backward's */
    struct slice recompile_reasons;      /* the text of the artifact */
    struct buf log;
};

/* Parses "0/1", "4711:0/1#2". */
bool compile_wanted_parse(struct slice text, struct compile_wanted *wanted);
/* raw: the bytes of the record in the log. Needed with keeps_log. */
void compile_records_add(struct compile_records *records, const struct record *record, struct slice raw);
void compile_records_finish(struct compile_records *records);
