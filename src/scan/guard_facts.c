#include "scan/guard_facts.h"

#include "scan/guard_text.h"

enum { KEY_SEPARATOR = '\x1f', DIMENSIONS_MAX = 64 };

/* Whether every quoted text is closed. PyTorch does not write code with unclosed quotes, and every search in such a
 * text would scan it to its end. */
static bool is_closed(struct slice code) {
    for (size_t i = 0; i < code.len; i++)
        if (code.ptr[i] == '\'' || code.ptr[i] == '"') {
            size_t end = guard_quotes_end(code, i);
            if (!end)
                return false;
            i = end - 1;
        }
    return true;
}

void guard_key_add(struct buf *out, enum guard_aspect aspect, struct slice detail, struct slice source) {
    buf_add_byte(out, (char)aspect);
    buf_add(out, detail);
    buf_add_byte(out, KEY_SEPARATOR);
    buf_add(out, source);
}

struct guard_fact guard_key_read(struct slice key) {
    struct guard_fact fact = {0};
    size_t end = slice_find(key, SLICE("\x1f"));
    if (!key.len || end == SIZE_MAX)
        return fact;
    fact.aspect = (enum guard_aspect)key.ptr[0];
    fact.detail = slice_make(key.ptr + 1, end - 1);
    fact.source = slice_from(key, end + 1);
    return fact;
}

static void add(struct guard_facts *facts, enum guard_aspect aspect, struct slice detail, struct slice source,
                struct slice value) {
    uint32_t lengths[2] = {(uint32_t)(detail.len + source.len + 2), (uint32_t)value.len};
    if (detail.len + source.len > GUARD_FACT_TEXT_MAX || value.len > GUARD_FACT_TEXT_MAX ||
        memchr(detail.len ? detail.ptr : "", KEY_SEPARATOR, detail.len) || facts->count == GUARD_FACTS_MAX)
        return;
    facts->count++;
    buf_add(facts->out, slice_make((const char *)lengths, sizeof lengths));
    guard_key_add(facts->out, aspect, detail, source);
    buf_add(facts->out, value);
}

bool guard_facts_next(struct slice *packed, struct slice *key, struct slice *value) {
    uint32_t lengths[2];
    if (packed->len < sizeof lengths)
        return false;
    memcpy(lengths, packed->ptr, sizeof lengths);
    *key = slice_make(packed->ptr + sizeof lengths, lengths[0]);
    *value = slice_make(key->ptr + lengths[0], lengths[1]);
    *packed = slice_from(*packed, sizeof lengths + lengths[0] + lengths[1]);
    return true;
}

/* "[None, 16]": adds a fact for each item. Returns their number, or -1. */
static int add_list(struct guard_facts *facts, enum guard_aspect aspect, struct slice source, struct slice items) {
    int count = 0;
    while (slice_trim(items).len && count < DIMENSIONS_MAX) {
        size_t comma = slice_find(items, SLICE(","));
        struct slice item = slice_trim(slice_first(items, comma));
        AUTO_BUF dimension = {0};
        buf_add_u64(&dimension, (uint64_t)count++);
        add(facts, aspect, buf_slice(&dimension), source, item);
        items = comma != SIZE_MAX ? slice_from(items, comma + 1) : (struct slice){0};
    }
    return slice_trim(items).len ? -1 : count;
}

/* check_tensor(L['x'], Tensor, DispatchKeySet(CPU, …), torch.float32, device=None, requires_grad=False, size=[3], stride=[1]) */
static void add_tensor(struct guard_facts *facts, struct slice code) {
    struct slice none = {0};
    size_t keys = guard_code_find(code, SLICE(", DispatchKeySet("));
    if (!slice_starts(code, SLICE("check_tensor(")) || keys == SIZE_MAX)
        return;
    struct slice head = slice_from(slice_first(code, keys), SLICE("check_tensor(").len), rest = slice_from(code, keys);
    size_t comma = head.len;
    while (comma > 1 && !(head.ptr[comma - 1] == ' ' && head.ptr[comma - 2] == ','))
        comma--;
    if (comma <= 1)
        return;
    struct slice source = slice_first(head, comma - 2),
                 keyset = text_between(rest, SLICE("DispatchKeySet("), SLICE(")"));
    struct slice dtype = text_between(rest, SLICE("), "), SLICE(", device=")),
                 device = text_between(rest, SLICE(", device="), SLICE(", requires_grad=")),
                 grad = text_between(rest, SLICE(", requires_grad="), SLICE(", size=[")),
                 sizes = text_between(rest, SLICE(", size=["), SLICE("]")),
                 strides = text_between(rest, SLICE(", stride=["), SLICE("]"));
    add(facts, ASPECT_KEYSET, none, source, keyset);
    if (dtype.len)
        add(facts, ASPECT_DTYPE, none, source, dtype);
    if (device.len)
        add(facts, ASPECT_DEVICE, none, source, device);
    if (grad.len)
        add(facts, ASPECT_GRAD, none, source, grad);
    if (sizes.ptr) {
        int count = add_list(facts, ASPECT_SIZE, source, sizes);
        AUTO_BUF rank = {0};
        buf_add_i64(&rank, count);
        if (count >= 0)
            add(facts, ASPECT_RANK, none, source, buf_slice(&rank));
    }
    if (strides.ptr)
        add_list(facts, ASPECT_STRIDE, source, strides);
}

/* "L['n'] == 1", "L['bias'] is None" */
static void add_value(struct guard_facts *facts, struct slice code) {
    static const struct slice operators[] = {SLICE_INIT(" == "), SLICE_INIT(" is ")};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t at = guard_code_find(code, operators[i]);
        if (at == SIZE_MAX)
            continue;
        struct slice value = slice_trim(slice_from(code, at + operators[i].len));
        if (value.len && !slice_starts(value, SLICE("not ")))
            add(facts, ASPECT_VALUE, (struct slice){0}, slice_trim(slice_first(code, at)), value);
        return;
    }
}

/* "len(L['xs']) == 3", "not L['kwargs']" */
static void add_length(struct guard_facts *facts, struct slice code) {
    struct slice source, value = SLICE("0");
    if (slice_starts(code, SLICE("not "))) {
        source = slice_from(code, SLICE("not ").len);
    } else {
        size_t at = guard_code_find(code, SLICE(") == "));
        if (!slice_starts(code, SLICE("len(")) || at == SIZE_MAX)
            return;
        source = slice_from(slice_first(code, at), SLICE("len(").len);
        value = slice_trim(slice_from(code, at + SLICE(") == ").len));
    }
    add(facts, ASPECT_LENGTH, (struct slice){0}, slice_trim(source), value);
}

/* "___check_obj_id(L['fn'].__code__, 1396), type=<class 'code'>" */
static void add_identity(struct guard_facts *facts, enum guard_aspect aspect, struct slice code) {
    size_t open = slice_find(code, SLICE("(")), type = guard_code_find(code, SLICE("), type="));
    struct slice call = slice_first(code, type), name = {0};
    if (type == SIZE_MAX && slice_ends(code, SLICE(")")))
        call = slice_first(code, code.len - 1);
    if (open == SIZE_MAX || open + 1 >= call.len)
        return;
    call = slice_from(call, open + 1);
    size_t comma = slice_rfind_byte(call, ',');
    if (comma == SIZE_MAX)
        return;
    if (type != SIZE_MAX)
        name = guard_class_name(slice_trim(slice_from(code, type + SLICE("), type=").len)));
    AUTO_BUF value = {0};
    BUF_ADD(&value, slice_trim(slice_from(call, comma + 1)), " ", name);
    add(facts, aspect, (struct slice){0}, slice_trim(slice_first(call, comma)), buf_slice(&value));
}

/* "[not ]___dict_contains('bias', L['opts'])", "[not ]hasattr(L['x'], 'jax')": the container is one of the arguments.
 */
static void add_member(struct guard_facts *facts, enum guard_aspect aspect, struct slice code, bool container_first) {
    bool absent = slice_starts(code, SLICE("not "));
    size_t open = slice_find(code, SLICE("("));
    if (open == SIZE_MAX || !slice_ends(code, SLICE(")")))
        return;
    struct slice inner = slice_from(slice_first(code, code.len - 1), open + 1);
    size_t comma = guard_code_find(inner, SLICE(", "));
    if (comma == SIZE_MAX)
        return;
    struct slice first = slice_first(inner, comma), second = slice_from(inner, comma + 2);
    add(facts, aspect, container_first ? second : first, container_first ? first : second,
        absent ? SLICE("False") : SLICE("True"));
}

/* "hasattr(L['x'], '_dynamo_dynamic_indices') == False": not marked; "((getattr(L['x'], '_dynamo_dynamic_indices',
 * set()).issubset({0})) if …": marked with these dimensions at most. */
static void add_mark(struct guard_facts *facts, struct slice code) {
    bool unmarked = slice_starts(code, SLICE("hasattr(")) && slice_ends(code, SLICE(" == False"));
    struct slice set = unmarked ? SLICE("") : text_between(code, SLICE(".issubset("), SLICE(")"));
    size_t at = unmarked ? 0 : slice_find(code, SLICE("getattr("));
    if (!set.ptr || at == SIZE_MAX)
        return;
    if (slice_is(set, "set(")) /* set(): no dimension is marked */
        set = SLICE("");
    struct slice call = slice_from(code, at + SLICE("hasattr(").len);
    size_t comma = guard_code_find(call, SLICE(", '_dynamo_"));
    struct slice name = comma != SIZE_MAX ? slice_from(call, comma + 3) : (struct slice){0};
    size_t end = slice_find(name, SLICE("'"));
    if (end != SIZE_MAX)
        add(facts, ASPECT_MARK, slice_first(name, end), slice_first(call, comma), set);
}

/* Modes have the names that recompile reasons use. The numbers of dtypes come from c10::ScalarType; those of precisions
 * come from at::Float32Precision, with the names in torch.backends. */
static void add_mode(struct guard_facts *facts, struct slice name, yyjson_val *value) {
    static const char *const precisions[] = {"none", "ieee", "tf32"};
    static const struct {
        int number;
        const char *name;
    } dtypes[] = {{5, "torch.float16"}, {6, "torch.float32"}, {7, "torch.float64"}, {15, "torch.bfloat16"}};
    AUTO_BUF text = {0};
    if (slice_ends(name, SLICE("dtype")) && yyjson_is_int(value))
        for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
            if (yyjson_get_int(value) == dtypes[i].number)
                buf_add_str(&text, dtypes[i].name);
    if (slice_ends(name, SLICE("_precision")) && yyjson_is_uint(value) &&
        yyjson_get_uint(value) < sizeof precisions / sizeof *precisions)
        buf_add_str(&text, precisions[yyjson_get_uint(value)]);
    if (yyjson_is_bool(value))
        buf_add_str(&text, yyjson_get_bool(value) ? "True" : "False");
    else if (!text.len)
        json_add_value(&text, value);
    add(facts, ASPECT_GLOBAL, (struct slice){0}, name, buf_slice(&text));
}

/* PyTorch lists the devices of autocast in this order. Later ones have no name here. */
static void add_autocast(struct guard_facts *facts, yyjson_val *state) {
    static const char *const devices[] = {"cpu", "cuda"}, *const members[] = {"enabled", "dtype"};
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        yyjson_val *list = json_get(state, members[m]), *value;
        size_t i, max;
        yyjson_arr_foreach(list, i, max, value) {
            AUTO_BUF name = {0};
            if (i < sizeof devices / sizeof *devices)
                BUF_ADD(&name, "autocast(", devices[i], ")_", members[m]);
            else
                BUF_ADD(&name, "autocast(device ", (uint64_t)i, ")_", members[m]);
            add_mode(facts, buf_slice(&name), value);
        }
    }
    if (json_get(state, "cached_enabled"))
        add_mode(facts, SLICE("autocast_cache_enabled"), json_get(state, "cached_enabled"));
}

static void add_global_state(struct guard_facts *facts, struct slice code) {
    AUTO_ARENA arena = {0};
    yyjson_val *state = NULL, *key, *value;
    size_t at = slice_find(code, SLICE(" against {")), i, max;
    struct slice text = at != SIZE_MAX ? slice_from(code, at + SLICE(" against ").len) : (struct slice){0};
    if (text.len && json_read(&text, JSON_NUMBERS, &arena, &state) != JSON_BAD && yyjson_is_obj(state))
        yyjson_obj_foreach(state, i, max, key, value) {
            struct slice name = json_text(key);
            if (slice_is(name, "autocast_state"))
                add_autocast(facts, value);
            else
                add_mode(facts, name, value);
        }
}

/* Whether the text is a single size, stride or number: L['x'].size()[0]. */
static bool is_operand(struct slice text) {
    return text.len && (slice_starts(text, SLICE("L[")) || slice_starts(text, SLICE("G["))) &&
           guard_code_find(text, SLICE(" ")) == SIZE_MAX && guard_code_find(text, SLICE("*")) == SIZE_MAX &&
           guard_code_find(text, SLICE("+")) == SIZE_MAX && guard_code_find(text, SLICE("-")) == SIZE_MAX &&
           guard_code_find(text, SLICE("/")) == SIZE_MAX && guard_code_find(text, SLICE("%")) == SIZE_MAX;
}

static void add_relation(struct guard_facts *facts, struct slice code) {
    static const struct slice equal = SLICE_INIT(" == "), both = SLICE_INIT(" and ");
    struct slice none = {0};
    size_t at = guard_code_find(code, both);
    while (at != SIZE_MAX) {
        add_relation(facts, slice_trim(slice_first(code, at)));
        code = slice_trim(slice_from(code, at + both.len));
        at = guard_code_find(code, both);
    }
    if (guard_code_find(code, SLICE(" == ")) == SIZE_MAX && guard_code_find(code, SLICE(" != ")) == SIZE_MAX &&
        guard_code_find(code, SLICE(" < ")) == SIZE_MAX && guard_code_find(code, SLICE(" <= ")) == SIZE_MAX &&
        guard_code_find(code, SLICE(" > ")) == SIZE_MAX && guard_code_find(code, SLICE(" >= ")) == SIZE_MAX)
        return;
    add(facts, ASPECT_RELATION, none, code, none);
    at = guard_code_find(code, equal);
    struct slice left = slice_trim(slice_first(code, at)),
                 right = at == SIZE_MAX ? none : slice_trim(slice_from(code, at + equal.len));
    if (is_operand(left) && (is_operand(right) || is_integer(right)))
        add(facts, ASPECT_EQUAL, none, left, right);
    if (is_operand(left) && is_operand(right))
        add(facts, ASPECT_EQUAL, none, right, left);
}

/* "L['x'] is L['y']": the second is an alias of the first. */
static void add_alias(struct guard_facts *facts, struct slice code) {
    static const struct slice is = SLICE_INIT(" is ");
    size_t at = guard_code_find(code, is);
    if (at == SIZE_MAX)
        return;
    struct slice first = slice_trim(slice_first(code, at)), second = slice_trim(slice_from(code, at + is.len));
    if (is_operand(first) && is_operand(second))
        add(facts, ASPECT_ALIAS, second, first, SLICE("True"));
}

/* "check_no_aliasing(L['x'], L['y'])": all of them are different tensors. */
static void add_distinct(struct guard_facts *facts, struct slice code) {
    static const struct slice begin = SLICE_INIT("check_no_aliasing("), comma = SLICE_INIT(", ");
    if (!slice_starts(code, begin) || !slice_ends(code, SLICE(")")) || !is_closed(code))
        return;
    struct slice rest = slice_from(slice_first(code, code.len - 1), begin.len);
    while (rest.len && facts->count < GUARD_FACTS_MAX) {
        size_t end = guard_code_find(rest, comma);
        add(facts, ASPECT_DISTINCT, (struct slice){0}, slice_trim(slice_first(rest, end)), SLICE("True"));
        rest = end != SIZE_MAX ? slice_from(rest, end + comma.len) : (struct slice){0};
    }
}

/* "(type(L['s']) is float and __math_isnan(L['s']))" */
static void add_nan(struct guard_facts *facts, struct slice code) {
    struct slice source = text_between(code, SLICE("isnan("), SLICE(")"));
    if (source.len)
        add(facts, ASPECT_VALUE, (struct slice){0}, source, SLICE("nan"));
}

static void add_guard(struct guard_facts *facts, struct slice kind, struct slice code) {
    static const char *const values[] = {"EQUALS_MATCH", "CONSTANT_MATCH", "TRUE_MATCH",    "FALSE_MATCH",
                                         "BOOL_MATCH",   "NONE_MATCH",     "DEFAULT_DEVICE"};
    static const char *const lengths[] = {"LENGTH_CHECK", "SEQUENCE_LENGTH", "DICT_LENGTH"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (slice_is(kind, values[i])) {
            add_value(facts, code);
            return;
        }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (slice_is(kind, lengths[i])) {
            add_length(facts, code);
            return;
        }
    if (slice_is(kind, "TENSOR_MATCH"))
        add_tensor(facts, code);
    else if (slice_is(kind, "FLOAT_IS_NAN") || slice_is(kind, "COMPLEX_IS_NAN"))
        add_nan(facts, code);
    else if (slice_is(kind, "TYPE_MATCH"))
        add_identity(facts, ASPECT_CLASS, code);
    else if (slice_is(kind, "ID_MATCH"))
        add_identity(facts, ASPECT_OBJECT, code);
    else if (slice_is(kind, "DICT_CONTAINS"))
        add_member(facts, ASPECT_KEY, code, false);
    else if (slice_is(kind, "SET_CONTAINS"))
        add_member(facts, ASPECT_KEY, code, true);
    else if (slice_is(kind, "HASATTR") || slice_is(kind, "NO_HASATTR"))
        add_member(facts, ASPECT_ATTRIBUTE, code, true);
    else if (slice_is(kind, "DIMENSION_DYNAMIC_MARKING_GUARD"))
        add_mark(facts, code);
    else if (slice_is(kind, "GLOBAL_STATE"))
        add_global_state(facts, code);
    else if (slice_is(kind, "NO_TENSOR_ALIASING"))
        add_distinct(facts, code);
    else if (slice_is(kind, "OBJECT_ALIASING") ||
             (slice_is(kind, "LAMBDA_GUARD") && guard_code_find(code, SLICE(" is ")) != SIZE_MAX))
        add_alias(facts, code);
    else if (slice_is(kind, "LAMBDA_GUARD") && guard_code_find(code, SLICE(" ids == ")) != SIZE_MAX)
        add_value(facts, code);
    else if ((slice_is(kind, "LAMBDA_GUARD") || slice_is(kind, "SYMBOLIC_SHAPE_GUARD")) && is_closed(code))
        add_relation(facts, code);
}

/* The code without the comment, which begins with " # " or, if PyTorch leaves that out, with a hint. */
static struct slice code_of(struct slice part) {
    size_t mark = guard_code_find(part, SLICE("  # "));
    struct slice code = slice_trim(slice_first(part, mark));
    size_t hint = guard_code_find(code, SLICE("(HINT: "));
    return hint == SIZE_MAX || hint == 0 ? code : slice_trim(slice_first(code, hint));
}

/* Whether the manager has the same source as the enclosing one: it is for an attribute whose name PyTorch leaves out,
 * such as the __defaults__ of a function or the result of hasattr(). Notes the source in `open`, by depth. */
static bool is_part(struct slice open[GUARD_DEPTH_MAX], const struct guard_node *node) {
    size_t around = node->depth < GUARD_DEPTH_MAX ? node->depth : GUARD_DEPTH_MAX;
    while (around && !open[around - 1].len)
        around--;
    bool part = around && slice_eq(open[around - 1], node->source);
    if (node->depth < GUARD_DEPTH_MAX)
        open[node->depth] = node->source;
    return part;
}

void guard_facts_end(struct guard_facts *facts) {
    AUTO_BUF count = {0};
    if (facts->dict.ptr && facts->pairs) {
        buf_add_u64(&count, facts->pairs);
        add(facts, ASPECT_PAIRS, (struct slice){0}, facts->dict, buf_slice(&count));
    }
    facts->dict = (struct slice){0};
}

void guard_facts_note(struct guard_facts *facts, const struct guard_node *node) {
    if (node->depth <= facts->dict_depth)
        guard_facts_end(facts);
    if (!node->manager) {
        add_guard(facts, node->kind, code_of(node->part));
        return;
    }
    bool part = is_part(facts->open, node);
    if (slice_is(node->kind, "KeyValueManager")) {
        facts->pairs += facts->dict.ptr && node->depth == facts->dict_depth + 1;
        return;
    }
    if (!part && node->source.len && node->type.len)
        add(facts, ASPECT_TYPE, (struct slice){0}, node->source, node->type);
    if (slice_is(node->kind, "DictGuardManager") && node->source.len) {
        facts->dict = node->source; /* the outer one of nested dicts is not counted, because the log does not show
                                     * how many items it has */
        facts->dict_depth = node->depth;
        facts->pairs = 0;
    }
}

static bool has(struct slice code, const char *text) {
    return guard_code_find(code, slice_str(text)) != SIZE_MAX;
}

/* The kind that newer versions of PyTorch log for such a guard, or "". */
static const char *kind_of(struct slice code) {
    static const struct {
        const char *begin, *kind;
    } kinds[] = {{"check_tensor(", "TENSOR_MATCH"},
                 {"___check_type_id(", "TYPE_MATCH"},
                 {"___check_obj_id(", "ID_MATCH"},
                 {"___dict_contains(", "DICT_CONTAINS"},
                 {"not ___dict_contains(", "DICT_CONTAINS"},
                 {"check_no_aliasing(", "NO_TENSOR_ALIASING"},
                 {"len(", "LENGTH_CHECK"},
                 {"not L[", "LENGTH_CHECK"},
                 {"not G[", "LENGTH_CHECK"}};
    if (has(code, "hasattr(") || has(code, "getattr("))
        return slice_find(code, SLICE("'_dynamo_")) != SIZE_MAX ? "DIMENSION_DYNAMIC_MARKING_GUARD" : "HASATTR";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (slice_starts(code, slice_str(kinds[i].begin)))
            return kinds[i].kind;
    if (has(code, ".size()") || has(code, ".stride()") || has(code, " <= ") || has(code, " < ") || has(code, " != ") ||
        has(code, " >= ") || has(code, " > "))
        return "SYMBOLIC_SHAPE_GUARD";
    if (has(code, " is ") && !slice_ends(code, SLICE(" None")))
        return "OBJECT_ALIASING";
    return "EQUALS_MATCH";
}

uint32_t guard_facts_add_list(struct buf *out, yyjson_val *list) {
    struct guard_facts facts = {.out = out};
    yyjson_val *item;
    size_t i, max;
    yyjson_arr_foreach(list, i, max, item) {
        struct slice code = slice_trim(json_get_text(item, "code"));
        if (code.len && facts.count < GUARD_FACTS_MAX)
            add_guard(&facts, slice_str(kind_of(code)), code);
    }
    return facts.count;
}

/* "L['name']" or "L["name"]" at the start: returns the name; *taken is the length of the whole. */
static struct slice local_name(struct slice code, size_t *taken) {
    if (code.len < 6 || code.ptr[0] != 'L' || code.ptr[1] != '[' || (code.ptr[2] != '\'' && code.ptr[2] != '"'))
        return (struct slice){0};
    size_t end = 3;
    while (end < code.len && is_word(code.ptr[end]))
        end++;
    if (end == 3 || end + 1 >= code.len || code.ptr[end] != code.ptr[2] || code.ptr[end + 1] != ']')
        return (struct slice){0};
    *taken = end + 2;
    return slice_make(code.ptr + 3, end - 3);
}

void guard_plain_add(struct buf *out, struct slice code) {
    for (size_t i = 0; i < code.len;) {
        size_t taken = 1;
        struct slice name =
            i == 0 || !is_word(code.ptr[i - 1]) ? local_name(slice_from(code, i), &taken) : (struct slice){0};
        buf_add(out, name.len ? name : slice_make(code.ptr + i, 1));
        i += taken;
    }
}

/* "._modules['drop']", ".__dict__['_modules']['drop']" → ".drop", "._modules['0']" → "[0]". Returns the length of the replaced code, or 0. */
static size_t add_child(struct buf *out, struct slice code) {
    static const struct slice holders[] = {
        SLICE_INIT("._modules['"),
        SLICE_INIT("._parameters['"),
        SLICE_INIT("._buffers['"),
        SLICE_INIT(".__dict__['_modules']['"),
        SLICE_INIT(".__dict__['_parameters']['"),
        SLICE_INIT(".__dict__['_buffers']['"),
    };
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++) {
        if (!slice_starts(code, holders[i]))
            continue;
        struct slice name = slice_from(code, holders[i].len);
        size_t len = 0;
        bool digits = true;
        while (len < name.len && is_word(name.ptr[len])) {
            digits &= is_digit(name.ptr[len]);
            len++;
        }
        if (!len || !slice_starts(slice_from(name, len), SLICE("']")))
            return 0;
        buf_add_byte(out, digits ? '[' : '.');
        buf_add(out, slice_first(name, len));
        if (digits)
            buf_add_byte(out, ']');
        return holders[i].len + len + 2;
    }
    return 0;
}

void guard_readable_add(struct buf *out, struct slice code) {
    static const struct slice keys = SLICE_INIT("list(dict.keys(");
    AUTO_BUF plain = {0};
    guard_plain_add(&plain, code);
    struct slice text = buf_slice(&plain);
    for (size_t i = 0; i < text.len;) {
        struct slice rest = slice_from(text, i);
        size_t taken = add_child(out, rest);
        if (!taken && slice_starts(rest, keys)) {
            size_t depth = 0, end = keys.len;
            while (end < rest.len && end < GUARD_FACT_TEXT_MAX && !(rest.ptr[end] == ')' && depth == 0)) {
                depth += rest.ptr[end] == '(';
                depth -= rest.ptr[end] == ')';
                end++;
            }
            if (slice_starts(slice_from(rest, end), SLICE("))"))) {
                struct slice dict = slice_make(rest.ptr + keys.len, end - keys.len);
                buf_add_lit(out, "list(");
                buf_add(out, dict); /* nested dict expressions are unchanged */
                buf_add_byte(out, ')');
                taken = end + 2;
            }
        }
        if (!taken) {
            buf_add_byte(out, text.ptr[i]);
            taken = 1;
        }
        i += taken;
    }
}
