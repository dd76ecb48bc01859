#include "report/provenance.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/provenance_page.h"
#include "trace/compile_id.h"

/* The folder by which the reference knows a compile id: a missing attempt is the first. */
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

static bool says_anything(struct files *files, const struct provenance_sets *sets) {
    static const char *const keys[] = {"preToPost", "postToPre", "cppCodeToPost", "postToCppCode"};
    bool found = false;
    for (size_t i = 0; i < sets->count && !found; i++) {
        struct arena arena = {0};
        struct buf text = {0};
        yyjson_val *mapping = provenance_mapping_read(files, sets->items[i].mapping, &text, &arena);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            found |= yyjson_obj_size(json_get(mapping, keys[k])) > 0;
        buf_free(&text);
        arena_free(&arena);
    }
    return found;
}

static void write_entry(struct report *report, struct files *files, const struct folder *folder, bool all) {
    struct entry *entry = &report->entries.items[folder->entry];
    const struct compile *compile = report->compiles.items[folder->compile];
    struct provenance_sets *sets = mem_alloc(sizeof *sets);
    struct buf name = {0}, url = {0};
    struct {
        uint32_t *items;
        size_t count, cap;
    } own = {0}; /* a compile's artifacts are those of all its attempts */
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        uint32_t place = compile->artifacts.items[i];
        if (report->folders.items[report->artifacts.items[place].folder].entry != folder->entry)
            continue;
        MEM_GROW(&own);
        own.items[own.count++] = place;
    }
    add_folder_name(&name, compile, folder);
    provenance_sets_find(sets, report, own.items, own.count, buf_slice(&name));
    if ((all && entry->listed) || says_anything(files, sets)) {
        buf_addf(&url, "provenance_tracking_%.*s.html", SLICE_ARG(buf_slice(&name)));
        entry->provenance = report_copy(report, buf_slice(&url));
        struct provenance_page page = {entry->provenance, entry->key, compile->key, sets};
        provenance_page_write(&page, files);
    }
    free(own.items);
    free(sets);
    buf_free(&name);
    buf_free(&url);
}

void provenance_write(struct report *report, struct files *files, bool all) {
    bool *done = mem_zalloc(report->entries.count + 1, sizeof *done);
    for (size_t i = 0; i < report->folders.count; i++) {
        const struct folder *folder = &report->folders.items[i];
        if (!done[folder->entry])
            write_entry(report, files, folder, all);
        done[folder->entry] = true;
    }
    free(done);
}
