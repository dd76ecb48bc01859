/* The titles of root causes. */
#include <inttypes.h>

#include "base/path.h"
#include "ranks/causes.h"
#include "ranks/rank_words.h"

const char *root_cause_kind_name(enum root_cause_kind kind) {
    static const char *const names[CAUSE_KINDS] = {"configuration", "unfinished",    "extra_compile",
                                                   "other_compile", "recompile",     "status",
                                                   "branch",        "operations",    "input_sizes",
                                                   "tensors",       "graph",         "recompile_reason",
                                                   "guards",        "collectives",   "cache",
                                                   "tensor_meta",   "compile_order", "execution_order"};
    return names[kind];
}

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

static void function(struct writer *w, const struct place *place, struct slice compile) {
    buf_add(&w->text, place->function.len ? slice_first(place->function, 120) : compile);
}

static void line(struct writer *w, const struct place *place) {
    buf_add(&w->text, slice_first(path_last(place->file), 120));
    buf_addf(&w->text, ":%" PRIu64, place->line);
}

/* All sides but the usual one; without a usual one all: false. */
static bool subject(struct writer *w, bool *single) {
    const struct root_cause *cause = w->cause;
    size_t told = 0;
    *single = false;
    if (cause->usual < 0)
        return false;
    for (size_t s = 0; s < cause->sides.count && told < SIDES_MAX; s++) {
        if ((int64_t)s == cause->usual)
            continue;
        buf_add_str(&w->text, told ? ", " : "");
        ranks_of(w, s);
        *single = !told && one(w, s);
        told++;
    }
    return true;
}

static size_t odd(const struct root_cause *cause) {
    return cause->usual == 0 && cause->sides.count > 1 ? 1 : 0;
}

/* "rank 1 compiles extra, the others do not" */
static void name_presence(struct writer *w) {
    const struct root_cause *cause = w->cause;
    bool recompile = cause->kind == CAUSE_RECOMPILE;
    size_t have = cause->sides.items[0].compile.ptr ? 0 : 1;
    const struct cause_side *side = &cause->sides.items[have];
    if (cause->usual == (int64_t)have) {
        ranks_of(w, 1 - have);
        buf_add_str(&w->text, one(w, 1 - have) ? " does not " : " do not ");
        buf_add_str(&w->text, recompile ? "recompile " : "compile ");
        function(w, &side->place, side->compile);
        return;
    }
    ranks_of(w, have);
    buf_add_str(&w->text, recompile      ? one(w, have) ? " recompiles " : " recompile "
                          : one(w, have) ? " compiles "
                                         : " compile ");
    function(w, &side->place, side->compile);
    if (cause->usual >= 0) {
        buf_add_lit(&w->text, ", the others do not");
        return;
    }
    buf_add_lit(&w->text, ", ");
    ranks_of(w, 1 - have);
    buf_add_str(&w->text, one(w, 1 - have) ? " does not" : " do not");
}

/* "rank 2 compiles other where ranks 0 and 1 compile usual" */
static void name_other(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t mine = odd(cause), theirs = 1 - mine;
    ranks_of(w, mine);
    buf_add_str(&w->text, one(w, mine) ? " compiles " : " compile ");
    function(w, &cause->sides.items[mine].place, cause->sides.items[mine].compile);
    buf_add_lit(&w->text, " where ");
    ranks_of(w, theirs);
    buf_add_str(&w->text, one(w, theirs) ? " compiles " : " compile ");
    function(w, &cause->sides.items[theirs].place, cause->sides.items[theirs].compile);
}

/* "rank 2 takes another branch at f.py:33"; of groups: where each is. */
static void name_branch(struct writer *w) {
    const struct root_cause *cause = w->cause;
    bool single;
    if (subject(w, &single)) {
        buf_add_str(&w->text, single ? " takes another branch at " : " take another branch at ");
        line(w, &cause->place);
        return;
    }
    buf_add_lit(&w->text, "ranks take different branches: ");
    for (size_t s = 0; s < cause->sides.count && s < 4; s++) {
        buf_add_str(&w->text, s ? ", " : "");
        ranks_of(w, s);
        if (cause->sides.items[s].place.file.ptr) {
            buf_add_lit(&w->text, " at ");
            line(w, &cause->sides.items[s].place);
        }
    }
}

/* "rank 3 <does> f …"; of groups "ranks 0 and 1 and ranks 2 and 3 <do> …". */
static void name_simply(struct writer *w, const char *does, const char *plural, const char *rest) {
    bool single;
    if (!subject(w, &single)) {
        for (size_t s = 0; s < w->cause->sides.count && s < 4; s++) {
            buf_add_str(&w->text, s ? " and " : "");
            ranks_of(w, s);
        }
        single = false;
    }
    buf_addf(&w->text, " %s ", single ? does : plural);
    function(w, &w->cause->place, w->cause->compile);
    buf_add_str(&w->text, rest);
}

/* "rank 0 misses the cache for f, the others hit" */
static void name_cache(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t mine = odd(cause);
    if (cause->usual >= 0 && cause->sides.count == 2) {
        struct slice a = cause->sides.items[mine].text, b = cause->sides.items[1 - mine].text;
        struct slice hit = SLICE("hit"), miss = SLICE("miss"), bypass = SLICE("bypass");
        bool a_hits = slice_find(a, hit) != SIZE_MAX, a_misses = slice_find(a, miss) != SIZE_MAX;
        bool b_hits = slice_find(b, hit) != SIZE_MAX, b_misses = slice_find(b, miss) != SIZE_MAX;
        bool plain = slice_find(a, bypass) == SIZE_MAX && slice_find(b, bypass) == SIZE_MAX;
        if (plain && a_hits != a_misses && b_hits != b_misses && a_hits != b_hits) {
            name_simply(w, a_hits ? "hits the cache for" : "misses the cache for",
                        a_hits ? "hit the cache for" : "miss the cache for",
                        a_hits ? ", the others miss it" : ", the others hit it");
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
    buf_add_lit(&w->text, ", the others do not");
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
        buf_add(&w->text, slice_first(facts->apart.items[i].key, 120));
    }
    if (facts->apart.count > 3)
        buf_addf(&w->text, " and %zu more", facts->apart.count - 3);
}

/* "ranks 0–2 end inside Scheduler.__init__ of 3/0, rank 3 finished its compiles" */
static void name_unfinished(struct writer *w) {
    const struct root_cause *cause = w->cause;
    size_t told = 0, finished = SIZE_MAX;
    for (size_t s = 0; s < cause->sides.count && told < 6; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        if (!slice_starts(side->text, SLICE("ends inside "))) {
            finished = s;
            continue;
        }
        buf_add_str(&w->text, told++ ? ", " : "");
        ranks_of(w, s);
        buf_add_str(&w->text, one(w, s) ? " ends inside " : " end inside ");
        buf_add(&w->text, slice_from(side->text, sizeof "ends inside " - 1));
        if (side->compile.ptr) {
            buf_add_lit(&w->text, " of ");
            buf_add(&w->text, side->compile);
        }
    }
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
    if (cause->function.len) {
        buf_add_lit(&w->text, ", first at ");
        buf_add(&w->text, slice_first(cause->function, 120));
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
    case CAUSE_EXTRA:
    case CAUSE_RECOMPILE:
        name_presence(&w);
        break;
    case CAUSE_OTHER:
        name_other(&w);
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
        name_simply(&w, "recompiles", "recompile", " for different reasons");
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
