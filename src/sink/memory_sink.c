#include "sink/sinks.h"

#include <pthread.h>

struct entry {
    struct slice path; /* owned by the map */
    struct buf content;
    size_t origin; /* index of the entry with the content: itself, or the one it shares */
    bool directory;
    bool dropped; /* its content is not kept */
};

/* Shared by a sink and all sinks below it. */
struct store {
    pthread_mutex_t lock;
    struct map by_path;
    LIST(struct entry) entries;
    const char *const *folders; /* of which files are kept, as beginnings of their names; NULL: of all */
    size_t folder_count;
};

struct memory_sink {
    struct sink sink;
    struct store *store;
    char *prefix; /* prefix of its paths: "" or "rank_1/" */
};

static const struct sink_ops operations;

static struct memory_sink *of(struct sink *sink) {
    return (struct memory_sink *)sink;
}

static struct sink *create_sink(struct store *store, char *prefix, enum sink_keeps keeps) {
    struct memory_sink *made = mem_zalloc(1, sizeof *made);
    *made = (struct memory_sink){.sink = {.ops = &operations, .keeps = keeps}, .store = store, .prefix = prefix};
    return &made->sink;
}

static struct sink *create_top(enum sink_keeps keeps) {
    struct store *store = mem_zalloc(1, sizeof *store);
    pthread_mutex_init(&store->lock, NULL);
    return create_sink(store, mem_strdup(""), keeps);
}

struct sink *memory_sink_create(void) {
    return create_top(SINK_EVERYTHING);
}

struct sink *report_sink_create(void) {
    return create_top(SINK_REPORT_JSON);
}

struct sink *summary_sink_create(void) {
    return create_top(SINK_SUMMARY);
}

struct sink *folders_sink_create(const char *const *folders, size_t count) {
    struct sink *sink = create_top(SINK_EVERYTHING);
    of(sink)->store->folders = folders;
    of(sink)->store->folder_count = count;
    return sink;
}

static void destroy(struct sink *sink) {
    struct memory_sink *memory = of(sink);
    if (!memory->prefix[0]) {
        for (size_t i = 0; i < memory->store->entries.count; i++)
            buf_free(&memory->store->entries.items[i].content);
        mem_free(memory->store->entries.items);
        map_free(&memory->store->by_path);
        pthread_mutex_destroy(&memory->store->lock);
        mem_free(memory->store);
    }
    mem_free(memory->prefix);
    mem_free(memory);
}

/* The entry of a path, or MAP_NONE. The caller holds the lock. That is true of all functions below. */
static uint32_t find(const struct store *store, struct slice path) {
    return map_get(&store->by_path, path);
}

/* Whether the directory of the path was created. */
static bool has_parent(const struct store *store, struct slice path) {
    size_t slash = slice_rfind_byte(path, '/');
    if (slash == SIZE_MAX)
        return true;
    uint32_t parent = find(store, slice_first(path, slash));
    errno = parent == MAP_NONE ? ENOENT : ENOTDIR;
    return parent != MAP_NONE && store->entries.items[parent].directory;
}

static bool is_kept(const struct store *store, struct slice path) {
    size_t slash = slice_starts(path, SLICE("rank_")) ? slice_find(path, SLICE("/")) : SIZE_MAX;
    path = slash == SIZE_MAX ? path : slice_from(path, slash + 1);
    bool kept = !store->folders || slice_is(path, "report.json");
    for (size_t i = 0; i < store->folder_count && !kept; i++)
        kept = slice_starts(path, slice_str(store->folders[i]));
    return kept;
}

static size_t add_entry(struct store *store, struct slice path, bool directory) {
    size_t place = store->entries.count;
    bool added;
    map_put(&store->by_path, path, (uint32_t)place, &added);
    assert(added);
    LIST_ADD(&store->entries, (struct entry){.path = map_key(&store->by_path, path),
                                             .origin = place,
                                             .directory = directory,
                                             .dropped = !is_kept(store, path)});
    return place;
}

static bool add_directory(struct store *store, struct slice path, bool fresh) {
    uint32_t known = find(store, path);
    if (known != MAP_NONE) {
        errno = fresh ? EEXIST : ENOTDIR;
        return !fresh && store->entries.items[known].directory;
    }
    if (!has_parent(store, path))
        return false;
    add_entry(store, path, true);
    return true;
}

static bool add_file(struct store *store, struct slice path, struct sink_file *file) {
    uint32_t known = find(store, path);
    if (known == MAP_NONE) {
        if (!has_parent(store, path))
            return false;
        file->handle = (intptr_t)add_entry(store, path, false);
        return true;
    }
    struct entry *entry = &store->entries.items[known];
    errno = EISDIR;
    if (entry->directory)
        return false;
    entry->origin = known;
    entry->content.len = 0;
    file->handle = (intptr_t)known;
    return true;
}

static char *whole_path(const struct memory_sink *memory, const char *path) {
    return mem_printf("%s%s", memory->prefix, path);
}

static bool make_directory(struct sink *sink, const char *path) {
    struct memory_sink *memory = of(sink);
    char *whole = whole_path(memory, path);
    pthread_mutex_lock(&memory->store->lock);
    bool good = add_directory(memory->store, slice_str(whole), false);
    pthread_mutex_unlock(&memory->store->lock);
    mem_free(whole);
    return good;
}

static bool create(struct sink *sink, const char *path, struct sink_file *file) {
    struct memory_sink *memory = of(sink);
    char *whole = whole_path(memory, path);
    *file = (struct sink_file){.sink = sink};
    pthread_mutex_lock(&memory->store->lock);
    bool good = add_file(memory->store, slice_str(whole), file);
    pthread_mutex_unlock(&memory->store->lock);
    mem_free(whole);
    return good;
}

static bool write_all(struct sink_file *file, struct slice content) {
    struct store *store = of(file->sink)->store;
    pthread_mutex_lock(&store->lock);
    if (!store->entries.items[file->handle].dropped)
        buf_add(&store->entries.items[file->handle].content, content);
    pthread_mutex_unlock(&store->lock);
    return true;
}

static bool close_file(struct sink_file *file) {
    (void)file;
    return true;
}

static bool share(struct sink *sink, struct sink *from, const char *path) {
    if (from->ops != sink->ops || of(from)->store != of(sink)->store)
        return false;
    struct store *store = of(sink)->store;
    struct sink_file file;
    char *theirs = whole_path(of(from), path), *ours = whole_path(of(sink), path);
    pthread_mutex_lock(&store->lock);
    uint32_t origin = find(store, slice_str(theirs));
    bool good = origin != MAP_NONE && !store->entries.items[origin].directory &&
                find(store, slice_str(ours)) == MAP_NONE && add_file(store, slice_str(ours), &file);
    if (good)
        store->entries.items[file.handle].origin = store->entries.items[origin].origin;
    pthread_mutex_unlock(&store->lock);
    mem_free(theirs);
    mem_free(ours);
    return good;
}

static struct sink *below(struct sink *sink, const char *directory) {
    struct memory_sink *memory = of(sink);
    char *whole = whole_path(memory, directory);
    pthread_mutex_lock(&memory->store->lock);
    bool good = add_directory(memory->store, slice_str(whole), true);
    pthread_mutex_unlock(&memory->store->lock);
    enum sink_keeps keeps = sink->keeps == SINK_SUMMARY ? SINK_NOTHING : sink->keeps;
    struct sink *made = good ? create_sink(memory->store, mem_printf("%s/", whole), keeps) : NULL;
    mem_free(whole);
    return made;
}

static int by_path(const void *a, const void *b) {
    return slice_cmp(((const struct memory_file *)a)->path, ((const struct memory_file *)b)->path);
}

size_t memory_sink_list(const struct sink *sink, struct memory_file **files) {
    const struct store *store = ((const struct memory_sink *)sink)->store;
    size_t count = 0;
    *files = mem_alloc((store->entries.count + 1) * sizeof **files);
    for (size_t i = 0; i < store->entries.count; i++) {
        const struct entry *entry = &store->entries.items[i];
        if (!entry->directory)
            (*files)[count++] =
                (struct memory_file){entry->path, buf_slice(&store->entries.items[entry->origin].content)};
    }
    if (count)
        qsort(*files, count, sizeof **files, by_path);
    return count;
}

static const struct sink_ops operations = {
    .make_directory = make_directory,
    .create = create,
    .write = write_all,
    .close = close_file,
    .share = share,
    .below = below,
    .destroy = destroy,
};
