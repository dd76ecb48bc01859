#include "share/vocabulary.h"

/* Sorted by bytes, one after another, each with its NUL: a table of pointers to them would take more than half as much again. */
static const char words[] = {
#include "vocabulary.inc"
};

static const char settings[] = {
#include "settings.inc"
};

static const char torch_names[] = {
#include "torch_names.inc"
};

static bool is_listed(struct slice word, const char *list, size_t bytes) {
    size_t from = 0, to = bytes; /* both at the beginning of a word */
    while (from < to) {
        size_t start = from + (to - from) / 2;
        while (start > from && list[start - 1])
            start--;
        struct slice middle = slice_str(list + start);
        int order = slice_cmp(middle, word);
        if (order == 0)
            return true;
        if (order < 0)
            from = start + middle.len + 1;
        else
            to = start;
    }
    return false;
}

#define LISTED(word, list) is_listed((word), (list), sizeof(list))

bool vocabulary_is_setting(struct slice word) {
    return LISTED(word, settings);
}

bool vocabulary_is_torch(struct slice word) {
    return LISTED(word, torch_names);
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
