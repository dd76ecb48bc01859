#include "share/redact_word.h"

#include <pthread.h>
#include <zstd.h>

/* Ends a word; SETTING also marks it as the name of a setting. No word contains these bytes. */
enum { WORD = 0, SETTING = 1 };

/* Defines the number of words in both lists, their size in bytes, and `stored`: for each word, the number of bytes that
 * it shares with the previous word; then the rest of each word with its end. `stored` may be a zstd frame of
 * FOLDED_BYTES. */
#include "vocabulary.inc"

/* The lists: sorted by bytes, one word after another, each with its end. They stay in memory until the program ends. */
static char words[WORD_BYTES], torch_names[NAME_BYTES];
static pthread_once_t unfold_once = PTHREAD_ONCE_INIT;

/* Unfolds a list, and returns the rest, which is the next list. */
static const unsigned char *unfold(char *list, const unsigned char *shared, size_t count, const unsigned char *rest) {
    const char *before = list;
    for (size_t i = 0; i < count; i++) {
        char *word = list;
        memcpy(list, before, shared[i]);
        list += shared[i];
        do
            *list++ = (char)*rest;
        while (*rest++ > SETTING);
        before = word;
    }
    return rest;
}

static void unfold_lists(void) {
    unsigned char *unpacked = sizeof stored < FOLDED_BYTES ? mem_alloc(FOLDED_BYTES) : NULL;
    /* The frame is part of the binary, so decompression fails only if memory is exhausted. */
    if (unpacked && ZSTD_decompress(unpacked, FOLDED_BYTES, stored, sizeof stored) != FOLDED_BYTES)
        mem_exhausted();
    const unsigned char *shared = unpacked ? unpacked : stored, *rest = shared + WORD_COUNT + NAME_COUNT;
    rest = unfold(words, shared, WORD_COUNT, rest);
    unfold(torch_names, shared + WORD_COUNT, NAME_COUNT, rest);
    mem_free(unpacked);
}

/* The end of the word in the list; NULL: the list does not have it. */
static const char *find(struct slice word, const char *list, size_t bytes) {
    size_t from = 0, to = bytes; /* both are at the start of a word */
    pthread_once(&unfold_once, unfold_lists);
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
