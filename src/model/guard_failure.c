#include "model/guard_failure.h"

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
                                                   [GUARD_ALIAS] = "alias"};
    return names[type];
}

static bool has(struct slice text, const char *needle) {
    return slice_find(text, slice_str(needle)) != SIZE_MAX;
}

static struct slice until(struct slice text, const char *mark) {
    return slice_first(text, slice_find(text, slice_str(mark)));
}

/* What stands behind `mark`; ptr NULL: it is not there. */
static struct slice after(struct slice text, const char *mark) {
    size_t at = slice_find(text, slice_str(mark));
    return at == SIZE_MAX ? (struct slice){0} : slice_from(text, at + slice_str(mark).len);
}

static struct slice some(struct slice text) {
    text = slice_trim(text);
    return text.len ? text : (struct slice){0};
}

/* "0/1: …": the id, and `text` without it. */
static struct slice take_id(struct slice *text) {
    size_t colon = slice_find(*text, SLICE(": "));
    if (colon == SIZE_MAX || colon == 0)
        return (struct slice){0};
    for (size_t i = 0; i < colon; i++) {
        char c = text->ptr[i];
        if (!((c >= '0' && c <= '9') || c == '/' || c == '_' || c == '!' || c == '-'))
            return (struct slice){0};
    }
    struct slice id = slice_first(*text, colon);
    *text = slice_from(*text, colon + 2);
    return id;
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
    failure->source = end == SIZE_MAX ? (struct slice){0} : slice_first(name, end);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has(failure->guard, kinds[i].mark)) {
            failure->type = kinds[i].type;
            break;
        }
    if (expected.ptr) {
        failure->had = some(until(expected, ", actual "));
        failure->has = some(after(expected, ", actual "));
    }
    failure->dimension = some(until(after(failure->guard, " mismatch at index "), "."));
    if (failure->type == GUARD_REQUIRES_GRAD && slice_starts(failure->had, SLICE("requires_grad=")))
        failure->had = slice_from(failure->had, sizeof "requires_grad=" - 1);
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '[' || c == ']' || c == '\'';
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

static bool is_literal(struct slice text) {
    return text.len &&
           ((text.ptr[0] >= '0' && text.ptr[0] <= '9') || text.ptr[0] == '-' || text.ptr[0] == '\'' ||
            text.ptr[0] == '"' || slice_is(text, "True") || slice_is(text, "False") || slice_is(text, "None"));
}

/* What stands between the first parenthesis and the comma or the last parenthesis behind it. */
static struct slice first_argument(struct slice call) {
    struct slice inner = after(call, "(");
    size_t comma = slice_find(inner, SLICE(", ")), close = slice_rfind_byte(inner, ')');
    return some(slice_first(inner, comma < close ? comma : close));
}

static void read_equal(struct guard_failure *failure, size_t equal) {
    struct slice left = slice_trim(slice_first(failure->guard, equal)),
                 right = slice_trim(slice_from(failure->guard, equal + 4));
    failure->source = left;
    failure->had = some(right);
    failure->type = is_literal(right)                             ? GUARD_VALUE
                  : has(left, ".size()") || has(right, ".size()") ? GUARD_RELATION
                                                                  : GUARD_VALUE;
    if (slice_starts(left, SLICE("len("))) {
        failure->type = GUARD_LENGTH;
        failure->source = first_argument(left);
    } else if (slice_starts(left, SLICE("type("))) {
        failure->type = GUARD_TYPE;
    } else if (slice_starts(left, SLICE("list(")) && has(left, ".keys()")) {
        failure->type = GUARD_DICT;
    }
    if (failure->type == GUARD_RELATION) {
        failure->source = sized(failure->guard);
        failure->had = (struct slice){0};
    }
}

static void read_call(struct guard_failure *failure) {
    struct slice guard = failure->guard;
    if (has(guard, "___dict_contains(")) {
        bool absent = slice_starts(guard, SLICE("not "));
        struct slice inner = after(guard, "___dict_contains("), rest = after(inner, ", ");
        failure->type = GUARD_DICT;
        failure->source = some(slice_first(rest, slice_rfind_byte(rest, ')')));
        failure->had = absent ? SLICE("key absent") : SLICE("key present");
        failure->has = absent ? SLICE("key present") : SLICE("key absent");
    } else if (has(guard, "___check_obj_id(") || has(guard, "___check_current_device")) {
        failure->type = GUARD_IDENTITY;
        failure->source = first_argument(guard);
    } else if (has(guard, "___check_type_id(") || has(guard, "expected type of '")) {
        failure->type = GUARD_TYPE;
        failure->source = has(guard, "expected type of '") ? some(until(after(guard, "expected type of '"), "' "))
                                                           : first_argument(guard);
    } else if (has(guard, "hasattr(")) {
        failure->type = GUARD_ATTRIBUTE;
        failure->source = first_argument(guard);
    } else if (has(guard, "Duplicate tensor") || has(guard, " is not ") || has(guard, " is ")) {
        failure->type = GUARD_ALIAS;
    } else if (has(guard, ".size()") || has(guard, " <= ") || has(guard, " < ") || has(guard, " != ") ||
               has(guard, " > ") || has(guard, " >= ")) {
        failure->type = GUARD_RELATION;
        failure->source = sized(guard);
    }
}

struct guard_failure guard_failure_read(struct slice reason) {
    struct slice text = slice_trim(reason), line = {0};
    struct guard_failure failure = {.against = take_id(&text)};
    slice_next_line(&text, &line);
    failure.guard = slice_trim(until(line, "  # "));
    size_t equal = slice_find(failure.guard, SLICE(" == "));
    if (slice_starts(failure.guard, SLICE("tensor '")))
        read_tensor(&failure);
    else if (has(failure.guard, "GLOBAL_STATE changed"))
        failure =
            (struct guard_failure){failure.against, failure.guard, some(after(failure.guard, "GLOBAL_STATE changed:")),
                                   .type = GUARD_GLOBAL_STATE};
    else if (slice_starts(failure.guard, SLICE("grad_mode")))
        failure.type = GUARD_GLOBAL_STATE;
    else if (equal != SIZE_MAX)
        read_equal(&failure, equal);
    else
        read_call(&failure);
    return failure;
}

/* As TORCH_COMPILE_DYNAMIC_SOURCES wants it: x['a'] → L['x']['a']. */
static void add_source(struct buf *out, struct slice source) {
    size_t end = 0;
    if (slice_starts(source, SLICE("L[")) || slice_starts(source, SLICE("G["))) {
        buf_add(out, source);
        return;
    }
    while (end < source.len && is_name(source.ptr[end]) && source.ptr[end] != '.' && source.ptr[end] != '[')
        end++;
    buf_addf(out, "L['%.*s']", (int)end, source.ptr);
    buf_add(out, slice_from(source, end));
}

static void advise_size(struct buf *out, const struct guard_failure *failure, uint64_t times) {
    struct slice dimension = failure->dimension.ptr ? failure->dimension : SLICE("0");
    buf_addf(out, "Dimension %.*s of %.*s varies. Say so before the first call: torch._dynamo.mark_dynamic(%.*s, %.*s)",
             SLICE_ARG(dimension), SLICE_ARG(failure->source), SLICE_ARG(failure->source), SLICE_ARG(dimension));
    buf_add_lit(out, ", or without a change to the code TORCH_COMPILE_DYNAMIC_SOURCES=\"");
    add_source(out, failure->source);
    buf_add_lit(out, "\". Sizes 0 and 1 are always constants.");
    if (times > 1)
        buf_add_lit(
            out,
            " After the first recompile PyTorch makes a size dynamic by itself; here it did not: is dynamic=False or "
            "automatic_dynamic_shapes off, or does the code make the size a constant (see the symbolic shapes of the "
            "compile)?");
    else
        buf_add_lit(out, " PyTorch makes it dynamic by itself with this recompile, so it may be the last.");
}

static const char *advise_value(struct slice source) {
    if (slice_starts(source, SLICE("self.")) || has(source, "L['self']"))
        return "is an attribute of a module and part of the graph as a constant. Keep it the same, make it a buffer (a "
               "tensor), or "
               "for ints set torch._dynamo.config.allow_unspec_int_on_nn_module = True.";
    if (slice_starts(source, SLICE("G[")))
        return "is a global and part of the graph as a constant. Keep it the same, or pass it as a tensor.";
    if (has(source, "__closure__") || has(source, "cell_contents"))
        return "comes from a closure, so each closure with another value needs a compile. Pass the value as an "
               "argument, or as a tensor.";
    return "is a Python value and part of the graph as a constant. Pass it as a tensor, keep it the same, or let it "
           "become a symbol "
           "(dynamic=True; for floats torch._dynamo.config.specialize_float = False). 0 and 1 are always constants.";
}

static const char *advise(enum guard_type type) {
    static const char *const texts[GUARD_TYPES] = {
        [GUARD_OTHER] = "Keep what the guard checks the same between calls.",
        [GUARD_STRIDE] = "The memory layout of the input differs between calls: call .contiguous() before, or make it "
                         "the same way each time.",
        [GUARD_RANK] =
            "The number of dimensions differs, and each needs a compile of its own: reshape before the call.",
        [GUARD_DTYPE] = "Each dtype needs a compile of its own: convert before the call where one will do; is autocast "
                        "on for some calls only?",
        [GUARD_DEVICE] = "Each device needs a compile of its own: move the input before the call.",
        [GUARD_REQUIRES_GRAD] =
            "The input asks for gradients in some calls only: detach it, or call it the same way each time.",
        [GUARD_DISPATCH_KEY] =
            "The kind of the tensor differs: inference mode, a subclass, or a wrapper in some calls only.",
        [GUARD_LENGTH] = "The length of the list is part of the graph: keep it the same, or pass one stacked tensor.",
        [GUARD_TYPE] = "An argument comes in several types (int and float, None and tensor), and each needs a compile: "
                       "convert it before the call.",
        [GUARD_IDENTITY] = "Another object comes at each call: a lambda, functools.partial or closure that is made "
                           "anew, or a new module. Make "
                           "it once, outside of the call, and use it again; modules may share compiles with "
                           "torch._dynamo.config.inline_inbuilt_nn_modules.",
        [GUARD_DICT] = "The keys of the dictionary differ between calls: always pass the same keys, with None for what "
                       "is not given.",
        [GUARD_ATTRIBUTE] = "An attribute is there in some calls only: set it before the first call.",
        [GUARD_GLOBAL_STATE] =
            "A global mode of PyTorch differs between calls, and the frame is compiled once for each (two compiles are "
            "normal for training and evaluation): call it in one mode where one will do.",
        [GUARD_RELATION] = "The code compares sizes, and the branch that was taken is part of the graph; another "
                           "branch needs another compile. "
                           "Write it without the branch, or accept one compile a branch.",
        [GUARD_ALIAS] =
            "The same tensor was passed twice in some calls only: pass different tensors, or the same one each time."};
    return texts[type] ? texts[type] : texts[GUARD_OTHER];
}

void guard_advice_add(struct buf *out, const struct guard_failure *failure, uint64_t times) {
    if (failure->type == GUARD_SIZE && failure->source.ptr) {
        advise_size(out, failure, times);
        return;
    }
    if (failure->type == GUARD_VALUE) {
        struct slice source = failure->source.ptr ? failure->source : SLICE("It");
        buf_addf(out, "%.*s %s", SLICE_ARG(source), advise_value(source));
        return;
    }
    buf_add_str(out, advise(failure->type));
}
