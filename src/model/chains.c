#include "model/chains.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

enum { CAUSES_MAX = 256 }; /* of one chain: they are found by looking through them */

/* "0/1: guard" → "guard". */
static struct slice without_id(struct slice reason) {
    size_t colon = slice_find(reason, SLICE(": "));
    if (colon == SIZE_MAX || colon == 0)
        return reason;
    for (size_t i = 0; i < colon; i++) {
        char c = reason.ptr[i];
        if (!((c >= '0' && c <= '9') || c == '/' || c == '_' || c == '!' || c == '-'))
            return reason;
    }
    return slice_from(reason, colon + 2);
}

static struct slice until(struct slice text, struct slice mark) {
    size_t at = slice_find(text, mark);
    return at == SIZE_MAX ? text : slice_first(text, at);
}

static bool is_literal(struct slice text) {
    return text.len &&
           ((text.ptr[0] >= '0' && text.ptr[0] <= '9') || text.ptr[0] == '-' || text.ptr[0] == '\'' ||
            text.ptr[0] == '"' || slice_is(text, "True") || slice_is(text, "False") || slice_is(text, "None"));
}

/* "tensor 'x' dtype mismatch" → x, "k == 0" → k, "G['SCALE'] == 2.0" → G['SCALE']. */
static struct slice source_of(struct slice guard) {
    size_t quote = slice_find(guard, SLICE("tensor '"));
    size_t equal = slice_find(guard, SLICE(" == "));
    if (quote == 0)
        return until(slice_from(guard, 8), SLICE("' "));
    if (equal != SIZE_MAX)
        return slice_trim(slice_first(guard, equal));
    return (struct slice){0};
}

/* The user's file and line: "User stack trace:" and behind it the frame, innermost last. */
static struct place place_of(struct slice reason) {
    struct place place = {0};
    struct slice rest = reason, line;
    bool inside = false;
    while (slice_next_line(&rest, &line)) {
        struct slice text = slice_trim(line);
        inside |= slice_starts(text, SLICE("User stack trace:"));
        if (!inside || !slice_starts(text, SLICE("File \"")))
            continue;
        struct slice tail = slice_from(text, 6);
        size_t quote = slice_find(tail, SLICE("\", line "));
        if (quote == SIZE_MAX)
            continue;
        place.file = slice_first(tail, quote);
        tail = slice_from(tail, quote + 8);
        slice_to_u64(until(tail, SLICE(",")), &place.line);
        size_t in = slice_find(tail, SLICE(", in "));
        place.function = in == SIZE_MAX ? (struct slice){0} : slice_from(tail, in + 5);
    }
    return place;
}

/* What the reasons of one cause have in common: a value that differs each time is left out. */
static struct cause cause_of(struct chains *chains, struct slice reason) {
    struct slice text = without_id(slice_trim(reason)), rest = text, line = {0};
    slice_next_line(&rest, &line);
    size_t comment = slice_find(line, SLICE("  # "));
    struct slice guard = slice_trim(comment == SIZE_MAX ? line : slice_first(line, comment));
    struct cause cause = {.first = guard,
                          .example = text,
                          .source = source_of(guard),
                          .place = place_of(text),
                          .last = UINT32_MAX};
    if (comment != SIZE_MAX)
        cause.code = slice_trim(until(slice_from(line, comment + 4), SLICE("  # ")));
    guard = until(guard, SLICE(". expected "));
    size_t equal = slice_find(guard, SLICE(" == "));
    if (equal != SIZE_MAX && is_literal(slice_from(guard, equal + 4))) {
        struct buf general = {0};
        buf_add(&general, slice_first(guard, equal + 4));
        buf_add_lit(&general, "…");
        guard = arena_slice(&chains->arena, buf_slice(&general));
        buf_free(&general);
    }
    cause.guard = guard;
    return cause;
}

static void add_reason(struct chains *chains, struct chain *chain, uint32_t compile, struct slice reason) {
    struct cause cause = cause_of(chains, reason);
    size_t i = 0;
    while (i < chain->causes.count && !slice_eq(chain->causes.items[i].guard, cause.guard))
        i++;
    if (i == CAUSES_MAX)
        return;
    if (i == chain->causes.count) {
        MEM_GROW(&chain->causes);
        chain->causes.items[chain->causes.count++] = cause;
    }
    struct cause *found = &chain->causes.items[i];
    found->count += found->last != compile;
    found->last = compile;
}

bool is_limit_hit(const struct failure *failure) {
    return slice_find(failure->type, SLICE("RecompileLimit")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("recompile limit exceeded")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("recompile_limit")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("cache_size_limit")) != SIZE_MAX;
}

static void fill(struct chains *chains, struct chain *chain, const struct report *report) {
    for (size_t i = 0; i < chain->compiles.count; i++) {
        uint32_t place = chain->compiles.items[i];
        const struct compile *compile = report->compiles.items[place];
        if (!chain->frame.file.ptr)
            chain->frame = compile->frame;
        if (i > 0 && compile->time_us > 0)
            chain->time_us += compile->time_us;
        chain->limit_hit |= compile->failure >= 0 && is_limit_hit(&report->failures.items[compile->failure]);
        for (size_t r = 0; r < compile->reasons.count; r++)
            add_reason(chains, chain, place, compile->reasons.items[r]);
    }
}

struct sorted {
    int64_t frame_compile_id;
    uint32_t nth, place;
};

static int by_frame_compile_id(const void *a, const void *b) {
    const struct sorted *x = a, *y = b;
    if (x->frame_compile_id != y->frame_compile_id)
        return x->frame_compile_id < y->frame_compile_id ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void sort_compiles(struct chain *chain, const struct report *report) {
    struct sorted *sorted = mem_alloc((chain->compiles.count + 1) * sizeof *sorted);
    for (size_t i = 0; i < chain->compiles.count; i++) {
        uint32_t place = chain->compiles.items[i];
        sorted[i] = (struct sorted){report->compiles.items[place]->frame_compile_id, (uint32_t)i, place};
    }
    if (chain->compiles.count > 1)
        qsort(sorted, chain->compiles.count, sizeof *sorted, by_frame_compile_id);
    for (size_t i = 0; i < chain->compiles.count; i++)
        chain->compiles.items[i] = sorted[i].place;
    free(sorted);
}

void chains_find(struct chains *chains, const struct report *report) {
    struct map frames = {0};
    LIST(struct chain) all = {0};
    uint32_t *order = report_order(report);
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[order[i]];
        int64_t key[4] = {(int64_t)compile->process, compile->epoch, compile->autograd_id, compile->frame_id};
        bool added;
        if (compile->frame_id == PART_MISSING || !(compile->framed || compile->reasons.count))
            continue;
        uint32_t index = *map_put(&frames, slice_make((char *)key, sizeof key), (uint32_t)all.count, &added);
        if (added) {
            MEM_GROW(&all);
            all.items[all.count++] = (struct chain){0};
        }
        assert(index < all.count);
        struct chain *chain = &all.items[index];
        MEM_GROW(&chain->compiles);
        chain->compiles.items[chain->compiles.count++] = order[i];
    }
    for (size_t i = 0; i < all.count; i++) {
        sort_compiles(&all.items[i], report);
        fill(chains, &all.items[i], report);
        if (all.items[i].compiles.count > 1 || all.items[i].causes.count) {
            MEM_GROW(&chains->list);
            chains->list.items[chains->list.count++] = all.items[i];
        } else {
            free(all.items[i].compiles.items);
        }
    }
    free(all.items);
    free(order);
    map_free(&frames);
}

void chains_finish(struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++) {
        free(chains->list.items[i].compiles.items);
        free(chains->list.items[i].causes.items);
    }
    free(chains->list.items);
    arena_free(&chains->arena);
    *chains = (struct chains){0};
}
