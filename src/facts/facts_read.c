/* Reads facts files. */

#include "base/packed.h"
#include "facts/fact_shapes.h"
#include "facts/facts_file.h"
#include "facts/facts_lines.h"
#include "facts/graph_store.h"
#include "facts/guard_store.h"
#include "trace/compile_id.h"
#include "trace/source.h"

enum {
    READ_BYTES = 1 << 18,
    SETTINGS_MAX = 1000000,
    LINE_MAX_BYTES = 64 << 20,
    /* A small file must not fill the memory. Files that tlparse writes unpack to 5 to 20 times their size, and need
     * less than 4 times the memory of their text. */
    FREE_BYTES = 64 << 20,
    UNPACKED_TIMES_MAX = 200,
    MEMORY_TIMES_MAX = 16,
    HEAD_BYTES = HASH_DIGITS + 4 /* ["…", */
};

struct known {
    enum definition kind;
    const void *value; /* of the kind's type; not NULL */
};

/* Compiles in an order that several ranks may share. */
struct sequence {
    const struct rank_compile **items;
    struct map map;
};

struct facts_known {
    struct map hashes; /* as digits → index in the list */
    LIST(struct known) list;
    struct map sequences; /* pointers to compiles → index in the next list */
    LIST(struct sequence) sequence_list;
};

struct known_key {
    struct slice name;
    enum cache cache;
    LIST(const struct fact_parts *) pieces;
    size_t count; /* of components */
};

struct shared_lookups {
    LIST(struct rank_lookup) list;
    const struct known_key **keys; /* of the lookups; NULL: no components are logged */
    uint64_t compiles;             /* the number of compiles that a log must have */
    bool added;                    /* to the store of keys */
};

/* A file that is being read. */
struct reader {
    struct facts_set *set;
    struct source *source;      /* NULL: the text is there */
    struct arena scratch;       /* of the line */
    LIST(uint32_t) definitions; /* of this file, as indices into known->list */
    struct buf text;            /* bytes read from the source and not yet parsed */
    uint64_t line, bytes, logs; /* counts so far; if `cat` joined files, logs counts only those of the current part */
    size_t before;              /* bytes of the set's arena when the file was begun */
    size_t other_bytes;         /* memory that is not in the set's arena */
    int64_t made_us;
    struct slice host;
    bool begun; /* its first line has been read */
    bool ended; /* its last line has been read; another file may follow if `cat` joined them */
};

struct facts_set *facts_set_create(void) {
    struct facts_set *set = mem_zalloc(1, sizeof *set);
    set->stores = (struct rank_stores){graph_store_create(), guard_store_create(), NULL};
    set->settings = rank_settings_create();
    set->known = arena_zalloc(&set->arena, sizeof *set->known);
    return set;
}

void facts_log_forget_result(struct facts_log *log) {
    if (log->result)
        pipeline_result_finish(log->result);
    mem_free(log->result);
    log->result = NULL;
}

void facts_set_destroy(struct facts_set *set) {
    for (size_t i = 0; i < set->logs.count; i++) {
        rank_facts_finish(set->logs.items[i].facts);
        facts_log_forget_result(&set->logs.items[i]);
    }
    graph_store_destroy(set->stores.graphs);
    guard_store_destroy(set->stores.guards);
    rank_settings_destroy(set->settings);
    arena_free(&set->arena);
    mem_free(set);
}

/* ---- definitions ---- */

static const void *read_shape(struct reader *r, yyjson_val *json, const struct fact_shape *shape) {
    void *value = arena_zalloc(&r->set->arena, shape->bytes);
    return fact_fields_read(json, shape, value, &r->set->arena) ? value : NULL;
}

static bool read_hash(yyjson_val *json, uint64_t *hash) {
    yyjson_val *value = json_get(json, "hash");
    *hash = yyjson_get_uint(value);
    return yyjson_is_uint(value) && *hash;
}

/* The store copies its texts. */
static const void *read_graph(struct reader *r, yyjson_val *json) {
    struct fact_graph graph = {0};
    uint64_t hash;
    if (!read_hash(json, &hash) || !fact_fields_read(json, &fact_graph_shape, &graph, &r->scratch))
        return NULL;
    struct graph_trace trace = {.steps = graph.steps.items,
                                .count = (uint32_t)graph.steps.count,
                                .cut = graph.cut,
                                .calls = graph.calls.items,
                                .call_count = (uint32_t)graph.calls.count,
                                .world = graph.world};
    r->other_bytes += graph.steps.count * sizeof *graph.steps.items + graph.calls.count * sizeof *graph.calls.items;
    if (trace.world.at_least_from)
        trace.world.at_least_from = arena_str(&r->set->arena, slice_str(trace.world.at_least_from));
    return graph_store_take(r->set->stores.graphs, hash, &trace);
}

static const void *read_guards(struct reader *r, yyjson_val *json) {
    struct fact_guards guards = {0};
    uint64_t hash;
    if (!read_hash(json, &hash) || !fact_fields_read(json, &fact_guards_shape, &guards, &r->scratch))
        return NULL;
    struct guard_text *texts = arena_alloc(&r->scratch, (guards.list.count + 1) * sizeof *texts);
    for (size_t i = 0; i < guards.list.count; i++) {
        texts[i] = (struct guard_text){guards.list.items[i].key, guards.list.items[i].value};
        if (!texts[i].key.ptr || !texts[i].value.ptr)
            return NULL;
    }
    return guard_store_add(r->set->stores.guards, hash, texts, guards.list.count);
}

/* "7.2:0/1#2": with the process (the second one of that number) and the generation. */
static bool is_compile_id(struct slice id) {
    size_t colon = slice_find(id, SLICE(":")), mark;
    uint64_t number;
    if (colon != SIZE_MAX) {
        struct slice process = slice_first(id, colon);
        size_t dot = slice_find(process, SLICE("."));
        if (!slice_to_u64(slice_first(process, dot == SIZE_MAX ? colon : dot), &number) ||
            (dot != SIZE_MAX && !slice_to_u64(slice_from(process, dot + 1), &number)))
            return false;
    }
    id = slice_from(id, colon == SIZE_MAX ? 0 : colon + 1);
    mark = slice_find(id, SLICE("#"));
    return compile_id_is_shown(slice_first(id, mark == SIZE_MAX ? id.len : mark)) &&
           (mark == SIZE_MAX || slice_to_u64(slice_from(id, mark + 1), &number));
}

static const void *read_compile(struct reader *r, yyjson_val *json) {
    struct rank_compile *compile = arena_zalloc(&r->set->arena, sizeof *compile);
    if (!fact_fields_read(json, &fact_compile_shape, compile, &r->set->arena) || !is_compile_id(compile->id) ||
        !compile->match.ptr || !compile->slot.ptr)
        return NULL;
    if (json_truthy(json_get(json, "traced")) &&
        !(compile->trace = graph_store_find(r->set->stores.graphs, compile->graph_hash)))
        return NULL;
    if (json_truthy(json_get(json, "stated")) &&
        !(compile->stated = guard_store_find(r->set->stores.guards, compile->guards_hash)))
        return NULL;
    return compile;
}

/* The definition of this kind with this hash, which must precede references to it; NULL: none. */
static const void *definition_of(const struct facts_known *known, enum definition kind, struct slice hash) {
    uint32_t at = hash.ptr ? map_get(&known->hashes, hash) : MAP_NONE;
    return at != MAP_NONE && known->list.items[at].kind == kind ? known->list.items[at].value : NULL;
}

static const void *read_configuration(struct reader *r, yyjson_val *json) {
    struct arena *arena = &r->set->arena;
    struct fact_configuration from = {0};
    struct rank_pairs *pairs = arena_zalloc(arena, sizeof *pairs);
    if (!fact_fields_read(json, &fact_configuration_shape, &from, &r->scratch))
        return NULL;
    for (size_t p = 0; p < from.pieces.count; p++) {
        const struct fact_settings *piece = definition_of(r->set->known, DEFINE_SETTINGS, from.pieces.items[p]);
        if (!piece || pairs->list.count > SETTINGS_MAX)
            return NULL;
        for (size_t i = 0; i < piece->list.count; i++) {
            const struct fact_setting *setting = &piece->list.items[i];
            if (!setting->name.ptr || !setting->value.ptr ||
                !rank_pairs_add(r->set->settings, pairs, arena, setting->kind, setting->name, setting->value))
                return NULL;
        }
    }
    rank_pairs_sort(pairs);
    return pairs;
}

/* Without a hash, the text identifies a part. */
static const void *read_parts(struct reader *r, yyjson_val *json) {
    struct fact_parts *parts = arena_zalloc(&r->set->arena, sizeof *parts);
    if (!fact_fields_read(json, &fact_parts_shape, parts, &r->set->arena))
        return NULL;
    for (size_t i = 0; i < parts->list.count; i++) {
        struct fact_part *part = &parts->list.items[i];
        if (!part->name.ptr)
            return NULL;
        part->hash = part->hash.ptr ? part->hash : part->text.ptr ? part->text : SLICE("");
    }
    return parts;
}

static const void *read_key(struct reader *r, yyjson_val *json) {
    struct arena *arena = &r->set->arena;
    struct fact_key from = {0};
    struct known_key *key = arena_zalloc(arena, sizeof *key);
    if (!fact_fields_read(json, &fact_key_shape, &from, arena) || !from.name.ptr)
        return NULL;
    key->name = from.name;
    key->cache = from.cache;
    for (size_t i = 0; i < from.pieces.count; i++) {
        const struct fact_parts *piece = definition_of(r->set->known, DEFINE_PARTS, from.pieces.items[i]);
        if (!piece || key->count > KEY_ITEMS_MAX)
            return NULL;
        ARENA_ADD(arena, &key->pieces, piece);
        key->count += piece->list.count;
    }
    return key;
}

static const void *read_lookups(struct reader *r, yyjson_val *json) {
    struct arena *arena = &r->set->arena;
    struct fact_lookups lookups = {0};
    struct shared_lookups *shared = arena_zalloc(arena, sizeof *shared);
    if (!fact_fields_read(json, &fact_lookups_shape, &lookups, arena))
        return NULL;
    shared->keys = arena_zalloc(arena, (lookups.list.count + 1) * sizeof *shared->keys);
    for (size_t i = 0; i < lookups.list.count; i++) {
        const struct fact_lookup *from = &lookups.list.items[i];
        if (!from->lookup.name.ptr)
            return NULL;
        if (from->key.ptr && !(shared->keys[i] = definition_of(r->set->known, DEFINE_KEY, from->key)))
            return NULL;
        ARENA_ADD(arena, &shared->list, from->lookup);
        if (from->lookup.compile >= shared->compiles)
            shared->compiles = (uint64_t)from->lookup.compile + 1;
    }
    return shared;
}

static const void *read_value(struct reader *r, enum definition kind, yyjson_val *json) {
    switch (kind) {
    case DEFINE_GRAPH:
        return read_graph(r, json);
    case DEFINE_GUARDS:
        return read_guards(r, json);
    case DEFINE_COMPILE:
        return read_compile(r, json);
    case DEFINE_GRAPHS:
        return read_shape(r, json, &fact_graphs_shape);
    case DEFINE_PROGRAM:
        return read_shape(r, json, &fact_program_shape);
    case DEFINE_ORDER:
        return read_shape(r, json, &fact_order_shape);
    case DEFINE_FINDING:
        return read_shape(r, json, &fact_finding_shape);
    case DEFINE_SETTINGS:
        return read_shape(r, json, &fact_settings_shape);
    case DEFINE_CONFIGURATION:
        return read_configuration(r, json);
    case DEFINE_PARTS:
        return read_parts(r, json);
    case DEFINE_KEY:
        return read_key(r, json);
    case DEFINE_LOOKUPS:
        return read_lookups(r, json);
    case DEFINE_NAMES:
        return read_shape(r, json, &fact_names_shape);
    case DEFINITIONS:
        break;
    }
    return NULL;
}

static enum definition kind_of(struct slice name) {
    int kind = 0;
    while (kind < DEFINITIONS && !slice_is(name, definition_name((enum definition)kind)))
        kind++;
    return (enum definition)kind;
}

/* ["<hash>","<kind>",{…}]: the text after the hash and its comma; ptr NULL: the line is not a definition. */
static struct slice definition_rest(struct slice line, struct slice *hash) {
    if (line.len <= HEAD_BYTES || memcmp(line.ptr, "[\"", 2) != 0 || memcmp(line.ptr + 2 + HASH_DIGITS, "\",", 2) != 0)
        return (struct slice){0};
    *hash = slice_make(line.ptr + 2, HASH_DIGITS);
    return slice_from(line, HEAD_BYTES);
}

static bool has_hash(struct slice rest, struct slice hash) {
    char hex[HASH_DIGITS + 1];
    snprintf(hex, sizeof hex, "%016" PRIx64, facts_hash(rest));
    return slice_is(hash, hex);
}

static bool parse(struct reader *r, struct slice line, yyjson_val **root) {
    return json_read(&line, JSON_NUMBERS, &r->scratch, root) == JSON_STRICT;
}

static bool take_definition(struct reader *r, struct slice line, const char **why) {
    struct facts_known *known = r->set->known;
    struct slice hash, rest = definition_rest(line, &hash);
    yyjson_val *root;
    uint32_t at = rest.ptr ? map_get(&known->hashes, hash) : MAP_NONE;
    if (at == MAP_NONE) {
        *why = "invalid definition";
        if (!rest.ptr || !has_hash(rest, hash) || !parse(r, line, &root))
            return false;
        enum definition kind = kind_of(json_text(yyjson_arr_get(root, 1)));
        const void *value = read_value(r, kind, yyjson_arr_get(root, 2));
        if (!value)
            return false;
        at = (uint32_t)known->list.count;
        map_put_in(&r->set->arena, &known->hashes, hash, at, NULL);
        ARENA_ADD(&r->set->arena, &known->list, (struct known){kind, value});
    }
    LIST_ADD(&r->definitions, at);
    return true;
}

/* ---- logs ---- */

/* The definition that the member refers to. Returns false if there is no such definition of this kind. *value is NULL
 * if the member is missing. */
static bool refer(const struct reader *r, yyjson_val *reference, enum definition kind, const void **value) {
    const struct facts_known *known = r->set->known;
    *value = NULL;
    if (!reference)
        return true;
    uint64_t number = yyjson_is_uint(reference) ? yyjson_get_uint(reference) : UINT64_MAX;
    if (number >= r->definitions.count)
        return false;
    const struct known *found = &known->list.items[r->definitions.items[number]];
    *value = found->value;
    return found->kind == kind;
}

static bool take_times(yyjson_val *json, size_t count, int64_t **times_us, struct arena *arena) {
    size_t i, max;
    yyjson_val *item;
    *times_us = arena_alloc(arena, (count + 1) * sizeof **times_us);
    if (yyjson_arr_size(json) != count)
        return false;
    yyjson_arr_foreach(json, i, max, item) {
        if (!fact_time_read(item, &(*times_us)[i]))
            return false;
    }
    return true;
}

static bool pack_times(struct reader *r, yyjson_val *json, size_t count, const unsigned char **packed) {
    unsigned char *bytes = arena_alloc(&r->scratch, count * PACKED_BYTES_MAX + 1), *end = bytes;
    int64_t *times_us;
    if (!take_times(json, count, &times_us, &r->scratch))
        return false;
    for (size_t i = 0; i < count; i++)
        end = pack_i64(end, times_us[i]);
    *packed =
        (const unsigned char *)arena_slice(&r->set->arena, slice_make((const char *)bytes, (size_t)(end - bytes))).ptr;
    return true;
}

/* Compiles that no log had in this order become a new sequence. */
static const struct sequence *sequence_of(struct facts_set *set, const struct rank_compile **compiles, size_t count) {
    struct facts_known *known = set->known;
    bool added;
    uint32_t at =
        *map_put_in(&set->arena, &known->sequences, slice_make((const char *)compiles, count * sizeof *compiles),
                    (uint32_t)known->sequence_list.count, &added);
    if (added) {
        struct sequence made = {arena_alloc(&set->arena, (count + 1) * sizeof *compiles), {0}};
        for (size_t i = 0; i < count; i++) {
            made.items[i] = compiles[i];
            map_put_in(&set->arena, &made.map, compiles[i]->id, (uint32_t)i, NULL);
        }
        ARENA_ADD(&set->arena, &known->sequence_list, made);
    }
    return &known->sequence_list.items[at];
}

static bool take_compiles(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    yyjson_val *list = json_get(json, "compiles"), *item;
    size_t count = yyjson_arr_size(list), i, max;
    const struct rank_compile **compiles = arena_alloc(&r->scratch, (count + 1) * sizeof *compiles);
    yyjson_arr_foreach(list, i, max, item) {
        const void *value;
        if (!refer(r, item, DEFINE_COMPILE, &value))
            return false;
        compiles[i] = value;
    }
    const struct sequence *sequence = sequence_of(r->set, compiles, count);
    facts->compiles.items = sequence->items;
    facts->compiles.count = facts->compiles.cap = count;
    facts->compile_map = sequence->map;
    return take_times(json_get(json, "times_us"), count, &facts->times_us, &r->set->arena);
}

static bool take_graphs(struct reader *r, yyjson_val *json, const char *key, struct rank_graph **items, size_t *count) {
    const void *value;
    if (!refer(r, json_get(json, key), DEFINE_GRAPHS, &value))
        return false;
    const struct fact_graphs *graphs = value;
    *items = graphs ? graphs->list.items : NULL;
    *count = graphs ? graphs->list.count : 0;
    for (size_t i = 0; i < *count; i++)
        if (!(*items)[i].folder.ptr || !(*items)[i].id.ptr)
            return false;
    return true;
}

static bool take_findings(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    yyjson_val *list = json_get(json, "findings"), *item;
    size_t count = yyjson_arr_size(list), i, max;
    facts->findings.items = arena_alloc(&r->set->arena, (count + 1) * sizeof *facts->findings.items);
    facts->findings.count = facts->findings.cap = count;
    yyjson_arr_foreach(list, i, max, item) {
        const void *value;
        if (!refer(r, item, DEFINE_FINDING, &value))
            return false;
        facts->findings.items[i] = value;
    }
    return true;
}

static bool take_program(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    const void *value;
    if (!refer(r, json_get(json, "program"), DEFINE_PROGRAM, &value) || !value)
        return false;
    const struct fact_program *program = value;
    facts->torch = program->torch;
    facts->python = program->python;
    facts->cuda = program->cuda;
    facts->triton = program->triton;
    facts->program = program->program;
    facts->world = program->world;
    facts->frame_files.items = program->frame_files.items;
    facts->frame_files.count = program->frame_files.count;
    facts->decisions.items = program->decisions.items;
    facts->decisions.count = program->decisions.count;
    return true;
}

static bool take_order(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    const void *value;
    if (!refer(r, json_get(json, "execution"), DEFINE_ORDER, &value))
        return false;
    const struct fact_order *order = value;
    for (size_t i = 0; order && i < order->ids.count; i++)
        if (!order->ids.items[i].ptr)
            return false;
    if (order) {
        facts->execution.items = order->ids.items;
        facts->execution.count = order->ids.count;
    }
    return true;
}

static bool take_settings(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    const void *value;
    if (!refer(r, json_get(json, "configuration"), DEFINE_CONFIGURATION, &value))
        return false;
    const struct rank_pairs *pairs = value;
    if (pairs) {
        facts->settings.items = pairs->list.items;
        facts->settings.count = pairs->list.count;
    }
    return true;
}

static bool take_lookups(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    const void *value;
    uint64_t more = 0;
    if (facts->bad)
        return true;
    if (!refer(r, json_get(json, "lookups"), DEFINE_LOOKUPS, &value))
        return false;
    facts->keys = arena_zalloc(&r->set->arena, sizeof *facts->keys);
    if (json_get(json, "more_lookups") &&
        (!json_to_u64(json_get(json, "more_lookups"), &more) || more > (uint64_t)FACT_NUMBER_MAX))
        return false;
    facts->keys->more = more;
    if (!value)
        return true;
    struct shared_lookups *shared = (struct shared_lookups *)(uintptr_t)value;
    facts->keys->shared = shared;
    facts->keys->lookups.items = shared->list.items;
    facts->keys->lookups.count = shared->list.count;
    return shared->compiles <= facts->compiles.count &&
           pack_times(r, json_get(json, "lookup_times_us"), shared->list.count, &facts->keys->packed_us);
}

/* Four numbers for each name. */
static bool take_totals(struct reader *r, yyjson_val *json, struct rank_timeline *timeline) {
    size_t count = timeline->names->list.count, i, max;
    struct rank_total *totals = arena_alloc(&r->scratch, (count + 1) * sizeof *totals);
    yyjson_val *list = json_get(json, "totals"), *item;
    if (yyjson_arr_size(list) != count * 4)
        return false;
    yyjson_arr_foreach(list, i, max, item) {
        struct rank_total *total = &totals[i / 4];
        int64_t *const times[] = {NULL, &total->total_us, &total->self_us, &total->max_us};
        total->count = i % 4 ? total->count : yyjson_get_uint(item);
        if (i % 4 ? !fact_time_read(item, times[i % 4])
                  : !yyjson_is_uint(item) || total->count > (uint64_t)FACT_NUMBER_MAX)
            return false;
    }
    timeline->totals = rank_totals_pack(totals, count, &r->set->arena);
    return true;
}

static bool take_timeline(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    yyjson_val *value = json_get(json, "timeline");
    const void *names;
    if (!value)
        return true;
    facts->timeline = arena_zalloc(&r->set->arena, sizeof *facts->timeline);
    if (!fact_fields_read(value, &fact_timeline_shape, facts->timeline, &r->set->arena) ||
        !refer(r, json_get(value, "names"), DEFINE_NAMES, &names) || !names)
        return false;
    for (size_t i = 0; i < facts->timeline->tracks.count; i++)
        if (facts->timeline->tracks.items[i].busy_us < 0)
            return false;
    facts->timeline->names = names;
    return take_totals(r, value, facts->timeline);
}

static bool take_result(struct reader *r, yyjson_val *json, struct pipeline_result *result) {
    struct fact_result from = {0};
    yyjson_val *value = json_get(json, "result");
    if (value && !fact_fields_read(value, &fact_result_shape, &from, &r->scratch))
        return false;
    if (from.no_compile_id && !from.no_compile_id_file)
        return false;
    memcpy(result->counters, from.counters, sizeof result->counters);
    result->no_compile_id = from.no_compile_id;
    result->no_compile_id_line = from.no_compile_id_line;
    result->no_compile_id_file = from.no_compile_id_file ? mem_strdup(from.no_compile_id_file) : NULL;
    result->processes = from.processes;
    result->namesakes = from.namesakes;
    result->namesake = from.namesake;
    result->compiles = from.compiles;
    result->artifacts = from.artifacts;
    result->bytes = from.bytes;
    result->missing_inputs = from.missing_inputs;
    for (size_t i = 0; i < from.unknown_keys.count; i++)
        pipeline_result_add_key(result, from.unknown_keys.items[i]);
    return true;
}

/* Checks on the members of a log that fact_shapes.h does not express. */
static bool is_sound(const struct rank_facts *facts) {
    bool sound = true;
    for (size_t i = 0; i < sizeof facts->totals.own / sizeof *facts->totals.own; i++)
        sound &= facts->totals.own[i] >= 0;
    for (size_t i = 0; i < facts->unfinished.count; i++) {
        struct slice compile = facts->unfinished.items[i].compile;
        sound &= !compile.ptr || is_compile_id(compile);
    }
    return sound;
}

static bool take_facts(struct reader *r, yyjson_val *json, struct rank_facts *facts) {
    struct arena *arena = &r->set->arena;
    if (!fact_fields_read(json_get(json, "log"), &fact_log_shape, facts, arena) || !is_sound(facts))
        return false;
    facts->file = facts->file ? facts->file : "";
    facts->dir = "";
    if (!facts->host.ptr)
        facts->host = r->host;
    if (facts->bad && !facts->error)
        facts->error = "it could not be read";
    return take_program(r, json, facts) && take_compiles(r, json, facts) &&
           take_graphs(r, json, "schedules", &facts->schedules.items, &facts->schedules.count) &&
           take_graphs(r, json, "runtimes", &facts->runtimes.items, &facts->runtimes.count) &&
           take_graphs(r, json, "code_calls", &facts->code_calls.items, &facts->code_calls.count) &&
           take_graphs(r, json, "graph_calls", &facts->graph_calls.items, &facts->graph_calls.count) &&
           take_order(r, json, facts) && take_settings(r, json, facts) && take_findings(r, json, facts) &&
           take_lookups(r, json, facts) && take_timeline(r, json, facts);
}

static bool take_log(struct reader *r, yyjson_val *json, const char **why) {
    struct arena *arena = &r->set->arena;
    struct facts_log log = {.facts = arena_zalloc(arena, sizeof *log.facts),
                            .result = mem_zalloc(1, sizeof *log.result),
                            .made_us = r->made_us,
                            .file = r->set->files};
    uint64_t made;
    if (json_to_u64(json_get(json, "made_us"), &made) && made <= (uint64_t)FACT_NUMBER_MAX)
        log.made_us = (int64_t)made; /* merged before: the facts are older than the file */
    *why = "invalid facts of a log";
    if (!take_facts(r, json, log.facts) || !take_result(r, json, log.result)) {
        rank_facts_finish(log.facts);
        facts_log_forget_result(&log);
        return false;
    }
    ARENA_ADD(arena, &r->set->logs, log);
    r->other_bytes += sizeof *log.result;
    r->logs++;
    return true;
}

static bool take_head(struct reader *r, struct slice line, struct err *err) {
    yyjson_val *root = NULL, *item;
    uint64_t version, made = 0;
    size_t i, max;
    if (!parse(r, line, &root) || !json_to_u64(json_get(root, "tlparse_facts"), &version))
        return err_set(err, ERR_INPUT, "this is not a facts file");
    if (version != FACTS_VERSION) {
        struct slice by = slice_first(json_get_text(root, "made_by"), 100);
        return err_set(err, ERR_INPUT, "version %" PRIu64 " of facts, made by %.*s; this tlparse reads version %d",
                       version, SLICE_ARG(by.ptr ? by : SLICE("an unknown program")), FACTS_VERSION);
    }
    if (json_to_u64(json_get(root, "made_us"), &made) && made <= (uint64_t)FACT_NUMBER_MAX)
        r->made_us = (int64_t)made;
    r->host = json_get_text(root, "host");
    r->host = arena_slice(&r->set->arena, r->host); /* empty, not NULL: the file into which all are merged has a
                                                     * different host */
    yyjson_arr_foreach(json_get(root, "unread"), i, max, item) {
        if (!yyjson_is_str(item))
            continue;
        ARENA_ADD(&r->set->arena, &r->set->unread, arena_slice(&r->set->arena, json_text(item)));
    }
    return true;
}

static bool begin_file(struct reader *r, struct slice line, struct err *err) {
    struct err why = {0};
    r->definitions.count = 0;
    r->made_us = 0;
    r->logs = 0;
    r->host = (struct slice){0};
    r->ended = false;
    if (!take_head(r, line, &why))
        return r->line == 1
                 ? (*err = why, false)
                 : err_set(err, ERR_INPUT, "line %" PRIu64 ": after the end of the facts: %s", r->line, why.text);
    r->begun = true;
    return true;
}

static bool take_end(struct reader *r, yyjson_val *root, const char **why) {
    uint64_t logs;
    bool number = json_to_u64(json_get(root, "logs"), &logs);
    *why = number && logs < r->logs ? "there are more logs than the end says" : "logs are missing before the end";
    return r->ended = number && logs == r->logs;
}

static bool take_line(struct reader *r, struct slice line, struct err *err) {
    const char *why = "invalid JSON";
    yyjson_val *root = NULL;
    bool good;
    arena_reset(&r->scratch);
    r->line++;
    if (r->ended || !r->begun)
        return begin_file(r, line, err);
    if (line.len && line.ptr[0] == '[')
        good = take_definition(r, line, &why);
    else if ((good = parse(r, line, &root)) && json_get(root, "logs"))
        good = take_end(r, root, &why);
    else
        good = good && take_log(r, root, &why);
    return good || err_set(err, ERR_INPUT, "line %" PRIu64 ": %s", r->line, why);
}

static bool check_memory(const struct reader *r, struct err *err) {
    uint64_t used = r->set->arena.bytes - r->before + r->other_bytes;
    return used <= FREE_BYTES + MEMORY_TIMES_MAX * r->bytes ||
           err_set(err, ERR_INPUT, "line %" PRIu64 ": these facts take too much memory for their size", r->line);
}

/* Parses the complete lines of a text, and sets *taken to their bytes. The first `unended` bytes are known to contain
 * no line end. */
static bool take_lines(struct reader *r, struct slice text, size_t unended, size_t *taken, struct err *err) {
    size_t from = 0;
    while (from < text.len) {
        const char *begin = text.ptr + from;
        const char *end = memchr(begin + unended, '\n', text.len - from - unended);
        if (!end)
            break;
        unended = 0;
        r->bytes += (uint64_t)(end - begin) + 1;
        if (!take_line(r, slice_make(begin, (size_t)(end - begin)), err) || !check_memory(r, err))
            return false;
        from += (size_t)(end - begin) + 1;
    }
    *taken = from;
    return true;
}

static bool ends_early(const struct reader *r, const char *why, struct err *err) {
    return err_set(err, ERR_INPUT, "line %" PRIu64 ": %s", r->line + 1, why);
}

static bool check_size(const struct reader *r, struct err *err) {
    if (r->text.len > LINE_MAX_BYTES)
        return ends_early(r, "it is too long", err);
    return r->bytes + r->text.len <= FREE_BYTES + UNPACKED_TIMES_MAX * r->source->file_read ||
           ends_early(r, "the file unpacks to more than 200 times its size", err);
}

static bool read_lines(struct reader *r, struct err *err) {
    for (;;) {
        size_t unended = r->text.len, taken;
        ssize_t got = source_read(r->source, buf_reserve(&r->text, READ_BYTES), READ_BYTES, err);
        if (got < 0)
            return false;
        if (got == 0)
            break;
        r->text.len += (size_t)got;
        if (!take_lines(r, buf_slice(&r->text), unended, &taken, err))
            return false;
        if (taken)
            memmove(r->text.ptr, r->text.ptr + taken, r->text.len - taken);
        r->text.len -= taken;
        if (!check_size(r, err))
            return false;
    }
    const char *damage = source_damage(r->source);
    return (r->ended && !r->text.len && !damage) || ends_early(r, damage ? damage : "the file ends early", err);
}

static void finish(struct reader *r) {
    r->set->files++;
    mem_free(r->definitions.items);
    buf_free(&r->text);
    arena_free(&r->scratch);
}

bool facts_set_read(struct facts_set *set, struct source *source, struct err *err) {
    struct reader r = {.set = set, .source = source, .before = set->arena.bytes};
    bool good = read_lines(&r, err);
    finish(&r);
    return good;
}

bool facts_set_read_text(struct facts_set *set, struct slice text, struct err *err) {
    struct reader r = {.set = set, .before = set->arena.bytes};
    size_t taken;
    bool good = take_lines(&r, text, 0, &taken, err) &&
                ((r.ended && taken == text.len) || ends_early(&r, "the file ends early", err));
    finish(&r);
    return good;
}

/* ---- cache keys ---- */

static uint32_t add_key(struct key_store *keys, const struct known_key *key) {
    struct key_part *parts = mem_alloc((key->count + 1) * sizeof *parts);
    size_t count = 0;
    for (size_t p = 0; p < key->pieces.count; p++)
        for (size_t i = 0; i < key->pieces.items[p]->list.count; i++) {
            const struct fact_part *part = &key->pieces.items[p]->list.items[i];
            parts[count++] = (struct key_part){part->name, part->hash, part->text};
        }
    uint32_t place = cache_keys_add(keys->keys, key->cache, key->name, parts, count);
    mem_free(parts);
    return place;
}

void facts_set_add_keys(struct key_store *keys, const struct rank_facts *facts) {
    struct shared_lookups *shared = facts->keys ? facts->keys->shared : NULL;
    if (!shared || shared->added)
        return;
    for (size_t i = 0; i < shared->list.count; i++)
        key_store_note(keys, &shared->list.items[i], shared->keys[i] ? add_key(keys, shared->keys[i]) : KEY_NONE);
    shared->added = true;
}
