/* base/text: sizes in words. */
#include "support.h"

#include "base/text.h"

static void says_sizes(void **state) {
    static const struct {
        int64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {999, "999 B"},
        {1000, "1.00 kB"},
        {9994, "9.99 kB"},
        {9995, "10.0 kB"},
        {99949, "99.9 kB"},
        {99950, "100 kB"},
        {999499, "999 kB"},
        {999500, "1.00 MB"},
        {1000000, "1.00 MB"},
        {64000000, "64.0 MB"},
        {999499999, "999 MB"},
        {999500000, "1.00 GB"},
        {12345678901, "12.3 GB"},
        {-5, "-5 B"},
        {INT64_MAX, "9223372037 GB"},
    };
    struct buf text = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text.len = 0;
        size_add(&text, cases[i].bytes);
        assert_buf(&text, cases[i].text);
    }
    buf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
