#include "pages/page_parts.h"

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

static void write_entry(struct model *model, struct files *files, struct texts *texts, const struct folder *folder,
                        const struct by_entry *by, bool all) {
    struct entry *entry = &model->entries.items[folder->entry];
    const struct compile *compile = model->compiles.items[folder->compile];
    struct provenance_sets *sets = mem_alloc(sizeof *sets);
    AUTO_BUF name = {0}, url = {0};
    add_folder_name(&name, compile, folder);
    size_t first = by->first[folder->entry];
    find_sets(sets, model, by->items + first, by->first[folder->entry + 1] - first, buf_slice(&name));
    if ((all && entry->listed) || says_anything(texts, sets)) {
        buf_addf(&url, "provenance_tracking_%.*s.html", SLICE_ARG(buf_slice(&name)));
        entry->provenance = model_copy(model, buf_slice(&url));
        struct provenance_page page = {entry->provenance, entry->key, compile->key, sets, model, texts};
        provenance_page_write(&page, files);
    }
    mem_free(sets);
}

void provenance_write(struct model *model, struct files *files, struct texts *texts, bool all) {
    bool *done = mem_zalloc(model->entries.count + 1, sizeof *done);
    struct by_entry by;
    find_by_entry(&by, model);
    for (size_t i = 0; i < model->folders.count; i++) {
        const struct folder *folder = &model->folders.items[i];
        if (!done[folder->entry])
            write_entry(model, files, texts, folder, &by, all);
        done[folder->entry] = true;
    }
    mem_free(by.items);
    mem_free(by.first);
    mem_free(done);
}
