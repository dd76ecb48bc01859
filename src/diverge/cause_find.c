/* Looks up root causes that were already found. */

#include "diverge/cause_finder.h"

bool same_place(const struct place *a, const struct place *b) {
    return a->line == b->line && slice_eq(a->file, b->file);
}

bool same_sides(const struct finder *f, const uint32_t *a, const uint32_t *b) {
    return memcmp(a, b, f->count * sizeof *a) == 0;
}

struct root_cause *cause_find(const struct finder *f, enum root_cause_kind kind, const uint32_t *side_of,
                              const struct place *place) {
    for (size_t i = 0; i < f->causes->list.count; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        if (cause->kind == kind && same_sides(f, cause->side_of, side_of) &&
            (!place || same_place(&cause->place, place)))
            return cause;
    }
    return NULL;
}
