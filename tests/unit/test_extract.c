/* extract: which compile is wanted, the parts of a logged program, text of a log inside of Python. */
#include "support.h"

#include "extract/compile_records.h"
#include "extract/python_text.h"
#include "extract/runnable.h"

static void wanted_is(const char *text, const char *id, bool has_process, uint64_t process, uint64_t generation) {
    struct compile_wanted wanted;
    assert_true(compile_wanted_parse(slice_str(text), &wanted));
    assert_slice(wanted.id, id);
    assert_int_equal(wanted.has_process, has_process);
    assert_int_equal(wanted.process, process);
    assert_int_equal(wanted.generation, generation);
}

static void parses_compiles(void **state) {
    struct compile_wanted wanted;
    (void)state;
    wanted_is("0/1", "0/1", false, 0, 1);
    wanted_is("!2/0/1", "!2/0/1", false, 0, 1);
    wanted_is("4711:0/1#3", "0/1", true, 4711, 3);
    static const char *const wrong[] = {"",    "0", "0/", "x/1", "0/1#", "0/1#0", "0/1#x", "99999999999999999999:0/1x",
                                        ":0/1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(compile_wanted_parse(slice_str(wrong[i]), &wanted));
}

static void pair_is(struct runnable_pair pair, const char *name, const char *value) {
    assert_slice(pair.name, name);
    assert_slice(pair.value, value);
}

static void reads_a_program(void **state) {
    static const char text[] =
        "\nimport os\nos.environ['TORCH_TRACE'] = '/x'\nos.environ['TORCHINDUCTOR_FREEZING'] = '1'\n"
        "os.environ['TORCHINDUCTOR_MODE'] = 'a/b'\nos.environ.pop('X', None)\n"
        "torch._inductor.config.max_autotune = True\ntorch._inductor.config.trace.enabled = True\n"
        "torch._inductor.config.evil; x = 1\nif \"__compile_source__\" in globals():\n    import inspect\n"
        "# torch version: 2.15.0\n# torch cuda version: 13.2\n# torch git version: abc\n# H100 : 1 \n"
        "class Repro(torch.nn.Module):\n    def forward(self, a):\n\n        return (a,)\n"
        "def load_args(reader):\n    pass\nmod = Repro()\nif __name__ == '__main__':\n"
        "    setup_fake_process_groups({'0': {'size': 2, 'rank': 1}})\n"
        "    run_repro(mod, load_args, tracing_mode='symbolic', is_inference=True)\n";
    struct runnable runnable;
    (void)state;
    runnable_read(&runnable, SLICE(text));
    assert_int_equal(runnable.settings.count, 1);
    pair_is(runnable.settings.items[0], "torch._inductor.config.max_autotune", "True");
    assert_int_equal(runnable.environment.count, 1);
    pair_is(runnable.environment.items[0], "TORCHINDUCTOR_FREEZING", "1");
    assert_int_equal(runnable.left.count, 3);
    pair_is(runnable.left.items[0], "TORCH_TRACE", "/x");
    pair_is(runnable.left.items[1], "TORCHINDUCTOR_MODE", "a/b");
    pair_is(runnable.left.items[2], "torch._inductor.config.trace.enabled", "True");
    assert_slice(runnable.version, "2.15.0");
    assert_slice(runnable.cuda, "13.2");
    assert_slice(runnable.git, "abc");
    assert_int_equal(runnable.hardware.count, 1);
    assert_slice(runnable.groups, "{'0': {'size': 2, 'rank': 1}}");
    assert_true(runnable.symbolic && runnable.is_inference && runnable.has_graph);
    runnable_free(&runnable);
    runnable_read(&runnable, SLICE(""));
    assert_false(runnable.has_graph);
    runnable_free(&runnable);
}

static void string_is(const char *text, const char *expected) {
    struct buf out = {0};
    python_add_string(&out, slice_str(text));
    assert_slice(buf_slice(&out), expected);
    buf_free(&out);
}

static void quotes_text(void **state) {
    (void)state;
    string_is("a'b\"c\\d\n", "\"a'b\\\"c\\\\d\\n\"");
    string_is("x\xe2\x80\xae"
              "y\x7f",
              "\"x\\u202ey\\u007f\"");
    string_is("\xff", "\"\xef\xbf\xbd\"");
}

static void code_is(const char *text, const char *expected, bool changes) {
    struct buf out = {0};
    bool changed = false;
    python_add_code(&out, slice_str(text), &changed);
    assert_slice(buf_slice(&out), expected);
    assert_int_equal(changed, changes);
    buf_free(&out);
}

static void copies_code(void **state) {
    (void)state;
    code_is("a = 1\n\tb", "a = 1\n\tb\n", false);
    code_is("# a\rimport b", "# a\xef\xbf\xbdimport b\n", true);
    code_is("\xc2\x85\xe2\x80\xa8\xc3\xa9", "\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\n", true);
    code_is("\xd8\x9c\xef\xbb\xbf\xf3\xa0\x81\x81\xe2\x81\xaa", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n",
            true);
    code_is(" # ======== x", "#  # ======== x\n", true);
    code_is("", "", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_compiles),
        cmocka_unit_test(reads_a_program),
        cmocka_unit_test(quotes_text),
        cmocka_unit_test(copies_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
