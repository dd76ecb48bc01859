/* scan/side_effects: what a compiled function changes. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/side_effects.h"

#define LIBRARY "      File \"/usr/lib/python3/site-packages/torch/nn/modules/module.py\", line 2083, in __setattr__\n"

/* All sources, each with a semicolon. */
static void expect(struct slice text, const char *sources) {
    struct side_effects effects = {.text = text};
    struct buf found = {0}, source = {0};
    for (; side_effects_next(&effects, &source); source.len = 0)
        buf_addf(&found, "%.*s;", SLICE_ARG(buf_slice(&source)));
    assert_slice(buf_slice(&found), sources);
    buf_free(&found);
    buf_free(&source);
}

static void reads_objects_and_attributes(void **state) {
    (void)state;
    expect(SLICE(
               "Mutating object of type Model (source name: L['self'])\n\n"
               "      File \"/home/user/a.py\", line 9, in <module>\n        self.loss = model(x)\n"
               "      File \"/home/user/a.py\", line 4, in forward\n        self.step += 1\n        ^^^^^^^^^\n" LIBRARY
               "        super().__setattr__(name, value)\n\n********\n\n"
               "      File \"/home/user/a.py\", line 5, in forward\n        self.inner.last: int = 2\n"
               "\n\n========================================\n\n"
               "Mutating object of type list (source name: L['self'].rows)\n\n"
               "      File \"/home/user/a.py\", line 6, in forward\n        self.rows.append(x)\n"),
           "L['self'];L['self'].step;L['self'].rows;");
}

static void names_the_line(void **state) {
    (void)state;
    struct side_effects effects = {
        .text = SLICE("Mutating object of type Meter (source name: G['m'])\n\n"
                      "      File \"/home/user/a.py\", line 9, in step\n        m.add()\n"
                      "      File \"/home/user/a.py\", line 4, in add\n        self.n += 1\n" LIBRARY
                      "        super().__setattr__(name, value)\n\n========================================\n\n"
                      "Mutating object of type list (source name: G['rows'])\n\n" LIBRARY "        rows.append(1)\n")};
    struct buf source = {0};
    for (size_t i = 0; i < 2; i++) { /* the object, and its attribute */
        assert_true(side_effects_next(&effects, &source));
        assert_int_equal(effects.line.line, 4);
        assert_slice(effects.line.function, "add");
    }
    assert_true(side_effects_next(&effects, &source));
    assert_null(effects.line.file.ptr);
    assert_false(side_effects_next(&effects, &source));
    buf_free(&source);
}

/* `called` of each source of one stack, in which `line` calls add(), whose code is `code`. */
static void expect_called(const char *line, const char *code, const char *sources, const char *called) {
    struct buf text = {0}, found = {0}, source = {0};
    buf_addf(
        &text,
        "Mutating object of type Meter (source name: G['m'])\n\n      File \"/a.py\", line 9, in step\n        %s\n"
        "      File \"/a.py\", line 4, in add\n        %s\n",
        line, code);
    struct side_effects effects = {.text = buf_slice(&text)};
    for (; side_effects_next(&effects, &source); source.len = 0) {
        buf_addf(&found, "%.*s;", SLICE_ARG(buf_slice(&source)));
        assert_slice(effects.called, called);
        assert_int_equal(effects.caller.line, 9);
    }
    assert_slice(buf_slice(&found), sources);
    buf_free(&found);
    buf_free(&source);
    buf_free(&text);
}

static void names_the_call(void **state) {
    (void)state;
    expect_called("y = f(x); m.add(y)", "self.n += 1", "G['m'];G['m'].n;", "m.add");
    expect_called("return self.m.add(x.mean())", "def add(self, v): self.n += 1; self.t += v", "G['m'];G['m'].n;",
                  "self.m.add");
    const char *unknown[] = {"add(m)", "m.add(x); k.add(x)", "ms[0].add(x)", "f(x).add(x)", "m.added(x)", "m.add", ""};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        expect_called(unknown[i], "self.n += 1", "G['m'];G['m'].n;", "");
}

static void keeps_what_is_no_assignment(void **state) {
    (void)state;
    const char *codes[] = {"self.step == 1",   "if self.step <= 1:", "self.step <= 1",   "step += 1",
                           "self.rows[0] = x", "self. = 1",          "return self.step", ""};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct buf text = {0};
        buf_addf(&text, "Mutating object of type A (source name: L['a'])\n\n  File \"/a.py\", line 1, in f\n    %s\n",
                 codes[i]);
        expect(buf_slice(&text), "L['a'];");
        buf_free(&text);
    }
}

static void reads_operators(void **state) {
    (void)state;
    const char *codes[] = {"self.step = 1", "self.step //= 2", "self.step **= 2", "self.step <<= 1", "self.step=1"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct buf text = {0};
        buf_addf(&text, "Mutating object of type A (source name: L['a'])\n\n  File \"/a.py\", line 1, in f\n    %s\n",
                 codes[i]);
        expect(buf_slice(&text), "L['a'];L['a'].step;");
        buf_free(&text);
    }
}

static void skips_what_has_no_name(void **state) {
    (void)state;
    expect(SLICE("Mutating object of type list (no source)\n"), "");
    expect(SLICE("Mutating object of type list (source: created in torch.compile region)\n\n"), "");
    expect(SLICE("Mutating object of type list (source name: L['x']) (unable to find user stacks for mutations)"),
           "L['x'];");
    expect(SLICE("Mutating object of type list (source name: )"), "");
    expect(SLICE("Mutating object of type list (source name: L['x']"), "");
    expect(SLICE("another text"), "");
    expect(SLICE(""), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_objects_and_attributes),
        cmocka_unit_test(names_the_line),
        cmocka_unit_test(names_the_call),
        cmocka_unit_test(keeps_what_is_no_assignment),
        cmocka_unit_test(reads_operators),
        cmocka_unit_test(skips_what_has_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
