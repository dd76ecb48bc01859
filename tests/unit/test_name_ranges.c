/* base/name_ranges: names that differ in their numbers. web/src/lib/name-ranges.test.ts has the same cases for the page. */
#include "support.h"

#include "base/name_ranges.h"

/* Names are separated by spaces. */
static void check(const char *names, size_t most, const char *expected) {
    LIST(struct slice) list = {0};
    AUTO_BUF out = {0};
    struct slice rest = slice_str(names);
    while (rest.len) {
        size_t space = slice_find(rest, SLICE(" "));
        LIST_ADD(&list, slice_first(rest, space));
        rest = slice_from(rest, space == SIZE_MAX ? rest.len : space + 1);
    }
    name_ranges_add(&out, list.items, list.count, most);
    assert_slice(buf_slice(&out), expected);
    mem_free(list.items);
}

static void ranges(void **state) {
    (void)state;
    check("", 3, "");
    check("lm_head", 3, "lm_head");
    check("h.0.attn h.1.attn h.2.attn", 3, "h.0–2.attn");
    check("h.10.attn h.9.attn h.9.attn h.2.attn", 3, "h.2,9–10.attn");
    check("layers[0] layers[1]", 3, "layers[0–1]");
    check("3 4 5", 3, "3–5");
    check("h.0.fc h.1.fc h.0.out head", 3, "h.0–1.fc, h.0.out, head");
    check("h.0.fc h.0.out head tail", 2, "h.0.fc, h.0.out and 2 more");
}

static void what_is_no_range(void **state) {
    (void)state;
    check("a.0 a.2 a.4 a.6", 3, "a.*");
    check("a.00 a.01", 3, "a.00, a.01");
    check("conv1.w conv2.w", 3, "conv1.w, conv2.w");
    check("a.1234567890 a.1234567891", 3, "a.1234567890, a.1234567891");
    check("relu_1 relu_2 relu_3 relu_4", 3, "relu_1, relu_2, relu_3 and 1 more");
}

static void several_numbers(void **state) {
    (void)state;
    check("l.0.e.0 l.0.e.1 l.1.e.0 l.1.e.1", 3, "l.0–1.e.0–1");
    check("l.0.e.0 l.0.e.1 l.1.e.0", 3, "l.*.e.*");
    check("l.0.e.5 l.1.e.5", 3, "l.0–1.e.5");
    check("0.1.2.3.4.5.6 0.1.2.3.4.5.7", 3, "0.1.2.3.4.5.6, 0.1.2.3.4.5.7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(what_is_no_range),
        cmocka_unit_test(several_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
