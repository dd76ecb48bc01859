/* recompiles/recompile_steps and recompile_advice: the changes since the nearest version, and advice. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include "recompiles/chains.h"

#define TENSOR(device, dtype, grad, size, stride)                                                                      \
    "TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(" device "), torch." dtype                              \
    ", device=None, requires_grad=" grad ", size=[" size "], stride=[" stride "])\n"

static struct chains chains;
static struct buf seen;

/* A guard tree of frame 0; lines without the drawing of the tree. */
static void log_guards(struct buf *log, int compile, const char *lines) {
    struct buf tree = {0};
    struct slice rest = slice_str(lines), line;
    char fields[200];
    buf_add_lit(&tree, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n");
    while (slice_next_line(&rest, &line)) {
        buf_add_lit(&tree, "| +- ");
        buf_add(&tree, line);
        buf_add_byte(&tree, '\n');
    }
    buf_add_byte(&tree, 0);
    snprintf(fields, sizeof fields,
             "\"dynamo_cpp_guards_str\": {}, \"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", compile);
    log_payload(log, fields, tree.ptr);
    buf_free(&tree);
}

static void log_symbol(struct buf *log, int compile, const char *source, const char *symbol, const char *value) {
    char fields[400];
    snprintf(fields, sizeof fields,
             "\"create_symbol\": {\"symbol\": \"%s\", \"val\": \"%s\", \"source\": \"%s\"}, \"frame_id\": 0, "
             "\"frame_compile_id\": %d, \"attempt\": 0",
             symbol, value, source, compile);
    log_record(log, fields);
}

static void log_reason(struct buf *log, int compile, const char *reason) {
    log_artifact_of(log, 0, compile, "recompile_reasons", "string", reason);
}

/* "0/0: value n 1 -> 2; …" of the last step. */
static void note_step(const struct model *model) {
    chains_finish(&chains);
    chains_find(&chains, model);
    chains_advise(&chains, model);
    seen.len = 0;
    assert_int_equal(chains.list.count, 1);
    const struct chain *chain = &chains.list.items[0];
    const struct step *step = &chain->steps.items[chain->steps.count - 1];
    buf_addf(&seen, "%.*s:",
             SLICE_ARG(step->nearest == NO_VERSION ? SLICE("none") : model->compiles.items[step->nearest]->key));
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        buf_addf(&seen, "%s %s %.*s %.*s -> %.*s", i ? ";" : "", guard_type_name(change->type),
                 SLICE_ARG(change->source), SLICE_ARG(change->had.ptr ? change->had : SLICE("?")),
                 SLICE_ARG(change->has.ptr ? change->has : SLICE("?")));
        if (change->symbol.ptr)
            buf_addf(&seen, " (%.*s)", SLICE_ARG(change->symbol));
    }
}

static void note_advice(const struct model *model) {
    note_step(model);
    seen.len = 0;
    const struct chain *chain = &chains.list.items[0];
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        buf_addf(&seen, "%s: %.*s", advice->of_limit ? "limit" : guard_type_name(advice->type),
                 SLICE_ARG(advice->text));
        for (size_t e = 0; e < advice->evidence_count; e++)
            buf_addf(&seen, "%s%s of %.*s", e ? ", " : " [", evidence_record_name(advice->evidence[e].record),
                     SLICE_ARG(model->compiles.items[advice->evidence[e].compile]->key));
        buf_add_lit(&seen, "]\n");
    }
}

struct pair {
    const char *before, *after, *reason, *source, *value; /* source and value of a symbol s0 in 0/1 */
    const char *config;                                   /* of 0/1 */
    const char *torch;                                    /* version */
    const char *expected;
};

static void check(const struct pair *pairs, size_t count, whole_look *look) {
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        struct buf log = {0};
        char config[200] = "";
        if (pair->torch)
            log_artifact_of(&log, 0, 0, "torch_version", "json", pair->torch);
        log_metrics(&log, 0, 0, "");
        log_guards(&log, 0, pair->before);
        if (pair->source)
            log_symbol(&log, 1, pair->source, "s0", pair->value);
        if (pair->reason)
            log_reason(&log, 1, pair->reason);
        if (pair->after)
            log_guards(&log, 1, pair->after);
        if (pair->config)
            snprintf(config, sizeof config, "\"dynamo_config\": \"%s\"", pair->config);
        log_metrics(&log, 0, 1, config);
        look_at(&log, look);
        if (!slice_is(buf_slice(&seen), pair->expected))
            fail_msg("case %zu: %.*s\nexpected: %s", i, (int)seen.len, seen.ptr, pair->expected);
    }
}

static void finds_what_changed(void **state) {
    static const struct pair pairs[] = {
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 2\n", "0/0: n == 1",
         .expected = "0/0: value n 1 -> 2"},
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 2\n", .expected = "0/0: value n 1 -> 2"},
        {"EQUALS_MATCH: L['n'] == 1\n", NULL, "0/0: n == 1", .expected = "0/0: value n 1 -> ?"},
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['m'] == 2\n", "0/0: n == 1",
         .expected = "0/0: value n 1 -> ?"},
        {"EQUALS_MATCH: L['n'] == 3\n", "EQUALS_MATCH: L['m'] == 2\n", "0/0: n == 3", "L['n']", "4",
         .expected = "0/0: value n 3 -> 4 (s0)"},
        {"TRUE_MATCH: L['self']._modules['drop'].training == True\nEQUALS_MATCH: L['n'] == 1\n",
         "FALSE_MATCH: L['self']._modules['drop'].training == False\nEQUALS_MATCH: L['n'] == 2\n", "0/0: n == 1",
         .expected =
             "0/0: value n 1 -> 2; module_mode self.drop.training True -> False"}, /* the one in the reason comes first */
        {"LENGTH_CHECK: len(L['xs']) == 3\n", "LENGTH_CHECK: len(L['xs']) == 1\n", "0/0: len(xs) == 3",
         .expected = "0/0: length len(xs) 3 -> 1"},
        {"LENGTH_CHECK: len(L['xs']) == 3\n", "LENGTH_CHECK: not L['xs']\n", "0/0: len(xs) == 3",
         .expected = "0/0: length len(xs) 3 -> 0"},
        {"DICT_CONTAINS: not ___dict_contains('a', L['d'])\n", "DICT_CONTAINS: ___dict_contains('a', L['d'])\n",
         "0/0: not ___dict_contains('a', d)", .expected = "0/0: dict 'a' in d False -> True"},
        {"NO_HASATTR: not hasattr(L['x'], 'y')\n", "HASATTR: hasattr(L['x'], 'y')\n", NULL,
         .expected = "0/0: attribute hasattr(x, 'y') False -> True"},
        {"GuardManager: source=L['b'], type=<class 'NoneType'>\nNONE_MATCH: L['b'] is None\n",
         "GuardManager: source=L['b'], type=<class 'torch.Tensor'>\nNO_TENSOR_ALIASING\n", "0/0: b is None",
         .expected = "0/0: type type(b) None -> torch.Tensor"},
        {"TYPE_MATCH: ___check_type_id(L['o'], 1), type=<class 'A'>\n",
         "TYPE_MATCH: ___check_type_id(L['o'], 2), type=<class 'B'>\n", "0/0: ___check_type_id(o, 1), type=<class 'A'>",
         .expected = "0/0: type type(o) A -> B"},
        {"TYPE_MATCH: ___check_type_id(L['o'], 1), type=<class 'A'>\n",
         "TYPE_MATCH: ___check_type_id(L['o'], 2), type=<class 'A'>\n", "0/0: ___check_type_id(o, 1), type=<class 'A'>",
         .expected = "0/0: type type(o) A #1 -> A #2"},
        {"ID_MATCH: ___check_obj_id(L['f'], 1), type=<class 'function'>\n",
         "ID_MATCH: ___check_obj_id(L['f'], 2), type=<class 'function'>\n", "0/0: ___check_obj_id(f, 1)",
         .expected = "0/0: identity f function #1 -> function #2"},
        /* members of an enum, by value, by name, and without either */
        {"GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 1), type=<class 'm.E'>\n"
         "EQUALS_MATCH: L['f']._value_ == 'a'\n",
         "GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 2), type=<class 'm.E'>\n"
         "GuardManager: source=G['E'], type=<class 'enum.EnumType'>\n"
         "ID_MATCH: ___check_obj_id(G['E'].B, 2), type=<class 'm.E'>\n",
         "0/0: ___check_obj_id(f, 1), type=<class 'm.E'>", .expected = "0/0: identity f E('a') -> E.B"},
        {"GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 1), type=<class 'm.E'>\n",
         "GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 2), type=<class 'm.E'>\n"
         "ID_MATCH: ___check_obj_id(G['m'].E, 2), type=<class 'm.E'>\n",
         .expected = "0/0: identity f E #1 -> E #2"}, /* a member of something that is no enum */
        {"ID_MATCH: ___check_obj_id(L['f'], 1), type=<class 'm.A'>\n",
         "ID_MATCH: ___check_obj_id(L['f'], 2), type=<class 'm.B'>\n", .expected = "0/0: identity f m.A -> m.B"},
        {TENSOR("CPU", "float32", "False", "4, 3", "3, 1"), TENSOR("CPU", "float32", "False", "5, 3", "3, 1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", .expected = "0/0: size x.size()[0] 4 -> 5"},
        {TENSOR("CPU", "float32", "False", "4, 3", "3, 1"), TENSOR("CPU", "float32", "False", "4, 5", "5, 1"),
         "0/0: tensor 'x' size mismatch at index 1. expected 3, actual 5",
         .expected = "0/0: size x.size()[1] 3 -> 5"}, /* the stride follows from the size */
        {TENSOR("CPU", "float32", "False", "4, 4", "4, 1"), TENSOR("CPU", "float32", "False", "4, 4", "1, 4"), NULL,
         .expected = "0/0: stride x.stride()[0] 4 -> 1; stride x.stride()[1] 1 -> 4"},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "None", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "0/0: size x.size()[0] 4 -> 5 (s0)"},
        {TENSOR("CPU", "float32", "False", "4", "1") "EQUALS_MATCH: L['n'] == 1\n",
         TENSOR("CPU", "float32", "False", "None", "1") "EQUALS_MATCH: L['n'] == 2\n", "0/0: n == 1",
         "L['x'].size()[0]", "4", .expected = "0/0: value n 1 -> 2"}, /* dynamic now, and equal */
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float64", "True", "4, 1", "1, 1"), NULL,
         .expected = "0/0: dtype x.dtype torch.float32 -> torch.float64; requires_grad x.requires_grad False -> True; "
                     "rank x.dim() 1 -> 2"},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CUDA", "float32", "False", "4", "1"), NULL,
         .expected = "0/0: device x.device CPU -> CUDA"},
        {"LAMBDA_GUARD: (L['x'].size()[0] % 8) == 0\n", "LAMBDA_GUARD: (L['x'].size()[0] % 8) != 0\n",
         "0/0: (x.size()[0] % 8) == 0", "L['x'].size()[0]", "17",
         .expected = "0/0: divisibility (x.size()[0] % 8) == 0 True -> x.size()[0] = 17"},
        {"LAMBDA_GUARD: (L['x'].size()[0] % 8) == 0\n", "LAMBDA_GUARD: (L['x'].size()[0] % 8) != 0\n",
         .expected = "0/0: divisibility (x.size()[0] % 8) == 0 True -> False"},
        {"LAMBDA_GUARD: L['t'] <= 3.0\n", "LAMBDA_GUARD: L['t'] > 3.0\n", "0/0: t <= 3.0", "L['t']", "5.5",
         .expected = "0/0: relation t <= 3.0 True -> t = 5.5"},
        {"LAMBDA_GUARD: L['t'] <= 3.0\n", "LAMBDA_GUARD: L['t'] > 3.0\n", "0/0: t <= 3.0", "L['t']", "2.5",
         .expected = "0/0: relation t <= 3.0 True -> False"}, /* not the value for which it failed */
        {"LAMBDA_GUARD: L['t'] <= 3.0\n", "LAMBDA_GUARD: L['t'] > 3.0\n", "0/0: t <= 3.0", "L['t']", "nan",
         .expected = "0/0: relation t <= 3.0 True -> False"},
        {"LAMBDA_GUARD: 2*L['x'].size()[0] > L['n'] + L['y'].size()[0]\n",
         "LAMBDA_GUARD: L['y'].size()[0] == L['x'].size()[0]\nEQUALS_MATCH: L['n'] == 9\n", NULL, "L['x'].size()[0]",
         "3",
         .expected = "0/0: relation 2*x.size()[0] > n + y.size()[0] True -> x.size()[0] = 3, n = 9, y.size()[0] = 3"},
        {"LAMBDA_GUARD: L['n'] == 7\n", "LAMBDA_GUARD: L['n'] == 8\n", "0/0: L['n'] == 7",
         .expected = "0/0: value n 7 -> 8"}, /* was dynamic in both, and is a constant */
        {"LAMBDA_GUARD: L['n'] == 7\n", "LAMBDA_GUARD: L['n'] == 8\n", "0/0: n == 7",
         .expected = "0/0: value n 7 -> 8"},
        {"LAMBDA_GUARD: ___as_tensor(L['m']).item() == 1.0\n", "LAMBDA_GUARD: ___as_tensor(L['m']).item() == 2.5\n",
         "0/0: ___as_tensor(L['m']).item() == 1.0", .expected = "0/0: float m 1.0 -> 2.5"},
        {"LAMBDA_GUARD: L['x'].size()[0] <= 5\nLAMBDA_GUARD: L['z'].size()[0] <= 5\nEQUALS_MATCH: L['n'] == 1\n",
         "EQUALS_MATCH: L['n'] == 2\n", NULL, "L['x'].size()[0]", "5", .expected = "0/0: value n 1 -> 2"},
        {"GLOBAL_STATE: f() against {\"grad_mode\":true,\"num_threads\":2}\n",
         "GLOBAL_STATE: f() against {\"grad_mode\":false,\"num_threads\":1}\n",
         "0/0: GLOBAL_STATE changed: grad_mode num_threads ",
         .expected = "0/0: grad_mode grad_mode True -> False; global_state num_threads 2 -> 1"},
        {"GLOBAL_STATE: f()\n", "GLOBAL_STATE: f()\n", "0/0: GLOBAL_STATE changed: grad_mode ",
         .expected = "0/0: grad_mode grad_mode ? -> ?"},
        {"OBJECT_ALIASING: L['x'] is L['y']\n", "NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y'])\n",
         "0/0: x is y", .expected = "0/0: alias x is y True -> False"},
        {"OBJECT_ALIASING: L['x'] is L['y']\n", "NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y'])\n",
         .expected = "0/0: alias x is y True -> False"},
        {"NO_TENSOR_ALIASING: check_no_aliasing(L['z'], L['xs'][0], L['xs'][1])\n",
         "OBJECT_ALIASING: L['xs'][0] is L['xs'][1]\n", "0/0: Duplicate tensors found: [\"xs[0]\", \"xs[1]\"]",
         .expected = "0/0: alias xs[0] is xs[1] False -> True"},
        {"NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y'])\n", "OBJECT_ALIASING: L['x'] is L['z']\n",
         .expected = "0/0:"}, /* z is none of them */
        {"OBJECT_ALIASING: L['x'] is L['y']\n", "EQUALS_MATCH: L['n'] == 1\n", .expected = "0/0:"},
        {"OBJECT_ALIASING: L['x'] is L['y']\n", "OBJECT_ALIASING: L['x'] is L['y']\n", .expected = "0/0:"},
        {"LAMBDA_GUARD: L['a'] is L['b']\n", "NO_TENSOR_ALIASING: check_no_aliasing(L['b'], L['c'], L['a'])\n",
         .expected = "0/0: alias a is b True -> False"},
        /* the log does not have the number */
        {"LAMBDA_GUARD: not math.isnan(L['s'])\n", "FLOAT_IS_NAN: (type(L['s']) is float and __math_isnan(L['s']))\n",
         "0/0: not math.isnan(s)", .expected = "0/0: float s ? -> nan"},
        {"LAMBDA_GUARD: L['s'] == ___as_tensor(L['s']).item()\n", NULL, "0/0: L['s'] == ___as_tensor(L['s']).item()",
         .expected = "0/0: float s ? -> nan"},
        /* without names of classes and objects */
        {"ID_MATCH: ___check_obj_id(L['on'], 1396)\n", "ID_MATCH: ___check_obj_id(L['on'], 1428)\n",
         "0/0: ___check_obj_id(L['on'], 1396)", .expected = "0/0: identity on object #1 -> object #2"},
        {"ID_MATCH: ___check_obj_id(L['x'], 1396)\n", TENSOR("CPU", "float32", "False", "4", "1"),
         "0/0: ___check_obj_id(L['x'], 1396)", .expected = "0/0: identity x an object -> a tensor"},
        {"NONE_MATCH: L['x'] is None\n", TENSOR("CPU", "float32", "False", "4", "1"), "0/0: x is None",
         .expected = "0/0: value x None -> a tensor"},
        {"TYPE_MATCH: ___check_type_id(L['o'], 941)\n", "TYPE_MATCH: ___check_type_id(L['o'], 942)\n",
         "0/0: ___check_type_id(L['o'], 941)", .expected = "0/0: type type(o) class #1 -> class #2"},
        /* another self: its members are not separate changes, everything else is */
        {"TYPE_MATCH: ___check_type_id(L['self'], 1), type=<class 'a.Sine'>\nEQUALS_MATCH: L['self'].n == 2\n"
         "LENGTH_CHECK: len(L['self'].xs) == 2\nEQUALS_MATCH: L['k'] == 2\n",
         "TYPE_MATCH: ___check_type_id(L['self'], 2), type=<class 'a.Cosine'>\nEQUALS_MATCH: L['self'].n == 3\n"
         "LENGTH_CHECK: len(L['self'].xs) == 3\nEQUALS_MATCH: L['k'] == 3\n",
         .expected = "0/0: type type(self) a.Sine -> a.Cosine; value k 2 -> 3"},
        {"TYPE_MATCH: ___check_type_id(L['self'], 1), type=<class 'a.Sine'>\nEQUALS_MATCH: L['self'].n == 2\n",
         "TYPE_MATCH: ___check_type_id(L['self'], 2), type=<class 'a.Cosine'>\nEQUALS_MATCH: L['self'].n == 3\n",
         "0/0: self.n == 2", .expected = "0/0: type type(self) a.Sine -> a.Cosine"},
        /* a module that is an argument: its class comes first, whatever the reason says; members of another class are
         * not changes */
        {"TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Scale'>\nEQUALS_MATCH: L['m'].k == 2\n"
         "EQUALS_MATCH: L['m'].inner.k == 2\nEQUALS_MATCH: L['n'] == 4\nEQUALS_MATCH: L['mm'].k == 4\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 2), type=<class 'a.Shift'>\nEQUALS_MATCH: L['m'].k == 3\n"
         "EQUALS_MATCH: L['m'].inner.k == 3\nEQUALS_MATCH: L['n'] == 6\nEQUALS_MATCH: L['mm'].k == 5\n",
         "0/0: n == 4", .expected = "0/0: value n 4 -> 6; type type(m) a.Scale -> a.Shift; value mm.k 4 -> 5"},
        {"TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Deep'>\n"
         "TYPE_MATCH: ___check_type_id(L['m']._modules['inner'], 2), type=<class 'a.Scale'>\n"
         "EQUALS_MATCH: L['m']._modules['inner'].k == 2\nEQUALS_MATCH: L['m'].k == 2\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Deep'>\n"
         "TYPE_MATCH: ___check_type_id(L['m']._modules['inner'], 3), type=<class 'a.Shift'>\n"
         "EQUALS_MATCH: L['m']._modules['inner'].k == 3\nEQUALS_MATCH: L['m'].k == 3\n",
         "0/0: m.k == 2", .expected = "0/0: value m.k 2 -> 3; type type(m.inner) a.Scale -> a.Shift"},
        {"TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Scale'>\nEQUALS_MATCH: L['m'].k == 2\n"
         "EQUALS_MATCH: L['n'] == 4\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Scale'>\nEQUALS_MATCH: L['m'].k == 3\n"
         "EQUALS_MATCH: L['n'] == 6\n",
         "0/0: n == 4",
         .expected = "0/0: value n 4 -> 6; value m.k 2 -> 3"}, /* the same class: the one in the reason comes first */
        {"TYPE_MATCH: ___check_type_id(L['xs'], 1), type=<class 'list'>\nEQUALS_MATCH: L['xs'][0] == 2\n"
         "EQUALS_MATCH: L['n'] == 4\n",
         "TYPE_MATCH: ___check_type_id(L['xs'], 2), type=<class 'tuple'>\nEQUALS_MATCH: L['xs'][0] == 3\n"
         "EQUALS_MATCH: L['n'] == 6\n",
         "0/0: n == 4", .expected = "0/0: value n 4 -> 6; type type(xs) list -> tuple; value xs[0] 2 -> 3"},
        {"ID_MATCH: ___check_obj_id(L['self'], 1)\nEQUALS_MATCH: L['self'].n == 2\n",
         "ID_MATCH: ___check_obj_id(L['self'], 2)\nEQUALS_MATCH: L['self'].n == 3\n",
         .expected = "0/0: identity self object #1 -> object #2"},
        {"TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Sine'>\nEQUALS_MATCH: L['m'].n == 2\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Sine'>\nEQUALS_MATCH: L['m'].n == 3\n",
         .expected = "0/0: value m.n 2 -> 3"},
        {"NEW_GUARD: L['x'] 1\n", "NEW_GUARD: L['x'] 2\n", "0/0: whatever", .expected = "0/0: other  ? -> ?"},
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 1\n", .expected = "0/0:"},
    };
    (void)state;
    check(pairs, sizeof pairs / sizeof *pairs, note_step);
}

/* 0/2 differs from 0/1, the previous one, in two guards, and from 0/0 in one. */
static void finds_the_nearest(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "");
    log_guards(&log, 0, "EQUALS_MATCH: L['n'] == 1\nEQUALS_MATCH: L['m'] == 1\nEQUALS_MATCH: L['k'] == 1\n");
    log_reason(&log, 1, "0/0: n == 1");
    log_guards(&log, 1, "EQUALS_MATCH: L['n'] == 2\nEQUALS_MATCH: L['m'] == 2\nEQUALS_MATCH: L['k'] == 1\n");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json", "[\"0/1: n == 2\", \"0/0: k == 1\"]");
    log_guards(&log, 2, "EQUALS_MATCH: L['n'] == 1\nEQUALS_MATCH: L['m'] == 1\nEQUALS_MATCH: L['k'] == 2\n");
    look_at(&log, note_step);
    assert_buf(&seen, "0/0: value k 1 -> 2");
    assert_int_equal(chains.list.items[0].causes.count, 2);
}

/* Checks the last of three versions with the given guards. */
static void check_nearest(const char *const versions[3], const char *size, const char *expected) {
    struct buf log = {0};
    for (int i = 0; i < 3; i++) {
        if (i && size)
            log_symbol(&log, i, "L['x'].size()[0]", "s0", i == 2 ? size : "6");
        log_guards(&log, i, versions[i]);
        log_metrics(&log, 0, i, "");
    }
    look_at(&log, note_step);
    assert_buf(&seen, expected);
}

/* A call with other arguments is farther than one whose sizes differ, even if fewer guards fail. */
static void finds_the_same_kind_of_call(void **state) {
    static const char *const layouts[] =
        {"TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[4], stride=[1])\n",
         "TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[2, 3, 4], stride=[12, 1, 3])\n",
         "TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[2, 3, 4], stride=[12, 4, 1])\n"};
    static const char *const batches[] =
        {"EQUALS_MATCH: L['flag'] == False\nTENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), "
         "torch.float32, device=None, requires_grad=False, size=[1, 8], stride=[8, 1])\n"
         "TENSOR_MATCH: check_tensor(L['y'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[1], stride=[1])\n",
         "EQUALS_MATCH: L['flag'] == True\nTENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), "
         "torch.float32, device=None, requires_grad=False, size=[2, 9], stride=[9, 1])\n"
         "TENSOR_MATCH: check_tensor(L['y'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[2], stride=[1])\n",
         "EQUALS_MATCH: L['flag'] == False\nTENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), "
         "torch.float32, device=None, requires_grad=False, size=[2, 8], stride=[8, 1])\n"
         "TENSOR_MATCH: check_tensor(L['y'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[2], stride=[1])\n"};
    static const char *const early[] = {"TRUE_MATCH: L['greedy'] == True\n",
                                        "FALSE_MATCH: L['greedy'] == False\nEQUALS_MATCH: L['n'] == 1\n"
                                        "EQUALS_MATCH: L['m'] == 1\n",
                                        "FALSE_MATCH: L['greedy'] == False\nEQUALS_MATCH: L['n'] == 2\n"
                                        "EQUALS_MATCH: L['m'] == 2\n"};
    /* a cache of one token that is a transposed view: the stride of a dimension of size 1 may be any */
    static const char *const cache[] =
        {"EQUALS_MATCH: L['first'] == True\nEQUALS_MATCH: L['n'] == 1\n" TENSOR("CPU", "float32", "False",
                                                                                "2, 2, 2, 16", "64, 32, 16, 1"),
         "EQUALS_MATCH: L['first'] == False\nEQUALS_MATCH: L['n'] == 2\n" TENSOR("CPU", "float32", "False",
                                                                                 "2, 2, 1, 16", "32, 16, 32, 1"),
         "EQUALS_MATCH: L['first'] == False\nEQUALS_MATCH: L['n'] == 2\n" TENSOR("CPU", "float32", "False",
                                                                                 "2, 2, 2, 16", "64, 32, 16, 1")};
    (void)state;
    check_nearest(cache, NULL, "0/1: size x.size()[2] 1 -> 2");
    check_nearest(layouts, NULL, "0/1: stride x.stride()[1] 1 -> 4; stride x.stride()[2] 3 -> 1");
    check_nearest(batches, NULL, "0/0: size x.size()[0] 1 -> 2; size y.size()[0] 1 -> 2");
    /* the first version returned early: what it did not read is unknown, not equal */
    check_nearest(early, NULL, "0/1: value n 1 -> 2; value m 1 -> 2");
}

/* A reason that states another type outranks guards that do not show it. */
static void believes_the_reason(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "");
    log_guards(&log, 0, "EQUALS_MATCH: L['n'] == 1\nEQUALS_MATCH: L['m'] == 1\n");
    log_reason(&log, 1, "0/0: n == 1");
    log_guards(&log, 1, "EQUALS_MATCH: L['n'] == 2\nEQUALS_MATCH: L['m'] == 2\n");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json",
                    "[\"0/1: expected type of 'keys' to be <class 'torch.Tensor'>, but found <class 'NoneType'>\", "
                    "\"0/0: m == 1\"]");
    log_guards(&log, 2, "EQUALS_MATCH: L['n'] == 2\nEQUALS_MATCH: L['m'] == 3\n");
    look_at(&log, note_step);
    assert_buf(&seen, "0/0: value m 1 -> 3; value n 1 -> 2");
}

static void compares_the_object_first(void **state) {
    static const char *const modules[] =
        {"TYPE_MATCH: ___check_type_id(L['self'], 1), type=<class 'a.Linear'>\nEQUALS_MATCH: L['self'].n == 1\n"
         "EQUALS_MATCH: L['self'].m == 1\n",
         "TYPE_MATCH: ___check_type_id(L['self'], 2), type=<class 'a.ReLU'>\n",
         "TYPE_MATCH: ___check_type_id(L['self'], 1), type=<class 'a.Linear'>\nEQUALS_MATCH: L['self'].n == 2\n"
         "EQUALS_MATCH: L['self'].m == 2\n"};
    static const char *const arguments[] =
        {"TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Scale'>\nEQUALS_MATCH: L['m'].k == 1\n"
         "EQUALS_MATCH: L['m'].j == 1\nEQUALS_MATCH: L['n'] == 1\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 2), type=<class 'a.Shift'>\nEQUALS_MATCH: L['m'].k == 1\n"
         "EQUALS_MATCH: L['n'] == 2\n",
         "TYPE_MATCH: ___check_type_id(L['m'], 1), type=<class 'a.Scale'>\nEQUALS_MATCH: L['m'].k == 2\n"
         "EQUALS_MATCH: L['m'].j == 2\nEQUALS_MATCH: L['n'] == 2\n"};
    (void)state;
    check_nearest(modules, NULL, "0/0: value self.n 1 -> 2; value self.m 1 -> 2");
    check_nearest(arguments, NULL, "0/0: value m.k 1 -> 2; value m.j 1 -> 2; value n 1 -> 2");
}

/* A size that does not match fails each condition on it, but is one reason. */
static void counts_a_size_once(void **state) {
    static const char *const sizes[] = {TENSOR("CPU", "float32", "False", "4", "1"),
                                        TENSOR("CPU", "float32", "False", "None",
                                               "1") "LAMBDA_GUARD: (L['x'].size()[0] % 2) == 0\n"
                                                    "LAMBDA_GUARD: L['x'].size()[0] == (2*(L['x'].size()[0] // "
                                                    "2))\n",
                                        TENSOR("CPU", "float32", "False", "None",
                                               "1") "LAMBDA_GUARD: (L['x'].size()[0] % 2) != 0\n"};
    (void)state;
    check_nearest(sizes, "7",
                  "0/1: divisibility (x.size()[0] % 2) == 0 True -> x.size()[0] = 7; relation x.size()[0] == "
                  "(2*(x.size()[0] // 2)) True -> x.size()[0] = 7");
}

#define OFF "{\\\"automatic_dynamic_shapes\\\": false, \\\"specialize_float\\\": false}"
#define TORCH(version) "{\"pytorch_version\": \"" version "\"}"
#define ON "{\\\"automatic_dynamic_shapes\\\": true}"

static void advises_on_evidence(void **state) {
    static const struct pair pairs[] = {
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "None", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call, or set "
                     "`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\"`: 0/1 made `x.size()[0]` dynamic (s0). "
                     "[recompile_reasons of 0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.7.0")},
        /* a version that does not have the variable, or about which nothing is known */
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "None", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call: 0/1 made `x.size()[0]` "
                     "dynamic (s0). [recompile_reasons of 0/1, "
                     "create_symbol of 0/1]\n",
         .torch = TORCH("2.6.0+cu124")},
        {"EQUALS_MATCH: L['n'] == 3\n", "EQUALS_MATCH: L['m'] == 2\n", "0/0: n == 3", "L['n']", "4", .expected = ""},
        {"EQUALS_MATCH: L['n'] == 3\n", "EQUALS_MATCH: L['m'] == 2\n", "0/0: n == 3", "L['n']", "4",
         .expected = "value: Set `TORCH_COMPILE_DYNAMIC_SOURCES=\"L['n']\"`: 0/1 made `n` dynamic (s0). "
                     "[recompile_reasons of 0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.8.0")},
        /* a matrix: the mark covers all of its dimensions, up to versions that need one */
        {TENSOR("CPU", "float32", "False", "4, 6", "6, 1"), TENSOR("CPU", "float32", "False", "None, 6", "6, 1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call, or set "
                     "`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\"`, which makes every dimension dynamic: "
                     "0/1 made `x.size()[0]` dynamic (s0). [recompile_reasons of "
                     "0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.9.0")},
        {TENSOR("CPU", "float32", "False", "4, 6", "6, 1"), TENSOR("CPU", "float32", "False", "None, 6", "6, 1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call, or set "
                     "`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']:0\"`: 0/1 made `x.size()[0]` dynamic (s0). "
                     "[recompile_reasons of 0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.15.0+cpu")},
        /* two sizes, one of which stays constant: what keeps it constant costs the recompile */
        {TENSOR("CPU", "float32", "False", "4, 6", "1, 1"), TENSOR("CPU", "float32", "False", "None, 7", "1, 1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5", .expected = "",
         .torch = TORCH("2.15.0")},
        /* a size and a number, which became the same symbol */
        {TENSOR("CPU", "float32", "False", "4", "1") "EQUALS_MATCH: L['n'] == 4\n",
         TENSOR("CPU", "float32", "False", "None", "1") "LAMBDA_GUARD: L['n'] == L['x'].size()[0]\n", "0/0: n == 4",
         "L['x'].size()[0]", "5",
         .expected = "value: Set `TORCH_COMPILE_DYNAMIC_SOURCES=\"L['n'],L['x']:0\"`: 0/1 made `n` dynamic (s0). "
                     "`x.size()[0]` changed as well. [recompile_reasons of 0/1, "
                     "create_symbol of 0/1]\n",
         .torch = TORCH("2.15.0")},
        /* a number in addition to a dtype */
        {TENSOR("CPU", "float32", "False", "4", "1") "EQUALS_MATCH: L['n'] == 4\n",
         TENSOR("CPU", "float64", "False", "4", "1"), "0/0: n == 4", "L['n']", "5",
         .expected =
             "value: A dynamic `n` alone would not prevent 0/1: `x.dtype` differs, too. [recompile_reasons of 0/1, "
             "create_symbol of 0/1]\n",
         .torch = TORCH("2.15.0")},
        /* a size that was 1, or with another dtype: it would have been recompiled anyway */
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "1", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 1", NULL, NULL, OFF,
         .expected =
             "size: PyTorch makes a separate version for sizes of 0 and 1: `x.size()[0]` was 1 in 0/1. `mark_dynamic` "
             "does not change that; `mark_unbacked` does, but code that depends on the size then runs eagerly. "
             "[recompile_reasons of 0/1]\n"},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float64", "False", "None", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: A dynamic `x.size()[0]` alone would not prevent 0/1: `x.dtype` differs, too. "
                     "[recompile_reasons of 0/1, "
                     "create_symbol of 0/1]\n"},
        /* it stays constant, and the log does not say why */
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "5", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", NULL, NULL, ON, .expected = ""},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "5", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", .expected = ""},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float32", "False", "5", "1"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", NULL, NULL, OFF,
         .expected =
             "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call: `automatic_dynamic_shapes` "
             "is off, as `torch.compile(dynamic=False)` sets it, so every value of `x.size()[0]` gets its own "
             "version. [compilation_metrics of 0/1, recompile_reasons of 0/1]\n"}, /* unset, it recompiles, too */
        {"EQUALS_MATCH: L['n'] == 2\n", "EQUALS_MATCH: L['n'] == 3\n", "0/0: n == 2", NULL, NULL, OFF,
         .expected = "value: Set `TORCH_COMPILE_DYNAMIC_SOURCES=\"L['n']\"`: "
                     "`automatic_dynamic_shapes` is off, as "
                     "`torch.compile(dynamic=False)` sets it, so every value of `n` gets its own version. Where a "
                     "Python loop or an operator needs the number itself, each value needs one. "
                     "[compilation_metrics of 0/1, recompile_reasons of 0/1]\n",
         .torch = TORCH("2.15.0")},
        {"EQUALS_MATCH: L['n'] == 2\n", "EQUALS_MATCH: L['n'] == 3\n",
         "0/0: n == 2   # for _ in range(1, k):  # a.py:3 in f", NULL, NULL, OFF,
         .expected = "value: Compile the body of the loop alone, or expect several versions: Dynamo unrolls `for _ in "
                     "range(1, k)`, so each value of `n` gets a version, dynamic or not. [recompile_reasons of 0/1]\n",
         .torch = TORCH("2.15.0")},
        {"EQUALS_MATCH: L['n'] == 2\n", "EQUALS_MATCH: L['n'] == 3\n",
         "0/0: n == 2   # return [x * n for _ in range(3)]  # a.py:3 in f", NULL, NULL, OFF,
         .expected = "value: Set `TORCH_COMPILE_DYNAMIC_SOURCES=\"L['n']\"`: `automatic_dynamic_shapes` is off, as "
                     "`torch.compile(dynamic=False)` sets it, so every value of `n` gets its own version. Where a "
                     "Python loop or an operator needs the number itself, each value needs one. "
                     "[compilation_metrics of 0/1, recompile_reasons of 0/1]\n",
         .torch = TORCH("2.15.0")}, /* the loop is not over n */
        /* a size that another condition of the new version excludes for the old value */
        {TENSOR("CPU", "float32", "False", "4", "1"),
         TENSOR("CPU", "float32", "False", "None", "1") "LAMBDA_GUARD: 5 <= L['x'].size()[0]\n",
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: A dynamic `x.size()[0]` alone would not prevent 0/1: `5 <= x.size()[0]` holds for it, and "
                     "not for 0/0, so each "
                     "has a version. [recompile_reasons of 0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.15.0")},
        /* a size and a layout */
        {TENSOR("CPU", "float32", "False", "4, 2", "2, 1"), TENSOR("CPU", "float32", "False", "None, 2", "1, 8"),
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: Call `torch._dynamo.mark_dynamic(x, 0)` before the first call, or set "
                     "`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']:0\"`, and pass `x` in one memory layout, such as "
                     "`.clone(memory_format=torch.contiguous_format)`: 0/1 differs from 0/0 in sizes and strides "
                     "(`x.stride()[0]` 2 → 1), each of which needs a version. [recompile_reasons of 0/1, create_symbol "
                     "of 0/1]\n",
         .torch = TORCH("2.15.0")},
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 2\n", "0/0: n == 1", NULL, NULL, OFF,
         .expected = "value: Dynamo treats `n` as a constant here: one version for each value is expected. "
                     "[recompile_reasons of 0/1]\n",
         .torch = TORCH("2.9.0")}, /* 1 is a constant, up to versions that can make it a symbol */
        {"EQUALS_MATCH: L['n'] == 'a'\n", "EQUALS_MATCH: L['n'] == 'b'\n", "0/0: n == 'a'", NULL, NULL, OFF,
         .expected = "value: `n` is a string, which Dynamo treats as a constant: one version for each value is "
                     "expected. [recompile_reasons of 0/1]\n"},
        /* a global that a function reads which this one calls, such as that of an autograd.Function */
        {"EQUALS_MATCH: G['n'] == 2\n", "EQUALS_MATCH: G['n'] == 4\n",
         "0/0: G['n'] == 2   # ctx.scale = n  # a.py:28 in forward",
         .expected = "value: Pass the global `n` as an argument: Dynamo treats an integer that is a global as a "
                     "constant, so each of its values gets a version. [recompile_reasons of 0/1]\n"},
        {"EQUALS_MATCH: L['self'].n == 2\n", "EQUALS_MATCH: L['self'].n == 4\n",
         "0/0: self.n == 2   # x * self.n  # a.py:3 in f (HINT: use allow_unspec_int_on_nn_module = True)",
         .expected =
             "value: Make `self.n` a buffer (`self.register_buffer(\"n\", torch.tensor(…))`): Dynamo "
             "treats integer attributes of an `nn.Module` as constants. Where Python needs the number, as in a test "
             "or as the index of a list, a buffer breaks the graph. [recompile_reasons of 0/1]\n"},
        {"EQUALS_MATCH: L['self'].n == 2\nEQUALS_MATCH: L['self'].k == 3\n",
         "EQUALS_MATCH: L['self'].n == 4\nEQUALS_MATCH: L['self'].k == 5\n",
         "0/0: self.n == 2   # x * self.n  # a.py:3 in f (HINT: use allow_unspec_int_on_nn_module = True)",
         .expected =
             "value: Make `self.n` and `self.k` buffers: Dynamo treats integer attributes "
             "of an `nn.Module` as constants. Where Python needs the number, as in a test or as the index of a list, "
             "a buffer breaks the graph. [recompile_reasons of 0/1]\n"},
        {"EQUALS_MATCH: L['self'].n == 2\nEQUALS_MATCH: L['self'].k == 'a'\n",
         "EQUALS_MATCH: L['self'].n == 4\nEQUALS_MATCH: L['self'].k == 'b'\n",
         "0/0: self.n == 2   # x * self.n  # a.py:3 in f (HINT: use allow_unspec_int_on_nn_module = True)",
         .expected = "value: Dynamo treats `self.n` as a constant here: one version for each value is expected. "
                     "[recompile_reasons of 0/1]\n"}, /* a string is no buffer */
        {"EQUALS_MATCH: L['n'] == 2\n", "EQUALS_MATCH: L['n'] == 4\n",
         "0/0: n == 2   # x * n  # a.py:3 in f (HINT: use allow_unspec_int_on_nn_module = True)",
         .expected =
             "value: Make `n` a buffer: Dynamo treats integer attributes of an `nn.Module` as constants. "
             "Where Python needs the number, as in a test or as the index of a list, a buffer breaks the graph. "
             "[recompile_reasons of 0/1]\n"},
        {"EQUALS_MATCH: L['self'].n == 2\nEQUALS_MATCH: L['k'] == 'a'\n",
         "EQUALS_MATCH: L['self'].n == 4\nEQUALS_MATCH: L['k'] == 'b'\n",
         "0/0: self.n == 2   # x * self.n  # a.py:3 in f (HINT: use allow_unspec_int_on_nn_module = True)",
         .expected = "value: Dynamo treats `self.n` as a constant here: one version for each value is expected. "
                     "[recompile_reasons of 0/1]\n"}, /* k recompiles anyway */
        {"TRUE_MATCH: L['self'].training == True\n", "FALSE_MATCH: L['self'].training == False\n",
         "0/0: self.training == True",
         .expected = "module_mode: One version for training and one for evaluation are expected. [recompile_reasons of "
                     "0/1]\n"},
        {"TRUE_MATCH: L['flag'] == True\n", "FALSE_MATCH: L['flag'] == False\n", "0/0: flag == True",
         .expected = "value: `flag` is a bool, which Dynamo treats as a constant: one version for each value is "
                     "expected. [recompile_reasons of 0/1]\n"},
        {"GLOBAL_STATE: f() against {\"grad_mode\":true}\n", "GLOBAL_STATE: f() against {\"grad_mode\":false}\n",
         "0/0: GLOBAL_STATE changed: grad_mode ",
         .expected =
             "grad_mode: One version with gradients and one without are expected. To avoid the second, call the "
             "function under one grad mode. [recompile_reasons of 0/1]\n"},
        {"GLOBAL_STATE: f()\n", "GLOBAL_STATE: f()\n", "0/0: GLOBAL_STATE changed: grad_mode ",
         .expected = "grad_mode: A version fits only the modes that it was compiled under: one for each combination is "
                     "expected. [recompile_reasons of 0/1]\n"},
        {"LAMBDA_GUARD: (L['x'].size()[0] % 8) == 0\n", "LAMBDA_GUARD: (L['x'].size()[0] % 8) != 0\n",
         "0/0: (x.size()[0] % 8) == 0", "L['x'].size()[0]", "17",
         .expected = "divisibility: The code, or an operator, depends on `(x.size()[0] % 8) == 0`: one version for "
                     "calls where it holds and one for others are expected. [recompile_reasons of 0/1]\n"},
        {TENSOR("CPU", "float32", "False", "None", "1") "LAMBDA_GUARD: 2 <= L['x'].size()[0]\n",
         TENSOR("CPU", "float32", "False", "1", "1"), "0/0: 2 <= x.size()[0]",
         .expected = "size: PyTorch makes a separate version for sizes of 0 and 1: `x.size()[0]` is dynamic in 0/0 and "
                     "was 1 in 0/1. `mark_dynamic` does not change that; `mark_unbacked` does, but code that depends "
                     "on the size "
                     "then runs eagerly. [recompile_reasons of 0/1, dynamo_cpp_guards_str of 0/0]\n"},
        /* an attribute that the first call sets: the size is not all that changed */
        {TENSOR("CPU", "float32", "False", "4", "1") "DICT_CONTAINS: not ___dict_contains('kind', L['c'].__dict__)\n",
         TENSOR("CPU", "float32", "False", "None", "1") "EQUALS_MATCH: L['c'].kind == 'a'\n",
         "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "L['x'].size()[0]", "5",
         .expected = "size: In 0/1, `c.kind` is set, unlike in 0/0. If a call sets it, set it before the first call, "
                     "and call `torch._dynamo.mark_dynamic(x, 0)` there, or set "
                     "`TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']:0\"`: only sizes change then. 0/1 made `x.size()[0]` "
                     "dynamic (s0). [recompile_reasons of 0/1, create_symbol of 0/1]\n",
         .torch = TORCH("2.15.0")},
        {TENSOR("CPU", "float32", "False", "4", "1"), TENSOR("CPU", "float64", "False", "4", "1"),
         "0/0: tensor 'x' dtype mismatch. expected Float, actual Double",
         .expected = "dtype: A version fits only one dtype of `x`: one for each is expected. [recompile_reasons of "
                     "0/1]\n"},
        {"ID_MATCH: ___check_obj_id(L['f'], 1)\n", "ID_MATCH: ___check_obj_id(L['f'], 2)\n",
         "0/0: ___check_obj_id(f, 1)", .expected = ""},
        /* objects: of a class, of an enum, functions; and one that was dropped */
        {"ID_MATCH: ___check_obj_id(L['o'], 1), type=<class 'm.Key'>\n",
         "ID_MATCH: ___check_obj_id(L['o'], 2), type=<class 'm.Key'>\n", "0/0: ___check_obj_id(o, 1)",
         .expected = "identity: Pass the same object in every call, if one will do: `o` was 2 different `Key` objects, "
                     "and a version "
                     "fits only the one that it was compiled for. [recompile_reasons of 0/1]\n"},
        {"ID_MATCH: ___check_obj_id(L['o'], 1), type=<class 'm.Key'>\nEQUALS_MATCH: L['n'] == 'a'\n",
         "ID_MATCH: ___check_obj_id(L['o'], 2), type=<class 'm.Key'>\nEQUALS_MATCH: L['n'] == 'b'\n",
         "0/0: ___check_obj_id(o, 1)", .expected = ""}, /* n recompiles anyway */
        {"GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 1), type=<class 'm.E'>\n",
         "GuardManager: source=L['f'], type=<enum 'E'>\nID_MATCH: ___check_obj_id(L['f'], 2), type=<class 'm.E'>\n",
         "0/0: ___check_obj_id(f, 1)",
         .expected = "identity: `f` was 2 different members of an enum, which Dynamo treats as constants: one version "
                     "for each is expected. [recompile_reasons of 0/1]\n"},
        {"ID_MATCH: ___check_obj_id(L['f'].__code__, 1), type=<class 'code'>\n",
         "ID_MATCH: ___check_obj_id(L['f'].__code__, 2), type=<class 'code'>\n", "0/0: ___check_obj_id(f.__code__, 1)",
         .expected = "identity: `f` was 2 different functions, which Dynamo treats as constants: one version for each "
                     "is expected. [recompile_reasons of 0/1]\n"},
        {"ID_MATCH: ___check_obj_id(L['o'], 1), type=<class 'm.Key'>\n",
         "ID_MATCH: ___check_obj_id(L['o'], 2), type=<class 'm.Key'>\n",
         "0/0: Cache line invalidated because L['o'] got deallocated",
         .expected = "other: Create `o` once and keep it: PyTorch drops a version when the object that it was compiled "
                     "for is deallocated, and the next call, with another object, compiles again. "
                     "[recompile_reasons of 0/1]\n"},
        {"EQUALS_MATCH: L['self'].param_groups[0]['lr'] == 0.1\n", "EQUALS_MATCH: L['n'] == 2\n",
         "0/0: self.param_groups[0]['lr'] == 0.1",
         .expected = "float: Create the optimizer with a tensor as learning rate (`lr=torch.tensor(…)`): "
                     "`self.param_groups[0]['lr']` is a float, which Dynamo treats as a constant. "
                     "[recompile_reasons of 0/1]\n"},
    };
    (void)state;
    check(pairs, sizeof pairs / sizeof *pairs, note_advice);
}

/* The limit is that of the compile that hit it, and only mentioned if it is logged. */
static void reports_the_limit(void **state) {
    static const struct {
        const char *metrics, *expected;
    } cases[] = {
        {"\"fail_type\": \"RecompileLimitExceeded\", \"dynamo_config\": \"{\\\"recompile_limit\\\": 3}\"",
         "limit: 0/1 reached the recompile limit (`torch._dynamo.config.recompile_limit = 3`): a call that fits no "
         "version now runs eagerly. Remove the cause of the recompiles before raising the limit. "
         "[compilation_metrics of 0/1, compilation_metrics of 0/1]\n"},
        {"\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"recompile_limit\"",
         "limit: 0/1 reached the recompile limit: a call that fits no version now raises an error. "
         "Remove the cause of the recompiles before raising the limit. [compilation_metrics of 0/1]\n"},
        {"\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"Hard failure due to fullgraph=True\"",
         "limit: 0/1 reached the recompile limit: a call that fits no version now raises an error (`fullgraph=True`). "
         "Remove the cause of the recompiles before raising the limit. [compilation_metrics of 0/1]\n"},
        {"\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"Hard failure due to "
         "fail_on_recompile_limit_hit\"",
         "limit: 0/1 reached the recompile limit: a call that fits no version now raises an error "
         "(`torch._dynamo.config.fail_on_recompile_limit_hit`). "
         "Remove the cause of the recompiles before raising the limit. [compilation_metrics of 0/1]\n"},
        {"\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded, exceeding the "
         "accumulated_recompile_limit cache size limit\", \"dynamo_config\": "
         "\"{\\\"recompile_limit\\\": 3, \\\"accumulated_recompile_limit\\\": 5}\"",
         "limit: 0/1 reached the recompile limit (`torch._dynamo.config.accumulated_recompile_limit = 5`): a call that "
         "fits no version now runs eagerly. Remove the cause of the recompiles before raising the limit. "
         "[compilation_metrics of 0/1, compilation_metrics of 0/1]\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        log_metrics(&log, 0, 0, "");
        log_metrics(&log, 0, 1, cases[i].metrics);
        look_at(&log, note_advice);
        assert_buf(&seen, cases[i].expected);
    }
}

static void note_sentence(const struct model *model) {
    note_step(model);
    seen.len = 0;
    chain_add_why(&seen, model, &chains.list.items[0]);
    buf_add(&seen, chain_is_expected(&chains.list.items[0]) ? SLICE(" [expected] ") : SLICE(" | "));
    const struct advice *advice = chain_advice(&chains.list.items[0]);
    if (!advice)
        return;
    buf_add(&seen, advice->text);
    buf_add_lit(&seen, " by ");
    advice_add_evidence(&seen, model, advice);
}

/* 0/2 differs from 0/1 and from 0/0 in one value each. */
static void names_versions_that_are_as_near(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "");
    log_guards(&log, 0, "EQUALS_MATCH: L['n'] == 1\nEQUALS_MATCH: L['m'] == 1\n");
    log_reason(&log, 1, "0/0: n == 1");
    log_guards(&log, 1, "EQUALS_MATCH: L['n'] == 2\nEQUALS_MATCH: L['m'] == 2\n");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json", "[\"0/1: m == 2\", \"0/0: n == 1\"]");
    log_guards(&log, 2, "EQUALS_MATCH: L['n'] == 2\nEQUALS_MATCH: L['m'] == 1\n");
    look_at(&log, note_sentence);
    assert_buf(&seen,
               "`m` changed 2 → 1 (1 of 2 recompiles; it also changed in 1 other); for 0/2, 0/0 is equally near, "
               "where `n` differs: 1 → 2; `n` changed 1 → 2, with `m` 1 → 2 (1 of 2 recompiles). | Dynamo treats "
               "`m` as a constant here: one version for each value is expected. by recompile_reasons of 0/2");
}

/* 0/3 failed, so it has no guards: the reasons alone say what differs, and a tensor of another rank is another call. */
static void names_reasons_that_are_as_near(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "");
    log_guards(&log, 0, "EQUALS_MATCH: L['n'] == 1\n");
    log_reason(&log, 1, "0/0: n == 1");
    log_guards(&log, 1, "EQUALS_MATCH: L['n'] == 2\n");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json", "[\"0/1: n == 2\", \"0/0: n == 1\"]");
    log_guards(&log, 2, "EQUALS_MATCH: L['n'] == 3\n");
    log_artifact_of(&log, 0, 3, "recompile_reasons", "json",
                    "[\"0/2: tensor 'x' rank mismatch. expected 1, actual 2\", "
                    "\"0/1: not ___dict_contains('mask', batch)\", \"0/0: KeyError on batch['label']\"]");
    log_metrics(&log, 0, 3, "\"fail_type\": \"E\", \"fail_reason\": \"no\"");
    look_at(&log, note_sentence);
    assert_buf(&seen,
               "`n` changed 1 → 2 → 3 (2 of 3 recompiles); `'mask' in batch` changed False → True (1 of 3 "
               "recompiles); for 0/3, 0/0 is equally near, where `'label' in batch` differs: True → False. 0/3 did not "
               "compile. | Dynamo treats `n` as a constant here: one version for each value is expected. by "
               "recompile_reasons of 0/1, 0/2");
}

/* Each of ten recompiles has its own cause, or a long one. */
static void says_as_many_causes_as_fit(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct buf log = {0};
        for (int compile = 0; compile <= 10; compile++) {
            struct buf guards = {0};
            for (int name = 1; name <= 10; name++)
                buf_addf(
                    &guards, "EQUALS_MATCH: L['%s%d'] == %d\n",
                    wide ? "the_length_of_this_name_is_more_than_a_hundred_characters_and_so_four_of_them_do_not_fit_"
                           "in_the_sentence_that_says_why_"
                         : "n",
                    name, name <= compile);
            buf_add_byte(&guards, 0);
            log_guards(&log, compile, guards.ptr);
            log_metrics(&log, 0, compile, "");
            buf_free(&guards);
        }
        look_at(&log, note_sentence);
        if (slice_find(buf_slice(&seen), wide ? SLICE("; 3 more causes.") : SLICE("; 2 more causes.")) == SIZE_MAX)
            fail_msg("%.*s", (int)seen.len, seen.ptr);
    }
}

/* The wording of a finding: what changed, and advice only with evidence. */
static void describes_it_in_a_sentence(void **state) {
    static const struct pair pairs[] = {
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 2\n", "0/0: n == 1",
         .expected = "`n` changed 1 → 2. | Dynamo treats `n` as a constant here: one version for each value is "
                     "expected. by recompile_reasons of 0/1"},
        {"EQUALS_MATCH: L['n'] == 1\n", NULL, "0/0: n == 1", .expected = "`n` changed. | "},
        {"LAMBDA_GUARD: 6 <= L['x'].size()[0]\n", "EQUALS_MATCH: L['n'] == 2\n", "0/0: 6 <= x.size()[0]",
         "L['x'].size()[0]", "3",
         .expected =
             "`6 <= x.size()[0]` failed: x.size()[0] = 3. | The code, or an operator, depends on `6 <= x.size()[0]`: "
             "one version for calls where it holds and one for others are expected. by recompile_reasons of 0/1"},
        {"TRUE_MATCH: L['self'].training == True\n", "FALSE_MATCH: L['self'].training == False\n",
         "0/0: self.training == True",
         .expected = "`self.training` changed True → False. [expected] One version for training and one for "
                     "evaluation are expected. by recompile_reasons of 0/1"},
        {"EQUALS_MATCH: L['n'] == 1\n", "EQUALS_MATCH: L['n'] == 1\n", .expected = "The log does not say why. | "},
        {"NEW: a\n", "NEW: b\n", "0/0: something new", .expected = "`something new` failed. | "},
    };
    (void)state;
    check(pairs, sizeof pairs / sizeof *pairs, note_sentence);
}

/* Arbitrary conditions: too large, too deep, unterminated, division by zero. */
static void survives_conditions(void **state) {
    static const char *const conditions[] = {"L['x'].size()[0] % 0 == 0",
                                             "99999999999999999999 == 1",
                                             "2147483647*2147483647*2147483647 == 1",
                                             "((((((((((((((((((((((((((((((((((((1)))) == 1",
                                             "------------------------------------------1 == 1",
                                             "L['x == 1",
                                             "1 == 1 == ",
                                             " == ",
                                             "2**999 == 1",
                                             "L['x'].size()[0].size()[0] == 1"};
    (void)state;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        struct buf log = {0}, tree = {0};
        log_metrics(&log, 0, 0, "");
        buf_addf(&tree, "EQUALS_MATCH: L['n'] == 1\nLAMBDA_GUARD: %s\n", conditions[i]);
        buf_add_byte(&tree, 0);
        log_guards(&log, 0, tree.ptr);
        log_guards(&log, 1, TENSOR("CPU", "float32", "False", "5", "1"));
        log_metrics(&log, 0, 1, "");
        look_at(&log, note_step);
        assert_buf(&seen, "0/0:");
        buf_free(&tree);
    }
}

static int end(void **state) {
    chains_finish(&chains);
    buf_free(&seen);
    return remove_scratch(state);
}

/* A log may name its functions as labels end: "A.f (" has no class in parentheses. */
static void finds_parts_of_any_name(void **state) {
    (void)state;
    struct changed own = {.source = SLICE_INIT("G['x'].n")};
    struct compile compiles[3] = {0};
    struct compile *all[3];
    char *labels[3]; /* each by itself, for the address sanitizer */
    for (size_t i = 0; i < 3; i++) {
        labels[i] = mem_printf("A.f (");
        compiles[i].label = slice_str(labels[i]);
        compiles[i].frame = (struct place){.file = SLICE_INIT("a.py"), .function = SLICE_INIT("f (")};
        all[i] = &compiles[i];
    }
    compiles[1].changed.items = &own;
    compiles[1].changed.count = 1;
    struct model model = {.compiles = {.items = all, .count = 3}};
    struct step step = {.compile = 2, .nearest = 0};
    uint32_t version = 0;
    assert_ptr_equal(step_changed(&model, &step, SLICE("G['x'].n"), &version), &own);
    assert_int_equal(version, 1);
    assert_null(step_changed(&model, &step, SLICE("G['y'].n"), &version));
    for (size_t i = 0; i < 3; i++)
        mem_free(labels[i]);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_changed),
                                              cmocka_unit_test(finds_the_nearest),
                                              cmocka_unit_test(says_as_many_causes_as_fit),
                                              cmocka_unit_test(finds_the_same_kind_of_call),
                                              cmocka_unit_test(believes_the_reason),
                                              cmocka_unit_test(names_versions_that_are_as_near),
                                              cmocka_unit_test(names_reasons_that_are_as_near),
                                              cmocka_unit_test(compares_the_object_first),
                                              cmocka_unit_test(counts_a_size_once),
                                              cmocka_unit_test(advises_on_evidence),
                                              cmocka_unit_test(reports_the_limit),
                                              cmocka_unit_test(describes_it_in_a_sentence),
                                              cmocka_unit_test(survives_conditions),
                                              cmocka_unit_test(finds_parts_of_any_name)};
    return cmocka_run_group_tests(tests, make_scratch, end);
}
