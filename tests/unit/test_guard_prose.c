/* scan/guard_prose: clauses for recompile reasons that are sentences. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/guard_prose.h"

static void says(const char *reason, const char *expected) {
    struct buf text = {0};
    bool known = guard_prose_add(&text, slice_str(reason));
    assert_int_equal(known, expected != NULL);
    assert_int_equal(guard_is_prose(slice_str(reason)), known);
    assert_slice(buf_slice(&text), expected ? expected : "");
    buf_free(&text);
}

static void says_sentences(void **state) {
    (void)state;
    says("Cache line invalidated because L['fn'] got deallocated",
         "PyTorch dropped the earlier version when `fn` was deallocated");
    says("not a tensor - grad field is accessed L['x']", "`x` is not a tensor, and its `grad` is guarded");
    says("Weakref_GetRef failed L['r']", "the object of the weak reference `r` is gone");
    says("Weakref_GetRef failed ", NULL);
    says("_dynamo_static_indices not a subset: runtime {1} is not a subset of compiled {0}",
         "the dimensions of a tensor that `mark_static()` marked changed");
    says("_dynamo_dynamic_range mismatch: expected {1}", "the range of sizes given to `mark_dynamic()` changed");
    says("_dynamo_new_mark mismatch: expected {1}", "the mark `_dynamo_new_mark` of a tensor changed");
    says(GUARD_NOT_NAMED, "PyTorch does not name the guard that failed");
    says("k == 3", NULL);
    says("", NULL);
    says("_dynamo_dynamic_indices", NULL);
    says("a text of a later version", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_sentences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
