#include "scan/guard_failure.h"

#include "scan/guard_facts.h"
#include "scan/guard_prose.h"
#include "scan/guard_text.h"

const char *guard_type_name(enum guard_type type) {
    static const char *const names[GUARD_TYPES] = {[GUARD_OTHER] = "other",
                                                   [GUARD_SIZE] = "size",
                                                   [GUARD_STRIDE] = "stride",
                                                   [GUARD_RANK] = "rank",
                                                   [GUARD_DTYPE] = "dtype",
                                                   [GUARD_DEVICE] = "device",
                                                   [GUARD_REQUIRES_GRAD] = "requires_grad",
                                                   [GUARD_DISPATCH_KEY] = "dispatch_key",
                                                   [GUARD_VALUE] = "value",
                                                   [GUARD_LENGTH] = "length",
                                                   [GUARD_TYPE] = "type",
                                                   [GUARD_IDENTITY] = "identity",
                                                   [GUARD_DICT] = "dict",
                                                   [GUARD_ATTRIBUTE] = "attribute",
                                                   [GUARD_GLOBAL_STATE] = "global_state",
                                                   [GUARD_RELATION] = "relation",
                                                   [GUARD_ALIAS] = "alias",
                                                   [GUARD_FLOAT] = "float",
                                                   [GUARD_MODULE_MODE] = "module_mode",
                                                   [GUARD_GRAD_MODE] = "grad_mode",
                                                   [GUARD_DIVISIBILITY] = "divisibility",
                                                   [GUARD_BACKEND] = "backend"};
    return names[type];
}

static bool has(struct slice text, const char *needle) {
    return slice_find(text, slice_str(needle)) != SIZE_MAX;
}

static struct slice until(struct slice text, const char *mark) {
    return slice_first(text, slice_find(text, slice_str(mark)));
}

/* The text after `mark`. ptr NULL if the mark is missing. */
static struct slice after(struct slice text, const char *mark) {
    size_t at = slice_find(text, slice_str(mark));
    return at != SIZE_MAX ? slice_from(text, at + slice_str(mark).len) : (struct slice){0};
}

static struct slice some(struct slice text) {
    text = slice_trim(text);
    return text.len ? text : (struct slice){0};
}

struct slice guard_reason_take_id(struct slice *text) {
    size_t colon = slice_find(*text, SLICE(": "));
    if (colon == SIZE_MAX && slice_ends(*text, SLICE(":"))) /* nothing follows, because the text was trimmed */
        colon = text->len - 1;
    if (colon == SIZE_MAX || colon == 0)
        return (struct slice){0};
    for (size_t i = 0; i < colon; i++) {
        char c = text->ptr[i];
        if (!(is_digit(c) || c == '/' || c == '_' || c == '!' || c == '-'))
            return (struct slice){0};
    }
    struct slice id = slice_first(*text, colon);
    *text = slice_trim(slice_from(*text, colon + 1));
    return id;
}

struct slice guard_reason_code(struct slice reason) {
    static const struct slice mark = SLICE_INIT("  # ");
    struct slice text = slice_trim(reason), line = {0};
    guard_reason_take_id(&text);
    slice_next_line(&text, &line);
    size_t comment = guard_code_find(line, mark);
    struct slice code = comment == SIZE_MAX ? (struct slice){0} : slice_from(line, comment + mark.len);
    return slice_trim(slice_first(code, slice_find(code, mark)));
}

/* "tensor 'x' size mismatch at index 0. expected 2, actual 3" */
static void read_tensor(struct guard_failure *failure) {
    static const struct {
        const char *mark;
        enum guard_type type;
    } kinds[] = {{" size mismatch", GUARD_SIZE},
                 {" stride mismatch", GUARD_STRIDE},
                 {" rank mismatch", GUARD_RANK},
                 {" dtype mismatch", GUARD_DTYPE},
                 {" device index mismatch", GUARD_DEVICE},
                 {" device mismatch", GUARD_DEVICE},
                 {" requires_grad mismatch", GUARD_REQUIRES_GRAD},
                 {" dispatch key set mismatch", GUARD_DISPATCH_KEY}};
    struct slice name = after(failure->guard, "tensor '"), expected = after(failure->guard, ". expected ");
    size_t end = slice_find(name, SLICE("' "));
    failure->source = end != SIZE_MAX ? slice_first(name, end) : (struct slice){0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has(failure->guard, kinds[i].mark)) {
            failure->type = kinds[i].type;
            break;
        }
    if (expected.ptr) {
        failure->had = some(until(until(expected, ", actual "), ". ")); /* a hint may follow */
        failure->has = some(until(after(expected, ", actual "), ". "));
    }
    failure->dimension = some(until(after(failure->guard, " mismatch at index "), "."));
    if (failure->type == GUARD_REQUIRES_GRAD && slice_starts(failure->had, SLICE("requires_grad="))) {
        bool had = slice_is(failure->had, "requires_grad=1");
        failure->had = had ? SLICE("True") : SLICE("False"); /* a bool: it now has the opposite value */
        failure->has = had ? SLICE("False") : SLICE("True");
    }
}

static bool is_name(char c) {
    return is_word(c) || c == '.' || c == '[' || c == ']' || c == '\'';
}

/* "2*x.size()[0] > n" → x. */
static struct slice sized(struct slice guard) {
    size_t end = slice_find(guard, SLICE(".size()")), start = end;
    if (end == SIZE_MAX)
        return (struct slice){0};
    while (start > 0 && is_name(guard.ptr[start - 1]))
        start--;
    return some(slice_make(guard.ptr + start, end - start));
}

static bool is_float(struct slice value) {
    bool number = value.len && (is_digit(value.ptr[0]) || value.ptr[0] == '-' || value.ptr[0] == '.');
    return slice_is(value, "nan") || slice_is(value, "inf") || slice_is(value, "-inf") ||
           (number && !has(value, "j") && (has(value, ".") || has(value, "e")));
}

enum guard_type guard_type_of_value(struct slice source, struct slice value) {
    bool truth = slice_is(value, "True") || slice_is(value, "False");
    return truth && slice_ends(source, SLICE(".training")) ? GUARD_MODULE_MODE
         : is_float(value)                                 ? GUARD_FLOAT
                                                           : GUARD_VALUE;
}

/* The text from the first parenthesis to the next comma or the last parenthesis. */
static struct slice first_argument(struct slice call) {
    struct slice inner = after(call, "(");
    size_t comma = slice_find(inner, SLICE(", ")), close = slice_rfind_byte(inner, ')');
    return some(slice_first(inner, comma < close ? comma : close));
}

/* Whether the first parenthesis of "type(x)" closes at the end, unlike the one in "type(x).__mro__[1].a". */
static bool closes_last(struct slice call) {
    size_t depth = 0;
    for (size_t i = 0; i < call.len; i++) {
        depth += call.ptr[i] == '(';
        depth -= depth && call.ptr[i] == ')';
        if (call.ptr[i] == ')' && !depth)
            return i + 1 == call.len;
    }
    return false;
}

static void read_equal(struct guard_failure *failure, size_t equal) {
    struct slice left = slice_trim(slice_first(failure->guard, equal)),
                 right = slice_trim(slice_from(failure->guard, equal + 4));
    failure->source = guard_float_name(left);
    if (slice_starts(right,
                     SLICE("___as_tensor("))) { /* a dynamic float: up to PyTorch 2.11, it is compared with itself */
        failure->type = GUARD_FLOAT;
        failure->has = SLICE("nan"); /* the log does not have the previous value */
        return;
    }
    failure->had = some(right);
    bool quoted = right.len && (right.ptr[0] == '\'' || right.ptr[0] == '"');
    failure->type = !quoted && (has(left, ".size()") || has(right, ".size()") || has(left, ".stride()"))
                      ? GUARD_RELATION
                      : guard_type_of_value(left, right);
    if (failure->type == GUARD_RELATION) {
        failure->type = has(failure->guard, " % ") ? GUARD_DIVISIBILITY : GUARD_RELATION;
        failure->source = sized(failure->guard);
        failure->had = (struct slice){0};
    } else if (slice_starts(left, SLICE("len("))) {
        failure->type = GUARD_LENGTH;
        failure->source = first_argument(left);
    } else if (slice_starts(left, SLICE("type(")) && closes_last(left)) {
        failure->type = GUARD_TYPE;
    } else if (slice_starts(left, SLICE("list(")) && (has(left, ".keys()") || has(left, "dict.keys("))) {
        failure->type = GUARD_DICT;
    }
}

/* "len(d) != 1": the expected length of a dict with guards on its items. */
static bool read_length(struct guard_failure *failure) {
    struct slice guard = failure->guard;
    size_t at = slice_find(guard, SLICE(") != "));
    bool sized_before = slice_starts(guard, SLICE("len(")) && at != SIZE_MAX;
    if (!sized_before)
        return false;
    failure->type = GUARD_LENGTH;
    failure->source = some(slice_from(slice_first(guard, at), SLICE("len(").len));
    failure->had = some(slice_from(guard, at + SLICE(") != ").len));
    return true;
}

/* "bias is None", "bias is not None" */
static bool read_none(struct guard_failure *failure) {
    static const struct slice ends[] = {SLICE_INIT(" is None"), SLICE_INIT(" is not None")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (slice_ends(failure->guard, ends[i])) {
            failure->type = GUARD_VALUE;
            failure->source = some(slice_first(failure->guard, failure->guard.len - ends[i].len));
            if (i)
                failure->has = SLICE("None"); /* the log does not have the previous value */
            else
                failure->had = SLICE("None");
            return true;
        }
    return false;
}

static struct slice class_name(struct slice type) {
    return some(guard_class_name(type));
}

/* "expected type of 'y' to be <class 'torch.Tensor'>, but found <class 'float'>" */
static void read_type(struct guard_failure *failure) {
    struct slice guard = failure->guard, said = after(guard, "expected type of '");
    failure->type = GUARD_TYPE;
    if (said.ptr) {
        struct slice classes = after(said, "' to be ");
        size_t comma = slice_find(classes, SLICE(", ")); /* "a tensor type, ' but found" up to PyTorch 2.7 */
        failure->source = some(until(said, "' to be "));
        failure->had = class_name(slice_first(classes, comma));
        failure->has = class_name(after(classes, " but found "));
        return;
    }
    failure->source = first_argument(until(guard, ", type="));
    if (has(guard, ", type="))
        failure->had = class_name(after(guard, ", type="));
}

static void read_member(struct guard_failure *failure) {
    struct slice guard = failure->guard;
    bool absent = slice_starts(guard, SLICE("not ")), key = has(guard, "___dict_contains("),
         set = has(guard, "set.__contains__(");
    struct slice inner = after(guard, key   ? "___dict_contains("
                                      : set ? "set.__contains__("
                                            : "hasattr("),
                 rest = after(inner, ", ");
    struct slice last = some(slice_first(rest, slice_rfind_byte(rest, ')'))), first = some(until(inner, ", "));
    failure->type = key || set ? GUARD_DICT : GUARD_ATTRIBUTE;
    failure->source = key ? last : first;
    failure->detail = key ? first : last;
    failure->had = absent ? SLICE("False") : SLICE("True"); /* a bool: it now has the opposite value */
    failure->has = absent ? SLICE("True") : SLICE("False");
}

/* "x is y", which fails; 'Duplicate tensors found: ["x", "y"]': x is y now, but was not. */
static void read_alias(struct guard_failure *failure) {
    struct slice found = after(failure->guard, "Duplicate tensors found: ["), first = after(found, "\"");
    size_t end = slice_find(first, SLICE("\"")), next = slice_find(first, SLICE("\", \""));
    failure->type = GUARD_ALIAS;
    if (!found.ptr && !has(failure->guard, "Duplicate tensor")) {
        failure->source = failure->guard;
        failure->had = SLICE("True");
        failure->has = SLICE("False");
    } else if (first.ptr && end == next && next != SIZE_MAX) {
        struct slice second = slice_from(first, next + 4);
        second = slice_first(second, slice_find(second, SLICE("\"")));
        failure->source = slice_first(first, end);
        failure->detail = some(second);
        failure->had = SLICE("False");
        failure->has = SLICE("True");
    }
}

/* "Cached backend: _TorchCompileWrapper(compiler='eager', dynamic=None) (id=0x7f83). New backend: …" */
static bool read_backend(struct guard_failure *failure) {
    struct slice guard = failure->guard, cached = after(guard, "Cached backend: "), now = after(guard, "New backend: ");
    if (!slice_starts(guard, SLICE("BACKEND_MATCH")))
        return false;
    failure->type = GUARD_BACKEND;
    failure->source = SLICE("backend");
    failure->had = some(until(cached, " (id="));
    failure->has = some(until(now, " (id="));
    if (failure->had.ptr && slice_eq(failure->had, failure->has)) /* equal texts of different objects */
        failure->has = SLICE("another one");
    return true;
}

/* "(type(s) is float and __math_isnan(s))", "__math_isnan(s)" and "not math.isnan(s)" */
static bool read_nan(struct guard_failure *failure) {
    struct slice guard = failure->guard, value = after(guard, "isnan(");
    bool negated = slice_starts(guard, SLICE("not "));
    if (!value.ptr || has(guard, " == "))
        return false;
    failure->type = GUARD_FLOAT;
    failure->source = some(until(value, ")"));
    if (negated)
        failure->has = SLICE("nan"); /* the log does not have the previous value */
    else
        failure->had = SLICE("nan");
    return true;
}

/* The guards look for something that is missing: "CodeGuardAccessor: Not a function on f.__code__", "KeyError on
 * kw['scale']", "IndexError on xs[2]", "getattr failed on source m.bias". */
static bool read_missing(struct guard_failure *failure) {
    static const struct {
        const char *mark;
        enum guard_type type;
        char before; /* the last occurrence of this character begins the missing part */
    } kinds[] = {{": Not a function on ", GUARD_TYPE, '.'},
                 {"KeyError on ", GUARD_DICT, '['},
                 {"IndexError on ", GUARD_LENGTH, '['},
                 {"getattr failed on source ", GUARD_ATTRIBUTE, '.'}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct slice member = slice_trim(after(failure->guard, kinds[i].mark));
        size_t at = slice_rfind_byte(member, kinds[i].before);
        if (!member.len || at == SIZE_MAX)
            continue;
        struct slice name = slice_from(member, at + 1);
        bool code = slice_starts(name, SLICE("__code__")) || slice_starts(name, SLICE("__closure__"));
        failure->source = some(slice_first(member, at));
        failure->type = code ? GUARD_TYPE : kinds[i].type;
        if (failure->type == GUARD_TYPE) {
            failure->had = SLICE("function");
        } else if (failure->type != GUARD_LENGTH) {
            failure->detail = some(slice_first(name, slice_rfind_byte(name, ']')));
            failure->had = SLICE("True");
            failure->has = SLICE("False");
        }
        return true;
    }
    return false;
}

/* Whether this is code without spaces, rather than words. */
static bool is_operand(struct slice text) {
    return text.len && guard_code_find(text, SLICE(" ")) == SIZE_MAX;
}

/* "x is y" and "x is not y" with names. */
static bool is_alias(struct slice guard) {
    size_t is = guard_code_find(guard, SLICE(" is ")), negated = guard_code_find(guard, SLICE(" is not "));
    size_t right = negated != SIZE_MAX ? negated + 8 : is + 4;
    return has(guard, "Duplicate tensor") ||
           (is != SIZE_MAX && is_operand(slice_first(guard, is)) && is_operand(slice_from(guard, right)));
}

/* "set.__contains__(s, 'a')" and "not set.__contains__(s, 'a')" */
static bool read_set(struct guard_failure *failure) {
    bool absent = slice_starts(failure->guard, SLICE("not "));
    struct slice call = slice_from(failure->guard, absent ? 4 : 0), inner = after(call, "set.__contains__(");
    size_t comma = guard_code_find(inner, SLICE(", "));
    if (!slice_starts(call, SLICE("set.__contains__(")) || comma == SIZE_MAX)
        return false;
    failure->type = GUARD_DICT;
    failure->source = some(slice_first(inner, comma));
    failure->detail = some(slice_from(slice_first(inner, slice_rfind_byte(inner, ')')), comma + 2));
    failure->had = absent ? SLICE("False") : SLICE("True"); /* a bool: it now has the opposite value */
    failure->has = absent ? SLICE("True") : SLICE("False");
    return true;
}

static bool read_prose(struct guard_failure *failure) {
    struct guard_marking marking = guard_marking_read(failure->guard);
    if (!guard_is_prose(failure->guard))
        return false;
    failure->source = marking.attribute;
    failure->had = marking.had;
    failure->has = marking.has;
    return true;
}

static void read_call(struct guard_failure *failure) {
    struct slice guard = failure->guard;
    if (read_nan(failure) || read_missing(failure) || read_set(failure))
        return;
    if (has(guard, "___dict_contains(") || has(guard, "set.__contains__(") || has(guard, "hasattr(")) {
        read_member(failure);
    } else if (has(guard, "___check_obj_id(") || has(guard, "___check_current_device")) {
        failure->type = GUARD_IDENTITY;
        failure->source = first_argument(until(guard, ", type="));
        if (has(guard, ", type="))
            failure->had = class_name(after(guard, ", type="));
    } else if (has(guard, "___check_type_id(") || has(guard, "TYPE_MISMATCH(") || has(guard, "expected type of '")) {
        read_type(failure);
    } else if (read_length(failure) || read_none(failure)) {
        return;
    } else if (is_alias(guard)) {
        read_alias(failure);
    } else if (has(guard, ".size()") || has(guard, " <= ") || has(guard, " < ") || has(guard, " != ") ||
               has(guard, " > ") || has(guard, " >= ")) {
        failure->type = has(guard, " % ") ? GUARD_DIVISIBILITY : GUARD_RELATION;
        failure->source = sized(guard);
    } else if (slice_starts(guard, SLICE("not ")) && !has(guard, "(") && is_operand(slice_from(guard, 4))) {
        failure->type = GUARD_LENGTH; /* of an empty container */
        failure->source = some(slice_from(guard, 4));
        failure->had = SLICE("0");
    }
}

struct guard_failure guard_failure_read(struct slice reason) {
    struct slice text = slice_trim(reason), line = {0};
    struct guard_failure failure = {.against = guard_reason_take_id(&text)};
    if (failure.against.ptr && !text.len) { /* "0/0: ": in Python, PyTorch found no guard that fails */
        failure.guard = SLICE(GUARD_NOT_NAMED);
        return failure;
    }
    slice_next_line(&text, &line);
    failure.guard = slice_trim(slice_first(line, guard_code_find(line, SLICE("  # "))));
    size_t hint = guard_code_find(failure.guard, SLICE("  (HINT: ")); /* if no comment precedes it */
    failure.guard = slice_trim(slice_first(failure.guard, hint));
    size_t next = guard_code_find(failure.guard, SLICE("; ")); /* with TORCH_LOGS=recompiles_verbose, all guards that
                                                                * fail */
    failure.guard = slice_trim(slice_first(failure.guard, next));
    size_t equal = guard_code_find(failure.guard, SLICE(" == "));
    if (slice_starts(failure.guard, SLICE("tensor '")))
        read_tensor(&failure);
    else if (has(failure.guard, "GLOBAL_STATE changed"))
        failure =
            (struct guard_failure){failure.against, failure.guard, some(after(failure.guard, "GLOBAL_STATE changed:")),
                                   .type = GUARD_GLOBAL_STATE};
    else if (slice_starts(failure.guard, SLICE("grad_mode")))
        failure.type = GUARD_GRAD_MODE;
    else if (read_prose(&failure) || read_backend(&failure))
        return failure;
    else if (equal != SIZE_MAX)
        read_equal(&failure, equal);
    else
        read_call(&failure);
    if (failure.type == GUARD_GLOBAL_STATE && slice_is(failure.source, "grad_mode"))
        failure.type = GUARD_GRAD_MODE;
    return failure;
}

/* "DispatchKeySet(CPU, BackendSelect)" → CPU, BackendSelect */
static struct slice keys_of(struct slice set) {
    struct slice inner = after(set, "DispatchKeySet(");
    return inner.ptr ? slice_first(inner, slice_rfind_byte(inner, ')')) : set;
}

static struct slice take_key(struct slice *rest) {
    size_t comma = slice_find(*rest, SLICE(","));
    struct slice key = slice_trim(slice_first(*rest, comma));
    *rest = comma != SIZE_MAX ? slice_from(*rest, comma + 1) : (struct slice){0};
    return key;
}

static bool holds(struct slice set, struct slice key) {
    while (set.len)
        if (slice_eq(take_key(&set), key))
            return true;
    return false;
}

static void add_missing(struct buf *out, struct slice set, struct slice other, const char *sign) {
    size_t said = 0;
    while (set.len && said < KEYS_SAID) {
        struct slice key = take_key(&set);
        if (key.len && !holds(other, key)) {
            buf_addf(out, "%s%s%.*s", out->len ? " " : "", sign, SLICE_ARG(key));
            said++;
        }
    }
}

void guard_keys_differ(struct buf *out, struct slice had, struct slice has) {
    enum { SET_MAX = 4096 }; /* PyTorch has a few hundred keys, and the sets are searched for each one */
    struct slice before = slice_first(keys_of(had), SET_MAX), now = slice_first(keys_of(has), SET_MAX);
    add_missing(out, before, now, "−");
    add_missing(out, now, before, "+");
}

bool guard_keys_are_of_inference(struct slice keys) {
    bool all = keys.len > 0;
    while (keys.len && all) {
        size_t space = slice_find(keys, SLICE(" "));
        struct slice key = slice_first(keys, space);
        all = slice_find(key, SLICE("Autograd")) != SIZE_MAX || slice_find(key, SLICE("ADInplaceOrView")) != SIZE_MAX;
        keys = space != SIZE_MAX ? slice_from(keys, space + 1) : (struct slice){0};
    }
    return all;
}
