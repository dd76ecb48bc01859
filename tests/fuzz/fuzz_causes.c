/* Arbitrary facts of some ranks: causes are always consistent, equal ranks have none, and the output is JSON. */
#define _GNU_SOURCE /* memfd_create */
#include "base/json.h"
#include "base/mem.h"
#include "diverge/cache_misses.h"
#include "diverge/cause.h"
#include "diverge/diverge.h"
#include "facts/rank_parts.h"
#include "fuzz.h"
#include "ranks/ranks_json.h"

enum { RANKS_MAX = 6, COMPILES_MAX = 24, STEPS_MAX = 4 };

struct bytes {
    const uint8_t *data;
    size_t size, at;
};

static uint8_t next(struct bytes *bytes) {
    return bytes->at < bytes->size ? bytes->data[bytes->at++] : 0;
}

__attribute__((format(printf, 2, 3))) static struct slice say(struct rank_facts *facts, const char *format, ...) {
    char text[120];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return arena_slice(&facts->arena, slice_make(text, len < (int)sizeof text ? (size_t)len : sizeof text - 1));
}

static const struct graph_trace *make_trace(struct rank_facts *facts, uint8_t seed) {
    struct graph_trace *trace = arena_zalloc(&facts->arena, sizeof *trace);
    trace->count = seed % (STEPS_MAX + 1);
    trace->steps = arena_zalloc(&facts->arena, (STEPS_MAX + 1) * sizeof *trace->steps);
    for (uint32_t i = 0; i < trace->count; i++) {
        unsigned kind = (seed >> i) & 3;
        trace->steps[i] = (struct graph_step){.file = kind ? say(facts, "/home/u/f%u.py", kind & 1) : (struct slice){0},
                                              .function = say(facts, "g%u", kind),
                                              .code = say(facts, "y = %u", seed >> 6),
                                              .line = 10 + kind,
                                              .ops = seed >> 5,
                                              .text = say(facts, "a: \"f32[4]\" = x.sin()\n  b = a + %u", seed >> 4),
                                              .type = say(facts, "f32[%u]", kind)};
    }
    return trace;
}

static void add_compile(struct rank_facts *facts, struct bytes *bytes, struct map *seen) {
    uint8_t what = next(bytes), how = next(bytes), graph = next(bytes), more = next(bytes);
    struct rank_compile c = {.number = what >> 6,
                             .status = how % (STATUS_ERROR + 1),
                             .open = how >= 250,
                             .ops = graph % 5,
                             .guards = graph % 7,
                             .graph_hash = graph % 4,
                             .guards_hash = more % 4,
                             .reasons = what >> 6 ? 1 : 0,
                             .earliest = more & 4};
    bool added;
    if (c.reasons)
        c.reason = say(facts, "0/%u: tensor 'x' size mismatch at index %u. expected 4, actual %u", graph & 1, how & 1,
                       more % 3);
    c.place =
        (struct place){say(facts, "/home/u/f%u.py", what & 1), say(facts, "f%u", (what >> 1) & 3), 5u + (how & 1)};
    c.user = how & 2 ? c.place : (struct place){0};
    c.frame = what & 32 ? say(facts, "f%u at f%u:%u", (what >> 1) & 3, what & 1, how & 1) : (struct slice){0};
    c.id = say(facts, "%zu/%u%s", facts->compiles.count, what >> 6, what & 16 ? "#2" : "");
    c.match = c.id;
    c.breaks = how & 4;
    c.break_at = c.place;
    c.break_reason = say(facts, "reason %u", how & 3);
    c.sizes = more & 64 ? say(facts, "{\"x\": [%u, \"s%u\"]}", more & 3, more & 1)
                        : say(facts, "{\"x\": [%u, %u]}", more & 3, more & 1);
    c.reason = say(facts, "0/0: k == %u  # f.py:3", more & 3);
    static const enum cache_outcome many[] = {OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT,
                                              OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT, OUTCOME_HIT},
                                    two[] = {OUTCOME_MISS, OUTCOME_BYPASS};
    if (more & 128)
        c.cache = more & 8 ? (struct rank_outcomes){many, sizeof many / sizeof *many}
                           : (struct rank_outcomes){two, sizeof two / sizeof *two};
    c.trace = graph % 4 ? make_trace(facts, graph) : NULL;
    c.failure = c.status == STATUS_ERROR ? say(facts, "Error: %u", more) : (struct slice){0};
    struct slice name = c.frame.len ? say(facts, "%.*s %u", SLICE_ARG(c.frame), what >> 6) : c.id;
    uint32_t *times = map_put(seen, name, 1, &added);
    c.slot = added ? name : say(facts, "%.*s (%u)", SLICE_ARG(name), ++*times);
    map_put_in(&facts->arena, &facts->compile_map, c.id, (uint32_t)facts->compiles.count, NULL);
    if (c.open) {
        ARENA_GROW(&facts->arena, &facts->unfinished);
        facts->unfinished.items[facts->unfinished.count++] = (struct rank_span){.name = say(facts, "span%u", more & 3),
                                                                                .compile = c.id,
                                                                                .frame = c.frame,
                                                                                .place = c.place};
    }
    ARENA_GROW(&facts->arena, &facts->execution);
    facts->execution.items[facts->execution.count++] = c.id;
    struct rank_compile *kept = arena_alloc(&facts->arena, sizeof *kept);
    *kept = c;
    facts->times_us[facts->compiles.count] = (int64_t)more * 100000 - 1;
    ARENA_GROW(&facts->arena, &facts->compiles);
    facts->compiles.items[facts->compiles.count++] = kept;
}

static void make_facts(struct rank_facts *facts, uint64_t rank, struct bytes *bytes) {
    struct map seen = {0};
    uint8_t head = next(bytes);
    *facts =
        (struct rank_facts){.has_rank = true, .rank = rank, .bad = head == 255, .job = head == 254, .last_us = head};
    facts->dir = "d";
    facts->times_us = arena_alloc(&facts->arena, COMPILES_MAX * sizeof *facts->times_us);
    facts->file = "f";
    for (size_t i = 0; i < head % COMPILES_MAX; i++)
        add_compile(facts, bytes, &seen);
    map_free(&seen);
}

static void check_cause(const struct root_cause *cause, size_t count) {
    size_t ranks = 0;
    MUST(cause->title.len && cause->sides.count > 1 && cause->rank_count == count);
    MUST(cause->usual < (int64_t)cause->sides.count && cause->consequences.count <= CONSEQUENCES_MAX);
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        MUST(side->ranks.count);
        ranks += side->ranks.count;
        for (size_t i = 0; i < side->ranks.count; i++)
            MUST(side->ranks.items[i] < count && cause->side_of[side->ranks.items[i]] == s);
    }
    MUST(ranks <= count);
    for (size_t i = 0; i < cause->consequences.count; i++)
        MUST(cause->consequences.items[i].first.len);
}

static void compare(const struct rank_facts *const *facts, size_t count, bool same) {
    struct divergences divergences;
    struct buf out = {0};
    struct arena arena = {0};
    yyjson_val *root;
    struct cache_misses none = {0};
    divergences_find(&divergences, facts, count);
    divergences.misses = &none;
    MUST(divergences.causes->list.count <= ROOT_CAUSES_MAX);
    for (size_t i = 0; i < divergences.causes->list.count; i++)
        check_cause(divergences.causes->list.items[i], count);
    MUST(!same || !divergences.causes->list.count);
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        MUST(!same || divergences.of[aspect].groups.count < 2);
    buf_add_lit(&out, "{\"x\":1");
    struct jsonw w = {.out = &out, .filled = 1};
    ranks_json_add(&w, facts, count, &divergences, SLICE("[]"));
    buf_add_byte(&out, '}');
    struct slice json = buf_slice(&out);
    MUST(json_read(&json, JSON_NUMBERS, &arena, &root) == JSON_STRICT);
    arena_free(&arena);
    buf_free(&out);
    divergences_finish(&divergences);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {data, size, 0};
    struct rank_facts facts[RANKS_MAX];
    const struct rank_facts *all[RANKS_MAX];
    size_t count = 2 + next(&bytes) % (RANKS_MAX - 1);
    bool same = next(&bytes) & 1; /* then all ranks get the same bytes */
    for (size_t r = 0; r < count; r++) {
        struct bytes again = {data, size, 2};
        make_facts(&facts[r], r, same ? &again : &bytes);
        all[r] = &facts[r];
    }
    compare(all, count, same);
    for (size_t r = 0; r < count; r++)
        rank_facts_finish(&facts[r]);
    return 0;
}
