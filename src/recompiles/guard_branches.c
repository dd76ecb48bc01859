#include "recompiles/guard_changes.h"

#include "model/guard_sets.h"
#include "recompiles/guard_relations.h"

enum { UNREAD_MAX = 16, CONDITIONS_MAX = 1000 };

static struct slice get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                        struct slice source) {
    return guard_set_get(model, compile, aspect, (struct slice){0}, source);
}

bool guard_branches_read(const struct model *model, const struct compile *compile, struct slice source) {
    static const enum guard_aspect aspects[] = {ASPECT_TYPE,  ASPECT_VALUE, ASPECT_CLASS,  ASPECT_OBJECT,
                                                ASPECT_DTYPE, ASPECT_RANK,  ASPECT_SYMBOL, ASPECT_LENGTH};
    bool has = false;
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects && !has; i++)
        has = get(model, compile, aspects[i], source).ptr != NULL;
    return has;
}

/* "L['x']" */
static bool is_local(struct slice source) {
    return slice_starts(source, SLICE("L['")) && slice_find(source, SLICE("']")) + 2 == source.len;
}

struct not_read {
    const struct compile *one, *other;
    struct slice found[UNREAD_MAX];
    size_t count;
};

static void note_unread(const struct model *model, struct not_read *unread, uint64_t fact) {
    struct slice source = guard_key_read(guard_set_key_of(model, fact)).source;
    bool known = unread->count == UNREAD_MAX || !is_local(source);
    for (size_t f = 0; f < unread->count && !known; f++)
        known = slice_eq(unread->found[f], source);
    if (!known && guard_branches_read(model, unread->one, source) && !guard_branches_read(model, unread->other, source))
        unread->found[unread->count++] = source;
}

size_t guard_branches_unread(const struct model *model, const struct compile *from, const struct compile *to) {
    struct not_read before = {.one = from, .other = to}, after = {.one = to, .other = from};
    const uint64_t *a = from->guard_facts, *b = to->guard_facts;
    const uint64_t *a_end = a + from->guard_fact_count, *b_end = b + to->guard_fact_count;
    while (a < a_end || b < b_end) {
        if (a < a_end && b < b_end && *a == *b)
            a++, b++;
        else if (b == b_end || (a < a_end && *a < *b))
            note_unread(model, &before, *a++);
        else
            note_unread(model, &after, *b++);
    }
    return before.count + after.count;
}

static bool is_on_any(struct slice code, const struct buf *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_find(code, buf_slice(&numbers[i])) != SIZE_MAX)
            return true;
    return false;
}

bool guard_branches_differ(const struct model *model, const struct compile *from, const struct compile *to,
                           const struct buf *numbers, size_t count) {
    size_t conditions = 0;
    for (uint32_t i = 0; i < to->guard_fact_count && count && conditions < CONDITIONS_MAX; i++) {
        struct slice key = guard_set_key_of(model, to->guard_facts[i]);
        if (!key.len || key.ptr[0] != ASPECT_RELATION)
            continue;
        conditions++;
        struct slice code = guard_key_read(key).source;
        if (is_on_any(code, numbers, count) && guard_relation_holds(model, from, code) == 0)
            return true;
    }
    return false;
}
