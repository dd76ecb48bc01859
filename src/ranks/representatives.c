#include "ranks/representatives.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/walk.h"
#include "diverge/cause.h"
#include "facts/rank_parts.h"
#include "trace/log_head.h"
#include "trace/source.h"

struct chooser {
    struct representatives *chosen;
    const struct merge_request *request;
    struct rank_facts *const *facts;
    size_t count;
    struct arena *arena;
    bool *wanted; /* by index of the facts */
    size_t wanted_count;
    LIST(struct slice) found; /* paths of all files in the folders of logs */
    struct map names;         /* last part of a path → index in `found` of the first such path */
    LIST(uint32_t) same_name; /* by index in `found`: the next path with the same last part; MAP_NONE: none */
};

static void note_trouble(struct chooser *c, const char *what, const char *path) {
    if (c->chosen->trouble.code == ERR_NONE)
        err_errno(&c->chosen->trouble, "cannot look %s %s", what, path);
}

static void want(struct chooser *c, size_t place) {
    if (c->wanted[place] || c->facts[place]->bad || c->wanted_count == MERGE_REPORTS_MAX)
        return;
    c->wanted[place] = true;
    c->wanted_count++;
}

/* Wants the first rank of each group that differs in some aspect. */
static void want_groups(struct chooser *c, const struct divergences *divergences) {
    for (size_t i = 0; i < divergences->causes->list.count; i++) {
        const struct root_cause *cause = divergences->causes->list.items[i];
        for (size_t s = 0; s < cause->sides.count; s++)
            if (cause->sides.items[s].ranks.count)
                want(c, cause->sides.items[s].ranks.items[0]);
    }
    for (int aspect = 0; aspect < ASPECTS; aspect++) {
        const struct divergence *found = &divergences->of[aspect];
        for (size_t g = 0; g < found->groups.count; g++)
            want(c, found->groups.items[g].ranks.items[0]);
    }
}

/* Whether its time covers all of its compiles: the log does not end within one. */
static bool has_whole_time(const struct rank_facts *facts) {
    bool whole =
        rank_is_compared(facts) && facts->compiles.count && !facts->unfinished.count && rank_is_read_whole(facts);
    for (size_t i = 0; i < facts->compiles.count && whole; i++)
        whole = facts->compiles.items[i]->status != STATUS_MISSING;
    return whole;
}

/* The most frequent number of compiles, among ranks with a complete time: a rank that stopped early is not fast. */
static size_t usual_compiles(const struct chooser *c) {
    struct map seen = {0}; /* number of compiles → number of ranks */
    size_t usual = 0, most = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t compiles = c->facts[i]->compiles.count;
        if (!has_whole_time(c->facts[i]))
            continue;
        uint32_t ranks = ++*map_put(&seen, slice_make((const char *)&compiles, sizeof compiles), 0, NULL);
        if (ranks > most || (ranks == most && compiles > usual)) {
            most = ranks;
            usual = compiles;
        }
    }
    map_free(&seen);
    return usual;
}

static void want_slowest_and_fastest(struct chooser *c) {
    size_t slowest = SIZE_MAX, fastest = SIZE_MAX, usual = usual_compiles(c);
    for (size_t i = 0; i < c->count; i++) {
        const struct rank_facts *facts = c->facts[i];
        if (!rank_is_compared(facts) || !facts->compiles.count)
            continue;
        uint64_t time = rank_time_us(facts);
        slowest = slowest == SIZE_MAX || time > rank_time_us(c->facts[slowest]) ? i : slowest;
        if (has_whole_time(facts) && facts->compiles.count >= usual)
            fastest = fastest == SIZE_MAX || time < rank_time_us(c->facts[fastest]) ? i : fastest;
    }
    if (slowest != SIZE_MAX)
        want(c, slowest);
    if (fastest != SIZE_MAX)
        want(c, fastest);
}

static bool has_failed(const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->compiles.count; i++)
        if (facts->compiles.items[i]->status == STATUS_ERROR)
            return true;
    return false;
}

/* Wants failed and hung ranks, as many as there is room for; then the lowest rank. */
static void want_troubled(struct chooser *c) {
    for (size_t i = 0; i < c->count; i++)
        if (!c->facts[i]->older && (c->facts[i]->unfinished.count || has_failed(c->facts[i])))
            want(c, i);
    for (size_t i = 0; i < c->count && !c->wanted_count; i++)
        if (!c->facts[i]->older)
            want(c, i);
}

static void want_listed(struct chooser *c) {
    for (size_t r = 0; r < c->request->rank_count; r++) {
        bool known = false;
        for (size_t i = 0; i < c->count; i++)
            if (c->facts[i]->has_rank && c->facts[i]->rank == c->request->ranks[r]) {
                want(c, i);
                known = true;
            }
        if (!known && !c->chosen->unknown++)
            c->chosen->first_unknown = c->request->ranks[r];
    }
}

/* ---- where the logs are ---- */

struct walking {
    struct chooser *chooser;
    const char *folder;
};

static enum walk_next see_file(void *data, const char *path, enum walk_type type) {
    const struct walking *walking = data;
    struct chooser *c = walking->chooser;
    bool added;
    if (type != WALK_FILE)
        return WALK_ON;
    AUTO_BUF whole = {0};
    buf_addf(&whole, "%s/%s", walking->folder, path);
    struct slice kept = slice_str(arena_str(c->arena, buf_slice(&whole)));
    uint32_t *first = map_put_in(c->arena, &c->names, path_last(kept), (uint32_t)c->found.count, &added);
    ARENA_ADD(c->arena, &c->same_name, added ? MAP_NONE : *first);
    *first = (uint32_t)c->found.count;
    ARENA_ADD(c->arena, &c->found, kept);
    return WALK_ON;
}

static void search_folders(struct chooser *c) {
    for (size_t i = 0; i < c->request->log_count; i++) {
        struct walking walking = {c, c->request->logs[i]};
        if (source_is_address(walking.folder))
            continue;
        int fd = open(walking.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || walk_folder(fd, see_file, &walking) == WALK_FAILED)
            note_trouble(c, "for logs in", walking.folder);
        if (fd >= 0)
            close(fd);
    }
}

/* Whether a part of the path is the name. */
static bool has_part(struct slice path, struct slice name) {
    for (struct slice rest = path; rest.len && name.len;) {
        size_t slash = slice_find(rest, SLICE("/"));
        if (slice_eq(slice_first(rest, slash), name))
            return true;
        rest = slice_from(rest, slash == SIZE_MAX ? rest.len : slash + 1);
    }
    return false;
}

enum same_file { SAME_NOT, SAME_PERHAPS, SAME_SURELY };

/* Whether the times are equal except for the year and the time zone, which records do not have. */
static bool is_same_time(int64_t a, int64_t b) {
    const int64_t quarter_us = INT64_C(15) * 60 * 1000000;
    return a > 0 && b > 0 && a % quarter_us == b % quarter_us;
}

/* Whether the file is the i-th of the log. Another host or job may have another file of that name, and untrusted facts
 * may name any file. So the file has to begin like a log, at the same time, and must not be shorter. If the time is
 * unknown, as for the second file of a log, it must have the same size or modification time, or must not be newer. */
static enum same_file is_same_file(struct chooser *c, const struct rank_facts *facts, size_t i, const char *path) {
    struct stat st;
    if (stat(path, &st) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            note_trouble(c, "at", path);
        return SAME_NOT;
    }
    if (!S_ISREG(st.st_mode) || !st.st_size) /* a file in /proc looks empty until it is read, which may have side
                                              * effects */
        return SAME_NOT;
    struct log_head head = log_head_read(path, st.st_mtime);
    if (head.failed) {
        errno = head.failed;
        note_trouble(c, "at", path);
    }
    struct slice name = slice_str(path);
    bool packed = slice_ends(name, SLICE(".gz")) || slice_ends(name, SLICE(".zst"));
    const struct log_file *file = i < facts->files.count ? &facts->files.items[i] : NULL;
    if (!head.known || (!packed && file && (uint64_t)st.st_size < file->bytes))
        return SAME_NOT;
    if (i == 0 && facts->began_us > 0)
        return is_same_time((int64_t)head.at * 1000000 + head.us, facts->began_us) ? SAME_SURELY : SAME_NOT;
    if (i > 0 && !packed && file && (uint64_t)st.st_size == file->bytes)
        return SAME_SURELY;
    uint64_t modified = (uint64_t)compat_mtime(&st).tv_sec * 1000000000 + (uint64_t)compat_mtime(&st).tv_nsec;
    bool last = i + 1 == facts->paths.count;
    return (last ? modified == facts->modified_ns : modified <= facts->modified_ns) ? SAME_SURELY : SAME_PERHAPS;
}

/* The file with this name in the folders of logs. If several hosts have one, the one in a folder named after the log's
 * host. NULL: none, or it is ambiguous. */
static const char *file_in_folders(struct chooser *c, const struct rank_facts *facts, size_t at, struct slice path) {
    uint32_t first = map_get(&c->names, path_last(path));
    const char *only = NULL, *of_host = NULL, *sure = NULL;
    size_t count = 0;
    for (uint32_t i = first; i != MAP_NONE; i = c->same_name.items[i]) {
        assert(c->found.items); /* it has the number */
        const char *found = c->found.items[i].ptr;
        enum same_file same = is_same_file(c, facts, at, found);
        if (same == SAME_NOT) {
            if (c->chosen->trouble.code == ERR_NONE)
                err_set(&c->chosen->trouble, ERR_INPUT, "%s has the name of a log, but is a different log", found);
            continue;
        }
        only = found;
        sure = same == SAME_SURELY && !sure ? found : sure;
        count++;
        if (facts->host.ptr && has_part(c->found.items[i], facts->host))
            of_host = found;
    }
    return of_host ? of_host : count == 1 ? only : sure;
}

/* The path in a folder that is an address. Whether it exists is unknown until it is fetched. */
static const char *address_in_folders(const struct chooser *c, struct slice path) {
    for (size_t i = 0; i < c->request->log_count; i++) {
        struct slice folder = slice_str(c->request->logs[i]), name = path_last(path);
        AUTO_BUF whole = {0};
        if (!source_is_address(folder.ptr))
            continue;
        buf_add(&whole, folder);
        if (!slice_ends(folder, SLICE("/")))
            buf_add_byte(&whole, '/');
        buf_add(&whole, name);
        const char *kept = arena_str(c->arena, buf_slice(&whole));
        return kept;
    }
    return NULL;
}

/* The path at which the i-th file of a log can be read here; NULL: none. */
static const char *find_file(struct chooser *c, const struct rank_facts *facts, size_t i) {
    struct slice path = facts->paths.items[i];
    const char *text = arena_str(c->arena, path), *found = file_in_folders(c, facts, i, path);
    if (found)
        return found;
    if (source_is_address(text) || is_same_file(c, facts, i, text) == SAME_SURELY)
        return text;
    return address_in_folders(c, path);
}

static bool find_log(struct chooser *c, const struct rank_facts *facts, struct ranks_log *log) {
    const char **paths = arena_alloc(c->arena, (facts->paths.count + 1) * sizeof *paths);
    for (size_t i = 0; i < facts->paths.count; i++)
        if (!(paths[i] = find_file(c, facts, i)))
            return false;
    *log = (struct ranks_log){.path = paths[0], .has_rank = facts->has_rank, .rank = facts->rank, .name = facts->name};
    log->paths = paths;
    log->path_count = facts->paths.count;
    return facts->paths.count > 0;
}

void representatives_choose(struct representatives *chosen, const struct merge_request *request,
                            struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                            struct arena *arena) {
    struct chooser c = {.chosen = chosen, .request = request, .facts = facts, .count = count, .arena = arena};
    c.wanted = arena_zalloc(arena, (count + 1) * sizeof *c.wanted);
    *chosen = (struct representatives){0};
    if (request->full == MERGE_FULL_LISTED)
        want_listed(&c);
    if (request->full == MERGE_FULL_REPRESENTATIVES) {
        want_slowest_and_fastest(&c);
        want_groups(&c, divergences);
        want_troubled(&c);
    }
    chosen->wanted = c.wanted_count;
    chosen->is_wanted = c.wanted;
    chosen->places = arena_alloc(arena, (c.wanted_count + 1) * sizeof *chosen->places);
    chosen->logs = arena_alloc(arena, (c.wanted_count + 1) * sizeof *chosen->logs);
    if (c.wanted_count)
        search_folders(&c);
    for (size_t i = 0; i < count; i++) {
        if (!c.wanted[i] || !find_log(&c, facts[i], &chosen->logs[chosen->found]))
            continue;
        chosen->places[chosen->found++] = i;
    }
}
