#include "scan/fx_graph.h"

static bool starts_with_word(struct slice line, struct slice word) {
    return slice_starts(line, word) && (line.len == word.len || !is_word(line.ptr[word.len]));
}

static bool is_quote(char c) {
    return c == '"' || c == '\'';
}

/* +1 for a bracket that opens, -1 for one that closes. */
static int bracket(char c) {
    return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

/* The text between the quotes of the string that begins at `start` and ends before `end`. */
static struct slice quoted(struct slice text, size_t start, size_t end) {
    bool closed = end > start + 1 && text.ptr[end - 1] == text.ptr[start];
    return slice_make(text.ptr + start + 1, end - start - 1 - closed);
}

/* The start of the right-hand side of the first assignment in the line, or SIZE_MAX. */
static size_t right_side(struct slice line) {
    int depth = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (is_quote(c))
            i = behind_string(line, i) - 1;
        else if (c == '=' && !depth)
            return i + 1;
        else if (c == ';' || c == '#')
            return SIZE_MAX;
        else if (bracket(c) > 0 || depth)
            depth += bracket(c);
    }
    return SIZE_MAX;
}

static bool has_byte(struct slice text, char c) {
    return text.len && memchr(text.ptr, c, text.len);
}

struct slice fx_value(struct slice right) {
    size_t i = slice_find(right, SLICE(";"));
    struct slice plain = slice_first(right, i);
    if (!has_byte(plain, '\'') && !has_byte(plain, '"') && !has_byte(plain, '#')) /* nearly all */
        return slice_trim(plain);
    i = 0;
    while (i < right.len && right.ptr[i] != ';' && right.ptr[i] != '#')
        i = is_quote(right.ptr[i]) ? behind_string(right, i) : i + 1;
    return slice_trim(slice_first(right, i));
}

bool fx_is_module(struct slice value) {
    while (slice_cut_start(&value, SLICE("getattr(")))
        ;
    return slice_cut_start(&value, SLICE("self")) && value.len && !is_word(value.ptr[0]);
}

bool fx_is_attribute(struct slice value) {
    struct slice path = value;
    if (!fx_is_module(value))
        return false;
    while (slice_cut_start(&path, SLICE("getattr("))) {
        size_t end = slice_find(value, SLICE(")"));
        value = slice_from(value, end == SIZE_MAX ? value.len : end + 1);
    }
    return !has_byte(value, '(') && !has_byte(value, '[');
}

/* 'x: "f32[4]"' or "x" at the start of the line. Returns what follows. */
static struct slice read_name(struct slice line, struct fx_item *item) {
    item->name = slice_first(line, word_length(line));
    item->type = (struct slice){0};
    struct slice rest = slice_from(line, item->name.len);
    if (item->name.len && slice_starts(rest, SLICE(": ")) && rest.len > 2 && is_quote(rest.ptr[2])) {
        size_t end = behind_string(rest, 2);
        item->type = quoted(rest, 2, end);
        rest = slice_from(rest, end);
    }
    return rest;
}

/* Reads the right side after the name. `rest` is what follows the name and its type. */
static bool read_right(struct slice line, struct slice rest, struct fx_item *item) {
    static const struct slice assigns = SLICE_INIT(" = ");
    item->kind = FX_STATEMENT;
    item->text = line;
    if (item->name.len && slice_starts(rest, assigns)) {
        item->right = slice_from(rest, assigns.len);
        return true;
    }
    size_t at = right_side(line);
    if (!slice_starts(rest, SLICE(":")) && !slice_starts(rest, SLICE("=")) && !slice_starts(rest, SLICE(" =")))
        item->name = (struct slice){0};
    item->right = slice_from(line, at);
    return at != SIZE_MAX;
}

bool fx_statement_read(struct slice line, struct fx_item *item) {
    if (slice_starts(line, SLICE("#")))
        return false;
    return read_right(line, read_name(line, item), item);
}

bool fx_node_read(struct slice line, struct fx_item *item) {
    size_t at = slice_starts(line, SLICE("%")) ? right_side(line) : SIZE_MAX;
    if (at == SIZE_MAX)
        return false;
    struct slice name = slice_from(line, 1);
    *item = (struct fx_item){.kind = FX_NODE,
                             .text = line,
                             .name = slice_first(name, word_length(name)),
                             .right = slice_trim(slice_from(line, at))};
    return true;
}

/* The next parameter in the line. Returns false if there is none. */
static bool next_parameter(struct fx_reader *reader, struct fx_item *item) {
    struct slice line = reader->line;
    size_t i = 0;
    bool ends = false;
    *item = (struct fx_item){.kind = FX_PARAMETER};
    while (i < line.len && reader->depth && !ends) {
        char c = line.ptr[i];
        size_t next = i + 1;
        if (c == '#') {
            next = line.len;
        } else if (is_quote(c)) {
            next = behind_string(line, i);
            if (reader->depth == 1 && item->name.len && !item->type.ptr)
                item->type = quoted(line, i, next);
        } else if (is_word(c)) {
            next = i + word_length(slice_from(line, i));
            if (!item->name.len)
                item->name = slice_make(line.ptr + i, next - i);
        } else if (c == ',' && reader->depth == 1) {
            ends = item->name.len && !slice_is(item->name, "self");
            if (!ends)
                *item = (struct fx_item){.kind = FX_PARAMETER};
        } else {
            reader->depth += (unsigned)bracket(c);
        }
        i = next;
    }
    reader->line = slice_from(line, reader->depth ? i : line.len);
    reader->body = !reader->depth;
    bool whole = ends || !reader->depth || reader->rest.len; /* not cut off by the text's end */
    return whole && item->name.len && !slice_is(item->name, "self");
}

/* A line outside of a parameter list. What is left of it stays in reader->line. */
static bool read_line(struct fx_reader *reader, struct fx_item *item) {
    static const struct slice forward = SLICE_INIT("def forward("), graph = SLICE_INIT("graph():"),
                              leave = SLICE_INIT("return"), class = SLICE_INIT("class");
    struct slice line = reader->line;
    reader->line = slice_from(line, line.len);
    if (slice_starts(line, forward) || slice_starts(line, graph)) {
        *item = (struct fx_item){.kind = FX_FORWARD, .text = line};
        reader->body = line.ptr[0] == graph.ptr[0];
        reader->depth = !reader->body;
        if (reader->depth)
            reader->line = slice_from(line, forward.len);
        return true;
    }
    if (starts_with_word(line, class)) {
        struct slice name = slice_trim(slice_from(line, class.len));
        *item = (struct fx_item){.kind = FX_CLASS, .text = line, .name = slice_first(name, word_length(name))};
        reader->body = false;
        return true;
    }
    if (!reader->body || !line.len)
        return false;
    if (line.ptr[0] == '#') {
        *item = (struct fx_item){.kind = FX_COMMENT, .text = line};
        return true;
    }
    if (line.ptr[0] == '%')
        return fx_node_read(line, item);
    if (starts_with_word(line, leave)) {
        *item = (struct fx_item){.kind = FX_RETURN, .text = line, .right = slice_from(line, leave.len)};
        reader->body = false;
        return true;
    }
    struct slice rest = read_name(line, item);
    bool more = slice_starts(rest, SLICE(";")),
         declares = item->type.ptr && !slice_starts(rest, SLICE(" = ")) &&
                    (!slice_trim(rest).len || slice_starts(slice_trim(rest), SLICE("#")));
    if (item->name.len && (more || declares)) {
        item->kind = FX_INPUT;
        item->text = line;
        item->right = (struct slice){0};
        reader->line = more ? slice_trim(slice_from(rest, 1)) : (struct slice){0};
        return true;
    }
    return read_right(line, rest, item);
}

bool fx_next(struct fx_reader *reader, struct fx_item *item) {
    for (;;) {
        if (reader->depth && next_parameter(reader, item))
            return true;
        if (!reader->depth && reader->line.len && read_line(reader, item))
            return true;
        if (!slice_next_line(&reader->rest, &reader->line))
            return false;
        reader->line = slice_trim(reader->line);
    }
}
