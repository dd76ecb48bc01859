#include "share/redact_places.h"

static uint32_t folder_index(struct redact_places *places, struct slice folder) {
    bool added;
    uint32_t index = *map_put(&places->folders, folder, places->folder_count, &added);
    if (added) {
        places->folder_count++;
        LIST_ADD(&places->moved, (struct redact_moved){0});
    }
    return index;
}

void redact_places_add(struct redact_places *places, struct slice folder, size_t offset, size_t bytes,
                       enum redact_content content) {
    if (!folder.len || !bytes || offset > SIZE_MAX - bytes)
        return;
    LIST_ADD(&places->items, (struct redact_place){folder_index(places, folder), content, offset, offset + bytes});
    places->is_sorted = false;
}

static int by_number(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static int by_place(const void *a, const void *b) {
    const struct redact_place *x = a, *y = b;
    if (x->folder != y->folder)
        return x->folder < y->folder ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : (int)y->content - (int)x->content;
}

/* The first place of a folder in a sorted list. */
static size_t first_of(const struct redact_places *places, uint32_t folder) {
    size_t from = 0;
    SEARCH(from, places->items.count, middle, places->items.items[middle].folder < folder);
    return from;
}

struct redact_moved *redact_places_cut(struct redact_places *places, struct slice folder, size_t bytes) {
    uint32_t index = folder_index(places, folder);
    if (!places->is_sorted && places->items.count)
        qsort(places->items.items, places->items.count, sizeof *places->items.items, by_place);
    places->is_sorted = true;
    const struct redact_place *all = places->items.items;
    size_t first = first_of(places, index), last = first_of(places, index + 1), count = 0;
    size_t *cuts = mem_realloc(NULL, 2 * (last - first) + 2, sizeof *cuts);
    cuts[count++] = 0;
    cuts[count++] = bytes;
    for (size_t i = first; i < last; i++) {
        if (all[i].to > bytes)
            continue; /* beyond the stream: someone changed the report's data */
        cuts[count++] = all[i].from;
        cuts[count++] = all[i].to;
    }
    qsort(cuts, count, sizeof *cuts, by_number);
    struct redact_moved *moved = &places->moved.items[index];
    mem_free(moved->pieces);
    *moved = (struct redact_moved){.pieces = mem_realloc(NULL, count, sizeof *moved->pieces)};
    size_t place = first;
    for (size_t i = 0; i + 1 < count; i++) {
        if (cuts[i] == cuts[i + 1])
            continue;
        struct redact_piece *piece = &moved->pieces[moved->count++];
        *piece = (struct redact_piece){.from = cuts[i], .to = cuts[i + 1]};
        while (place < last && all[place].from < piece->from)
            place++;
        if (place < last && all[place].from == piece->from && all[place].to == piece->to)
            piece->content = all[place].content;
    }
    mem_free(cuts);
    return moved;
}

const struct redact_moved *redact_places_of(const struct redact_places *places, struct slice folder) {
    uint32_t index = map_get(&places->folders, folder);
    const struct redact_moved *moved = index == MAP_NONE ? NULL : &places->moved.items[index];
    return moved && moved->pieces ? moved : NULL;
}

/* The new offset of a cut. */
static bool find_cut(const struct redact_moved *moved, uint64_t old, uint64_t *place) {
    size_t from = 0;
    SEARCH(from, moved->count, middle, moved->pieces[middle].from < old);
    if (from < moved->count && moved->pieces[from].from == old) {
        *place = moved->pieces[from].moved_from;
        return true;
    }
    *place = moved->bytes;
    return from == moved->count && (moved->count ? moved->pieces[moved->count - 1].to : 0) == old;
}

bool redact_places_map(const struct redact_places *places, struct slice folder, uint64_t *offset, uint64_t *bytes) {
    const struct redact_moved *moved = redact_places_of(places, folder);
    uint64_t from, to;
    if (!moved || *bytes > UINT64_MAX - *offset || !find_cut(moved, *offset, &from) ||
        !find_cut(moved, *offset + *bytes, &to) || to < from)
        return false;
    *offset = from;
    *bytes = to - from;
    return true;
}

void redact_places_forget(struct redact_places *places) {
    for (size_t i = 0; i < places->moved.count; i++)
        mem_free(places->moved.items[i].pieces);
    mem_free(places->moved.items);
    mem_free(places->items.items);
    map_free(&places->folders);
    *places = (struct redact_places){0};
}
