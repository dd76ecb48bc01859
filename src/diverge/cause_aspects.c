/* Further differences between compiles of ranks: guards, collectives, caches, outcomes. */

#include "diverge/cause_finder.h"
#include "facts/rank_parts.h"

enum { GUARD_MAX = 80 };

static const char *what_differs(enum aspect aspect) {
    switch (aspect) {
    case ASPECT_GUARDS:
        return "different guards";
    case ASPECT_CACHE:
        return "different cache results";
    case ASPECT_COLLECTIVES:
        return "different collectives";
    case ASPECT_TENSOR_META:
        return "different tensor metadata";
    case ASPECT_RECOMPILES:
        return "different recompile reasons";
    case ASPECT_STATUS:
        return "a different status";
    default:
        return "a difference";
    }
}

/* Describes the collectives of a compile. */
static struct slice calls_words(struct finder *f, size_t rank, const struct rank_compile *c) {
    size_t count, named = 0;
    struct buf words = {0};
    const struct rank_graph *graphs = rank_calls(f->facts[rank], f->divergences->of[ASPECT_COLLECTIVES].from, &count);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < graphs[g].ops.count && slice_eq(graphs[g].id, c->id); i++) {
            struct slice op = graphs[g].ops.items[i];
            size_t dot = slice_find(op, SLICE("_c10d_functional."));
            op = dot == SIZE_MAX ? op : slice_from(op, dot + sizeof "_c10d_functional." - 1);
            if (slice_ends(op, SLICE(".default")))
                op = slice_first(op, op.len - (sizeof ".default" - 1));
            if (slice_find(op, SLICE("wait_tensor")) != SIZE_MAX || named++ >= 8)
                continue;
            BUF_ADD(&words, words.len ? ", " : "", slice_first(op, 60));
        }
    if (named > 8)
        buf_addf(&words, " and %zu more", named - 8);
    if (!words.len)
        buf_add_lit(&words, "none");
    return text_keep(f, &words);
}

static struct slice side_words(struct finder *f, size_t rank, const struct rank_compile *c, enum aspect aspect) {
    struct buf text = {0};
    switch (aspect) {
    case ASPECT_GUARDS:
        if (c->guards < 0)
            return (struct slice){0};
        buf_addf(&text, "%" PRId64 " guard%s", c->guards, c->guards == 1 ? "" : "s");
        return text_keep(f, &text);
    case ASPECT_CACHE:
        cache_words_add(&text, &c->cache);
        return text_keep(f, &text);
    case ASPECT_COLLECTIVES:
        return calls_words(f, rank, c);
    case ASPECT_RECOMPILES:
        return reason_words(c->reason);
    case ASPECT_STATUS:
        return c->failure.ptr ? slice_first(c->failure, CAUSE_TEXT_MAX) : slice_str(status_name(c->status));
    default:
        return (struct slice){0};
    }
}

/* The guards of a side; NULL: unknown, or its ranks have different guards. */
static const struct rank_guards *guards_of_side(const struct slot *slot, const struct cause_side *side) {
    const struct rank_compile *first = slot_at(slot, side->ranks.items[0]);
    for (size_t i = 1; i < side->ranks.count && first; i++) {
        const struct rank_compile *c = slot_at(slot, side->ranks.items[i]);
        if (!c || c->guards_hash != first->guards_hash)
            return NULL;
    }
    return first ? first->stated : NULL;
}

/* The guards in which two sides differ: "`k == True` on rank 0, `k == False` on rank 1". If both sides have one such
 * guard, the sides of a branch get it, too: it is the condition of the branch. */
static struct slice guards_words(struct finder *f, struct root_cause *cause, const struct slot *slot) {
    const struct rank_guards *stated[2] = {0};
    struct buf words[2] = {0}, text = {0};
    bool both = cause->kind == CAUSE_BRANCH && cause->order == f->at;
    for (size_t s = 0; s < 2 && cause->sides.count == 2; s++)
        stated[s] = guards_of_side(slot, &cause->sides.items[s]);
    size_t found = guard_words_add(stated, 2, words);
    for (size_t s = 0; s < 2 && found; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        struct slice guards = buf_slice(&words[s]);
        const char *tick = slice_find(guards, SLICE("`")) == SIZE_MAX ? "`" : "";
        both &= !slice_starts(guards, SLICE("no guard on "));
        BUF_ADD(&text, s ? ", " : "", tick, slice_first(guards, CAUSE_TEXT_MAX), tick, " on ");
        rank_words_add(&text, f->facts, side->ranks.items, side->ranks.count);
    }
    for (size_t s = 0; s < 2 && found == 1 && both; s++)
        cause->sides.items[s].guard = arena_slice(&f->causes->arena, slice_first(buf_slice(&words[s]), GUARD_MAX));
    buf_free(&words[0]);
    buf_free(&words[1]);
    return text_keep(f, &text);
}

/* Lists the guards in which the sides differ, after the number of guards of each. */
static void fill_guards(struct finder *f, struct root_cause *cause, const struct slot *slot) {
    const struct rank_guards *sides[GUARD_SIDES_MAX] = {0};
    struct buf words[GUARD_SIDES_MAX] = {0};
    size_t count = cause->sides.count < GUARD_SIDES_MAX ? cause->sides.count : GUARD_SIDES_MAX;
    for (size_t s = 0; s < count; s++) {
        const struct rank_compile *c = slot_at(slot, cause->sides.items[s].ranks.items[0]);
        sides[s] = c ? c->stated : NULL;
    }
    bool named = guard_words_add(sides, count, words) > 0;
    for (size_t s = 0; s < count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        struct buf text = {0};
        buf_add(&text, side->text);
        if (named && text.len)
            buf_add_lit(&text, ": ");
        buf_add(&text, buf_slice(&words[s]));
        side->text = text_keep(f, &text);
        buf_free(&words[s]);
    }
}

bool cause_same_guard(const struct root_cause *cause, struct guard_failure of[SIDES_MAX]) {
    size_t count = cause->sides.count <= SIDES_MAX ? cause->sides.count : 0;
    for (size_t s = 0; s < count; s++) {
        of[s] = guard_failure_read(cause->sides.items[s].text);
        bool tensor = of[s].type == GUARD_SIZE || of[s].type == GUARD_STRIDE || of[s].type == GUARD_DTYPE;
        if (!tensor || !of[s].source.len || !of[s].had.len || !of[s].has.len || !slice_eq(of[s].had, of[0].had) ||
            of[s].type != of[0].type || !slice_eq(of[s].source, of[0].source) ||
            !slice_eq(of[s].dimension, of[0].dimension))
            return false;
        for (size_t other = 0; other < s; other++)
            if (slice_eq(of[other].has, of[s].has))
                return false;
    }
    return count > 1;
}

/* Whether ranks recompile for the same guard with different values: their inputs differ, whatever lines they run. */
static bool are_other_inputs(struct finder *f, const struct slot *slot, enum root_cause_kind kind,
                             const uint32_t *side_of) {
    struct root_cause draft = {0};
    struct guard_failure of[SIDES_MAX];
    if (kind != CAUSE_REASON)
        return false;
    draft_fill_sides(f, &draft, side_of);
    for (size_t s = 0; s < draft.sides.count; s++) {
        const struct rank_compile *c = slot_at(slot, draft.sides.items[s].ranks.items[0]);
        draft.sides.items[s].text = c ? reason_words(c->reason) : (struct slice){0};
    }
    return cause_same_guard(&draft, of);
}

/* Whether the cause is a difference in the executed lines, which does not explain why inputs differ. */
static bool is_of_lines(const struct root_cause *cause) {
    return cause->kind == CAUSE_BRANCH || cause->kind == CAUSE_OPERATIONS || cause->kind == CAUSE_SOURCE ||
           cause->kind == CAUSE_GRAPH_BREAK;
}

/* Whether the sides have the same guards with different values: the function got different inputs. */
static bool have_other_values(struct finder *f, const struct slot *slot, const uint32_t *side_of) {
    struct root_cause draft = {0};
    struct buf words[2] = {0};
    draft_fill_sides(f, &draft, side_of);
    if (draft.sides.count != 2)
        return false;
    const struct rank_guards *stated[2] = {guards_of_side(slot, &draft.sides.items[0]),
                                           guards_of_side(slot, &draft.sides.items[1])};
    bool other = guard_words_add(stated, 2, words) > 0;
    for (size_t s = 0; s < 2; s++) {
        other &= slice_find(buf_slice(&words[s]), SLICE("no guard on ")) == SIZE_MAX;
        buf_free(&words[s]);
    }
    return other;
}

static void note_aspect(struct finder *f, const struct slot *slot, enum root_cause_kind kind, enum aspect aspect,
                        const uint32_t *side_of) {
    struct root_cause *cause = cause_find(f, kind, side_of, NULL);
    /* Guards of the same graph depend on earlier compiles. Recompile reasons contain guards of the function's earlier
     * compiles. */
    size_t some = 0;
    const struct rank_compile *c = slot_any(f, slot, &some);
    if (!cause && (kind == CAUSE_GUARDS || kind == CAUSE_REASON))
        cause = cause_find_between(f, side_of, kind == CAUSE_REASON ? &c->place : NULL);
    bool inputs = are_other_inputs(f, slot, kind, side_of);
    bool values = kind == CAUSE_GUARDS && cause && cause->order != f->at && have_other_values(f, slot, side_of);
    if (cause && is_of_lines(cause) && (inputs || values))
        cause = NULL;
    if (cause) {
        struct buf text = {0};
        function_add_code(&text, c);
        buf_addf(&text, " has %s%s", what_differs(aspect), cause->kind == kind ? ", too" : "");
        cause_add_consequence(f, cause, aspect, c->id, &text);
    } else if ((cause = cause_add(f, kind, aspect, side_of))) {
        cause_fill_compiles(cause, slot);
        for (size_t s = 0; s < cause->sides.count; s++) {
            uint32_t rank = cause->sides.items[s].ranks.items[0];
            if ((c = slot_at(slot, rank)))
                cause->sides.items[s].text = side_words(f, rank, c, aspect);
        }
        if (aspect == ASPECT_GUARDS)
            fill_guards(f, cause, slot);
    }
    if (!inputs) /* different inputs do not explain differences of guards or graphs that exist without them */
        cause_add_here(f, cause);
}

/* Whether two sides of the cause differ in this aspect. */
static bool explains(const struct finder *f, const struct root_cause *cause, const uint32_t *by) {
    uint32_t first = NO_SIDE;
    for (size_t s = 0; s < cause->sides.count; s++) {
        uint32_t rank = cause->sides.items[s].ranks.items[0];
        if (rank >= f->count || by[rank] == NO_SIDE)
            continue;
        if (first != NO_SIDE && first != by[rank])
            return true;
        first = by[rank];
    }
    return false;
}

/* Adds the difference to the causes of the slot that explain it. Returns whether there is one. */
static bool add_to_causes(struct finder *f, const struct slot *slot, enum aspect aspect, const uint32_t *by,
                          bool inputs) {
    size_t causes = f->here.count;
    bool explained = false;
    for (size_t i = 0; i < causes; i++) {
        struct root_cause *cause = f->here.items[i];
        if (cause->aspect == aspect || !explains(f, cause, by) || (inputs && is_of_lines(cause)))
            continue;
        struct buf text = {0};
        uint32_t rank = cause->sides.items[cause_outlier_side(cause)].ranks.items[0];
        const struct rank_compile *c = slot_at(slot, rank);
        if (!c)
            continue;
        explained = true;
        bool named =
            cause->consequences.count < CONSEQUENCES_MAX && (aspect == ASPECT_CACHE || aspect == ASPECT_COLLECTIVES);
        struct slice words = named ? side_words(f, rank, c, aspect) : (struct slice){0};
        BUF_ADD(&text, what_differs(aspect), " in ");
        function_add_code(&text, c);
        if (words.len) {
            bool code = aspect == ASPECT_COLLECTIVES && !slice_is(words, "none");
            BUF_ADD(&text, " (rank ", f->facts[rank]->rank, ": ", code ? "`" : "", words, code ? "`)" : ")");
        }
        if (aspect == ASPECT_GUARDS && (words = guards_words(f, cause, slot)).len)
            BUF_ADD(&text, ": ", words);
        cause_add_consequence(f, cause, aspect, c->id, &text);
    }
    return explained;
}

/* Compares "guards", "cache", …: a difference is a consequence if ranks with the same graph agree, otherwise a cause.
 */
void look_at_aspect(struct finder *f, const struct slot *slot, const uint32_t *graphs, uint32_t graph_count,
                    enum root_cause_kind kind, enum aspect aspect) {
    uint32_t *by = arena_alloc(&f->scratch, (f->count + 1) * sizeof *by),
             *within = arena_alloc(&f->scratch, (f->count + 1) * sizeof *within);
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    if (split_by(f, slot, aspect, by) < 2)
        return;
    bool inputs = are_other_inputs(f, slot, kind, by);
    if (!add_to_causes(f, slot, aspect, by, inputs) && inputs) {
        note_aspect(f, slot, kind, aspect, by);
        return;
    }
    /* Compares ranks with the same graph. */
    for (uint32_t g = 0; g < (graph_count ? graph_count : 1); g++) {
        for (size_t r = 0; r < f->count; r++) {
            bool same = graph_count ? graphs[r] == g : graphs[r] == NO_SIDE;
            values[r] = slot_at(slot, r) && same && by[r] != NO_SIDE ? (uint64_t)by[r] + 1 : 0;
        }
        if (split(f, values, within) > 1)
            note_aspect(f, slot, kind, aspect, within);
    }
}

/* Compares failures: a compile may have failed only on some ranks. */
void look_at_failures(struct finder *f, const struct slot *slot) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    for (size_t r = 0; r < f->count; r++)
        if (slot_at(slot, r) && slot_at(slot, r)->status != STATUS_MISSING && !slot_at(slot, r)->open)
            values[r] = slot_at(slot, r)->status == STATUS_ERROR ? 2 : 1;
    if (split(f, values, side_of) > 1)
        note_aspect(f, slot, CAUSE_STATUS, ASPECT_STATUS, side_of);
}
