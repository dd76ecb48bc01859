#include "share/vocabulary.h"

/* Ends a word; SETTING also says that it is the name of a setting. No word has these bytes. */
enum { WORD = 0, SETTING = 1 };

/* Sorted by bytes, one after another, each with its end: a table of pointers to them would take more than half as much again. */
static const char words[] = {
#include "vocabulary.inc"
};

static const char torch_names[] = {
#include "torch_names.inc"
};

/* The end of the word in the list; NULL: it is not in it. */
static const char *find(struct slice word, const char *list, size_t bytes) {
    size_t from = 0, to = bytes; /* both at the beginning of a word */
    while (from < to) {
        size_t start = from + (to - from) / 2, end;
        while (start > from && list[start - 1] > SETTING)
            start--;
        for (end = start; list[end] > SETTING;)
            end++;
        int order = slice_cmp(slice_make(list + start, end - start), word);
        if (order == 0)
            return list + end;
        if (order < 0)
            from = end + 1;
        else
            to = start;
    }
    return NULL;
}

#define FIND(word, list) find((word), (list), sizeof(list))

bool vocabulary_is_setting(struct slice word) {
    const char *end = FIND(word, words);
    return end && *end == SETTING;
}

bool vocabulary_is_torch(struct slice word) {
    return FIND(word, torch_names) != NULL;
}

bool vocabulary_has(struct slice word) {
    char lower[64];
    if (!word.len || word.len > sizeof lower)
        return false;
    if (FIND(word, words))
        return true;
    if (word.ptr[0] < 'A' || word.ptr[0] > 'Z')
        return false;
    memcpy(lower, word.ptr, word.len);
    lower[0] = (char)(lower[0] - 'A' + 'a');
    return FIND(slice_make(lower, word.len), words) != NULL;
}
