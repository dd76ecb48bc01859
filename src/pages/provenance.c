#include "pages/page_parts.h"

#include <pthread.h>

#include "pages/provenance_page.h"
#include "trace/compile_id.h"

/* The reference's name for a compile id: a missing attempt is 0. */
static void add_folder_name(struct buf *out, const struct compile *compile, const struct folder *folder) {
    bool bad = slice_is(compile->id, "unknown");
    struct compile_id id = {COMPILE_ID_GOOD, compile->autograd_id, compile->frame_id, compile->frame_compile_id,
                            folder->attempt};
    if (id.attempt == PART_MISSING && id.compile != PART_MISSING)
        id.attempt = 0;
    if (bad)
        buf_add_lit(out, "(unknown)");
    else
        compile_id_add_folder(out, &id, 0);
}

static bool says_anything(struct texts *texts, const struct provenance_sets *sets) {
    static const char *const keys[] = {"preToPost", "postToPre", "cppCodeToPost", "postToCppCode"};
    bool found = false;
    for (size_t i = 0; i < sets->count && !found; i++) {
        AUTO_ARENA arena = {0};
        AUTO_BUF text = {0};
        yyjson_val *mapping = provenance_mapping_read(texts, sets->items[i].mapping, &text, &arena);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            found |= yyjson_obj_size(json_get(mapping, keys[k])) > 0;
    }
    return found;
}

/* The artifacts by entry, in log order: those of entry e are items[first[e]] to items[first[e + 1] - 1]. */
struct by_entry {
    uint32_t *items;
    size_t *first;
};

static size_t entry_of(const struct model *model, size_t artifact) {
    return model->folders.items[model->artifacts.items[artifact].folder].entry;
}

static void find_by_entry(struct by_entry *by, const struct model *model) {
    size_t entries = model->entries.count, *next = mem_zalloc(entries + 2, sizeof *next);
    by->items = mem_alloc((model->artifacts.count + 1) * sizeof *by->items);
    by->first = mem_zalloc(entries + 2, sizeof *by->first);
    for (size_t i = 0; i < model->artifacts.count; i++)
        by->first[entry_of(model, i) + 1]++;
    for (size_t e = 0; e < entries; e++)
        next[e + 1] = by->first[e + 1] += by->first[e];
    for (size_t i = 0; i < model->artifacts.count; i++)
        by->items[next[entry_of(model, i)]++] = (uint32_t)i;
    mem_free(next);
}

struct owned {
    uint32_t compile, artifact;
};

static int by_compile(const void *a, const void *b) {
    const struct owned *x = a, *y = b;
    return x->compile != y->compile   ? (x->compile < y->compile ? -1 : 1)
         : x->artifact != y->artifact ? (x->artifact < y->artifact ? -1 : 1)
                                      : 0;
}

/* Finds the artifacts of each compile that shares the entry. Several generations of an id, and several processes, share
 * one, and their records may be interleaved. */
static void find_sets(struct provenance_sets *sets, const struct model *model, const uint32_t *own, size_t count,
                      struct slice folder) {
    struct provenance_set latest;
    provenance_sets_find(sets, model, own, count, folder);
    latest = sets->latest; /* for the reference, which knows one compile per id */
    struct owned *order = mem_alloc((count + 1) * sizeof *order);
    uint32_t *sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct owned){model->artifacts.items[own[i]].compile, own[i]};
    if (count)
        qsort(order, count, sizeof *order, by_compile);
    for (size_t i = 0; i < count; i++)
        sorted[i] = order[i].artifact;
    provenance_sets_find(sets, model, sorted, count, folder);
    sets->latest = latest;
    mem_free(order);
    mem_free(sorted);
}

enum { WRITERS = 4 }; /* pages that are written at once: each has its texts in memory */

struct writer {
    struct job job;
    struct provenance_pages *pages;
};

struct provenance_pages {
    struct model *model;
    struct files *files;
    struct texts *texts;
    struct by_entry by;
    LIST(const struct folder *) list; /* the first folder of each entry with a page */
    struct writer writers[WRITERS];
    pthread_mutex_t lock;
    pthread_cond_t ended;
    /* Protected by the lock: */
    size_t next;      /* index of the next page */
    unsigned running; /* number of writers that have not ended */
};

/* Finds the texts of the page, and adds its name. The caller frees the texts. */
static struct provenance_sets *sets_of(const struct provenance_pages *pages, const struct folder *folder,
                                       struct buf *name) {
    struct provenance_sets *sets = mem_alloc(sizeof *sets);
    const struct by_entry *by = &pages->by;
    size_t first = by->first[folder->entry], end = by->first[folder->entry + 1];
    add_folder_name(name, pages->model->compiles.items[folder->compile], folder);
    find_sets(sets, pages->model, by->items + first, end - first, buf_slice(name));
    return sets;
}

static void write_page(const struct provenance_pages *pages, const struct folder *folder) {
    const struct entry *entry = &pages->model->entries.items[folder->entry];
    const struct compile *compile = pages->model->compiles.items[folder->compile];
    AUTO_BUF name = {0};
    struct provenance_sets *sets = sets_of(pages, folder, &name);
    struct provenance_page page = {entry->provenance, entry->key, compile->key, sets, pages->model, pages->texts};
    provenance_page_write(&page, pages->files);
    mem_free(sets);
}

/* Writes pages until none is left. */
static void write_pages(struct provenance_pages *pages) {
    for (;;) {
        pthread_mutex_lock(&pages->lock);
        size_t i = pages->next++;
        pthread_mutex_unlock(&pages->lock);
        if (i >= pages->list.count)
            return;
        write_page(pages, pages->list.items[i]);
    }
}

static void run_writer(struct job *job) {
    struct provenance_pages *pages = ((struct writer *)job)->pages;
    write_pages(pages);
    pthread_mutex_lock(&pages->lock);
    if (--pages->running == 0)
        pthread_cond_signal(&pages->ended);
    pthread_mutex_unlock(&pages->lock);
}

/* Gives the entry the address of its page, if it has one. */
static void plan_page(struct provenance_pages *pages, const struct folder *folder, bool all) {
    struct entry *entry = &pages->model->entries.items[folder->entry];
    AUTO_BUF name = {0}, url = {0};
    struct provenance_sets *sets = sets_of(pages, folder, &name);
    if ((all && entry->listed) || says_anything(pages->texts, sets)) {
        buf_addf(&url, "provenance_tracking_%.*s.html", SLICE_ARG(buf_slice(&name)));
        entry->provenance = model_copy(pages->model, buf_slice(&url));
        LIST_ADD(&pages->list, folder);
    }
    mem_free(sets);
}

struct provenance_pages *provenance_start(struct model *model, struct files *files, struct texts *texts, bool all) {
    struct provenance_pages *pages = mem_zalloc(1, sizeof *pages);
    bool *done = mem_zalloc(model->entries.count + 1, sizeof *done);
    pages->model = model;
    pages->files = files;
    pages->texts = texts;
    pthread_mutex_init(&pages->lock, NULL);
    pthread_cond_init(&pages->ended, NULL);
    find_by_entry(&pages->by, model);
    for (size_t i = 0; i < model->folders.count; i++) {
        const struct folder *folder = &model->folders.items[i];
        if (!done[folder->entry])
            plan_page(pages, folder, all);
        done[folder->entry] = true;
    }
    mem_free(done);
    pages->running = pages->list.count ? WRITERS : 0;
    for (unsigned i = 0; i < WRITERS && pages->list.count; i++) {
        pages->writers[i] = (struct writer){{.run = run_writer}, pages};
        pool_run(texts_pool(texts), &pages->writers[i].job);
    }
    return pages;
}

void provenance_finish(struct provenance_pages *pages) {
    write_pages(pages);
    pthread_mutex_lock(&pages->lock);
    while (pages->running)
        pthread_cond_wait(&pages->ended, &pages->lock);
    pthread_mutex_unlock(&pages->lock);
    mem_free(pages->list.items);
    mem_free(pages->by.items);
    mem_free(pages->by.first);
    pthread_cond_destroy(&pages->ended);
    pthread_mutex_destroy(&pages->lock);
    mem_free(pages);
}
