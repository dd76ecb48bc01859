/* The titles of root causes. */

#include "diverge/cause_finder.h"
#include "diverge/rank_recompile.h"
#include "facts/rank_parts.h"

const char *root_cause_kind_name(enum root_cause_kind kind) {
    static const char *const names[CAUSE_KINDS] = {
        [CAUSE_CONFIGURATION] = "configuration",
        [CAUSE_UNFINISHED] = "unfinished",
        [CAUSE_PARTS] = "parts",
        [CAUSE_EXTRA] = "extra_compile",
        [CAUSE_OTHER] = "other_compile",
        [CAUSE_RECOMPILE] = "recompile",
        [CAUSE_STOPPED] = "stopped",
        [CAUSE_BACKWARD] = "backward",
        [CAUSE_STATUS] = "status",
        [CAUSE_GRAPH_BREAK] = "graph_break",
        [CAUSE_SOURCE] = "source",
        [CAUSE_BRANCH] = "branch",
        [CAUSE_OPERATIONS] = "operations",
        [CAUSE_SIZES] = "input_sizes",
        [CAUSE_DYNAMIC] = "dynamic_sizes",
        [CAUSE_TENSORS] = "tensors",
        [CAUSE_GRAPH] = "graph",
        [CAUSE_REASON] = "recompile_reason",
        [CAUSE_GUARDS] = "guards",
        [CAUSE_COLLECTIVES] = "collectives",
        [CAUSE_CACHE] = "cache",
        [CAUSE_TENSOR_META] = "tensor_meta",
        [CAUSE_TIME] = "compile_time",
        [CAUSE_COMPILE_ORDER] = "compile_order",
        [CAUSE_EXECUTION_ORDER] = "execution_order",
    };
    return names[kind];
}

enum { GROUPS_NAMED = 4, GROUPS_LISTED = 6 };

struct writer {
    struct buf text;
    const struct root_cause *cause;
    const struct rank_facts *const *facts;
};

static void ranks_of(struct writer *w, size_t side) {
    const struct cause_side *s = &w->cause->sides.items[side];
    rank_words_add(&w->text, w->facts, s->ranks.items, s->ranks.count);
}

static bool one(const struct writer *w, size_t side) {
    return w->cause->sides.items[side].ranks.count == 1;
}

/* The label of the frame at this place, from a side that compiles it; ptr NULL: none. */
static struct slice label_of(const struct writer *w, const struct place *place) {
    for (size_t s = 0; s < w->cause->sides.count && s < SIDES_MAX; s++) {
        const struct cause_side *side = &w->cause->sides.items[s];
        const struct rank_compile *c = side->ranks.count && side->compile.ptr
                                         ? rank_compile_by_id(w->facts[side->ranks.items[0]], side->compile)
                                         : NULL;
        if (c && c->label.len && c->place.line == place->line && slice_eq(c->place.file, place->file) &&
            slice_eq(c->place.function, place->function))
            return c->label;
    }
    return (struct slice){0};
}

/* Backticks mark code, as in the titles of findings. A name that contains one would end the code early. */
static void quote(struct writer *w, struct slice name) {
    const char *tick = name.len && slice_find(name, SLICE("`")) == SIZE_MAX ? "`" : "";
    BUF_ADD(&w->text, tick, name, tick);
}

static void function(struct writer *w, const struct place *place, struct slice compile) {
    struct slice label = label_of(w, place);
    if (label.len || place->function.len)
        quote(w, slice_first(label.len ? label : place->function, 120));
    else
        buf_add(&w->text, compile);
}

static void line(struct writer *w, const struct place *place) {
    struct buf at = {0};
    BUF_ADD(&at, slice_first(path_last(place->file), 120), ":", place->line);
    quote(w, buf_slice(&at));
    buf_free(&at);
}

/* Whether all compared ranks are on a side: then those of the usual side are "the others". */
static bool all_on_sides(const struct writer *w) {
    for (size_t r = 0; r < w->cause->rank_count; r++)
        if (w->cause->side_of[r] == UINT32_MAX && rank_is_compared(w->facts[r]))
            return false;
    return true;
}

/* ", the others do not", or ", ranks 0 and 2 do not" if some ranks are on no side. */
static void add_others(struct writer *w, size_t side, const char *does, const char *plural) {
    bool others = w->cause->usual == (int64_t)side && all_on_sides(w);
    buf_add_lit(&w->text, ", ");
    if (others)
        buf_add_lit(&w->text, "the others");
    else
        ranks_of(w, side);
    buf_add_str(&w->text, others || !one(w, side) ? plural : does);
}

static void add_more_groups(struct writer *w, size_t more, const char *rest) {
    if (more)
        buf_addf(&w->text, " and %zu more group%s%s", more, more == 1 ? "" : "s", rest);
}

/* Adds all sides except the usual one. Without a usual side, adds all and returns false. */
static bool subject(struct writer *w, bool *single) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0;
    *single = false;
    if (cause->usual < 0)
        return false;
    for (size_t s = 0; s < cause->sides.count && listed < SIDES_MAX; s++) {
        if ((int64_t)s == cause->usual)
            continue;
        buf_add_str(&w->text, listed ? ", " : "");
        ranks_of(w, s);
        *single = !listed && one(w, s);
        listed++;
    }
    add_more_groups(w, cause->sides.count - 1 - listed, "");
    return true;
}

/* "rank 3 <does> f …"; for groups "ranks 0 and 1 and ranks 2 and 3 <do> …". */
static void name_simply(struct writer *w, const char *does, const char *plural, const char *rest) {
    bool single;
    if (!subject(w, &single)) {
        if (w->cause->sides.count > GROUPS_NAMED)
            buf_add_lit(&w->text, "ranks");
        for (size_t s = 0; s < w->cause->sides.count && w->cause->sides.count <= GROUPS_NAMED; s++) {
            buf_add_str(&w->text, s ? " and " : "");
            ranks_of(w, s);
        }
        single = false;
    }
    buf_addf(&w->text, " %s ", single ? does : plural);
    function(w, &w->cause->frame, w->cause->compile);
    buf_add_str(&w->text, rest);
}

/* The variable that the guards of all sides are about; ptr NULL: none. */
static struct slice common_source(const struct root_cause *cause) {
    struct slice source = {0};
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct slice own = guard_failure_read(cause->sides.items[s].text).source;
        if (!own.len || (s && !slice_eq(own, source)))
            return (struct slice){0};
        source = own;
    }
    return source;
}

/* "rank 0 and rank 1 recompile f for different sizes of `x` at index 1: 8 and 9", "… for different changes of `k`:
 * `k == 3` and `k == 4`" */
static void name_reason(struct writer *w) {
    const struct root_cause *cause = w->cause;
    struct guard_failure of[SIDES_MAX];
    bool few = cause->sides.count <= GROUPS_NAMED, same = few && cause_same_guard(cause, of);
    struct slice source = common_source(cause);
    if (!same && (!few || !source.len)) {
        name_simply(w, "recompiles", "recompile", source.len ? " for different changes of " : " for different reasons");
        quote(w, slice_first(source, 120));
        return;
    }
    for (size_t s = 0; s < cause->sides.count; s++) {
        buf_add_str(&w->text, s ? " and " : "");
        ranks_of(w, s);
    }
    buf_add_lit(&w->text, " recompile ");
    function(w, &cause->frame, cause->compile);
    if (!same) {
        buf_add_lit(&w->text, " for different changes of ");
        quote(w, slice_first(source, 120));
        for (size_t s = 0; s < cause->sides.count; s++) {
            buf_add_str(&w->text, s ? " and " : ": ");
            quote(w, slice_first(guard_failure_read(cause->sides.items[s].text).guard, 120));
        }
        return;
    }
    buf_addf(&w->text, " for different %s of ",
             of[0].type == GUARD_SIZE     ? "sizes"
             : of[0].type == GUARD_STRIDE ? "strides"
                                          : "dtypes");
    quote(w, slice_first(of[0].source, 120));
    if (of[0].dimension.len)
        buf_addf(&w->text, " at index %.*s", SLICE_ARG(of[0].dimension));
    for (size_t s = 0; s < cause->sides.count; s++)
        BUF_ADD(&w->text, s ? " and " : ": ", slice_first(of[s].has, 120));
}

/* Whether an earlier compile has the same id: Dynamo was reset. */
static bool is_after_reset(struct slice key) {
    return slice_find(key, SLICE("#")) != SIZE_MAX;
}

/* What distinguishes it from other recompiles of the function. */
static void add_recompile_cause(struct writer *w, size_t have, const struct rank_compile *c) {
    bool again = false;
    for (size_t s = 0; s < w->cause->sides.count && s < SIDES_MAX; s++)
        again |= s != have && rank_recompiles_like(w->facts[w->cause->sides.items[s].ranks.items[0]], c);
    buf_add_str(&w->text, again ? " once more" : "");
    rank_recompile_words_add(&w->text, c);
}

/* " a 2nd time" for a compile, or a recompile without a reason, of which the other ranks have an earlier one, too. */
static void add_time(struct writer *w, size_t have) {
    const struct cause_side *side = &w->cause->sides.items[have];
    const struct rank_compile *c = rank_compile_by_id(w->facts[side->ranks.items[0]], side->compile);
    if (c && c->number > 0 && rank_recompile_guard(c).len) {
        add_recompile_cause(w, have, c);
        return;
    }
    uint64_t nth = c && c->number > 1 ? (uint64_t)c->number : 1;
    size_t end = c ? slice_find(c->slot, slice_make("", 1)) : SIZE_MAX; /* what follows counts those with its name */
    bool named_before = end != SIZE_MAX && slice_to_u64(slice_from(c->slot, end + 1), &nth);
    if (is_after_reset(side->compile) || (named_before && c->number > 1)) {
        buf_add_lit(&w->text, " again");
        return;
    }
    if (nth < 2)
        return;
    bool teen = nth / 10 % 10 == 1;
    const char *suffix = teen ? "th" : nth % 10 == 1 ? "st" : nth % 10 == 2 ? "nd" : nth % 10 == 3 ? "rd" : "th";
    bool vowel = nth == 8 || nth == 11 || nth == 18 || nth / 10 == 8;
    buf_addf(&w->text, " %s %" PRIu64 "%s time", vowel ? "an" : "a", nth, suffix);
}

/* "rank 1 compiles extra, the others do not" */
static void name_presence(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t have = cause->sides.items[0].compile.ptr ? 0 : 1;
    const struct cause_side *side = &cause->sides.items[have];
    const char *does = cause->kind == CAUSE_RECOMPILE ? "recompile" : "compile";
    if (cause->usual == (int64_t)have) {
        ranks_of(w, 1 - have);
        buf_addf(&w->text, " %s not %s ", one(w, 1 - have) ? "does" : "do", does);
        function(w, &side->place, side->compile);
        add_time(w, have);
        add_others(w, have, " does", " do");
        return;
    }
    ranks_of(w, have);
    buf_addf(&w->text, " %s%s ", does, one(w, have) ? "s" : "");
    function(w, &side->place, side->compile);
    add_time(w, have);
    add_others(w, 1 - have, " does not", " do not");
}

static void place_of(struct writer *w, const struct place *place) {
    buf_add_lit(&w->text, " at ");
    line(w, place);
}

/* "rank 2 compiles other where ranks 0 and 1 compile usual"; functions with the same name get their lines. */
static void name_other(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t mine = cause_outlier_side(cause), theirs = 1 - mine;
    const struct place *a = &cause->sides.items[mine].place, *b = &cause->sides.items[theirs].place;
    bool lines = slice_eq(a->function, b->function) && a->file.ptr && b->file.ptr;
    ranks_of(w, mine);
    buf_add_str(&w->text, one(w, mine) ? " compiles " : " compile ");
    function(w, a, cause->sides.items[mine].compile);
    if (lines)
        place_of(w, a);
    buf_add_lit(&w->text, " where ");
    ranks_of(w, theirs);
    buf_add_str(&w->text, one(w, theirs) ? " compiles " : " compile ");
    function(w, b, cause->sides.items[theirs].compile);
    if (lines)
        place_of(w, b);
}

/* "rank 1 has different code at model.py:2"; if the code is the same at other lines, "rank 1 has the same code at
 * model.py:4 as ranks 0 and 2 at model.py:2" */
static void name_source(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t mine = cause_outlier_side(cause), theirs = mine ? 0 : 1;
    const struct place *a = &cause->sides.items[mine].place, *b = &cause->sides.items[theirs].place;
    ranks_of(w, mine);
    if (same_place(a, b)) {
        buf_add_str(&w->text, one(w, mine) ? " has different code" : " have different code");
        place_of(w, a);
        return;
    }
    buf_add_str(&w->text, one(w, mine) ? " has " : " have ");
    function(w, a, cause->compile);
    place_of(w, a);
    buf_add_lit(&w->text, ", ");
    ranks_of(w, theirs);
    buf_add_str(&w->text, one(w, theirs) ? " has the same code" : " have the same code");
    place_of(w, b);
}

/* "rank 1 compiles nothing after head, the others continue with tail" */
static void name_stopped(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0, goes_on = 0, more = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        if (!side->stops) {
            goes_on = s;
            continue;
        }
        if (listed == GROUPS_LISTED) {
            more++;
            continue;
        }
        buf_add_str(&w->text, listed++ ? ", " : "");
        ranks_of(w, s);
        buf_add_str(&w->text, one(w, s) ? " compiles nothing after " : " compile nothing after ");
        function(w, &side->place, side->compile);
    }
    add_more_groups(w, more, " after others");
    buf_add_lit(&w->text, ", ");
    ranks_of(w, goes_on);
    buf_add_str(&w->text, one(w, goes_on) ? " continues with " : " continue with ");
    function(w, &cause->sides.items[goes_on].place, cause->sides.items[goes_on].compile);
}

/* "rank 1 does not compile the backward of `f`, the others do" */
static void name_backward(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t without = cause->sides.items[0].stops ? 0 : 1;
    const struct cause_side *side = &cause->sides.items[without];
    bool unusual = cause->usual == (int64_t)without; /* few ranks do */
    size_t first = unusual ? 1 - without : without;
    ranks_of(w, first);
    if (unusual)
        buf_add_str(&w->text, one(w, first) ? " compiles" : " compile");
    else
        buf_add_str(&w->text, one(w, first) ? " does not compile" : " do not compile");
    buf_add_lit(&w->text, " the backward of ");
    function(w, &side->place, side->compile);
    if (unusual)
        add_others(w, without, " does not", " do not");
    else
        add_others(w, 1 - without, " does", " do");
}

/* ", the others do not": the side without the break, if there are two. */
static void add_whole(struct writer *w, size_t broken) {
    if (w->cause->sides.count == 2)
        add_others(w, 1 - broken, " does not", " do not");
    else
        buf_add_lit(&w->text, ", the others do not");
}

/* "rank 1 has a graph break in step at f.py:12, the others do not" */
static void name_graph_break(struct writer *w) {
    const struct root_cause *cause = w->cause;
    const struct rank_compile *c = NULL;
    size_t broken = 0, breaking = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct rank_compile *of =
            rank_compile_by_id(w->facts[cause->sides.items[s].ranks.items[0]], cause->sides.items[s].compile);
        breaking += of && of->breaks;
        if (of && of->breaks && (!c || (int64_t)s != cause->usual)) {
            c = of;
            broken = s;
        }
    }
    bool all_but = cause->usual == (int64_t)broken && cause->sides.count == 2;
    size_t named = all_but ? 1 - broken : broken;
    ranks_of(w, named);
    buf_addf(&w->text, " %s %s graph break in ", one(w, named) ? "has" : "have", all_but ? "no" : "a");
    function(w, &cause->frame, cause->compile);
    place_of(w, &cause->place);
    if (breaking > 1)
        buf_add_lit(&w->text, ", the others do not break there");
    else if (all_but)
        add_others(w, broken, " does", " do");
    else
        add_whole(w, broken);
}

static size_t count_symbols(struct slice sizes) {
    size_t quotes = 0;
    for (size_t i = 0; i < sizes.len; i++)
        quotes += sizes.ptr[i] == '"';
    return quotes;
}

/* "rank 1 compiles head with dynamic sizes, ranks 0 and 2 with static ones" */
static void name_dynamic(struct writer *w) {
    const struct root_cause *cause = w->cause;
    if (cause->sides.count != 2) {
        name_simply(w, "compiles", "compile", " with other sizes dynamic");
        return;
    }
    size_t dynamic = count_symbols(cause->sides.items[1].text) > count_symbols(cause->sides.items[0].text);
    ranks_of(w, dynamic);
    buf_add_str(&w->text, one(w, dynamic) ? " compiles " : " compile ");
    function(w, &cause->frame, cause->compile);
    buf_add_lit(&w->text, " with dynamic sizes where ");
    ranks_of(w, 1 - dynamic);
    buf_add_str(&w->text, one(w, 1 - dynamic) ? " has static ones" : " have static ones");
}

/* "rank 1 takes 4.2 s to compile head, ranks 0 and 2 at most 0.3 s" */
static void name_time(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t slow = cause->slow, fast = slow ? 0 : 1;
    ranks_of(w, slow);
    BUF_ADD(&w->text, one(w, slow) ? " takes " : " take ", cause->sides.items[slow].text, " to compile ");
    function(w, &cause->frame, cause->compile);
    buf_add_lit(&w->text, ", ");
    ranks_of(w, fast);
    BUF_ADD(&w->text, " ", cause->sides.items[fast].text);
}

/* Adds the ranks of all sides that run the line. */
static void ranks_at(struct writer *w, const struct place *place) {
    const struct root_cause *cause = w->cause;
    uint32_t *ranks = mem_alloc((cause->rank_count + 1) * sizeof *ranks);
    size_t count = 0;
    for (size_t r = 0; r < cause->rank_count; r++)
        if (cause->side_of[r] != UINT32_MAX && same_place(&cause->sides.items[cause->side_of[r]].place, place))
            ranks[count++] = (uint32_t)r;
    rank_words_add(&w->text, w->facts, ranks, count);
    mem_free(ranks);
}

/* "rank 2 takes a different branch at f.py:33"; for groups, where each is. */
/* Whether the log of the side ends after a graph that is the beginning of that of others: why, such as a branch or a
 * graph break, is not logged. */
static bool ends_open(const struct writer *w, size_t side) {
    const struct cause_side *s = &w->cause->sides.items[side];
    const struct rank_compile *c = rank_compile_by_id(w->facts[s->ranks.items[0]], s->compile);
    return c && c->open && slice_is(s->text, CAUSE_GRAPH_ENDS);
}

/* " with `first == False`": the guard on which the ranks of the side branch. */
static void add_guard(struct writer *w, const char *before, size_t side) {
    if (!w->cause->sides.items[side].guard.len)
        return;
    buf_add_str(&w->text, before);
    quote(w, w->cause->sides.items[side].guard);
}

static void name_branch(struct writer *w) {
    const struct root_cause *cause = w->cause;
    bool single;
    if (cause->sides.count == 2 && (ends_open(w, 0) || ends_open(w, 1))) {
        size_t ends = ends_open(w, 0) ? 0 : 1;
        ranks_of(w, ends);
        buf_add_str(&w->text, one(w, ends) ? " ends its graph before " : " end their graph before ");
        line(w, &cause->place);
        add_others(w, 1 - ends, " goes on there", " go on there");
        return;
    }
    if (subject(w, &single)) {
        buf_add_str(&w->text, single ? " takes a different branch at " : " take a different branch at ");
        line(w, &cause->place);
        add_guard(w, ", with ", cause_outlier_side(cause));
        return;
    }
    buf_add_lit(&w->text, "ranks take different branches: ");
    size_t listed = 0, more = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct place *place = &cause->sides.items[s].place;
        size_t first = 0;
        while (!same_place(&cause->sides.items[first].place, place))
            first++;
        if (first < s) /* listed with the first side that runs the line */
            continue;
        if (listed == GROUPS_NAMED) {
            more++;
            continue;
        }
        buf_add_str(&w->text, listed++ ? ", " : "");
        ranks_at(w, place);
        if (place->file.ptr) {
            buf_add_lit(&w->text, " at ");
            line(w, place);
        }
        add_guard(w, " with ", s);
    }
    add_more_groups(w, more, "");
}

/* The one answer of the caches that the side's compile asked; OUTCOME_NONE where they gave several, or none. */
static enum cache_outcome only_outcome(const struct writer *w, size_t side) {
    const struct cause_side *s = &w->cause->sides.items[side];
    const struct rank_compile *c = rank_compile_by_id(w->facts[s->ranks.items[0]], s->compile);
    enum cache_outcome only = OUTCOME_NONE;
    for (size_t i = 0; c && i < c->cache.count; i++) {
        enum cache_outcome outcome = c->cache.items[i];
        if (outcome >= OUTCOMES_COUNTED) /* not of a lookup */
            continue;
        if (only != OUTCOME_NONE && only != outcome)
            return OUTCOME_NONE;
        only = outcome;
    }
    return only;
}

/* "rank 0 misses the cache for f, the others hit" */
static void name_cache(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t mine = cause_outlier_side(cause);
    if (cause->usual >= 0 && cause->sides.count == 2) {
        enum cache_outcome a = only_outcome(w, mine), b = only_outcome(w, 1 - mine);
        if ((a == OUTCOME_HIT && b == OUTCOME_MISS) || (a == OUTCOME_MISS && b == OUTCOME_HIT)) {
            bool hits = a == OUTCOME_HIT;
            name_simply(w, hits ? "hits the cache for" : "misses the cache for",
                        hits ? "hit the cache for" : "miss the cache for", "");
            add_others(w, 1 - mine, hits ? " misses it" : " hits it", hits ? " miss it" : " hit it");
            return;
        }
    }
    name_simply(w, "has different cache results for", "have different cache results for", "");
}

static void name_operations(struct writer *w) {
    bool single;
    if (!subject(w, &single)) {
        buf_add_lit(&w->text, "ranks trace different operations at ");
    } else {
        buf_add_str(&w->text, single ? " traces different operations at " : " trace different operations at ");
    }
    line(w, &w->cause->place);
}

static void name_failure(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t failed = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct rank_facts *facts = w->facts[cause->sides.items[s].ranks.items[0]];
        const struct rank_compile *c = rank_compile_by_id(facts, cause->sides.items[s].compile);
        if (c && c->status == STATUS_ERROR)
            failed = s;
    }
    ranks_of(w, failed);
    buf_add_str(&w->text, one(w, failed) ? " fails to compile " : " fail to compile ");
    function(w, &cause->sides.items[failed].place, cause->sides.items[failed].compile);
    add_others(w, failed ? 0 : 1, " does not", " do not");
}

static void name_configuration(struct writer *w) {
    const struct root_cause *cause = w->cause;
    const struct rank_facts *facts = w->facts[cause->sides.items[0].ranks.items[0]];
    bool single;
    if (subject(w, &single))
        buf_add_str(&w->text, single ? " has different settings: " : " have different settings: ");
    else
        buf_add_lit(&w->text, "ranks have different settings: ");
    for (size_t i = 0; i < facts->apart.count && i < 3; i++) {
        buf_add_str(&w->text, i ? ", " : "");
        quote(w, slice_first(facts->apart.items[i].key, 120));
    }
    if (facts->apart.count > 3)
        buf_addf(&w->text, " and %zu more", facts->apart.count - 3);
}

/* "ranks 0–2 end inside Scheduler.__init__ of 3/0, rank 3 finished its compiles" */
static void name_unfinished(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0, more = 0, finished = SIZE_MAX;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        const struct rank_span *span = rank_end(w->facts[side->ranks.items[0]]);
        if (!span) {
            finished = s;
            continue;
        }
        if (listed == GROUPS_LISTED) {
            more++;
            continue;
        }
        buf_add_str(&w->text, listed++ ? ", " : "");
        bool whole = rank_is_read_whole(w->facts[side->ranks.items[0]]);
        buf_add_str(&w->text, whole       ? ""
                              : one(w, s) ? "what was read of the log of "
                                          : "what was read of the logs of ");
        ranks_of(w, s);
        buf_add_str(&w->text, one(w, s) || !whole ? " ends inside " : " end inside ");
        quote(w, slice_first(span->name, SPAN_NAME_MAX));
        if (side->compile.ptr)
            BUF_ADD(&w->text, " of ", side->compile);
    }
    add_more_groups(w, more, " elsewhere");
    if (finished != SIZE_MAX) {
        buf_add_lit(&w->text, ", ");
        ranks_of(w, finished);
        buf_add_str(&w->text, one(w, finished) ? " finished its compiles" : " finished their compiles");
    }
}

static void name_order(struct writer *w, const char *does, const char *do_) {
    bool single;
    const struct root_cause *cause = w->cause;
    if (!subject(w, &single))
        buf_add_lit(&w->text, "ranks");
    buf_addf(&w->text, " %s in a different order", single ? does : do_);
    if (cause->frame.function.len) {
        buf_add_lit(&w->text, ", first at ");
        function(w, &cause->frame, cause->compile);
    }
}

void cause_name(struct root_causes *causes, struct root_cause *cause, const struct rank_facts *const *facts) {
    struct writer w = {.cause = cause, .facts = facts};
    switch (cause->kind) {
    case CAUSE_CONFIGURATION:
        name_configuration(&w);
        break;
    case CAUSE_UNFINISHED:
        name_unfinished(&w);
        break;
    case CAUSE_PARTS:
        buf_addf(&w.text, "ranks compute different parts: %zu groups of ranks", cause->sides.count);
        break;
    case CAUSE_EXTRA:
    case CAUSE_RECOMPILE:
        name_presence(&w);
        break;
    case CAUSE_OTHER:
        name_other(&w);
        break;
    case CAUSE_STOPPED:
        name_stopped(&w);
        break;
    case CAUSE_BACKWARD:
        name_backward(&w);
        break;
    case CAUSE_GRAPH_BREAK:
        name_graph_break(&w);
        break;
    case CAUSE_SOURCE:
        name_source(&w);
        break;
    case CAUSE_TIME:
        name_time(&w);
        break;
    case CAUSE_DYNAMIC:
        name_dynamic(&w);
        break;
    case CAUSE_STATUS:
        name_failure(&w);
        break;
    case CAUSE_BRANCH:
        name_branch(&w);
        break;
    case CAUSE_OPERATIONS:
        name_operations(&w);
        break;
    case CAUSE_SIZES:
        name_simply(&w, "compiles", "compile", " with different input sizes");
        break;
    case CAUSE_TENSORS:
        name_simply(&w, "compiles", "compile", " with tensors of a different dtype, layout or device");
        break;
    case CAUSE_REASON:
        name_reason(&w);
        break;
    case CAUSE_GUARDS:
        name_simply(&w, "has different guards for", "have different guards for", "");
        break;
    case CAUSE_COLLECTIVES:
        name_simply(&w, "issues different collectives in", "issue different collectives in", "");
        break;
    case CAUSE_CACHE:
        name_cache(&w);
        break;
    case CAUSE_TENSOR_META:
        name_simply(&w, "has different tensor metadata in", "have different tensor metadata in", "");
        break;
    case CAUSE_COMPILE_ORDER:
        name_order(&w, "compiles functions", "compile functions");
        break;
    case CAUSE_EXECUTION_ORDER:
        name_order(&w, "runs graphs", "run graphs");
        break;
    default:
        name_simply(&w, "has a different graph for", "have different graphs for", "");
    }
    cause->title = arena_slice(&causes->arena, buf_slice(&w.text));
    buf_free(&w.text);
}
