#include "base/renames.h"

#include "base/word.h"

#define RESUMED "torch_dynamo_resume_in_"

/* Between the name of a resumed function and its line. */
static const struct slice place = SLICE_INIT("_at_");

/* A byte of an identifier; any byte beyond ASCII counts. */
static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || (c & 0x80);
}

static bool is_identifier(struct slice name) {
    bool is = name.len && !is_digit(name.ptr[0]);
    for (size_t i = 0; i < name.len && is; i++)
        is = is_name_byte(name.ptr[i]);
    return is;
}

bool name_is_resumed(struct slice name) {
    return slice_starts(name, SLICE(RESUMED));
}

void name_add_without_lines(struct buf *out, struct slice name) {
    for (size_t i = 0; i < name.len;) {
        buf_add_byte(out, name.ptr[i++]);
        if (slice_ends(slice_first(name, i), place))
            while (i < name.len && is_digit(name.ptr[i]))
                i++;
    }
}

void renames_add(struct renames *renames, struct slice old, struct slice new) {
    bool added;
    if (!is_identifier(old) || !is_identifier(new) || name_is_resumed(old) || name_is_resumed(new) ||
        slice_eq(old, new))
        return;
    uint32_t at = *map_put(&renames->by_name, new, (uint32_t)renames->old.count, &added);
    if (!added) {
        if (!slice_eq(renames->old.items[at], old))
            renames->old.items[at] = (struct slice){0};
        return;
    }
    LIST_ADD(&renames->old, arena_slice(&renames->by_name.arena, old));
}

/* The old name; empty if there is none. */
static struct slice old_of(const struct renames *renames, struct slice name) {
    uint32_t at = map_get(&renames->by_name, name);
    return at != MAP_NONE ? renames->old.items[at] : (struct slice){0};
}

/* Adds a word. In the name of a resume function, the function's name is replaced. */
static bool add_word(const struct renames *renames, struct slice word, struct buf *out) {
    struct slice name = word, before = {0}, behind = {0};
    if (name_is_resumed(word)) {
        size_t end = word.len;
        before = slice_first(word, sizeof RESUMED - 1);
        while (end > before.len + place.len && !slice_ends(slice_first(word, end), place))
            end--;
        if (end > before.len + place.len) {
            name = slice_make(word.ptr + before.len, end - place.len - before.len);
            behind = slice_from(word, end - place.len);
        }
    }
    struct slice old = old_of(renames, name);
    if (!old.len) {
        buf_add(out, word);
        return false;
    }
    BUF_ADD(out, before, old, behind);
    return true;
}

bool renames_apply(const struct renames *renames, struct slice text, struct buf *out) {
    bool differs = false;
    for (size_t i = 0, end; i < text.len; i = end) {
        for (end = i; end < text.len && is_name_byte(text.ptr[end]);)
            end++;
        if (end > i)
            differs |= add_word(renames, slice_make(text.ptr + i, end - i), out);
        else
            buf_add_byte(out, text.ptr[end++]);
    }
    return differs;
}

void renames_free(struct renames *renames) {
    map_free(&renames->by_name);
    mem_free(renames->old.items);
    *renames = (struct renames){0};
}
