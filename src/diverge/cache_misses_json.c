/* Describes misses of compile caches, and writes them as members of report.json. */

#include "analysis/advice_words.h"
#include "diverge/cache_misses.h"
#include "report/members.h"

enum { NAMES_LISTED = 2, NAME_BYTES = 200 };

static const char *kind_name(enum cache_miss_kind kind) {
    static const char *const names[] = {"components", "graph", "same_key", "guards", "new", "not_logged"};
    return names[kind];
}

static void add_log(struct buf *out, const struct rank_facts *facts) {
    if (facts->has_rank)
        buf_addf(out, "rank %" PRIu64, facts->rank);
    else
        buf_add_str(out, facts->name ? facts->name : facts->file);
}

/* The rank of a job that has the compile; NULL: the log is not a job. */
static const struct rank_member *member_of(const struct rank_facts *log, const struct key_owner *owner) {
    uint32_t member = lookup_compile(log, owner->compile).member;
    return member < log->members.count ? &log->members.items[member] : NULL;
}

/* "on rank 1", "in first", or, for a job, "on rank 1 of first" */
static void add_owner(struct buf *out, const struct rank_facts *const *facts, const struct key_owner *owner) {
    const struct rank_facts *log = facts[owner->log];
    const struct rank_member *member = member_of(log, owner);
    if (member && member->has_rank)
        buf_addf(out, "on rank %" PRIu64 " of ", member->rank);
    else
        buf_add_str(out, log->has_rank ? "on " : "in ");
    add_log(out, log);
}

/* "[3/0] on rank 1" */
static void add_compile(struct buf *out, const struct rank_facts *const *facts, const struct key_owner *owner) {
    buf_addf(out, "[%.*s] ", SLICE_ARG(lookup_compile(facts[owner->log], owner->compile).id));
    add_owner(out, facts, owner);
}

/* "`gm`, `torch_version` and 3 more" */
static void add_names(struct buf *out, const struct key_comparison *comparison) {
    uint32_t named = 0;
    for (; named < comparison->listed && named < NAMES_LISTED; named++)
        buf_addf(out, "%s`%.*s`",
                 !named                           ? ""
                 : named + 1 == comparison->count ? " and "
                                                  : ", ",
                 SLICE_ARG(slice_first(comparison->list[named].name, NAME_BYTES)));
    if (comparison->count > named)
        buf_addf(out, " and %" PRIu32 " more", comparison->count - named);
}

static void add_title(struct buf *out, const struct cache_misses *misses, const struct miss_cause *cause) {
    const struct cache_miss *miss = &misses->list.items[cause->misses.items[0]];
    const char *where = misses->runs ? "from an earlier run" : "between ranks";
    switch (miss->kind) {
    case MISS_COMPONENTS:
        add_names(out, &miss->comparison);
        buf_addf(out, " %s %s", miss->comparison.count == 1 ? "differs" : "differ", where);
        break;
    case MISS_GRAPH:
        buf_addf(out, "the graph differs %s", where);
        break;
    case MISS_SAME_KEY:
        buf_add_lit(out, "the key of an earlier run was not found");
        break;
    case MISS_GUARDS:
        buf_add_lit(out, "guards of the cached entries do not hold");
        break;
    case MISS_NEW:
        buf_add_lit(out, "no earlier run has the graph");
        break;
    case MISS_NOT_LOGGED:
        buf_addf(out, "what differs %s is not logged", where);
    }
    buf_addf(out, ": %" PRIu64 " %s in the %s cache", cause->count, cause->count == 1 ? "miss" : "misses",
             cache_title(miss->lookup->cache));
}

static void add_differences(struct buf *out, const struct rank_facts *const *facts, const struct cache_miss *miss) {
    AUTO_BUF there = {0};
    buf_add_lit(&there, ", ");
    add_owner(&there, facts, &miss->nearest);
    buf_add_byte(&there, ' ');
    key_differences_add(out, &miss->comparison, buf_slice(&there));
    buf_add_byte(out, '.');
}

static void add_why(struct buf *out, const struct cache_misses *misses, const struct rank_facts *const *facts,
                    const struct cache_miss *miss) {
    switch (miss->kind) {
    case MISS_COMPONENTS:
        buf_add_lit(out, "The key of ");
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, " differs from that of ");
        add_compile(out, facts, &miss->nearest);
        buf_add_lit(out, ": ");
        add_differences(out, facts, miss);
        break;
    case MISS_GRAPH:
        if (misses->runs)
            buf_add_lit(out, "No key of an earlier run has the graph of ");
        else /* other ranks with the same key are not mentioned */
            buf_addf(out, "No key of rank %" PRIu64 " has the graph of ", facts[miss->nearest.log]->rank);
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, ". The key of the same function, ");
        add_compile(out, facts, &miss->nearest);
        buf_add_lit(out, ", has another graph.");
        if (key_differences_beside_graph(&miss->comparison)) {
            buf_add_lit(out, " Other differences: ");
            add_differences(out, facts, miss);
        }
        break;
    case MISS_SAME_KEY:
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, " asks for the same key as ");
        add_compile(out, facts, &miss->nearest);
        buf_add_lit(out,
                    ". Nothing of the key differs; the log does not say why its entry was not found. It may not have "
                    "been saved, may have been removed, or may be in another cache directory.");
        break;
    case MISS_GUARDS:
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, " asks for the same key as ");
        add_compile(out, facts, &miss->nearest);
        buf_add_lit(out, " and found entries, but the guards of none hold for its inputs");
        if (miss->lookup->guards.len)
            buf_addf(out, ": `%.*s`", SLICE_ARG(miss->lookup->guards));
        buf_add_byte(out, '.');
        break;
    case MISS_NEW:
        buf_add_lit(out, "No earlier run has a key of the graph of ");
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, ", or of its function.");
        break;
    case MISS_NOT_LOGGED:
        buf_add_lit(out, "The key of ");
        add_compile(out, facts, &miss->owner);
        buf_add_lit(out, " differs from that of ");
        add_compile(out, facts, &miss->nearest);
        BUF_ADD(out, ". The log lacks the components of these keys",
                miss->lookup->cache == CACHE_AOTAUTOGRAD ? "; `TORCH_LOGS=+aot` adds them." : ".");
    }
}

static void write_owner(struct jsonw *w, const char *key, const struct rank_facts *const *facts,
                        const struct key_owner *owner, const struct key_comparison *comparison) {
    const struct rank_facts *log = facts[owner->log];
    const struct rank_member *member = member_of(log, owner);
    jsonw_object(w, key);
    JSON_ADD(w, "dir", member ? member->dir : slice_str(log->dir), "compile", lookup_compile(log, owner->compile).id,
             "result", cache_outcome_name(owner->outcome));
    if (comparison)
        key_comparison_write(w, comparison);
    jsonw_end_object(w);
}

static void write_miss(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                       const struct cache_miss *miss) {
    bool compared = miss->kind == MISS_COMPONENTS || miss->kind == MISS_GRAPH;
    AUTO_BUF why = {0};
    add_why(&why, misses, facts, miss);
    JSON_ADD(w, "cache", cache_name(miss->lookup->cache), "kind", kind_name(miss->kind), "why", buf_slice(&why));
    if (miss->nearest.log == UINT32_MAX)
        jsonw_null(w, "nearest");
    else
        write_owner(w, "nearest", facts, &miss->nearest, compared ? &miss->comparison : NULL);
}

static void write_cause(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                        const struct miss_cause *cause) {
    AUTO_BUF title = {0};
    add_title(&title, misses, cause);
    jsonw_object(w, NULL);
    jsonw_text(w, "title", buf_slice(&title));
    if (misses->runs)
        jsonw_str(w, "run", facts[misses->list.items[cause->misses.items[0]].owner.log]->dir);
    else
        jsonw_null(w, "run");
    write_miss(w, misses, facts, &misses->list.items[cause->misses.items[0]]);
    jsonw_known(w, "time_us", cause->time_us);
    jsonw_array(w, "misses");
    for (size_t i = 0; i < cause->misses.count; i++)
        write_owner(w, NULL, facts, &misses->list.items[cause->misses.items[i]].owner, NULL);
    jsonw_end_array(w);
    jsonw_u64(w, "count", cause->count);
    jsonw_end_object(w);
}

/* Writes the causes with logged components, or those without. */
static void write_causes(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                         bool unknown, uint64_t *more) {
    for (size_t i = 0; i < misses->causes.count; i++) {
        const struct miss_cause *cause = &misses->causes.items[i];
        bool named = cause->misses.count > 0;
        if ((named && misses->list.items[cause->misses.items[0]].kind == MISS_NOT_LOGGED) != unknown)
            continue;
        if (i < CACHE_MISS_CAUSES_MAX && cause->count)
            write_cause(w, misses, facts, cause);
        else
            *more += cause->count;
    }
}

void cache_misses_write(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts) {
    uint64_t more = misses->more;
    if (!misses->causes.count && !more)
        return;
    jsonw_object(w, "cache_misses");
    jsonw_array(w, "list");
    write_causes(w, misses, facts, false, &more);
    write_causes(w, misses, facts, true, &more); /* less informative causes come last */
    jsonw_end_array(w);
    jsonw_u64(w, "more", more);
    jsonw_end_object(w);
}

void cache_misses_write_log(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                            size_t log) {
    size_t written = 0;
    jsonw_array(w, "cache_misses");
    for (size_t i = 0; i < misses->list.count && written < CACHE_MISSES_OF_LOG_MAX && !facts[log]->members.count; i++) {
        const struct cache_miss *miss = &misses->list.items[i];
        if (miss->owner.log != log)
            continue;
        written++;
        jsonw_object(w, NULL);
        jsonw_text(w, "compile", lookup_compile(facts[log], miss->owner.compile).id);
        write_miss(w, misses, facts, miss);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}
