/* base/noise: what is noise, at each place of a window of 64 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mem.h"
#include "base/noise.h"

/* The text is as long as what is allocated, so that a sanitizer sees what is read behind it. */
static void assert_without(struct slice text, struct slice expected) {
    char *copy = mem_alloc(text.len + 1);
    struct buf got = {0};
    memcpy(copy, text.ptr, text.len);
    struct slice exact = slice_make(copy + 1, text.len - 1); /* also unaligned */
    noise_add_without(&got, exact);
    struct slice found = buf_slice(&got), want = slice_from(expected, 1);
    if (!slice_eq(found, want))
        fail_msg("%.*s: got %.*s", SLICE_ARG(text), SLICE_ARG(found));
    uint64_t hash = XXH3_64bits(want.ptr, want.len);
    assert_true(noise_hash(exact) == (hash ? hash : 1));
    buf_free(&got);
    mem_free(copy);
}

/* The text after `before` bytes and before `after` others, all of them plain. */
static void assert_between(const char *text, const char *expected, size_t before, size_t after) {
    static const char plain[] = "graph(x): y = cu.addp /a G0 12 1x";
    struct buf in = {0}, want = {0};
    for (size_t i = 0; i <= before; i++) {
        char c = i == before ? ' ' : plain[i % (sizeof plain - 1)];
        buf_add_byte(&in, c);
        buf_add_byte(&want, c);
    }
    buf_add_str(&in, text);
    buf_add_str(&want, expected);
    for (size_t i = 0; i < after; i++) {
        char c = i == 0 ? ' ' : plain[i % (sizeof plain - 1)];
        buf_add_byte(&in, c);
        buf_add_byte(&want, c);
    }
    assert_without(buf_slice(&in), buf_slice(&want));
    buf_free(&in);
    buf_free(&want);
}

static void assert_everywhere(const char *text, const char *expected) {
    for (size_t before = 1; before < 140; before++) {
        assert_between(text, expected, before, 0);
        assert_between(text, expected, before, 3);
        assert_between(text, expected, before, 200);
    }
}

static void removes_noise(void **state) {
    (void)state;
    assert_everywhere("0x7f02ab", "0x");
    assert_everywhere("0x7f02abg", "0xg");
    assert_everywhere("cuda:12", "cuda:");
    assert_everywhere("xpu:3hpu:4npu:", "xpu:hpu:npu:");
    assert_everywhere("/tmp/torchinductor_me/x.py\"", "/tmp/…\"");
    assert_everywhere("Guard latency = 161.84 us", "Guard latency =  us");
    assert_everywhere("1234567890", "#");
    assert_everywhere("id_140123456789012", "id_#");
}

static void keeps_what_is_not_noise(void **state) {
    static const char *const texts[] = {"123456789",        "10x7f",     "cuda",      "Guard lat",        "/tm/p/",
                                        "0.06666666666667", "1.5e-0123", "0X12 cupu", "x00 12345678 9012"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_everywhere(texts[i], texts[i]);
}

static void counts_the_digits_of_long_numbers(void **state) {
    char digits[201], id[sizeof digits];
    (void)state;
    for (size_t len = 1; len < sizeof digits - 1; len += len < 70 ? 1 : 13) {
        memset(digits, '7', len);
        digits[len] = 0;
        assert_everywhere(digits, len < 10 ? digits : "#");
        snprintf(id, sizeof id, "%.198sx", digits); /* a word may not begin behind a digit */
        assert_everywhere(id, len < 10 ? id : "#x");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removes_noise),
        cmocka_unit_test(keeps_what_is_not_noise),
        cmocka_unit_test(counts_the_digits_of_long_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
