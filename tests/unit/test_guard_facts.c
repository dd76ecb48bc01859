/* scan/guard_facts: the facts that a tree of guards states. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/guard_facts.h"
#include "scan/guard_text.h"
#include "scan/guard_tree.h"

/* "v L['n']=1", "s0 L['x']=None": one line each. */
static void say_facts(struct buf *out, struct buf *packed, uint32_t count) {
    struct slice rest = buf_slice(packed), key, value;
    uint32_t seen = 0;
    for (; guard_facts_next(&rest, &key, &value); seen++) {
        struct guard_fact fact = guard_key_read(key);
        buf_addf(out, "%c%.*s %.*s=%.*s\n", (int)fact.aspect, SLICE_ARG(fact.detail), SLICE_ARG(fact.source),
                 SLICE_ARG(value));
    }
    assert_int_equal(seen, count);
    buf_free(packed);
}

static uint32_t add_facts(struct buf *packed, struct slice tree) {
    struct guard_facts facts = {.out = packed};
    struct guard_notes notes = {0};
    guard_tree_read(tree, NULL, &notes, &facts);
    guard_notes_free(&notes);
    return facts.count;
}

static void counts_of(struct buf *out, const char *tree) {
    struct buf packed = {0};
    uint32_t count = add_facts(&packed, slice_str(tree));
    say_facts(out, &packed, count);
}

/* dynamo_guards, as logged by versions without a guard tree. */
static void reads_lists(void **state) {
    static const struct {
        const char *list, *facts;
    } cases[] = {
        {"[{\"code\": \"hasattr(L['x'], '_dynamo_dynamic_indices') == False\", \"stack\": []}, {\"code\": "
         "\"___check_type_id(L['o'], 7)\"}, {\"code\": \"___check_obj_id(L['f'], 8)\"}]",
         "m_dynamo_dynamic_indices L['x']=\nc L['o']=7 \no L['f']=8 \n"},
        {"[{\"code\": \"L['n'] == 2\"}, {\"code\": \"L['b'] is None\"}, {\"code\": \"len(L['xs']) == 3\"}, {\"code\": "
         "\"not L['kwargs']\"}, {\"code\": \"utils_device.CURRENT_DEVICE == None\"}]",
         "v L['n']=2\nv L['b']=None\nl L['xs']=3\nl L['kwargs']=0\nv utils_device.CURRENT_DEVICE=None\n"},
        {"[{\"code\": \"check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[None], stride=[1])\"}, {\"code\": \"L['x'] is L['y']\"}, {\"code\": "
         "\"check_no_aliasing(L['x'], L['z'])\"}]",
         "d L['x']=CPU\ny L['x']=torch.float32\ne L['x']=None\ng L['x']=False\ns0 L['x']=None\nr L['x']=1\nw0 "
         "L['x']=1\nAL['y'] L['x']=True\nN L['x']=True\nN L['z']=True\n"},
        {"[{\"code\": \"2 <= L['x'].size()[0]\"}, {\"code\": \"___check_global_state()\"}, {\"code\": \"not "
         "___dict_contains('a', L['d'])\"}, {\"code\": 3}, 4, null, {\"code\": \"\"}]",
         "R 2 <= L['x'].size()[0]=\nk'a' L['d']=False\n"},
        {"[]", ""},
        {"{\"code\": \"L['n'] == 2\"}", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct buf packed = {0}, seen = {0};
        struct slice text = slice_str(cases[i].list);
        yyjson_val *json = NULL;
        assert_int_not_equal(json_read(&text, JSON_NUMBERS, &arena, &json), JSON_BAD);
        uint32_t count = guard_facts_add_list(&packed, json);
        say_facts(&seen, &packed, count);
        assert_buf(&seen, cases[i].facts);
        buf_free(&seen);
        arena_free(&arena);
    }
}

static void reads_guards(void **state) {
    static const struct {
        const char *line, *facts;
    } cases[] = {
        {"EQUALS_MATCH: L['n'] == 1      # return x + n  # a.py:11 in f", "v L['n']=1\n"},
        {"EQUALS_MATCH: L['s'] == 'a == b  # c'   # return s  # a.py:11 in f", "v L['s']='a == b  # c'\n"},
        {"EQUALS_MATCH: list(dict.keys(L['d']))[0] == 'a'", "v list(dict.keys(L['d']))[0]='a'\n"},
        {"CONSTANT_MATCH: L['n'] == 2.5", "v L['n']=2.5\n"},
        {"TRUE_MATCH: L['self']._modules['drop'].training == True", "v L['self']._modules['drop'].training=True\n"},
        {"NONE_MATCH: L['bias'] is None     # x", "v L['bias']=None\n"},
        {"NOT_NONE: L['p'].grad is not None", ""},
        {"LENGTH_CHECK: len(L['xs']) == 3   # for x in xs", "l L['xs']=3\n"},
        {"LENGTH_CHECK: not L['xs'][1]", "l L['xs'][1]=0\n"},
        {"DICT_LENGTH: len(L['kwargs']) == 2", "l L['kwargs']=2\n"},
        {"TYPE_MATCH: ___check_type_id(L['o'], 946), type=<class '__main__.A'>  # x (HINT: type A)",
         "c L['o']=946 __main__.A\n"},
        {"TYPE_MATCH: ___check_type_id(L['o'], 946)", "c L['o']=946 \n"},
        {"ID_MATCH: ___check_obj_id(L['fn'].__code__, 1396), type=<class 'code'>", "o L['fn'].__code__=1396 code\n"},
        {"OBJECT_ALIASING: L['x'] is L['xs'][0]   # return x", "AL['xs'][0] L['x']=True\n"},
        {"OBJECT_ALIASING", ""},
        {"NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['d']['a, b'])", "N L['x']=True\nN L['d']['a, b']=True\n"},
        {"NO_TENSOR_ALIASING", ""},
        {"NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y", ""},
        {"ID_MATCH: ___check_obj_id(L['d']['a, b'], 1)", "o L['d']['a, b']=1 \n"},
        {"DICT_CONTAINS: not ___dict_contains('bias', L['opts'])  # x", "k'bias' L['opts']=False\n"},
        {"DICT_CONTAINS: ___dict_contains('a, b', L['opts'])", "k'a, b' L['opts']=True\n"},
        {"SET_CONTAINS: not set.__contains__(L['s'], 'a')", "k'a' L['s']=False\n"},
        {"NO_HASATTR: not hasattr(L['x'], 'jax')", "a'jax' L['x']=False\n"},
        {"DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None", "v utils_device.CURRENT_DEVICE=None\n"},
        {"DIMENSION_DYNAMIC_MARKING_GUARD: hasattr(L['x'], '_dynamo_dynamic_indices') == False",
         "m_dynamo_dynamic_indices L['x']=\n"},
        {"DIMENSION_DYNAMIC_MARKING_GUARD: ((getattr(L['x'], '_dynamo_dynamic_indices', set()).issubset({0})) if "
         "hasattr(L['x'], '_dynamo_dynamic_indices') else True)",
         "m_dynamo_dynamic_indices L['x']={0}\n"},
        {"DIMENSION_DYNAMIC_MARKING_GUARD: ((getattr(L['x'], '_dynamo_dynamic_indices', set()).issubset(set())) if "
         "hasattr(L['x'], '_dynamo_dynamic_indices') else True)",
         "m_dynamo_dynamic_indices L['x']=\n"},
        {"GLOBAL_STATE: ___check_global_state() against {\"grad_mode\":true,\"default_dtype\":7,\"num_threads\":2,"
         "\"autocast_state\":{\"cached_enabled\":true,\"enabled\":[true,false,false],\"dtype\":[15]}}",
         "G grad_mode=True\nG default_dtype=torch.float64\nG num_threads=2\nG autocast(cpu)_enabled=True\nG "
         "autocast(cuda)_enabled=False\nG autocast(device 2)_enabled=False\nG autocast(cpu)_dtype=torch.bfloat16\nG "
         "autocast_cache_enabled=True\n"},
        {"GLOBAL_STATE: f() against {\"deterministic_algorithms_warn_only\":true,\"cuda_matmul_precision\":2,"
         "\"new_precision\":9}",
         "G deterministic_algorithms_warn_only=True\nG cuda_matmul_precision=tf32\nG new_precision=9\n"},
        {"GLOBAL_STATE: ___check_global_state()", ""},
        {"LAMBDA_GUARD: 2 <= L['x'].size()[0] <= 16  # if", "R 2 <= L['x'].size()[0] <= 16=\n"},
        {"LAMBDA_GUARD: (L['x'].size()[0] % 8) == 0", "R (L['x'].size()[0] % 8) == 0=\n"},
        {"LAMBDA_GUARD: L['y'].size()[1] == L['x'].size()[1]  # duck sizing",
         "R L['y'].size()[1] == L['x'].size()[1]=\nE L['y'].size()[1]=L['x'].size()[1]\nE "
         "L['x'].size()[1]=L['y'].size()[1]\n"},
        {"SYMBOLIC_SHAPE_GUARD: L['x'].size()[0] == 4 and 2 <= L['y'].size()[0]",
         "R L['x'].size()[0] == 4=\nE L['x'].size()[0]=4\nR 2 <= L['y'].size()[0]=\n"},
        {"LAMBDA_GUARD: not math.isnan(L['y'])", ""},
        {"TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU, AutogradCPU), torch.float32, device=None, "
         "requires_grad=False, size=[None, 16], stride=[16, 1])  # x",
         "d L['x']=CPU, AutogradCPU\ny L['x']=torch.float32\ne L['x']=None\ng L['x']=False\ns0 L['x']=None\ns1 "
         "L['x']=16\nr L['x']=2\nw0 L['x']=16\nw1 L['x']=1\n"},
        {"TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=0, requires_grad=True, "
         "size=[], stride=[])",
         "d L['x']=CPU\ny L['x']=torch.float32\ne L['x']=0\ng L['x']=True\nr L['x']=0\n"},
        {"NEW_KIND: L['n'] == 1", ""},
        {"TENSOR_MATCH: check_tensor(", ""},
        {"TENSOR_MATCH", ""},
        {"EQUALS_MATCH: L['s'] == 'no end", "v L['s']='no end\n"},
        {"ID_MATCH: ___check_obj_id(", ""},
        {"LENGTH_CHECK: len(", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf tree = {0}, facts = {0};
        buf_addf(&tree, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- %s\n", cases[i].line);
        buf_add_byte(&tree, 0);
        counts_of(&facts, tree.ptr);
        if (!slice_is(buf_slice(&facts), cases[i].facts))
            fail_msg("%s:\n%.*s", cases[i].line, (int)facts.len, facts.ptr ? facts.ptr : "");
        buf_free(&tree);
        buf_free(&facts);
    }
}

/* Classes of values, and how many items of a dict have guards. */
static void reads_managers(void **state) {
    struct buf facts = {0};
    (void)state;
    counts_of(&facts,
              "+- RootGuardManager\n"
              "| +- DictGuardManager: source=L['d'], accessed_by=X, type=<class 'dict'>, tag_safe=(False, False)\n"
              "| | +- KeyValueManager pair at index=0\n"
              "| | | +- KeyManager: GuardManager: source=list(dict.keys(L['d']))[0], type=<class 'str'>\n"
              "| | +- KeyValueManager pair at index=1\n"
              "| | | +- ValueManager: GuardManager: source=L['d']['b'], type=<class 'int'>\n"
              "| +- GuardManager: source=L['x'], accessed_by=X, type=<class 'torch.Tensor'>, tag_safe=(False)\n");
    assert_buf(&facts, "t L['d']=dict\nt list(dict.keys(L['d']))[0]=str\nt L['d']['b']=int\np L['d']=2\n"
                       "t L['x']=torch.Tensor\n");
    buf_free(&facts);
}

/* The managers of f and of its defaults have one source, and so do those of an object and of what hasattr() found. */
static void keeps_attributes_apart_from_the_object(void **state) {
    struct buf facts = {0};
    (void)state;
    counts_of(
        &facts,
        "+- RootGuardManager\n"
        "| +- GuardManager: source=L['cache'], accessed_by=FrameLocalsGuardAccessor(key='cache', framelocals_idx=2), "
        "type=<class 'a.Cache'>, tag_safe=(False, False)\n"
        "| | +- TYPE_MATCH: ___check_type_id(L['cache'], 94), type=<class 'a.Cache'>\n"
        "| | +- GuardManager: source=L['cache'], accessed_by=GetAttrGuardAccessor(is_compileable), "
        "type=<class 'bool'>, tag_safe=(False, False)\n"
        "| | +- GuardManager: source=L['cache'].__dict__, accessed_by=GetGenericDictGuardAccessor, "
        "type=<class 'dict'>, tag_safe=(False, False)\n"
        "| +- GuardManager: source=L['cache'], accessed_by=X, type=<class 'a.Cache'>, tag_safe=(False, False)\n");
    assert_buf(&facts, "t L['cache']=a.Cache\nc L['cache']=94 a.Cache\nt L['cache'].__dict__=dict\n"
                       "t L['cache']=a.Cache\n");
    buf_free(&facts);
    counts_of(&facts,
              "+- RootGuardManager\n"
              "| +- GuardManager: source=L['f'], accessed_by=FrameLocalsGuardAccessor(key='f', framelocals_idx=1), "
              "type=<class 'function'>, tag_safe=(False, False)\n"
              "| | +- GuardManager: source=L['f'], accessed_by=FuncDefaultsGuardAccessor, type=<class 'tuple'>, "
              "tag_safe=(False, False)\n"
              "| | | +- GuardManager: source=L['f'].__defaults__[0], accessed_by=GetItemGuardAccessor(0), "
              "type=<class 'float'>, tag_safe=(False, False)\n"
              "| | | | +- EQUALS_MATCH: L['f'].__defaults__[0] == 2.0\n");
    assert_buf(&facts, "t L['f']=function\nt L['f'].__defaults__[0]=float\nv L['f'].__defaults__[0]=2.0\n");
    buf_free(&facts);
}

static void bounds_facts(void **state) {
    struct buf tree = {0}, packed = {0};
    (void)state;
    for (uint32_t i = 0; i < GUARD_FACTS_MAX + 100; i++)
        buf_addf(&tree, "+- EQUALS_MATCH: L['n%u'] == 1\n", i);
    assert_int_equal(add_facts(&packed, buf_slice(&tree)), GUARD_FACTS_MAX);
    tree.len = packed.len = 0;
    buf_add_lit(&tree, "+- EQUALS_MATCH: L['s'] == '");
    for (int i = 0; i <= GUARD_FACT_TEXT_MAX; i++)
        buf_add_byte(&tree, 'a');
    buf_add_lit(&tree, "'\n");
    assert_int_equal(add_facts(&packed, buf_slice(&tree)), 0); /* an incomplete set of facts would compare wrongly */
    buf_free(&tree);
    buf_free(&packed);
}

static void spells_sources(void **state) {
    static const struct {
        const char *code, *plain, *readable;
    } cases[] = {
        {"L['x'].size()[0]", "x.size()[0]", "x.size()[0]"},
        {"L['self']._modules['drop'].training", "self._modules['drop'].training", "self.drop.training"},
        {"L['self']._modules['layers']._modules['0']._parameters['weight']",
         "self._modules['layers']._modules['0']._parameters['weight']", "self.layers[0].weight"},
        {"list(dict.keys(L['d']))[0]", "list(dict.keys(d))[0]", "list(d)[0]"},
        {"G['SCALE']", "G['SCALE']", "G['SCALE']"},
        {"L['a b']", "L['a b']", "L['a b']"},
        {"XL['a']", "XL['a']", "XL['a']"},
        {"L['", "L['", "L['"},
        {"x._modules['", "x._modules['", "x._modules['"},
        {"list(dict.keys(", "list(dict.keys(", "list(dict.keys("},
        {"", "", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf plain = {0}, readable = {0};
        guard_plain_add(&plain, slice_str(cases[i].code));
        guard_readable_add(&readable, slice_str(cases[i].code));
        assert_slice(buf_slice(&plain), cases[i].plain);
        assert_slice(buf_slice(&readable), cases[i].readable);
        buf_free(&plain);
        buf_free(&readable);
    }
}

/* Text with an open quote is not code: it yields no facts, and is not searched repeatedly to its end. */
static void leaves_out_open_quotes(void **state) {
    (void)state;
    struct buf tree = {0}, facts = {0};
    buf_add_lit(&tree, "+- RootGuardManager\n| +- LAMBDA_GUARD: L['x'] == 1 and ");
    for (int i = 0; i < 100000; i++)
        buf_add_lit(&tree, "\\' and L[0] == 1 and ");
    buf_add_lit(&tree, "\n| +- EQUALS_MATCH: L['n'] == 1\n");
    assert_int_equal(add_facts(&facts, buf_slice(&tree)), 1);
    assert_int_equal(guard_code_find(SLICE("'a \\' == b"), SLICE(" == ")), 5);
    buf_free(&tree);
    buf_free(&facts);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(reads_guards),
                                              cmocka_unit_test(reads_lists),
                                              cmocka_unit_test(reads_managers),
                                              cmocka_unit_test(keeps_attributes_apart_from_the_object),
                                              cmocka_unit_test(bounds_facts),
                                              cmocka_unit_test(spells_sources),
                                              cmocka_unit_test(leaves_out_open_quotes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
