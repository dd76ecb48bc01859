#include "facts/rank_parts.h"

#include "pages/page_parts.h"

/* The spans of a thread are nested, so the last one is the innermost. Among several threads, the span that began last
 * counts. */
const struct rank_span *rank_end(const struct rank_facts *facts) {
    const struct rank_span *last = NULL;
    for (size_t i = 0; i < facts->unfinished.count; i++)
        if (!last || facts->unfinished.items[i].started_us >= last->started_us)
            last = &facts->unfinished.items[i];
    return last;
}

/* How long the span's compile, or else the span itself, was open when the log ended. */
static int64_t open_us(const struct rank_facts *facts, const struct rank_span *span) {
    int64_t most = span->before_end_us;
    for (size_t i = 0; i < facts->unfinished.count; i++) {
        const struct rank_span *other = &facts->unfinished.items[i];
        if (span->compile.ptr && slice_eq(other->compile, span->compile) && other->before_end_us > most)
            most = other->before_end_us;
    }
    return most;
}

struct end {
    LIST(uint32_t) ranks;
    int64_t first_us, last_us;     /* times of the last events of its ranks */
    int64_t open_least, open_most; /* how long its compile had been open, by the clock of each rank */
};

struct ends {
    struct arena arena;
    struct map map;
    LIST(struct end) list;
};

static void add(struct ends *ends, const struct rank_facts *facts, uint32_t place) {
    const struct rank_span *span = rank_end(facts);
    struct buf key = {0};
    bool added;
    if (span) {
        buf_add(&key, span->name);
        buf_add_byte(&key, 0);
        buf_add(&key, span->frame.len ? span->frame : span->compile);
    }
    uint32_t at = *map_put_in(&ends->arena, &ends->map, buf_slice(&key), (uint32_t)ends->list.count, &added);
    buf_free(&key);
    if (added)
        ARENA_ADD(&ends->arena, &ends->list, (struct end){.first_us = facts->last_us, .open_least = INT64_MAX});
    struct end *end = &ends->list.items[at];
    ARENA_ADD(&ends->arena, &end->ranks, place);
    end->first_us = facts->last_us < end->first_us ? facts->last_us : end->first_us;
    end->last_us = facts->last_us > end->last_us ? facts->last_us : end->last_us;
    if (span) {
        int64_t open = open_us(facts, span);
        end->open_least = open < end->open_least ? open : end->open_least;
        end->open_most = open > end->open_most ? open : end->open_most;
    }
}

static void write_end(struct jsonw *w, const struct end *end, const struct rank_facts *const *facts, int64_t last_us) {
    const struct rank_facts *first = facts[end->ranks.items[0]];
    const struct rank_span *span = rank_end(first);
    jsonw_object(w, NULL);
    JSON_LIST(w, "ranks", i, end->ranks.count, facts[end->ranks.items[i]]->rank);
    jsonw_bool(w, "finished", !span);
    jsonw_text(w, "name", span ? span->name : (struct slice){0});
    jsonw_text(w, "compile", span ? span->compile : (struct slice){0});
    if (span && span->place.file.ptr)
        place_json_write(w, "place", &span->place);
    else
        jsonw_null(w, "place");
    JSON_ADD(w, "open_least_us", span ? end->open_least : -1, "open_most_us", span ? end->open_most : -1);
    jsonw_i64(w, "last_us", end->last_us);
    jsonw_i64(w, "before_end_us", last_us - end->first_us);
    jsonw_end_object(w);
}

void rank_ends_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    struct ends ends = {0};
    int64_t last_us = 0;
    for (size_t r = 0; r < count; r++)
        if (rank_is_compared(facts[r]) && facts[r]->last_us > 0) {
            add(&ends, facts[r], (uint32_t)r);
            last_us = facts[r]->last_us > last_us ? facts[r]->last_us : last_us;
        }
    jsonw_array(w, "rank_ends");
    for (int finished = 0; finished < 2; finished++)
        for (size_t i = 0; i < ends.list.count; i++)
            if (finished == (rank_end(facts[ends.list.items[i].ranks.items[0]]) == NULL))
                write_end(w, &ends.list.items[i], facts, last_us);
    jsonw_end_array(w);
    arena_free(&ends.arena);
}
