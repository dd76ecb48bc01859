#include "share/vocabulary.h"

/* Sorted by bytes. */
static const char *const words[] = {
#include "vocabulary.inc"
};

static bool is_listed(struct slice word) {
    size_t from = 0, to = sizeof words / sizeof *words;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = slice_cmp(slice_str(words[middle]), word);
        if (order == 0)
            return true;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

bool vocabulary_has(struct slice word) {
    char lower[64];
    if (!word.len || word.len > sizeof lower)
        return false;
    if (is_listed(word))
        return true;
    if (word.ptr[0] < 'A' || word.ptr[0] > 'Z')
        return false;
    memcpy(lower, word.ptr, word.len);
    lower[0] = (char)(lower[0] - 'A' + 'a');
    return is_listed(slice_make(lower, word.len));
}
