/* Writes facts files. */

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "facts/fact_shapes.h"
#include "facts/facts_file.h"
#include "facts/facts_lines.h"
#include "sink/script.h"
#include "trace/choice.h"

/* On facts, level 3 packs as well as level 9 of gzip. */
enum { FRAME_BYTES = 1 << 20, LEVEL = 3 };
#define NO_DEFINITION UINT32_MAX

uint64_t facts_hash(struct slice line) {
    return XXH3_64bits(line.ptr, line.len);
}

const char *definition_name(enum definition kind) {
    static const char *const names[] = {
        [DEFINE_GRAPH] = "graph",     [DEFINE_GUARDS] = "guards",     [DEFINE_COMPILE] = "compile",
        [DEFINE_GRAPHS] = "graphs",   [DEFINE_PROGRAM] = "program",   [DEFINE_ORDER] = "order",
        [DEFINE_FINDING] = "finding", [DEFINE_SETTINGS] = "settings", [DEFINE_CONFIGURATION] = "configuration",
        [DEFINE_PARTS] = "parts",     [DEFINE_KEY] = "key",           [DEFINE_LOOKUPS] = "lookups",
        [DEFINE_NAMES] = "names",
    };
    return names[kind];
}

struct writer {
    const struct facts_of_logs *logs;
    const struct ranks_facts_out *out;
    bool good;
    struct buf lines, packed;
    struct map known;                          /* hash of a definition → its number */
    uint32_t count;                            /* of definitions */
    struct map pointers, graphs, guards, keys; /* definitions already written: pointers, and hashes or names */
    struct arena arena;
    LIST(struct slice) key_hashes; /* by the number in `keys` */
    struct buf line;               /* the line of the log that is being written */
};

/* Writes a frame of the file. */
static void flush(struct writer *w) {
    if (!w->lines.len || !w->good)
        return;
    w->packed.len = 0;
    zstd_add(&w->packed, buf_slice(&w->lines), LEVEL);
    w->good = w->out->write(w->out->context, buf_slice(&w->packed));
    w->lines.len = 0;
}

static void add_line(struct writer *w, struct slice line) {
    BUF_ADD(&w->lines, line, "\n");
    if (w->lines.len >= FRAME_BYTES)
        flush(w);
}

/* Writes a definition unless it was written before. Returns its number, and its hash in *hash unless that is NULL. */
static uint32_t define(struct writer *w, enum definition kind, struct slice json, uint64_t *hash) {
    AUTO_BUF line = {0};
    bool added;
    BUF_ADD(&line, "\"", definition_name(kind), "\",", json, "]");
    uint64_t its = facts_hash(buf_slice(&line));
    uint32_t number = *map_put(&w->known, slice_make((const char *)&its, sizeof its), w->count, &added);
    if (added) {
        AUTO_BUF whole = {0};
        buf_addf(&whole, "[\"%016" PRIx64 "\",", its);
        buf_add(&whole, buf_slice(&line));
        add_line(w, buf_slice(&whole));
        w->count++;
    }
    if (hash)
        *hash = its;
    return number;
}

static uint32_t define_shape(struct writer *w, enum definition kind, const struct fact_shape *shape, const void *from,
                             uint64_t *hash) {
    AUTO_BUF json = {0};
    struct jsonw out = {.out = &json};
    jsonw_object(&out, NULL);
    fact_fields_write(&out, shape, from);
    jsonw_end_object(&out);
    uint32_t number = define(w, kind, buf_slice(&json), hash);
    return number;
}

/* Whether the map did not yet have the text or number. */
static bool is_new(struct map *map, struct slice key) {
    bool added;
    map_put(map, key, 0, &added);
    return added;
}

static void define_graph(struct writer *w, uint64_t hash, const struct graph_trace *trace) {
    AUTO_BUF json = {0};
    struct jsonw out = {.out = &json};
    struct fact_graph graph = {.cut = trace->cut, .world = trace->world};
    if (!is_new(&w->graphs, slice_make((const char *)&hash, sizeof hash)))
        return;
    graph.steps.items = trace->steps;
    graph.steps.count = trace->count;
    graph.calls.items = trace->calls;
    graph.calls.count = trace->call_count;
    jsonw_object(&out, NULL);
    jsonw_u64(&out, "hash", hash);
    fact_fields_write(&out, &fact_graph_shape, &graph);
    jsonw_end_object(&out);
    define(w, DEFINE_GRAPH, buf_slice(&json), NULL);
}

static void define_guards(struct writer *w, uint64_t hash, const struct rank_guards *stated) {
    AUTO_BUF json = {0};
    struct jsonw out = {.out = &json};
    struct slice key, value;
    if (!is_new(&w->guards, slice_make((const char *)&hash, sizeof hash)))
        return;
    jsonw_object(&out, NULL);
    jsonw_u64(&out, "hash", hash);
    jsonw_array(&out, "list");
    for (uint32_t i = 0; rank_guards_fact(stated, i, &key, &value); i++) {
        jsonw_object(&out, NULL);
        jsonw_text(&out, "key", key);
        jsonw_text(&out, "value", value);
        jsonw_end_object(&out);
    }
    jsonw_end_array(&out);
    jsonw_end_object(&out);
    define(w, DEFINE_GUARDS, buf_slice(&json), NULL);
}

static uint32_t define_compile(struct writer *w, const struct rank_compile *compile) {
    struct slice pointer = slice_make((const char *)&compile, sizeof compile);
    uint32_t number = map_get(&w->pointers, pointer);
    AUTO_BUF json = {0};
    struct jsonw out = {.out = &json};
    if (number != MAP_NONE)
        return number;
    if (compile->trace)
        define_graph(w, compile->graph_hash, compile->trace);
    if (compile->stated)
        define_guards(w, compile->guards_hash, compile->stated);
    jsonw_object(&out, NULL);
    fact_fields_write(&out, &fact_compile_shape, compile);
    if (compile->trace)
        jsonw_bool(&out, "traced", true);
    if (compile->stated)
        jsonw_bool(&out, "stated", true);
    jsonw_end_object(&out);
    number = define(w, DEFINE_COMPILE, buf_slice(&json), NULL);
    map_put(&w->pointers, pointer, number, NULL);
    return number;
}

/* Defines lists, except empty ones. */
static uint32_t define_graphs(struct writer *w, const struct rank_graph *items, size_t count) {
    struct fact_graphs graphs = {0};
    struct slice pointer = slice_make((const char *)&items, sizeof items);
    uint32_t number = count ? map_get(&w->pointers, pointer) : NO_DEFINITION;
    if (number != MAP_NONE || !count)
        return number;
    graphs.list.items = (struct rank_graph *)(uintptr_t)items;
    graphs.list.count = count;
    number = define_shape(w, DEFINE_GRAPHS, &fact_graphs_shape, &graphs, NULL);
    map_put(&w->pointers, pointer, number, NULL);
    return number;
}

static uint32_t define_program(struct writer *w, const struct rank_facts *facts) {
    struct fact_program program = {.torch = facts->torch,
                                   .python = facts->python,
                                   .cuda = facts->cuda,
                                   .triton = facts->triton,
                                   .program = facts->program,
                                   .world = facts->world};
    program.frame_files.items = facts->frame_files.items;
    program.frame_files.count = facts->frame_files.count;
    program.decisions.items = facts->decisions.items;
    program.decisions.count = facts->decisions.count;
    return define_shape(w, DEFINE_PROGRAM, &fact_program_shape, &program, NULL);
}

static uint32_t define_order(struct writer *w, const struct rank_facts *facts) {
    struct fact_order order = {0};
    if (!facts->execution.count)
        return NO_DEFINITION;
    order.ids.items = facts->execution.items;
    order.ids.count = facts->execution.count;
    return define_shape(w, DEFINE_ORDER, &fact_order_shape, &order, NULL);
}

/* A text of hexadecimal digits in the arena. */
static struct slice hash_text(struct arena *arena, uint64_t hash) {
    char hex[HASH_DIGITS + 1];
    snprintf(hex, sizeof hex, "%016" PRIx64, hash);
    return arena_slice(arena, slice_make(hex, HASH_DIGITS));
}

/* Whether a piece ends before the item with this name. A hash of the name decides, so pieces end at the same names on
 * all ranks. */
static bool ends_piece(struct slice name, size_t items) {
    enum { PIECE_ITEMS = 32, PIECE_ITEMS_MAX = 128 };
    return items && (facts_hash(name) % PIECE_ITEMS == 0 || items == PIECE_ITEMS_MAX);
}

/* Equal settings of two kinds become adjacent, which compresses well. */
static int by_texts(const void *a, const void *b) {
    const struct fact_setting *x = a, *y = b;
    int order = slice_cmp(x->name, y->name);
    if (!order)
        order = (x->kind > y->kind) - (x->kind < y->kind);
    return order ? order : slice_cmp(x->value, y->value);
}

/* Returns the same texts for the same settings, whatever their numbers are. */
static struct fact_setting *sorted_settings(struct writer *w, const struct rank_facts *facts) {
    struct fact_setting *settings = mem_alloc(facts->settings.count * sizeof *settings);
    for (size_t i = 0; i < facts->settings.count; i++) {
        settings[i].kind = facts->settings.items[i].kind;
        rank_pair_texts(w->logs->settings, facts->settings.items[i], &settings[i].name, &settings[i].value);
    }
    qsort(settings, facts->settings.count, sizeof *settings, by_texts);
    return settings;
}

static uint32_t define_settings(struct writer *w, const struct rank_facts *facts) {
    struct slice pointer = slice_make((const char *)&facts->settings.items, sizeof facts->settings.items);
    struct fact_configuration configuration = {0};
    AUTO_ARENA arena = {0};
    size_t count = facts->settings.count;
    uint32_t number = count ? map_get(&w->pointers, pointer) : NO_DEFINITION;
    if (number != MAP_NONE || !count)
        return number;
    struct fact_setting *settings = sorted_settings(w, facts);
    for (size_t begin = 0, end; begin < count; begin = end) {
        struct fact_settings piece = {0};
        uint64_t hash;
        for (end = begin; end < count && !ends_piece(settings[end].name, end - begin);)
            end++;
        piece.list.items = settings + begin;
        piece.list.count = end - begin;
        define_shape(w, DEFINE_SETTINGS, &fact_settings_shape, &piece, &hash);
        ARENA_ADD(&arena, &configuration.pieces, hash_text(&arena, hash));
    }
    number = define_shape(w, DEFINE_CONFIGURATION, &fact_configuration_shape, &configuration, NULL);
    map_put(&w->pointers, pointer, number, NULL);
    mem_free(settings);
    return number;
}

/* A component is identified by the hash in the log, because its text may contain addresses. A short text has no
 * addresses and identifies the component just as well. The beginning of a hash is sufficient. */
static struct fact_part short_part(const struct key_part *part) {
    enum { TEXT_BYTES = 32, HASH_BYTES = 12 };
    bool plain = part->text.ptr && part->text.len <= TEXT_BYTES && slice_find(part->text, SLICE("0x")) == SIZE_MAX;
    struct slice none = {0}, hash = plain ? none : slice_first(part->hash, HASH_BYTES);
    return (struct fact_part){part->name, hash, part->text};
}

static void define_parts(struct writer *w, struct fact_key *key, const struct key_part *parts, size_t count,
                         struct arena *arena) {
    struct fact_part *items = arena_alloc(arena, (count + 1) * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = short_part(&parts[i]);
    for (size_t begin = 0, end; begin < count; begin = end) {
        struct fact_parts piece = {0};
        uint64_t hash;
        for (end = begin; end < count && !ends_piece(items[end].name, end - begin);)
            end++;
        piece.list.items = items + begin;
        piece.list.count = end - begin;
        define_shape(w, DEFINE_PARTS, &fact_parts_shape, &piece, &hash);
        ARENA_ADD(arena, &key->pieces, hash_text(arena, hash));
    }
}

/* The hash of the definition of a key. */
static struct slice define_key(struct writer *w, const struct rank_lookup *lookup, uint32_t components) {
    struct fact_key key = {.name = lookup->name, .cache = lookup->cache};
    uint32_t at = map_get(&w->keys, lookup->name);
    struct arena arena = {0};
    struct key_part *parts;
    uint64_t hash;
    size_t count;
    if (at != MAP_NONE)
        return w->key_hashes.items[at];
    for (uint32_t r = 0; (parts = cache_key_run(w->logs->keys->keys, components, r, &count)); r++) {
        define_parts(w, &key, parts, count, &arena);
        mem_free(parts);
    }
    define_shape(w, DEFINE_KEY, &fact_key_shape, &key, &hash);
    arena_free(&arena);
    map_put(&w->keys, lookup->name, (uint32_t)w->key_hashes.count, NULL);
    ARENA_GROW(&w->arena, &w->key_hashes);
    w->key_hashes.items[w->key_hashes.count] = hash_text(&w->arena, hash);
    return w->key_hashes.items[w->key_hashes.count++];
}

static uint32_t define_lookups(struct writer *w, const struct rank_keys *keys) {
    struct fact_lookups lookups = {0};
    struct slice pointer = slice_make((const char *)&keys->lookups.items, sizeof keys->lookups.items);
    uint32_t number = keys->lookups.count ? map_get(&w->pointers, pointer) : NO_DEFINITION;
    if (number != MAP_NONE || !keys->lookups.count)
        return number;
    lookups.list.items = mem_zalloc(keys->lookups.count, sizeof *lookups.list.items);
    for (size_t i = 0; i < keys->lookups.count; i++) {
        const struct rank_lookup *lookup = &keys->lookups.items[i];
        uint32_t components = w->logs->keys->list.items[lookup->key].components;
        struct fact_lookup *to = &lookups.list.items[lookups.list.count++];
        to->lookup = *lookup;
        if (components != KEY_NONE)
            to->key = define_key(w, lookup, components);
    }
    number = define_shape(w, DEFINE_LOOKUPS, &fact_lookups_shape, &lookups, NULL);
    map_put(&w->pointers, pointer, number, NULL);
    mem_free(lookups.list.items);
    return number;
}

static void write_reference(struct jsonw *out, const char *key, uint32_t number) {
    if (number != NO_DEFINITION)
        jsonw_u64(out, key, number);
}

static void write_numbers(struct jsonw *out, const char *key, const int64_t *numbers, size_t count) {
    jsonw_array(out, key);
    for (size_t i = 0; i < count; i++)
        jsonw_i64(out, NULL, numbers[i]);
    jsonw_end_array(out);
}

static void write_result(struct jsonw *out, const struct pipeline_result *from) {
    struct fact_result result = {.no_compile_id = from->no_compile_id,
                                 .no_compile_id_line = from->no_compile_id_line,
                                 .no_compile_id_file = from->no_compile_id_file,
                                 .processes = from->processes,
                                 .namesakes = from->namesakes,
                                 .namesake = from->namesake,
                                 .compiles = from->compiles,
                                 .artifacts = from->artifacts,
                                 .bytes = from->bytes,
                                 .missing_inputs = from->missing_inputs};
    memcpy(result.counters, from->counters, sizeof result.counters);
    result.unknown_keys.items = mem_alloc((from->unknown_key_count + 1) * sizeof *result.unknown_keys.items);
    for (size_t i = 0; i < from->unknown_key_count; i++)
        result.unknown_keys.items[result.unknown_keys.count++] = slice_str(from->unknown_keys[i]);
    jsonw_object(out, "result");
    fact_fields_write(out, &fact_result_shape, &result);
    jsonw_end_object(out);
    mem_free(result.unknown_keys.items);
}

static uint32_t define_names(struct writer *w, const struct timeline_names *names) {
    struct slice pointer = slice_make((const char *)&names, sizeof names);
    uint32_t number = map_get(&w->pointers, pointer);
    if (number == MAP_NONE) {
        number = define_shape(w, DEFINE_NAMES, &fact_names_shape, names, NULL);
        map_put(&w->pointers, pointer, number, NULL);
    }
    return number;
}

static void write_timeline(struct writer *w, struct jsonw *out, const struct rank_timeline *timeline) {
    const unsigned char *packed = timeline->totals;
    jsonw_object(out, "timeline");
    fact_fields_write(out, &fact_timeline_shape, timeline);
    write_reference(out, "names", define_names(w, timeline->names));
    jsonw_array(out, "totals");
    for (size_t i = 0; i < timeline->names->list.count; i++) {
        struct rank_total total = rank_total_next(&packed);
        jsonw_u64(out, NULL, total.count);
        jsonw_i64(out, NULL, total.total_us);
        jsonw_i64(out, NULL, total.self_us);
        jsonw_i64(out, NULL, total.max_us);
    }
    jsonw_end_array(out);
    jsonw_end_object(out);
}

/* Definitions must precede the line that refers to them. */
static void write_log(struct writer *w, const struct rank_facts *facts, const struct pipeline_result *result,
                      int64_t made_us) {
    struct jsonw out = {.out = &w->line};
    w->line.len = 0;
    jsonw_object(&out, NULL);
    jsonw_object(&out, "log");
    struct rank_facts own = *facts;
    if (own.host.ptr && w->out->origin.host.ptr && slice_eq(own.host, w->out->origin.host))
        own.host = (struct slice){0};
    fact_fields_write(&out, &fact_log_shape, &own);
    jsonw_end_object(&out);
    if (made_us)
        jsonw_i64(&out, "made_us", made_us);
    write_result(&out, result);
    write_reference(&out, "program", define_program(w, facts));
    jsonw_array(&out, "compiles");
    for (size_t i = 0; i < facts->compiles.count; i++)
        jsonw_u64(&out, NULL, define_compile(w, facts->compiles.items[i]));
    jsonw_end_array(&out);
    write_numbers(&out, "times_us", facts->times_us, facts->compiles.count);
    write_reference(&out, "schedules", define_graphs(w, facts->schedules.items, facts->schedules.count));
    write_reference(&out, "runtimes", define_graphs(w, facts->runtimes.items, facts->runtimes.count));
    write_reference(&out, "code_calls", define_graphs(w, facts->code_calls.items, facts->code_calls.count));
    write_reference(&out, "graph_calls", define_graphs(w, facts->graph_calls.items, facts->graph_calls.count));
    write_reference(&out, "execution", define_order(w, facts));
    write_reference(&out, "configuration", define_settings(w, facts));
    jsonw_array(&out, "findings");
    for (size_t i = 0; i < facts->findings.count; i++)
        jsonw_u64(&out, NULL, define_shape(w, DEFINE_FINDING, &fact_finding_shape, facts->findings.items[i], NULL));
    jsonw_end_array(&out);
    if (facts->keys) {
        write_reference(&out, "lookups", define_lookups(w, facts->keys));
        jsonw_array(&out, "lookup_times_us");
        for (size_t i = 0; i < facts->keys->lookups.count; i++)
            jsonw_i64(&out, NULL, rank_keys_time(facts->keys, i));
        jsonw_end_array(&out);
        jsonw_u64(&out, "more_lookups", facts->keys->more);
    }
    if (facts->timeline)
        write_timeline(w, &out, facts->timeline);
    jsonw_end_object(&out);
    add_line(w, buf_slice(&w->line));
}

static void write_head(struct writer *w, const struct facts_origin *origin) {
    struct jsonw out = {.out = &w->line};
    jsonw_object(&out, NULL);
    jsonw_u64(&out, "tlparse_facts", FACTS_VERSION);
    jsonw_str(&out, "made_by", "tlparse " TLPARSE_VERSION);
    jsonw_i64(&out, "made_us", origin->made_us);
    jsonw_text(&out, "host", origin->host);
    jsonw_array(&out, "unread");
    for (size_t i = 0; origin->unread && i < origin->unread->count; i++)
        jsonw_str(&out, NULL, origin->unread->items[i]);
    jsonw_end_array(&out);
    jsonw_end_object(&out);
    add_line(w, buf_slice(&w->line));
}

bool facts_write(const struct facts_of_logs *logs, const struct ranks_facts_out *out) {
    struct writer w = {.logs = logs, .out = out, .good = true};
    AUTO_BUF end = {0};
    write_head(&w, &out->origin);
    for (size_t i = 0; i < logs->count && w.good; i++)
        write_log(&w, logs->facts[i], logs->results[i], logs->made_us ? logs->made_us[i] : 0);
    buf_addf(&end, "{\"logs\":%zu}", logs->count);
    add_line(&w, buf_slice(&end));
    flush(&w);
    struct map *maps[] = {&w.known, &w.pointers, &w.graphs, &w.guards, &w.keys};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_free(maps[i]);
    arena_free(&w.arena);
    buf_free(&w.line);
    buf_free(&w.lines);
    buf_free(&w.packed);
    return w.good;
}
