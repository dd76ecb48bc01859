/* model/guard_failure: what a recompile reason says. */
#define _GNU_SOURCE
#include "support.h"

#include "model/guard_failure.h"

static void is_or_null(struct slice found, const char *expected) {
    if (expected)
        assert_slice(found, expected);
    else
        assert_null(found.ptr);
}

static void reads_reasons(void **state) {
    static const struct {
        const char *reason, *type, *against, *source, *had, *has;
    } cases[] = {
        {"0/1: tensor 'x' size mismatch at index 0. expected 3, actual 4", "size", "0/1", "x", "3", "4"},
        {"0/0: tensor 'kwargs['input_ids']' size mismatch at index 1. expected 32, actual 48", "size", "0/0",
         "kwargs['input_ids']", "32", "48"},
        {"1/1: tensor 'x' dtype mismatch. expected Double, actual Int", "dtype", "1/1", "x", "Double", "Int"},
        {"tensor 'x' rank mismatch. expected 1, actual 2", "rank", NULL, "x", "1", "2"},
        {"tensor 'x' stride mismatch at index 1. expected 4, actual 1", "stride", NULL, "x", "4", "1"},
        {"tensor 'x' requires_grad mismatch. expected requires_grad=0", "requires_grad", NULL, "x", "0", NULL},
        {"tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU), actual DispatchKeySet(CUDA)",
         "dispatch_key", NULL, "x", "DispatchKeySet(CPU)", "DispatchKeySet(CUDA)"},
        {"2/0: k == 0             # return x * k  # a.py:20 in f\nUser stack trace:\n  File", "value", "2/0", "k", "0",
         NULL},
        {"!0/3/0: G['SCALE'] == 2.0", "value", "!0/3/0", "G['SCALE']", "2.0", NULL},
        {"5/0: not ___dict_contains('bias', opts)   # return x", "dict", "5/0", "opts", "key absent", "key present"},
        {"5/0: ___dict_contains('bias', opts)", "dict", "5/0", "opts", "key present", "key absent"},
        {"6/1: GLOBAL_STATE changed: grad_mode ", "global_state", "6/1", "grad_mode", NULL, NULL},
        {"0/0: 6 <= x.size()[0]  # if x.shape[0] > 5:  # a.py:11 in backed", "relation", "0/0", "x", NULL, NULL},
        {"5/0: 2*x.size()[0] > n + y.size()[0]", "relation", "5/0", "x", NULL, NULL},
        {"0/0: ___check_obj_id(fn, 139645370122560)                   ", "identity", "0/0", "fn", NULL, NULL},
        {"___check_type_id(L['x'], 94), type=<class 'int'>", "type", NULL, "L['x']", NULL, NULL},
        {"len(xs) == 3", "length", NULL, "xs", "3", NULL},
        {"type(x) == int", "type", NULL, "type(x)", "int", NULL},
        {"hasattr(L['m'], 'bias')", "attribute", NULL, "L['m']", NULL, NULL},
        {"Duplicate tensor found where not expected! x and y", "alias", NULL, NULL, NULL, NULL},
        {"whatever else", "other", NULL, NULL, NULL, NULL},
        {"tensor 'x", "other", NULL, NULL, NULL, NULL},
        {"(", "other", NULL, NULL, NULL, NULL},
        {"", "other", NULL, NULL, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct guard_failure failure = guard_failure_read(slice_str(cases[i].reason));
        assert_string_equal(guard_type_name(failure.type), cases[i].type);
        is_or_null(failure.against, cases[i].against);
        is_or_null(failure.source, cases[i].source);
        is_or_null(failure.had, cases[i].had);
        is_or_null(failure.has, cases[i].has);
    }
}

static void advises(void **state) {
    static const struct {
        const char *reason, *part;
        uint64_t times;
    } cases[] = {
        {"0/0: tensor 'kwargs['ids']' size mismatch at index 1. expected 32, actual 48",
         "mark_dynamic(kwargs['ids'], 1)", 1},
        {"0/0: tensor 'kwargs['ids']' size mismatch at index 1. expected 32, actual 48",
         "TORCH_COMPILE_DYNAMIC_SOURCES=\"L['kwargs']['ids']\"", 1},
        {"0/0: tensor 'L['x']' size mismatch at index 0. expected 3, actual 4", "SOURCES=\"L['x']\"", 1},
        {"0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4", "here it did not", 2},
        {"0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4", "by itself with this recompile", 1},
        {"self.scale == 2", "allow_unspec_int_on_nn_module", 1},
        {"G['SCALE'] == 2.0", "is a global", 1},
        {"fn.__closure__[0].cell_contents == 2", "comes from a closure", 1},
        {"k == 2", "Pass it as a tensor", 1},
        {"___check_obj_id(fn, 1)", "lambda", 1},
        {"GLOBAL_STATE changed: grad_mode", "global mode", 1},
        {"tensor 'x' dtype mismatch. expected Double, actual Int", "dtype", 1},
        {"", "Keep what the guard checks", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct guard_failure failure = guard_failure_read(slice_str(cases[i].reason));
        struct buf text = {0};
        guard_advice_add(&text, &failure, cases[i].times);
        if (slice_find(buf_slice(&text), slice_str(cases[i].part)) == SIZE_MAX)
            fail_msg("%s: %.*s", cases[i].reason, (int)text.len, text.ptr);
        buf_free(&text);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(reads_reasons), cmocka_unit_test(advises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
