#include "share/vocabulary.h"

/* Sorted by bytes. */
static const char *const words[] = {
#include "vocabulary.inc"
};

static const char *const settings[] = {
#include "settings.inc"
};

static bool is_listed(struct slice word, const char *const *list, size_t count) {
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = slice_cmp(slice_str(list[middle]), word);
        if (order == 0)
            return true;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

#define LISTED(word, list) is_listed((word), (list), sizeof(list) / sizeof *(list))

bool vocabulary_is_setting(struct slice word) {
    return LISTED(word, settings);
}

bool vocabulary_has(struct slice word) {
    char lower[64];
    if (!word.len || word.len > sizeof lower)
        return false;
    if (LISTED(word, words))
        return true;
    if (word.ptr[0] < 'A' || word.ptr[0] > 'Z')
        return false;
    memcpy(lower, word.ptr, word.len);
    lower[0] = (char)(lower[0] - 'A' + 'a');
    return LISTED(slice_make(lower, word.len), words);
}
