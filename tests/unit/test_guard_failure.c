/* scan/guard_failure: parses recompile reasons. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/guard_failure.h"
#include "scan/guard_prose.h"

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
        {"tensor 'x' requires_grad mismatch. expected requires_grad=0", "requires_grad", NULL, "x", "False", "True"},
        {"tensor 'w' requires_grad mismatch. expected requires_grad=1. Guard failed on a parameter, consider using "
         "torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters.",
         "requires_grad", NULL, "w", "True", "False"},
        {"tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU), actual DispatchKeySet(CUDA)",
         "dispatch_key", NULL, "x", "DispatchKeySet(CPU)", "DispatchKeySet(CUDA)"},
        {"2/0: k == 0             # return x * k  # a.py:20 in f\nUser stack trace:\n  File", "value", "2/0", "k", "0",
         NULL},
        {"!0/3/0: G['SCALE'] == 2.0", "float", "!0/3/0", "G['SCALE']", "2.0", NULL},
        {"5/0: not ___dict_contains('bias', opts)   # return x", "dict", "5/0", "opts", "False", "True"},
        {"5/0: set.__contains__(names, 'a')  # if 'a' in names:", "dict", "5/0", "names", "True", "False"},
        {"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3; n == 2  # a; b", "size", "0/0", "x", "2",
         "3"},
        {"0/0: n == 'a; b'; m == 2", "value", "0/0", "n", "'a; b'", NULL},
        {"5/0: ___dict_contains('bias', opts)", "dict", "5/0", "opts", "True", "False"},
        {"6/1: GLOBAL_STATE changed: grad_mode ", "grad_mode", "6/1", "grad_mode", NULL, NULL},
        {"0/0: 6 <= x.size()[0]  # if x.shape[0] > 5:  # a.py:11 in backed", "relation", "0/0", "x", NULL, NULL},
        {"5/0: 2*x.size()[0] > n + y.size()[0]", "relation", "5/0", "x", NULL, NULL},
        {"0/0: ___check_obj_id(fn, 139645370122560)                   ", "identity", "0/0", "fn", NULL, NULL},
        {"___check_type_id(L['x'], 94), type=<class 'int'>", "type", NULL, "L['x']", "int", NULL},
        {"expected type of 'y' to be <class 'torch.Tensor'>, but found <class 'float'>", "type", NULL, "y",
         "torch.Tensor", "float"},
        {"7/0: ___check_obj_id(fn.__code__, 1396), type=<class 'code'>  # return fn(x)", "identity", "7/0",
         "fn.__code__", "code", NULL},
        {"0/0: self._modules['drop'].training == True     # return F.dropout(…)", "module_mode", "0/0",
         "self._modules['drop'].training", "True", NULL},
        {"training == True", "value", NULL, "training", "True", NULL},
        {"f == 1.5", "float", NULL, "f", "1.5", NULL},
        {"f == -1e-05", "float", NULL, "f", "-1e-05", NULL},
        {"mode == 'a.b'", "value", NULL, "mode", "'a.b'", NULL},
        {"mode == 'x.size() == 3  # no comment'  # return x", "value", NULL, "mode", "'x.size() == 3  # no comment'",
         NULL},
        {"13/0: bias is None      # return x", "value", "13/0", "bias", "None", NULL},
        {"bias is not None", "value", NULL, "bias", NULL, "None"},
        {"5/1: len(d) != 1", "length", "5/1", "d", "1", NULL},
        {"not kwargs    # out = func(**kwargs)", "length", NULL, "kwargs", "0", NULL},
        {"list(dict.keys(d))[0] == 'a'", "dict", NULL, "list(dict.keys(d))[0]", "'a'", NULL},
        {"11/0: (x.size()[0] % 8) == 0  # if x.size(0) % 8 == 0:", "divisibility", "11/0", "x", NULL, NULL},
        {"1/1: GLOBAL_STATE changed: grad_mode default_dtype ", "global_state", "1/1", "grad_mode default_dtype", NULL,
         NULL},
        {"len(xs) == 3", "length", NULL, "xs", "3", NULL},
        {"type(o).__mro__[1].a == 4", "value", NULL, "type(o).__mro__[1].a", "4", NULL},
        {"1/0: _dynamo_dynamic_indices not a subset: runtime {1} is not a subset of compiled {0, 2}", "other", "1/0",
         "_dynamo_dynamic_indices", "{0, 2}", "{1}"},
        {"_dynamo_dynamic_range mismatch: expected {_DimRange(dim=0, min=2, max=8)}", "other", NULL,
         "_dynamo_dynamic_range", "{_DimRange(dim=0, min=2, max=8)}", NULL},
        {"_dynamo_hint_overrides mismatch: expected {0: 5}, but attribute is absent on runtime tensor", "other", NULL,
         "_dynamo_hint_overrides", "{0: 5}", "not set"},
        {"_dynamo_hint_overrides should be absent but is present on runtime tensor", "other", NULL,
         "_dynamo_hint_overrides", "not set", NULL},
        {"_has_dynamo_dim_marking is present on runtime tensor but was absent at compile time", "other", NULL, NULL,
         NULL, NULL},
        {"Unexpected recompilation: runtime guards failed even though they passed during recompilation-reason "
         "analysis.",
         "other", NULL, NULL, NULL, NULL},
        {"3/0: Cache line invalidated because L['fn'] got deallocated", "other", "3/0", NULL, NULL, NULL},
        {"not a tensor - grad field is accessed L['x']", "other", NULL, NULL, NULL, NULL},
        {"this is a text of a later version", "other", NULL, NULL, NULL, NULL},
        {"set.__contains__(s, 'a, b')   # return x", "dict", NULL, "s", "True", "False"},
        {"not set.__contains__(s, 'a')", "dict", NULL, "s", "False", "True"},
        {"type(x) == int", "type", NULL, "type(x)", "int", NULL},
        {"hasattr(L['m'], 'bias')", "attribute", NULL, "L['m']", "True", "False"},
        {"Duplicate tensor found where not expected! x and y", "alias", NULL, NULL, NULL, NULL},
        {"0/0: x is y    # return x + y  # a.py:10 in f", "alias", "0/0", "x is y", "True", "False"},
        {"1/0: Duplicate tensors found: [\"x\", \"xs[0]\", \"z\"], [\"v\", \"w\"]", "alias", "1/0", "x", "False",
         "True"},
        {"1/0: Duplicate tensors found: [\"x\"]", "alias", "1/0", NULL, NULL, NULL},
        {"1/0: Duplicate tensors found: [", "alias", "1/0", NULL, NULL, NULL},
        {"whatever else", "other", NULL, NULL, NULL, NULL},
        {"9/0: tensor 'm.bias' size mismatch at index 0. expected 2, actual 3. Guard failed on a parameter, consider "
         "using …",
         "size", "9/0", "m.bias", "2", "3"},
        {"1/1: not math.isnan(s)  # implicit guard", "float", "1/1", "s", NULL, "nan"},
        {"(type(s) is float and __math_isnan(s))", "float", NULL, "s", "nan", NULL},
        {"10/2: CodeGuardAccessor: Not a function on f.__code__", "type", "10/2", "f", "function", NULL},
        {"1/1: KeyError on L['kw']['scale']", "dict", "1/1", "L['kw']", "True", "False"},
        {"IndexError on L['xs'][2]", "length", NULL, "L['xs']", NULL, NULL},
        {"getattr failed on source L['f'].__code__", "type", NULL, "L['f']", "function", NULL},
        {"getattr failed on source L['m'].bias", "attribute", NULL, "L['m']", "True", "False"},
        {"TYPE_MISMATCH(L['d'])", "type", NULL, "L['d']", NULL, NULL},
        {"6/1: L['s'] == ___as_tensor(L['s']).item()  # implicit", "float", "6/1", "L['s']", NULL, "nan"},
        {"expected type of 'L['y']' to be a tensor type, ' but found <class 'float'>", "type", NULL, "L['y']",
         "a tensor type", "float"},
        {"KeyError on ", "other", NULL, NULL, NULL, NULL},
        {"7/0: self.scale == 2       (HINT: torch.compile considers … a.b = True.)", "value", "7/0", "self.scale", "2",
         NULL},
        {"0/0: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: "
         "A(compiler='a') (id=0x7f). New backend: B (id=0x7e). If this is unexpected, …",
         "backend", "0/0", "backend", "A(compiler='a')", "B"},
        {"BACKEND_MATCH failure: different. Cached backend: A (id=0x7f). New backend: A (id=0x7e). If this", "backend",
         NULL, "backend", "A", "another one"}, /* an address says nothing */
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

/* PyTorch checks the guards again, in Python, and may find none that fails. */
static void reads_reasons_without_a_guard(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct guard_failure failure = guard_failure_read(i ? SLICE("0/12:") : SLICE("0/12: "));
        assert_slice(failure.against, "0/12");
        assert_slice(failure.guard, GUARD_NOT_NAMED);
        assert_null(failure.source.ptr);
    }
    assert_slice(guard_failure_read(SLICE("lambda:")).guard, "lambda:");
}

static void compares_dispatch_keys(void **state) {
    static const struct {
        const char *had, *has, *differs;
    } cases[] = {{"CPU, AutogradCPU", "CPU, AutocastCPU", "−AutogradCPU +AutocastCPU"},
                 {"DispatchKeySet(CPU, BackendSelect)", "DispatchKeySet(CPU, BackendSelect, AutogradCPU)",
                  "+AutogradCPU"},
                 {"DispatchKeySet(CPU)", "CPU", ""},
                 {"", "CPU", "+CPU"},
                 {"A,,B", "DispatchKeySet(", "−A −B"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf text = {0};
        guard_keys_differ(&text, slice_str(cases[i].had), slice_str(cases[i].has));
        assert_buf(&text, cases[i].differs);
        buf_free(&text);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(reads_reasons),
                                              cmocka_unit_test(reads_reasons_without_a_guard),
                                              cmocka_unit_test(compares_dispatch_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
