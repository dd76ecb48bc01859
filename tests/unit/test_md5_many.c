/* base/md5_many: against libmd, with each number of lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <md5.h>

#include "base/md5_many.h"
#include "base/mem.h"

enum { MOST = 60, ROUNDS = 40 };

static const unsigned widths[] = {1, 4, 8, 16};
static uint32_t seed = 7;

static uint32_t random_below(uint32_t end) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % end;
}

static struct slice random_text(size_t len) {
    char *text = mem_alloc(len); /* not longer, so that a sanitizer sees what is read behind it */
    for (size_t i = 0; i < len; i++)
        text[i] = (char)random_below(256);
    return slice_make(text, len);
}

static void assert_md5(const struct md5_text *text) {
    MD5_CTX context;
    unsigned char expected[MD5_BYTES];
    MD5Init(&context);
    MD5Update(&context, (const uint8_t *)text->text.ptr, text->text.len);
    MD5Final(expected, &context);
    assert_memory_equal(text->md5, expected, sizeof expected);
}

static void hash_and_free(struct md5_text *texts, size_t count) {
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t i = 0; i < count; i++)
            memset(texts[i].md5, 0xff, MD5_BYTES);
        if (!md5_many_with(widths[w], texts, count))
            continue; /* not on this processor */
        for (size_t i = 0; i < count; i++)
            assert_md5(&texts[i]);
    }
    md5_many(texts, count);
    for (size_t i = 0; i < count; i++) {
        assert_md5(&texts[i]);
        mem_free((void *)(uintptr_t)texts[i].text.ptr);
    }
}

/* Each length up to two blocks and what MD5 adds to them, alone and together. */
static void hashes_texts_of_each_length(void **state) {
    (void)state;
    struct md5_text texts[200];
    for (size_t len = 0; len < 200; len++) {
        texts[0].text = random_text(len);
        hash_and_free(texts, 1);
    }
    for (size_t len = 0; len < 200; len++)
        texts[len].text = random_text(len);
    hash_and_free(texts, 200);
}

static void hashes_texts_of_random_lengths(void **state) {
    (void)state;
    struct md5_text texts[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = random_below(MOST);
        for (size_t i = 0; i < count; i++)
            texts[i].text = random_text(random_below(1U << random_below(15)));
        hash_and_free(texts, count);
    }
}

static void has_lanes_of_known_widths(void **state) {
    (void)state;
    assert_true(md5_many_with(1, NULL, 0));
    assert_false(md5_many_with(2, NULL, 0));
    assert_false(md5_many_with(32, NULL, 0));
    md5_many(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_texts_of_each_length),
        cmocka_unit_test(hashes_texts_of_random_lengths),
        cmocka_unit_test(has_lanes_of_known_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
