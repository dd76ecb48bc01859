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

enum { GROUPS_NAMED = 4, GROUPS_LISTED = 6, SETTINGS_NAMED = 3, NAME_MAX_BYTES = 120 };

struct writer {
    struct buf text;
    const struct root_cause *cause;
    const struct rank_facts *const *facts;
    bool several; /* the ranks that were named last are several */
};

static const struct cause_side *side_of(const struct writer *w, size_t side) {
    return &w->cause->sides.items[side];
}

/* The side's compile on its first rank; NULL: it has none. */
static const struct rank_compile *compile_of(const struct writer *w, size_t side) {
    const struct cause_side *s = side_of(w, side);
    return s->ranks.count && s->compile.ptr ? rank_compile_by_id(w->facts[s->ranks.items[0]], s->compile) : NULL;
}

/* The label of the frame at this place, from a side that compiles it; ptr NULL: none. */
static struct slice label_of(const struct writer *w, const struct place *place) {
    for (size_t s = 0; s < w->cause->sides.count && s < SIDES_MAX; s++) {
        const struct rank_compile *c = compile_of(w, s);
        if (c && c->label.len && c->place.line == place->line && slice_eq(c->place.file, place->file) &&
            slice_eq(c->place.function, place->function))
            return c->label;
    }
    return (struct slice){0};
}

/* Backticks mark code, as in the titles of findings. A backtick in a name would end the code early. */
static void quote(struct writer *w, struct slice name) {
    const char *tick = name.len && slice_find(name, SLICE("`")) == SIZE_MAX ? "`" : "";
    BUF_ADD(&w->text, tick, slice_first(name, NAME_MAX_BYTES), tick);
}

static void add_function(struct writer *w, const struct place *place, struct slice compile) {
    struct slice label = label_of(w, place);
    if (label.len || place->function.len)
        quote(w, label.len ? label : place->function);
    else
        buf_add(&w->text, compile);
}

static void add_line(struct writer *w, const struct place *place) {
    AUTO_BUF at = {0};
    BUF_ADD(&at, slice_first(path_last(place->file), NAME_MAX_BYTES), ":", place->line);
    quote(w, buf_slice(&at));
}

/* "does" of "does|do" for one rank, "do" for several. */
static struct slice in_number(struct slice forms, bool several) {
    size_t bar = slice_find(forms, SLICE("|"));
    return several ? slice_from(forms, bar + 1) : slice_first(forms, bar);
}

/* Writes a sentence with arguments. {ranks}: the ranks of a side (size_t). {does|do}: agrees in number with the ranks
 * that were named last. {function}: of a place and a compile (const struct place *, struct slice). {line}: of a place.
 * {code}: a struct slice. {text}: a const char *. {n}: a size_t. */
static void say(struct writer *w, const char *sentence, ...) {
    struct slice rest = slice_str(sentence);
    va_list args;
    va_start(args, sentence);
    while (rest.len) {
        size_t open = slice_find(rest, SLICE("{"));
        buf_add(&w->text, slice_first(rest, open));
        if (open == SIZE_MAX)
            break;
        rest = slice_from(rest, open + 1);
        size_t close = slice_find(rest, SLICE("}"));
        struct slice part = slice_first(rest, close);
        rest = slice_from(rest, close + 1);
        if (slice_is(part, "ranks")) {
            const struct cause_side *side = side_of(w, va_arg(args, size_t));
            rank_words_add(&w->text, w->facts, side->ranks.items, side->ranks.count);
            w->several = side->ranks.count != 1;
        } else if (slice_is(part, "function")) {
            const struct place *place = va_arg(args, const struct place *);
            add_function(w, place, va_arg(args, struct slice));
        } else if (slice_is(part, "line")) {
            add_line(w, va_arg(args, const struct place *));
        } else if (slice_is(part, "code")) {
            quote(w, va_arg(args, struct slice));
        } else if (slice_is(part, "text")) {
            buf_add_str(&w->text, va_arg(args, const char *));
        } else if (slice_is(part, "n")) {
            buf_add_u64(&w->text, va_arg(args, size_t));
        } else {
            buf_add(&w->text, in_number(part, w->several));
        }
    }
    va_end(args);
}

/* Whether all compared ranks are on a side, so the ranks of the usual side are "the others". */
static bool all_on_sides(const struct writer *w) {
    for (size_t r = 0; r < w->cause->rank_count; r++)
        if (w->cause->side_of[r] == UINT32_MAX && rank_is_compared(w->facts[r]))
            return false;
    return true;
}

/* ", the others do not" of "does not|do not", or ", ranks 0 and 2 do not" if some ranks are on no side. */
static void add_others(struct writer *w, size_t side, const char *forms) {
    bool others = w->cause->usual == (int64_t)side && all_on_sides(w);
    if (others) {
        w->several = true;
        say(w, ", the others ");
    } else {
        say(w, ", {ranks} ", side);
    }
    buf_add(&w->text, in_number(slice_str(forms), w->several));
}

static void add_more_groups(struct writer *w, size_t more, const char *rest) {
    if (more)
        buf_addf(&w->text, " and %zu more group%s%s", more, more == 1 ? "" : "s", rest);
}

/* The ranks of all sides: "rank 0 and rank 1". */
static void add_all(struct writer *w) {
    for (size_t s = 0; s < w->cause->sides.count; s++)
        say(w, s ? " and {ranks}" : "{ranks}", s);
    w->several = true;
}

/* Adds all sides except the usual one. Without a usual side, adds `all` and returns false. */
static bool add_subject(struct writer *w, const char *all) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0;
    if (cause->usual < 0) {
        w->several = true;
        buf_add_str(&w->text, all);
        return false;
    }
    for (size_t s = 0; s < cause->sides.count && listed < SIDES_MAX; s++)
        if ((int64_t)s != cause->usual)
            say(w, listed++ ? ", {ranks}" : "{ranks}", s);
    add_more_groups(w, cause->sides.count - 1 - listed, "");
    w->several |= listed > 1;
    return true;
}

/* "rank 3 <does> f …"; for groups, "ranks 0 and 1 and ranks 2 and 3 <do> …". `forms` is "does|do". */
static void name_simply(struct writer *w, const char *forms, const char *rest) {
    if (!add_subject(w, w->cause->sides.count > GROUPS_NAMED ? "ranks" : "") && w->cause->sides.count <= GROUPS_NAMED)
        add_all(w);
    BUF_ADD(&w->text, " ", in_number(slice_str(forms), w->several), " ");
    say(w, "{function}{text}", &w->cause->frame, w->cause->compile, rest);
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
        name_simply(w, "recompiles|recompile", source.len ? " for different changes of " : " for different reasons");
        quote(w, source);
        return;
    }
    add_all(w);
    say(w, " recompile {function} for different ", &cause->frame, cause->compile);
    if (!same) {
        say(w, "changes of {code}", source);
        for (size_t s = 0; s < cause->sides.count; s++)
            say(w, s ? " and {code}" : ": {code}", guard_failure_read(side_of(w, s)->text).guard);
        return;
    }
    say(w, "{text} of {code}",
        of[0].type == GUARD_SIZE     ? "sizes"
        : of[0].type == GUARD_STRIDE ? "strides"
                                     : "dtypes",
        of[0].source);
    if (of[0].dimension.len)
        BUF_ADD(&w->text, " at index ", of[0].dimension);
    for (size_t s = 0; s < cause->sides.count; s++)
        BUF_ADD(&w->text, s ? " and " : ": ", slice_first(of[s].has, NAME_MAX_BYTES));
}

/* Whether an earlier compile has the same id: Dynamo was reset. */
static bool is_after_reset(struct slice key) {
    return slice_find(key, SLICE("#")) != SIZE_MAX;
}

/* Adds what distinguishes it from the function's other recompiles. */
static void add_recompile_cause(struct writer *w, size_t have, const struct rank_compile *c) {
    bool again = false;
    for (size_t s = 0; s < w->cause->sides.count && s < SIDES_MAX; s++)
        again |= s != have && rank_recompiles_like(w->facts[side_of(w, s)->ranks.items[0]], c);
    buf_add_str(&w->text, again ? " once more" : "");
    rank_recompile_words_add(&w->text, c);
}

/* Adds " a 2nd time" if the other ranks have an earlier compile, or an earlier recompile without a reason, too. */
static void add_time(struct writer *w, size_t have) {
    const struct rank_compile *c = compile_of(w, have);
    if (c && c->number > 0 && rank_recompile_guard(c).len) {
        add_recompile_cause(w, have, c);
        return;
    }
    uint64_t nth = c && c->number > 1 ? (uint64_t)c->number : 1;
    size_t end =
        c ? slice_find(c->slot, slice_make("", 1)) : SIZE_MAX; /* the rest numbers compiles with the same name */
    bool named_before = end != SIZE_MAX && slice_to_u64(slice_from(c->slot, end + 1), &nth);
    if (is_after_reset(side_of(w, have)->compile) || (named_before && c->number > 1)) {
        buf_add_lit(&w->text, " again");
        return;
    }
    if (nth < 2)
        return;
    bool teen = nth / 10 % 10 == 1;
    const char *suffix = teen ? "th" : nth % 10 == 1 ? "st" : nth % 10 == 2 ? "nd" : nth % 10 == 3 ? "rd" : "th";
    bool vowel = nth == 8 || nth == 11 || nth == 18 || nth / 10 == 8;
    BUF_ADD(&w->text, vowel ? " an " : " a ", nth, suffix, " time");
}

/* "rank 1 compiles extra, the others do not" */
static void name_presence(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t have = cause->sides.items[0].compile.ptr ? 0 : 1;
    const struct cause_side *side = side_of(w, have);
    const char *does = cause->kind == CAUSE_RECOMPILE ? "recompile" : "compile";
    bool unusual = cause->usual == (int64_t)have; /* few ranks lack it */
    if (unusual)
        say(w, "{ranks} {does|do} not {text}", 1 - have, does);
    else
        say(w, "{ranks} {text}{s|}", have, does);
    say(w, " {function}", &side->place, side->compile);
    add_time(w, have);
    add_others(w, unusual ? have : 1 - have, unusual ? "does|do" : "does not|do not");
}

/* "rank 2 compiles other where ranks 0 and 1 compile usual"; functions with the same name get their lines. */
static void name_other(struct writer *w) {
    size_t sides[] = {cause_outlier_side(w->cause), 1 - cause_outlier_side(w->cause)};
    const struct place *a = &side_of(w, sides[0])->place, *b = &side_of(w, sides[1])->place;
    bool lines = slice_eq(a->function, b->function) && a->file.ptr && b->file.ptr;
    for (int i = 0; i < 2; i++) {
        const struct cause_side *side = side_of(w, sides[i]);
        say(w, i ? " where {ranks} {compiles|compile} {function}" : "{ranks} {compiles|compile} {function}", sides[i],
            &side->place, side->compile);
        if (lines)
            say(w, " at {line}", &side->place);
    }
}

/* "rank 1 has different code at model.py:2"; if the code is the same at other lines, "rank 1 has the same code at
 * model.py:4 as ranks 0 and 2 at model.py:2" */
static void name_source(struct writer *w) {
    size_t mine = cause_outlier_side(w->cause), theirs = mine ? 0 : 1;
    const struct place *a = &side_of(w, mine)->place, *b = &side_of(w, theirs)->place;
    if (same_place(a, b))
        say(w, "{ranks} {has|have} different code at {line}", mine, a);
    else
        say(w, "{ranks} {has|have} {function} at {line}, {ranks} {has|have} the same code at {line}", mine, a,
            w->cause->compile, a, theirs, b);
}

/* "rank 1 compiles nothing after head, the others continue with tail" */
static void name_stopped(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0, goes_on = 0, more = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct cause_side *side = side_of(w, s);
        if (!side->stops)
            goes_on = s;
        else if (listed == GROUPS_LISTED)
            more++;
        else
            say(w, "{text}{ranks} {compiles|compile} nothing after {function}", listed++ ? ", " : "", s, &side->place,
                side->compile);
    }
    add_more_groups(w, more, " after others");
    say(w, ", {ranks} {continues|continue} with {function}", goes_on, &side_of(w, goes_on)->place,
        side_of(w, goes_on)->compile);
}

/* "rank 1 does not compile the backward of `f`, the others do" */
static void name_backward(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t without = cause->sides.items[0].stops ? 0 : 1;
    const struct cause_side *side = side_of(w, without);
    bool unusual = cause->usual == (int64_t)without; /* few ranks do */
    say(w, unusual ? "{ranks} {compiles|compile}" : "{ranks} {does|do} not compile", unusual ? 1 - without : without);
    say(w, " the backward of {function}", &side->place, side->compile);
    add_others(w, unusual ? without : 1 - without, unusual ? "does not|do not" : "does|do");
}

/* "rank 1 has a graph break in step at f.py:12, the others do not" */
static void name_graph_break(struct writer *w) {
    const struct root_cause *cause = w->cause;
    const struct rank_compile *c = NULL;
    size_t broken = 0, breaking = 0;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct rank_compile *of = compile_of(w, s);
        breaking += of && of->breaks;
        if (of && of->breaks && (!c || (int64_t)s != cause->usual)) {
            c = of;
            broken = s;
        }
    }
    bool all_but = cause->usual == (int64_t)broken && cause->sides.count == 2;
    say(w, "{ranks} {has|have} {text} graph break in {function} at {line}", all_but ? 1 - broken : broken,
        all_but ? "no" : "a", &cause->frame, cause->compile, &cause->place);
    if (breaking > 1)
        say(w, ", the others do not break there");
    else if (cause->sides.count == 2) /* the side without the break */
        add_others(w, all_but ? broken : 1 - broken, all_but ? "does|do" : "does not|do not");
    else
        say(w, ", the others do not");
}

static size_t count_symbols(struct slice sizes) {
    size_t quotes = 0;
    for (size_t i = 0; i < sizes.len; i++)
        quotes += sizes.ptr[i] == '"';
    return quotes;
}

/* "rank 1 compiles head with dynamic sizes where ranks 0 and 2 have static ones" */
static void name_dynamic(struct writer *w) {
    const struct root_cause *cause = w->cause;
    if (cause->sides.count != 2) {
        name_simply(w, "compiles|compile", " with other sizes dynamic");
        return;
    }
    size_t dynamic = count_symbols(side_of(w, 1)->text) > count_symbols(side_of(w, 0)->text);
    say(w, "{ranks} {compiles|compile} {function} with dynamic sizes where {ranks} {has|have} static ones", dynamic,
        &cause->frame, cause->compile, 1 - dynamic);
}

/* "rank 1 takes 4.2 s to compile head, ranks 0 and 2 at most 0.3 s" */
static void name_time(struct writer *w) {
    size_t slow = w->cause->slow, fast = slow ? 0 : 1;
    say(w, "{ranks} {takes|take} ", slow);
    buf_add(&w->text, side_of(w, slow)->text);
    say(w, " to compile {function}, {ranks} ", &w->cause->frame, w->cause->compile, fast);
    buf_add(&w->text, side_of(w, fast)->text);
}

/* Adds the ranks of all sides that run the line. */
static void ranks_at(struct writer *w, const struct place *place) {
    const struct root_cause *cause = w->cause;
    uint32_t *ranks = mem_alloc((cause->rank_count + 1) * sizeof *ranks);
    size_t count = 0;
    for (size_t r = 0; r < cause->rank_count; r++)
        if (cause->side_of[r] != UINT32_MAX && same_place(&side_of(w, cause->side_of[r])->place, place))
            ranks[count++] = (uint32_t)r;
    rank_words_add(&w->text, w->facts, ranks, count);
    mem_free(ranks);
}

/* Whether the log of the side ends after a graph that is the beginning of the others' graph. The reason, such as a
 * branch or a graph break, is not logged. */
static bool ends_open(const struct writer *w, size_t side) {
    const struct cause_side *s = side_of(w, side);
    const struct rank_compile *c = compile_of(w, side);
    return c && c->open && slice_is(s->text, CAUSE_GRAPH_ENDS);
}

/* " with `first == False`": the guard on which the ranks of the side branch. */
static void add_guard(struct writer *w, const char *before, size_t side) {
    if (side_of(w, side)->guard.len)
        say(w, "{text}{code}", before, side_of(w, side)->guard);
}

/* "rank 2 takes a different branch at f.py:33"; for groups, the line of each. */
static void name_branch(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0, more = 0;
    if (cause->sides.count == 2 && (ends_open(w, 0) || ends_open(w, 1))) {
        size_t ends = ends_open(w, 0) ? 0 : 1;
        say(w, "{ranks} {ends its|end their} graph before {line}", ends, &cause->place);
        add_others(w, 1 - ends, "goes on there|go on there");
        return;
    }
    if (add_subject(w, "ranks take different branches: ")) {
        say(w, " {takes|take} a different branch at {line}", &cause->place);
        add_guard(w, ", with ", cause_outlier_side(cause));
        return;
    }
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct place *place = &side_of(w, s)->place;
        size_t first = 0;
        while (!same_place(&side_of(w, first)->place, place))
            first++;
        if (first < s) /* the line is listed with the first side that runs it */
            continue;
        if (listed == GROUPS_NAMED) {
            more++;
            continue;
        }
        buf_add_str(&w->text, listed++ ? ", " : "");
        ranks_at(w, place);
        if (place->file.ptr)
            say(w, " at {line}", place);
        add_guard(w, " with ", s);
    }
    add_more_groups(w, more, "");
}

/* The one result of all cache lookups of the side's compile; OUTCOME_NONE if there are several results, or none. */
static enum cache_outcome only_outcome(const struct writer *w, size_t side) {
    const struct rank_compile *c = compile_of(w, side);
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

/* "rank 0 misses the cache for f, the others hit it" */
static void name_cache(struct writer *w) {
    size_t mine = cause_outlier_side(w->cause);
    bool two = w->cause->usual >= 0 && w->cause->sides.count == 2;
    enum cache_outcome a = two ? only_outcome(w, mine) : OUTCOME_NONE,
                       b = two ? only_outcome(w, 1 - mine) : OUTCOME_NONE;
    if (a == OUTCOME_HIT && b == OUTCOME_MISS) {
        name_simply(w, "hits the cache for|hit the cache for", "");
        add_others(w, 1 - mine, "misses it|miss it");
    } else if (a == OUTCOME_MISS && b == OUTCOME_HIT) {
        name_simply(w, "misses the cache for|miss the cache for", "");
        add_others(w, 1 - mine, "hits it|hit it");
    } else {
        name_simply(w, "has different cache results for|have different cache results for", "");
    }
}

static void name_operations(struct writer *w) {
    add_subject(w, "ranks");
    say(w, " {traces|trace} different operations at {line}", &w->cause->place);
}

static void name_failure(struct writer *w) {
    size_t failed = 0;
    for (size_t s = 0; s < w->cause->sides.count; s++) {
        const struct rank_compile *c = compile_of(w, s);
        if (c && c->status == STATUS_ERROR)
            failed = s;
    }
    say(w, "{ranks} {fails|fail} to compile {function}", failed, &side_of(w, failed)->place,
        side_of(w, failed)->compile);
    add_others(w, failed ? 0 : 1, "does not|do not");
}

static void name_configuration(struct writer *w) {
    const struct rank_facts *facts = w->facts[side_of(w, 0)->ranks.items[0]];
    add_subject(w, "ranks");
    say(w, " {has|have} different settings: ");
    for (size_t i = 0; i < facts->apart.count && i < SETTINGS_NAMED; i++)
        say(w, i ? ", {code}" : "{code}", facts->apart.items[i].key);
    if (facts->apart.count > SETTINGS_NAMED)
        say(w, " and {n} more", facts->apart.count - SETTINGS_NAMED);
}

/* "ranks 0–2 end inside Scheduler.__init__ of 3/0, rank 3 finished its compiles" */
static void name_unfinished(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t listed = 0, more = 0, finished = SIZE_MAX;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct cause_side *side = side_of(w, s);
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
        if (rank_is_read_whole(w->facts[side->ranks.items[0]]))
            say(w, "{ranks} {ends|end} inside ", s);
        else
            say(w, "what was read of the log{text} of {ranks} ends inside ", side->ranks.count == 1 ? "" : "s", s);
        quote(w, slice_first(span->name, SPAN_NAME_MAX));
        if (side->compile.ptr)
            BUF_ADD(&w->text, " of ", side->compile);
    }
    add_more_groups(w, more, " elsewhere");
    if (finished != SIZE_MAX)
        say(w, ", {ranks} finished {its|their} compiles", finished);
}

static void name_order(struct writer *w, const char *forms) {
    add_subject(w, "ranks");
    BUF_ADD(&w->text, " ", in_number(slice_str(forms), w->several), " in a different order");
    if (w->cause->frame.function.len)
        say(w, ", first at {function}", &w->cause->frame, w->cause->compile);
}

void cause_name(struct root_causes *causes, struct root_cause *cause, const struct rank_facts *const *facts) {
    static void (*const writers[CAUSE_KINDS])(struct writer *) = {
        [CAUSE_CONFIGURATION] = name_configuration,
        [CAUSE_UNFINISHED] = name_unfinished,
        [CAUSE_EXTRA] = name_presence,
        [CAUSE_RECOMPILE] = name_presence,
        [CAUSE_OTHER] = name_other,
        [CAUSE_STOPPED] = name_stopped,
        [CAUSE_BACKWARD] = name_backward,
        [CAUSE_GRAPH_BREAK] = name_graph_break,
        [CAUSE_SOURCE] = name_source,
        [CAUSE_TIME] = name_time,
        [CAUSE_DYNAMIC] = name_dynamic,
        [CAUSE_STATUS] = name_failure,
        [CAUSE_BRANCH] = name_branch,
        [CAUSE_OPERATIONS] = name_operations,
        [CAUSE_REASON] = name_reason,
        [CAUSE_CACHE] = name_cache,
    };
    static const char *const simple[CAUSE_KINDS][2] = {
        [CAUSE_SIZES] = {"compiles|compile", " with different input sizes"},
        [CAUSE_TENSORS] = {"compiles|compile", " with tensors of a different dtype, layout or device"},
        [CAUSE_GUARDS] = {"has different guards for|have different guards for", ""},
        [CAUSE_COLLECTIVES] = {"issues different collectives in|issue different collectives in", ""},
        [CAUSE_TENSOR_META] = {"has different tensor metadata in|have different tensor metadata in", ""},
        [CAUSE_GRAPH] = {"has a different graph for|have different graphs for", ""},
    };
    struct writer w = {.cause = cause, .facts = facts};
    if (writers[cause->kind])
        writers[cause->kind](&w);
    else if (simple[cause->kind][0])
        name_simply(&w, simple[cause->kind][0], simple[cause->kind][1]);
    else if (cause->kind == CAUSE_PARTS)
        say(&w, "ranks compute different parts: {n} groups of ranks", cause->sides.count);
    else
        name_order(&w, cause->kind == CAUSE_COMPILE_ORDER ? "compiles functions|compile functions"
                                                          : "runs graphs|run graphs");
    cause->title = arena_slice(&causes->arena, buf_slice(&w.text));
    buf_free(&w.text);
}
