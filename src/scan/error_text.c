#include "scan/error_text.h"

#include "scan/library.h"

enum { TEXT_MAX = 1 << 20, FRAMES_MAX = 10000 }; /* limit on the searched text */

static bool after(struct slice line, struct slice prefix, struct slice *rest) {
    if (!slice_starts(line, prefix))
        return false;
    *rest = slice_trim(slice_from(line, prefix.len));
    return true;
}

/* The part of the text that a line belongs to. */
enum part { PART_OTHER, PART_REASON, PART_EXPLANATION };

static bool ends_parts(struct slice line) {
    static const char *const marks[] = {"User code traceback:", "Traceback (most recent",
                                        "from user code:",      "Stack variable source attribution:",
                                        "User stack:",          "User Stack"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_starts(line, slice_str(marks[i])))
            return true;
    return false;
}

/* "Consider annotating your code using torch._check*(). Could not guard on data-dependent expression Eq(u0, 0) (unhinted:
 * Eq(u0, 0)). (Size-like symbols: u0)": the reason ends at the expression, the explanation at the symbols. General help
 * follows. */
static bool read_data_dependent(struct break_text *found, struct break_part *into, struct slice line) {
    static const struct slice expression = SLICE_INIT(" data-dependent expression "),
                              check = SLICE_INIT("Consider annotating your code using torch._check*().");
    size_t begin = slice_find(line, SLICE("Could not ")), at = slice_find(line, expression);
    if (begin == SIZE_MAX || at == SIZE_MAX || at < begin)
        return false;
    if (slice_starts(line, check) && into == &found->cause && found->hint_count < HINTS_MAX)
        found->hints[found->hint_count++] = check;
    line = slice_from(line, begin);
    into->explanation = slice_trim(slice_first(line, slice_find(line, SLICE("(Size-like symbols:"))));
    into->reason = slice_trim(slice_first(line, slice_find(line, SLICE(" (unhinted:"))));
    return true;
}

/* Reads one line. Returns the part that the next line belongs to. */
static enum part read_line(struct break_text *found, struct break_part *into, enum part part, struct slice line) {
    struct slice rest;
    static const struct slice visit = {"please visit: ", sizeof "please visit: " - 1};
    if (after(line, SLICE("Graph Break Reason:"), &rest)) {
        into->reason = rest;
        found->skipped |= slice_find(rest, SLICE("falling back to eager")) != SIZE_MAX;
        return PART_REASON;
    }
    if (!into->reason.ptr && after(line, SLICE("Reason:"), &rest)) { /* up to PyTorch 2.6 */
        static const struct slice type = {"Unsupported: ", sizeof "Unsupported: " - 1};
        into->reason = slice_starts(rest, type) ? slice_from(rest, type.len) : rest;
        return PART_OTHER;
    }
    if (!into->explanation.ptr && after(line, SLICE("Explanation:"), &rest)) {
        into->explanation = rest;
        return PART_EXPLANATION;
    }
    if (after(line, SLICE("Hint:"), &rest)) {
        if (into == &found->cause && found->hint_count < HINTS_MAX && rest.len)
            found->hints[found->hint_count++] = rest;
        return PART_OTHER;
    }
    if (slice_find(line, visit) != SIZE_MAX) {
        if (!into->url.ptr)
            into->url = slice_trim(slice_from(line, slice_find(line, visit) + visit.len));
        return PART_OTHER;
    }
    if (after(line, SLICE("Developer debug context:"), &rest)) {
        if (!into->context.ptr)
            into->context = rest;
        return PART_OTHER;
    }
    if (part == PART_REASON && read_data_dependent(found, into, line))
        return PART_OTHER;
    if (line.len && part == PART_REASON && !slice_starts(line, SLICE("Higher Order Operator:")))
        into->reason = line;
    else if (line.len && part == PART_EXPLANATION)
        into->explanation.len = (size_t)(line.ptr + line.len - into->explanation.ptr);
    return part;
}

size_t exception_type_length(struct slice line) {
    size_t length = 0;
    while (length < line.len && (is_word(line.ptr[length]) || line.ptr[length] == '.'))
        length++;
    bool type = length && line.ptr[length - 1] != '.' && (length == line.len || line.ptr[length] == ':');
    return type ? length : 0;
}

/* The text after the frames of the last traceback, without the module of the exception: "DynamicOutputShapeException:
 * aten.nonzero.default". */
static struct slice from_last_exception(struct slice text) {
    struct slice line, found = {0}, type;
    const char *end = text.ptr + text.len;
    bool frames = false;
    while (slice_next_line(&text, &line)) {
        if (frames && slice_starts(line, SLICE("=========="))) {
            end = line.ptr;
            break;
        }
        bool indented = slice_starts(line, SLICE("  "));
        if (frames && !indented && exception_type_length(line))
            found = line;
        frames = indented;
    }
    if (!found.ptr)
        return found;
    type = slice_first(found, exception_type_length(found));
    size_t dot = slice_rfind_byte(type, '.');
    found.len = (size_t)(end - found.ptr);
    return dot == SIZE_MAX ? found : slice_from(found, dot + 1);
}

static struct slice last_exception(struct slice text) {
    return slice_first_line(from_last_exception(text));
}

/* "Graph break: torch.compile cannot properly resume from this graph break, which results in a skip.": the actual
 * reason, as in a fail_reason, is the exception in the traceback. */
static struct slice skip_reason(struct slice text) {
    text = from_last_exception(text);
    size_t type = exception_type_length(text);
    return type && type + 1 < text.len ? slice_from(text, type + 1) : (struct slice){0};
}

void break_text_read(struct slice text, bool bare, struct break_text *found) {
    struct break_part *into = &found->cause;
    enum part part = bare ? PART_REASON : PART_OTHER;
    struct slice line;
    *found = (struct break_text){0};
    text = slice_first(text, TEXT_MAX);
    found->announced = !bare && slice_starts(text, SLICE("WON'T CONVERT "));
    found->skipped = !bare && slice_starts(text, SLICE("Graph break: skip: ")); /* PyTorch 2.6 */
    if (found->announced || found->skipped) {
        static const struct slice type = SLICE_INIT("Unsupported: ");
        found->cause.reason = last_exception(text);
        slice_cut_start(&found->cause.reason, type);
        return;
    }
    if (!bare && slice_starts(text, SLICE("Graph break: torch.compile cannot properly resume "))) {
        found->skipped = true;
        text = skip_reason(text);
        part = PART_REASON;
    }
    while (slice_next_line(&text, &line)) {
        if (ends_parts(line))
            break;
        struct slice trimmed = slice_trim(line);
        if (slice_starts(trimmed, SLICE("*** While handling this graph break"))) {
            into = &found->then;
            *into = (struct break_part){0};
            part = PART_REASON;
        } else {
            part = read_line(found, into, part, trimmed);
        }
    }
}

bool break_id_add(struct buf *out, struct slice url) {
    size_t at = slice_find(url, SLICE("/gb/gb"));
    struct slice digits = at != SIZE_MAX ? slice_from(url, at + sizeof "/gb/gb" - 1) : (struct slice){0};
    size_t count = digits_length(digits);
    if (!count)
        return false;
    BUF_ADD(out, "GB", slice_first(digits, count < 10 ? count : 10));
    return true;
}

bool break_hint_is_advice(struct slice hint) {
    /* Hints that ask to report an issue to PyTorch, or say that nothing can be done, are not advice. */
    static const char *const others[] = {"report an issue",
                                         "Report an issue",
                                         "file an issue",
                                         "File an issue",
                                         "open an issue",
                                         "is fundamental",
                                         "tracing rules",
                                         "If it is a ",
                                         "earlier graph break",
                                         "to intentionally insert a graph break",
                                         "may result in an error when running in eager"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (slice_find(hint, slice_str(others[k])) != SIZE_MAX)
            return false;
    return hint.len > 0;
}

struct slice break_hint(const struct slice *hints, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (break_hint_is_advice(hints[i]))
            return hints[i];
    return (struct slice){0};
}

/* Adds the quoted text without Python's escapes. */
static void add_unquoted(struct buf *out, struct slice text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\\' && i + 1 < text.len) {
            c = text.ptr[++i];
            c = c == 'n' || c == 't' ? ' ' : c;
        }
        buf_add_byte(out, c);
    }
}

/* "name(…)": splits the name from the arguments. */
static bool split_call(struct slice text, struct slice *name, struct slice *inner) {
    size_t open = 0;
    while (open < text.len && (is_word(text.ptr[open]) || text.ptr[open] == '.'))
        open++;
    if (!open || open == text.len || text.ptr[open] != '(' || text.ptr[text.len - 1] != ')')
        return false;
    *name = slice_first(text, open);
    *inner = slice_make(text.ptr + open + 1, text.len - open - 2);
    return true;
}

/* "[ConstantVariable(str: 'no')]" → "'no'". Returns other texts unchanged. */
static struct slice constant_argument(struct slice text) {
    static const struct slice begin = SLICE_INIT("[ConstantVariable("), end = SLICE_INIT(")]");
    size_t colon = slice_find(text, SLICE(": "));
    bool one = slice_starts(text, begin) && slice_ends(text, end) && colon != SIZE_MAX &&
               slice_find(slice_from(text, begin.len), SLICE("), ConstantVariable(")) == SIZE_MAX;
    return one ? slice_make(text.ptr + colon + 2, text.len - colon - 2 - end.len) : text;
}

bool exception_read(struct slice text, struct slice *type, struct buf *message) {
    if (!split_call(slice_trim(text), type, &text))
        return false;
    if (slice_ends(*type, SLICE("ExceptionVariable")) || slice_ends(*type, SLICE("ExceptionObjectVariable"))) {
        size_t quote = slice_find(text, SLICE("<class '")); /* PyTorch 2.8: "ExceptionVariable(<class 'ValueError'>)" */
        *type = quote == SIZE_MAX ? text : slice_from(text, quote + 8);
        *type = slice_first(*type, slice_find(*type, SLICE("'")));
        return type->len > 0;
    }
    text = constant_argument(text); /* the format of PyTorch 2.11 */
    char quote = text.len >= 2 ? text.ptr[0] : 0;
    if (!slice_is(*type, "KeyError") && (quote == '\'' || quote == '"') &&
        text.ptr[text.len - 1] == quote) /* a KeyError prints its repr */
        add_unquoted(message, slice_make(text.ptr + 1, text.len - 2));
    else
        buf_add(message, text);
    return true;
}

static bool is_mark(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '^' && text.ptr[i] != '~' && text.ptr[i] != ',')
            return false;
    return text.len > 0;
}

bool traceback_take(struct slice *rest, struct frame *frame) {
    struct slice look = *rest, line = {0};
    if (!slice_next_line(&look, &line))
        return false;
    struct slice text = slice_trim(line);
    if (!slice_starts(text, SLICE("File \"")))
        return false;
    text = slice_from(text, sizeof "File \"" - 1);
    size_t quote = slice_find(text, SLICE("\", line "));
    if (quote == SIZE_MAX)
        return false;
    struct slice tail = slice_from(text, quote + sizeof "\", line " - 1);
    size_t comma = slice_find(tail, SLICE(", in "));
    *frame = (struct frame){.file = slice_first(text, quote)};
    if (!slice_to_u64(slice_first(tail, comma == SIZE_MAX ? tail.len : comma), &frame->line))
        frame->line = 0;
    if (comma != SIZE_MAX)
        frame->function = slice_from(tail, comma + sizeof ", in " - 1);
    bool listed =
        slice_ends(frame->function, SLICE(",")); /* in Inductor's set of stack traces, every line ends with a comma */
    frame->function.len -= listed;
    *rest = look;
    while (slice_next_line(&look, &line) && line.len && slice_starts(line, SLICE("    "))) {
        text = slice_trim(line);
        if (slice_starts(text, SLICE("File \"")))
            break;
        if (!is_mark(text) && !frame->code.ptr)
            frame->code = slice_first(text, text.len - (listed && slice_ends(text, SLICE(","))));
        *rest = look;
    }
    return true;
}

/* Finds the next frame anywhere in the text. */
static bool find_frame(struct slice *rest, struct frame *frame) {
    struct slice line;
    while (rest->len) {
        if (traceback_take(rest, frame))
            return true;
        slice_next_line(rest, &line);
    }
    return false;
}

bool traceback_user_frame(struct slice text, struct frame *frame) {
    size_t at = slice_find(text, SLICE("from user code:"));
    struct frame one;
    bool found = false;
    text = slice_first(at == SIZE_MAX ? text : slice_from(text, at), TEXT_MAX);
    for (size_t i = 0; i < FRAMES_MAX && find_frame(&text, &one); i++)
        if (!is_library_file(one.file)) {
            *frame = one;
            found = true;
        }
    return found;
}

bool traceback_frame_at(struct slice text, struct slice file, uint64_t line, struct frame *frame,
                        struct frame *caller) {
    struct frame one, before = {0};
    bool found = false;
    text = slice_first(text, TEXT_MAX);
    for (size_t i = 0; i < FRAMES_MAX && find_frame(&text, &one); i++) {
        if (one.line == line && slice_eq(one.file, file)) { /* the innermost frame wins */
            *frame = one;
            *caller = before;
            found = true;
        }
        before = is_library_file(one.file) ? before : one;
    }
    return found;
}

bool traceback_last_frame(struct slice text, struct frame *frame) {
    struct frame one;
    bool found = false;
    text = slice_first(text, TEXT_MAX);
    for (size_t i = 0; i < FRAMES_MAX && find_frame(&text, &one); i++) {
        *frame = one;
        found = true;
    }
    return found;
}

bool traceback_called(struct slice text, struct frame *called) {
    static const struct slice dynamo = SLICE_INIT("/torch/_dynamo/"), run = SLICE_INIT(".as_python_constant()");
    struct frame frame;
    bool runs = false, found = false;
    text = slice_first(text, TEXT_MAX);
    for (size_t i = 0; i < FRAMES_MAX && find_frame(&text, &frame); i++) {
        bool own = slice_find(frame.file, dynamo) != SIZE_MAX;
        if (runs && !own)
            *called = frame;
        found = !own && (runs || found);
        runs = own && slice_find(frame.code, run) != SIZE_MAX;
    }
    return found;
}

/* "['mutated inputs', 'non-Tensor inputs']" → "mutated inputs, non-Tensor inputs" */
static void add_reasons(struct buf *out, struct slice list) {
    static const struct slice between = SLICE_INIT("', '");
    for (size_t at; (at = slice_find(list, between)) != SIZE_MAX; list = slice_from(list, at + between.len))
        BUF_ADD(out, slice_first(list, at), ", ");
    buf_add(out, list);
}

void cudagraph_skip_read(struct slice text, struct buf *out, struct slice *trace) {
    static const struct slice words[] = {{"skipping cudagraphs due to", sizeof "skipping cudagraphs due to" - 1},
                                         {"disabling cudagraphs due to", sizeof "disabling cudagraphs due to" - 1}};
    static const struct slice found = {"Found from", sizeof "Found from" - 1};
    bool more = true;
    text = slice_trim(text);
    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (slice_starts(text, words[i])) {
                text = slice_trim(slice_from(text, words[i].len));
                more = true;
            }
    }
    size_t at = slice_find(text, found);
    *trace = at != SIZE_MAX ? slice_from(text, at + found.len) : (struct slice){0};
    text = slice_trim(slice_first(text, at == SIZE_MAX ? text.len : at));
    text.len -= slice_ends(text, SLICE("."));
    if (slice_starts(text, SLICE("['")) && slice_ends(text, SLICE("']")) && text.len >= 4)
        add_reasons(out, slice_make(text.ptr + 2, text.len - 4));
    else
        buf_add(out, text);
}

struct slice restart_reason(struct slice text) {
    static const struct slice before = SLICE_INIT("<class '"), after = SLICE_INIT("'>");
    struct slice name = slice_trim(text);
    if (!slice_starts(name, before) || !slice_ends(name, after) || name.len == before.len + after.len)
        return text;
    name = slice_from(slice_first(name, name.len - after.len), before.len);
    size_t dot = slice_rfind_byte(name, '.');
    return dot == SIZE_MAX || slice_find(name, SLICE("'")) != SIZE_MAX ? text : slice_from(name, dot + 1);
}
