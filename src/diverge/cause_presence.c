/* Compiles that not all ranks have. */

#include "diverge/cause_finder.h"
#include "diverge/rank_recompile.h"
#include "facts/rank_parts.h"
#include "trace/stack.h"

/* A rank whose log ends within a compile, or with one, has no later compiles: that is a separate cause. If a log was
 * read only in part, later compiles are unknown. */
static bool ended_before(const struct finder *f, size_t rank) {
    const struct rank_facts *facts = f->facts[rank];
    return (facts->unfinished.count || f->stopped[rank] || !rank_is_read_whole(facts)) &&
           (int64_t)f->at > f->last_of[rank];
}

/* "torch_dynamo_resume_in_f_at_12" is compiled if f breaks. */
static bool resumes(struct slice function, struct slice of) {
    static const struct slice head = SLICE_INIT("torch_dynamo_resume_in_");
    return of.len && slice_starts(function, head) && slice_starts(slice_from(function, head.len), of) &&
           slice_starts(slice_from(function, head.len + of.len), SLICE("_at_"));
}

/* Whether the preceding compiles of both are in the same slot, or both have none. */
static bool same_before(const struct finder *f, size_t rank, size_t at, size_t other, size_t other_at) {
    if (!at || !other_at)
        return !at && !other_at;
    return f->slot_of[rank][at - 1] == f->slot_of[other][other_at - 1];
}

/* Whether this is the code of the same function in the same file, but on a different line. */
static bool is_moved(const struct rank_compile *a, const struct rank_compile *b) {
    bool same = a->trace && b->trace && a->trace->count && a->trace->count == b->trace->count &&
                a->place.line != b->place.line && slice_eq(a->place.file, b->place.file) &&
                slice_eq(a->place.function, b->place.function);
    for (uint32_t i = 0; same && i < a->trace->count; i++)
        same = a->trace->steps[i].code.len && slice_eq(a->trace->steps[i].code, b->trace->steps[i].code);
    return same;
}

/* Whether both reasons state the same change of a tensor, such as its size 0 from 4 to 5, whatever the tensor's name
 * is: a batch that only one rank gets is the input of several frames. */
static bool same_change(struct slice a, struct slice b) {
    struct guard_failure x = guard_failure_read(a), y = guard_failure_read(b);
    bool tensor = x.type == GUARD_SIZE || x.type == GUARD_DTYPE || x.type == GUARD_DEVICE;
    return tensor && x.type == y.type && x.had.len && x.has.len && slice_eq(x.had, y.had) && slice_eq(x.has, y.has) &&
           slice_eq(x.dimension, y.dimension);
}

/* The cause for a recompile with a change that the rank's side of the cause already has, and the other side has not. */
static struct root_cause *cause_of_same_change(const struct finder *f, const struct rank_compile *c, uint32_t mine,
                                               const uint32_t *side_of) {
    for (size_t i = 0; i < f->causes->list.count && c->number > 0; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        if ((cause->kind == CAUSE_RECOMPILE || cause->kind == CAUSE_REASON) && same_sides(f, cause->side_of, side_of) &&
            same_change(cause->sides.items[mine].text, c->reason))
            return cause;
    }
    return NULL;
}

/* Whether the compile belongs to the subject of the cause, which its side has in the same function. */
static bool is_of_cause(const struct finder *f, const struct root_cause *cause, const struct rank_compile *c,
                        uint32_t mine) {
    const struct cause_side *side = &cause->sides.items[mine];
    const struct rank_compile *other =
        side->compile.ptr ? rank_compile_by_id(f->facts[side->ranks.items[0]], side->compile) : NULL;
    switch (cause->kind) {
    case CAUSE_EXTRA:
    case CAUSE_OTHER:
        return true;
    case CAUSE_RECOMPILE:
        return other && rank_recompile_same_subject(other, c);
    case CAUSE_DYNAMIC:
        return rank_recompile_is_of_size(c);
    default:
        return false;
    }
}

/* The cause that this compile belongs to: the rank's side has it, and the other side does not; NULL: none yet. */
static struct root_cause *cause_of_same_place(const struct finder *f, const struct rank_compile *c, uint32_t mine,
                                              const uint32_t *side_of) {
    struct root_cause *known = cause_of_same_change(f, c, mine, side_of);
    for (size_t i = 0; i < f->causes->list.count && !known; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        bool same_function = slice_eq(cause->frame.function, c->place.function) && same_place(&cause->frame, &c->place);
        /* Other reasons for recompiles, which both sides have, do not explain the additional one. */
        bool both = c->number > 0 && cause->kind == CAUSE_REASON;
        if (!same_sides(f, cause->side_of, side_of))
            continue;
        if (!both && c->place.file.ptr && slice_eq(cause->frame.file, c->place.file) &&
            resumes(c->place.function, cause->frame.function))
            known = cause;
        if (c->number > 0 && cause->kind == CAUSE_CONFIGURATION && cause->dynamic && rank_recompile_is_of_size(c))
            known = cause;
        if (c->number > 0 && same_function && is_of_cause(f, cause, c, mine))
            known = cause;
    }
    return known;
}

/* The cause whose compiles end just before this one on its rank: consecutive compiles share a cause. */
static struct root_cause *cause_of_run(const struct finder *f, int64_t at, uint32_t mine, const uint32_t *side_of) {
    for (size_t i = 0; i < f->causes->list.count; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        if ((cause->kind == CAUSE_EXTRA || cause->kind == CAUSE_OTHER || cause->kind == CAUSE_SOURCE) &&
            same_sides(f, cause->side_of, side_of) && cause->last_at[mine] >= 0 && at == cause->last_at[mine] + 1)
            return cause;
    }
    return NULL;
}

/* The cause that other ranks compile a different function where this rank compiles this one. */
static struct root_cause *cause_of_other(const struct finder *f, int64_t at, size_t rank, const uint32_t *side_of) {
    uint32_t mine = side_of[rank];
    for (size_t i = 0; i < f->causes->list.count; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        const struct cause_side *others = &cause->sides.items[1 - mine];
        if (cause->kind == CAUSE_EXTRA && same_sides(f, cause->side_of, side_of) && cause->last_at[mine] < 0 &&
            cause->first_at[1 - mine] >= 0 &&
            same_before(f, rank, (size_t)at, others->ranks.items[0], (size_t)cause->first_at[1 - mine]))
            return cause;
    }
    return NULL;
}

/* "loss is at model.py:8 on rank 1" */
static struct slice source_words(struct finder *f, const struct rank_compile *c, const struct cause_side *side) {
    struct buf text = {0};
    function_add_code(&text, c);
    BUF_ADD(&text, " is at ", slice_first(path_last(c->place.file), 120), ":", c->place.line, " on ");
    rank_words_add(&text, f->facts, side->ranks.items, side->ranks.count);
    return text_keep(f, &text);
}

/* Turns the cause into CAUSE_SOURCE: the additional compiles turned out to be the same code on other lines. */
static void make_source(struct finder *f, struct root_cause *cause, const struct rank_compile *c,
                        const struct rank_compile *other, uint32_t mine) {
    struct cause_side *others = &cause->sides.items[1 - mine];
    cause->kind = CAUSE_SOURCE;
    cause->sides.items[mine].text = c->trace->steps[0].code;
    others->text = other->trace->steps[0].code;
    for (size_t i = 0; i < cause->consequences.count; i++) {
        struct consequence *found = &cause->consequences.items[i];
        const struct rank_compile *of = rank_compile_by_id(f->facts[others->ranks.items[0]], found->compile);
        if (found->aspect == ASPECT_COMPILE_IDS && of)
            found->first = source_words(f, of, others);
    }
}

/* Turns the cause into CAUSE_OTHER: the other ranks do not compile an additional function, but a different one. */
static void make_other(struct finder *f, struct root_cause *cause, const struct rank_compile *c, uint32_t mine) {
    struct cause_side *side = &cause->sides.items[mine], *others = &cause->sides.items[1 - mine];
    const struct rank_compile *other = rank_compile_by_id(f->facts[others->ranks.items[0]], others->compile);
    cause->kind = CAUSE_OTHER;
    side->compile = c->id;
    side->place = c->place;
    if (cause_outlier_side(cause) == mine) {
        cause->compile = c->id;
        cause->place = cause->frame = c->place;
    }
    if (other && is_moved(c, other))
        make_source(f, cause, c, other, mine);
}

/* Whether this version of a function issues collectives that no earlier version does, and other ranks issue different
 * ones. */
static bool issues_others(const struct finder *f, size_t rank, size_t at, const uint32_t *side_of) {
    const struct rank_facts *facts = f->facts[rank];
    uint64_t calls = f->calls[rank][at];
    for (size_t i = 0; i < at && calls; i++)
        if (f->calls[rank][i] == calls && slice_eq(facts->compiles.items[i]->frame, facts->compiles.items[at]->frame))
            calls = 0;
    for (size_t r = 0; r < f->count && calls && f->calls_group[rank] != NO_SIDE; r++)
        if (side_of[r] != NO_SIDE && side_of[r] != side_of[rank] && f->calls_group[r] != NO_SIDE &&
            f->calls_group[r] != f->calls_group[rank])
            return true;
    return false;
}

static struct root_cause *add_presence(struct finder *f, const struct slot *slot, const struct rank_compile *c,
                                       uint32_t mine, int64_t at, const uint32_t *side_of) {
    bool again = c->number > 0;
    struct root_cause *cause =
        cause_add(f, again ? CAUSE_RECOMPILE : CAUSE_EXTRA, again ? ASPECT_RECOMPILES : ASPECT_COMPILE_IDS, side_of);
    if (!cause)
        return NULL;
    cause_fill_compiles(cause, slot);
    cause->first_at[mine] = at;
    cause->last_at[mine] = again ? -1 : at;
    if (again && c->reason.len)
        cause->sides.items[mine].text = reason_words(c->reason);
    return cause;
}

/* "rank 1 also compiles `g`", "ranks 0 and 2 do not recompile `f`" */
static void add_presence_consequence(struct finder *f, struct root_cause *cause, const struct rank_compile *c,
                                     uint32_t mine) {
    const char *does = c->number > 0 ? "recompile" : "compile";
    bool without = cause->usual == (int64_t)mine && cause->sides.count == 2 && cause->kind != CAUSE_OTHER &&
                   cause->kind != CAUSE_SOURCE;
    const struct cause_side *side = &cause->sides.items[without ? 1 - mine : mine];
    bool one = side->ranks.count == 1;
    struct buf text = {0};
    if (cause->kind == CAUSE_SOURCE) {
        struct slice words = source_words(f, c, side);
        buf_add(&text, words);
        cause_add_consequence(f, cause, ASPECT_COMPILE_IDS, c->id, &text);
        return;
    }
    rank_words_add(&text, f->facts, side->ranks.items, side->ranks.count);
    if (without)
        buf_addf(&text, " %s not %s ", one ? "does" : "do", does);
    else
        buf_addf(&text, " also %s%s ", does, one ? "s" : "");
    function_add_code(&text, c);
    cause_add_consequence(f, cause, c->number > 0 ? ASPECT_RECOMPILES : ASPECT_COMPILE_IDS, c->id, &text);
}

/* Whether the file name of the compile is known. Only the log of the parent may have it if the process was forked.
 * Without it, the compile has no slot in common with other ranks. */
static bool is_known(const struct rank_compile *c) {
    return !slice_is(c->place.file, UNKNOWN_FILE);
}

void look_at_presence(struct finder *f, const struct slot *slot) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    size_t rank = 0;
    const struct rank_compile *c = slot_any(f, slot, &rank);
    for (size_t r = 0; r < f->count; r++)
        if (rank_is_compared(f->facts[r]) && (slot_at(slot, r) || !ended_before(f, r)))
            values[r] = slot_at(slot, r) ? 1 : 2;
    bool looked_at = c && is_known(c) && (!f->parts || parts_narrow(f, slot, c, values));
    while (looked_at && rank < f->count && values[rank] != 1) /* narrowing may exclude the first one */
        rank++;
    if (looked_at && rank < f->count && split(f, values, side_of) == 2) {
        c = slot_at(slot, rank);
        assert(c); /* its value is 1 */
        uint32_t mine = side_of[rank];
        int64_t at = (int64_t)slot_place(f, slot, rank);
        struct root_cause *cause = cause_of_same_place(f, c, mine, side_of), *other = NULL;
        if (!cause && c->number == 0)
            cause = cause_of_run(f, at, mine, side_of);
        if (!cause && c->number == 0 && (other = cause_of_other(f, at, rank, side_of))) {
            make_other(f, other, c, mine);
            other->first_at[mine] = other->last_at[mine] = at;
        } else if (!cause) {
            cause = add_presence(f, slot, c, mine, at, side_of);
        } else {
            add_presence_consequence(f, cause, c, mine);
            cause->last_at[mine] = c->number > 0 || cause->last_at[mine] < 0 ? cause->last_at[mine] : at;
        }
        if (cause && c->number > 0 && issues_others(f, rank, (size_t)at, side_of)) {
            cause->calls = true;
            cause->calls_at = f->at;
        }
    }
}

/* ---- ranks that stop compiling ---- */

/* The compiles of at least half of the ranks after a position in the order. */
struct rest {
    uint32_t compiles;
    bool functions; /* some are not recompiles */
};

static struct rest *find_rests(struct finder *f) {
    struct rest *rests = arena_zalloc(&f->scratch, (f->slots.count + 1) * sizeof *rests);
    for (size_t at = f->slots.count; at-- > 1;) {
        const struct slot *slot = &f->slots.items[f->order[at]];
        size_t rank = 0;
        const struct rank_compile *c = slot->have * 2 >= f->compared ? slot_any(f, slot, &rank) : NULL;
        rests[at - 1].compiles = rests[at].compiles + (c != NULL);
        rests[at - 1].functions = rests[at].functions || (c && c->number == 0);
    }
    return rests;
}

/* Sets `values`: for a rank that stops, the position in the order after which it does; for a rank that continues after
 * the first such position, 1. */
static bool find_stops(struct finder *f, uint64_t *values) {
    struct rest *rests = find_rests(f);
    size_t stopped = 0;
    int64_t first = INT64_MAX;
    for (size_t r = 0; r < f->count; r++) {
        int64_t last = f->last_of[r];
        values[r] = last >= 0 && !f->facts[r]->unfinished.count && rank_is_read_whole(f->facts[r]);
        /* If only few ranks have its last compile, the rank does not stop there but compiles a different function. */
        bool common = values[r] && f->slots.items[f->order[last]].have * 2 > f->compared;
        if (common && rests[last].compiles > 1 && rests[last].functions) {
            values[r] = (uint64_t)last + 2;
            first = last < first ? last : first;
            stopped++;
        }
    }
    for (size_t r = 0; r < f->count; r++)
        values[r] = values[r] == 1 && f->last_of[r] <= first ? 0 : values[r];
    return stopped && stopped * 2 <= f->compared;
}

/* The position after which the others continue. */
static int64_t first_stop(const struct finder *f, const uint64_t *values) {
    int64_t first = INT64_MAX;
    for (size_t r = 0; r < f->count; r++)
        if (values[r] > 1 && f->last_of[r] < first)
            first = f->last_of[r];
    return first;
}

static void fill_stop(struct finder *f, struct root_cause *cause, const uint64_t *values) {
    int64_t first = first_stop(f, values);
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        size_t rank = side->ranks.items[0], at;
        bool stops = values[rank] > 1;
        for (at = (size_t)(stops ? f->last_of[rank] : first + 1); !slot_at(&f->slots.items[f->order[at]], rank); at++)
            ;
        const struct rank_compile *c = slot_at(&f->slots.items[f->order[at]], rank);
        side->stops = stops;
        side->text = stops ? SLICE("nothing is compiled after it") : SLICE("continues with it");
        side->compile = c->id;
        side->place = c->place;
        if (stops && !cause->compile.ptr) {
            cause->compile = c->id;
            cause->place = cause->frame = c->place;
        }
    }
}

/* Whether a rank that continues compiles collectives after the first stop. */
static bool goes_on_with_calls(const struct finder *f, const uint64_t *values) {
    int64_t first = first_stop(f, values);
    for (size_t r = 0; r < f->count; r++)
        for (size_t at = (size_t)first + 1; values[r] == 1 && at < f->slots.count; at++) {
            const struct rank_compile *c = slot_at(&f->slots.items[f->order[at]], r);
            if (c && f->calls[r][rank_compile_place(f->facts[r], c->id)])
                return true;
        }
    return false;
}

void look_at_stops(struct finder *f) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    if (find_stops(f, values) && split(f, values, side_of) > 1) {
        struct root_cause *cause = cause_add(f, CAUSE_STOPPED, ASPECT_COMPILE_IDS, side_of);
        for (size_t r = 0; r < f->count && cause; r++)
            f->stopped[r] = values[r] > 1;
        if (cause) {
            fill_stop(f, cause, values);
            cause->calls = goes_on_with_calls(f, values);
            cause->calls_at = f->slots.count;
        }
    }
}
