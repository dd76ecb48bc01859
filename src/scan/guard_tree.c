#include "scan/guard_tree.h"

#include "base/jsonw.h"
#include "base/word.h"
#include "scan/guard_facts.h"
#include "scan/guard_text.h"
#include "scan/library.h"
#include "scan/module_source.h"

enum { DEPTH_MAX = 256, NO_SOURCE = -1, FILES_KEPT = 16 };

/* A location in a comment, "file.py:12 in function", and the text after it. */
struct comment_place {
    struct slice file, function, rest;
    struct slice line; /* digits */
};

static bool read_place(struct slice text, struct comment_place *place) {
    for (size_t i = 0; i + 1 < text.len; i++) {
        size_t end = i + 1;
        if (text.ptr[i] != ':')
            continue;
        while (end < text.len && is_digit(text.ptr[end]))
            end++;
        struct slice rest = slice_from(text, end);
        if (end == i + 1 || !slice_starts(rest, SLICE(" in ")))
            continue;
        rest = slice_from(rest, 4);
        size_t name = slice_find(rest, SLICE(" ("));
        *place =
            (struct comment_place){.file = slice_first(text, i),
                                   .line = slice_make(text.ptr + i + 1, end - i - 1),
                                   .function = slice_trim(slice_first(rest, name == SIZE_MAX ? rest.len : name)),
                                   .rest = name != SIZE_MAX ? slice_trim(slice_from(rest, name)) : (struct slice){0}};
        return place->file.len > 0;
    }
    return false;
}

static void write_text(struct jsonw *w, const char *key, struct slice text) {
    jsonw_cut(w, key, text, GUARD_TEXT_MAX);
}

static void write_place(struct jsonw *w, const char *key, const struct comment_place *place, struct slice code,
                        bool library) {
    uint64_t line = 0;
    jsonw_object(w, key);
    write_text(w, "file", place->file);
    slice_to_u64(place->line, &line);
    jsonw_u64(w, "line", line);
    write_text(w, "function", place->function);
    if (code.len)
        write_text(w, "code", code);
    if (library)
        jsonw_bool(w, "library", true);
    jsonw_end_object(w);
}

/* Writes a sequence of remarks such as "(_dynamo/x.py:3 in f)" and "(HINT: type Tensor)". */
static void write_remarks(struct jsonw *w, struct slice rest) {
    bool place_told = false, hint_told = false;
    while (rest.len && rest.ptr[0] == '(') {
        size_t end = slice_find(rest, SLICE(") ("));
        struct slice one = slice_first(rest, end == SIZE_MAX ? rest.len : end + 1);
        struct comment_place place;
        rest = slice_from(rest, end == SIZE_MAX ? rest.len : end + 2);
        one = slice_trim(slice_make(one.ptr + 1, one.len - 1 - slice_ends(one, SLICE(")"))));
        if (!place_told && read_place(one, &place)) {
            write_place(w, "framework", &place, (struct slice){0}, false);
            place_told = true;
        } else if (!hint_told) {
            write_text(w, "hint", slice_starts(one, SLICE("HINT: ")) ? slice_from(one, 6) : one);
            hint_told = true;
        }
    }
}

/* Whether a file is of a library. */
struct file_kind {
    struct slice file;
    bool library;
};

struct reader {
    struct guard_notes *notes;
    struct module_source now; /* that of the latest manager, until a guard is not one of its own */
    struct slice now_type;
    size_t now_depth, now_module; /* now_module: index in notes->modules, of now.module */
    struct buf guards, sources;
    struct jsonw guard_w, source_w;
    uint32_t source_count;
    struct file_kind files[FILES_KEPT];
    int32_t open[DEPTH_MAX]; /* source of the manager at each depth */
    struct guard_tree tree;
    uint32_t listed;
    struct slice last_place; /* of the line before, if that was of the same check: "model.py:7" */
    enum check_part part;    /* of the line */
};

/* The text of a place: "model.py:7". */
static struct slice place_text(struct slice file, struct slice digits) {
    return slice_make(file.ptr, (size_t)(digits.ptr + digits.len - file.ptr));
}

static void note_line(struct reader *reader, const struct comment_place *place, struct slice code) {
    guard_lines *lines = &reader->notes->lines;
    struct slice text = place_text(place->file, place->line);
    bool counted = reader->part == CHECK_CONDITION && slice_eq(text, reader->last_place);
    reader->last_place = text;
    if (counted)
        return;
    struct guard_line *last = lines->count ? &lines->items[lines->count - 1] : NULL;
    uint64_t line;
    if (!slice_to_u64(place->line, &line))
        return;
    if (last && last->line == line && slice_eq(last->file, place->file))
        last->guards++;
    else
        LIST_ADD(lines, (struct guard_line){place->file, code, line, 1});
}

static int line_order(const void *a, const void *b) {
    const struct check_line *x = a, *y = b;
    if (x->checks != y->checks)
        return x->checks > y->checks ? -1 : 1;
    return x->file.ptr < y->file.ptr ? -1 : x->file.ptr > y->file.ptr;
}

/* The row of the line in a table of `slots` rows, a power of two, more than there are lines. NULL: too many lines are alike. */
static uint32_t *line_slot(uint32_t *table, size_t slots, const struct guard_checks *checks,
                           const struct guard_line *line) {
    enum { PROBES_MAX = 64 };
    size_t at = (size_t)line->line * 31 + line->file.len * 7 + (unsigned char)line->file.ptr[line->file.len / 2];
    for (size_t i = 0; i < PROBES_MAX; i++) {
        uint32_t *slot = &table[(at + i) & (slots - 1)];
        const struct check_line *row = *slot ? &checks->lines.items[*slot - 1] : NULL;
        if (!row || (row->line == line->line && slice_eq(row->file, line->file)))
            return slot;
    }
    return NULL;
}

/* Adds up the lines, which come again and again. */
static void sum_lines(const guard_lines *lines, struct guard_checks *checks) {
    size_t slots = 64;
    while (slots < lines->count * 2)
        slots *= 2;
    uint32_t *table = lines->count ? mem_zalloc(slots, sizeof *table) : NULL;
    for (size_t i = 0; i < lines->count; i++) {
        const struct guard_line *line = &lines->items[i];
        uint32_t *slot = line_slot(table, slots, checks, line);
        if (slot && !*slot) {
            LIST_ADD(&checks->lines, (struct check_line){line->file, line->code, line->line, 0});
            *slot = (uint32_t)checks->lines.count;
        }
        if (slot)
            checks->lines.items[*slot - 1].checks += (uint32_t)line->guards;
        else
            checks->more_lines += (uint32_t)line->guards;
    }
    mem_free(table);
    LIST_SORT(&checks->lines, line_order);
    for (; checks->lines.count > CHECK_LINES_MAX; checks->lines.count--)
        checks->more_lines += checks->lines.items[checks->lines.count - 1].checks;
}

void guard_notes_free(struct guard_notes *notes) {
    mem_free(notes->lines.items);
    mem_free(notes->modules.items);
    mem_free(notes->accesses.items);
    guard_checks_free(&notes->checks);
    *notes = (struct guard_notes){0};
}

/* Whether the code reads the attribute of `self`: "self.h" in "x = self.h(x)". */
static bool reads_of_self(struct slice code, struct slice name) {
    static const struct slice self = SLICE_INIT("self.");
    for (size_t at; (at = slice_find(code, self)) != SIZE_MAX;) {
        bool word = !at || !is_word(code.ptr[at - 1]);
        code = slice_from(code, at + self.len);
        if (word && slice_starts(code, name) && word_length(code) == name.len)
            return true;
    }
    return false;
}

/* PyTorch knows an object that several modules have, such as a configuration, by the first one: another module's line may be that of the
 * guard. Of numbers and texts each module has its own. */
static bool is_own_value(const struct reader *reader) {
    static const char *const types[] = {"int", "float", "bool", "str", "NoneType"};
    for (size_t i = 0; i < sizeof types / sizeof *types && reader->now.step == STEP_ATTRIBUTE; i++)
        if (slice_is(reader->now_type, types[i]))
            return true;
    return reader->now.step == STEP_MODULE || reader->now.step == STEP_PARAMETER || reader->now.step == STEP_BUFFER;
}

static void note_access(struct reader *reader, const struct comment_place *place, struct slice code) {
    const struct module_source *now = &reader->now;
    struct guard_notes *notes = reader->notes;
    const struct guard_access *last = notes->accesses.count ? &notes->accesses.items[notes->accesses.count - 1] : NULL;
    uint64_t line;
    if (!now->owner.len || !now->name.len || !is_own_value(reader) || !slice_to_u64(place->line, &line) ||
        (last && last->line == line && slice_eq(last->module, now->owner) && slice_eq(last->file, place->file)))
        return;
    if (reads_of_self(code, now->name))
        LIST_ADD(&notes->accesses, (struct guard_access){now->owner, place->file, place->function, line});
}

/* "not ___dict_contains('forward', L['self']._modules['h'].__dict__)": the module is called, by the line in the comment. */
static void note_call(struct reader *reader, struct slice type, struct slice code) {
    struct module_source now = reader->now;
    if (!slice_is(type, "DICT_CONTAINS") || !slice_starts(code, SLICE("not ___dict_contains('forward', ")) ||
        now.step != STEP_ATTRIBUTE || !slice_is(now.name, "__dict__"))
        return;
    if (now.owner.len == now.module.len)
        reader->notes->modules.items[reader->now_module].called = true;
    else
        LIST_ADD(&reader->notes->modules, (struct guard_module){.source = now.owner, .called = true});
    reader->now = module_source_read(now.owner); /* the line reads it of the module that has it */
}

/* The manager of a value: a module, or what one holds. */
static void note_manager(struct reader *reader, size_t depth, struct slice source, struct slice type) {
    struct guard_notes *notes = reader->notes;
    struct guard_module *last = notes->modules.count ? &notes->modules.items[reader->now_module] : NULL;
    /* Most are what functions of modules of Python read: "G['torch'].nn.functional". */
    bool other = slice_starts(source, SLICE("G[")) && slice_find(source, SLICE("'].")) != SIZE_MAX &&
                 slice_find(source, SLICE("_modules")) == SIZE_MAX;
    reader->now = other ? (struct module_source){0} : module_source_read(source);
    reader->now_depth = depth;
    reader->now_type = type;
    if (!reader->now.module.ptr)
        return;
    if (!last || !slice_eq(last->source, reader->now.module)) {
        reader->now_module = notes->modules.count;
        LIST_ADD(&notes->modules, (struct guard_module){.source = reader->now.module});
        last = &notes->modules.items[reader->now_module];
    }
    if (source.len == last->source.len) {
        last->type = last->type.len ? last->type : type;
    } else if (reader->now.step == STEP_OTHER || reader->now.step == STEP_ATTRIBUTE) { /* perhaps a module in a list */
        if (slice_rfind_byte(type, '.') != SIZE_MAX)
            LIST_ADD(&notes->modules, (struct guard_module){.source = source, .type = type});
    }
}

/* The file is mostly one of the latest ones. */
static bool is_of_library(struct reader *reader, struct slice file) {
    struct file_kind *kept = &reader->files[file.len % FILES_KEPT];
    if (!kept->file.ptr || !slice_eq(file, kept->file))
        *kept = (struct file_kind){file, is_library_file(file) || is_inside_torch(file)};
    return kept->library;
}

/* The last "  # " separates the user's source line from its location. Without one, the location is in PyTorch. */
static void write_comment(struct reader *reader, struct slice comment) {
    struct jsonw *w = &reader->guard_w;
    static const struct slice mark = SLICE_INIT("  # ");
    struct slice code = {0}, after = comment;
    struct comment_place place;
    for (size_t at = slice_find(after, mark); at != SIZE_MAX; at = slice_find(after, mark)) {
        code = slice_make(comment.ptr, (size_t)(after.ptr + at - comment.ptr));
        after = slice_from(after, at + mark.len);
    }
    if (!read_place(after, &place)) {
        write_text(w, "hint", comment);
        return;
    }
    if (code.ptr) {
        note_line(reader, &place, slice_trim(code));
        note_access(reader, &place, code);
    }
    write_place(w, code.ptr ? "user" : "framework", &place, slice_trim(code),
                code.ptr && is_of_library(reader, place.file));
    write_remarks(w, place.rest);
}

/* The first local or global in the code of a guard without its own manager. */
static struct slice named_source(struct slice code) {
    size_t local = slice_find(code, SLICE("L['")), global = slice_find(code, SLICE("G['"));
    size_t at = local < global ? local : global;
    return at != SIZE_MAX ? slice_first(slice_from(code, at), guard_operand_length(slice_from(code, at)))
                          : (struct slice){0};
}

static int32_t add_source(struct reader *reader, struct slice source, struct slice type) {
    struct jsonw *w = &reader->source_w;
    jsonw_object(w, NULL);
    write_text(w, "source", source);
    if (type.len)
        write_text(w, "type", type);
    jsonw_end_object(w);
    return (int32_t)reader->source_count++;
}

static void add_guard(struct reader *reader, const struct guard_node *node) {
    struct jsonw *w = &reader->guard_w;
    size_t mark = slice_find(node->part, SLICE("  # ")), depth = node->depth;
    struct slice code = slice_trim(slice_first(node->part, mark));
    int32_t source = NO_SOURCE;
    if (reader->part == CHECK_REPEAT)
        return;
    if (reader->part == CHECK_NEW)
        reader->last_place = (struct slice){0};
    if (reader->listed++ >= GUARDS_MAX || reader->guards.len + reader->sources.len > GUARDS_JSON_MAX) {
        reader->tree.more += reader->part == CHECK_NEW;
        return;
    }
    if (depth != reader->now_depth + 1)
        reader->now = (struct module_source){0};
    if (reader->now.module.ptr && reader->part == CHECK_NEW)
        reader->notes->modules.items[reader->now_module].guards++;
    note_call(reader, node->kind, code);
    for (size_t d = depth < DEPTH_MAX ? depth : DEPTH_MAX; d-- > 0 && source == NO_SOURCE;)
        source = reader->open[d];
    struct slice named = source == NO_SOURCE ? named_source(code) : (struct slice){0};
    size_t hint = mark == SIZE_MAX && slice_ends(code, SLICE(")")) ? slice_find(code, SLICE("(HINT: ")) : SIZE_MAX;
    jsonw_object(w, NULL);
    jsonw_text(w, "type", node->kind);
    if (reader->part == CHECK_CONDITION)
        jsonw_bool(w, "part", true);
    write_text(w, "code", hint == SIZE_MAX ? code : slice_trim(slice_first(code, hint)));
    if (hint != SIZE_MAX)
        write_remarks(w, slice_from(code, hint));
    if (source != NO_SOURCE)
        jsonw_u64(w, "source", (uint64_t)source);
    else if (named.len)
        write_text(w, "about", named);
    if (mark != SIZE_MAX)
        write_comment(reader, slice_trim(slice_from(node->part, mark + 4)));
    jsonw_end_object(w);
}

/* The text from `begin` to the first of ", accessed_by=", ", type=", ", tag_safe=". */
static struct slice field(struct slice text, struct slice begin) {
    static const struct slice ends[] = {SLICE_INIT(", accessed_by="), SLICE_INIT(", type="), SLICE_INIT(", tag_safe="),
                                        SLICE_INIT(", type_tag_safe")};
    size_t at = slice_find(text, begin);
    if (at == SIZE_MAX)
        return (struct slice){0};
    text = slice_from(text, at + begin.len);
    const char *end = text.ptr + text.len, *comma = text.ptr;
    for (; text.len && (comma = memchr(comma, ',', (size_t)(end - comma))); comma++) {
        struct slice rest = slice_make(comma, (size_t)(end - comma));
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (slice_starts(rest, ends[i]))
                return slice_first(text, (size_t)(comma - text.ptr));
    }
    return text;
}

static bool is_manager(struct slice line, struct slice *name) {
    size_t len = 0;
    while (len < line.len && line.ptr[len] != ':' && line.ptr[len] != ' ')
        len++;
    *name = slice_first(line, len);
    return slice_ends(*name, SLICE("Manager"));
}

static void add_manager(struct reader *reader, const struct guard_node *node) {
    bool known = node->source.len && reader->source_count < GUARDS_MAX && reader->sources.len < GUARDS_JSON_MAX;
    if (node->depth < DEPTH_MAX)
        reader->open[node->depth] = known ? add_source(reader, node->source, node->type) : NO_SOURCE;
    note_manager(reader, node->depth, known ? node->source : (struct slice){0}, node->type);
}

/* The depth of a line: two bytes per level, then "+- ". Returns false if the line has no such prefix. */
static bool take_prefix(struct slice *line, size_t *depth) {
    static const struct slice level = SLICE_INIT("| "), four = SLICE_INIT("| | | | ");
    size_t at = 0;
    while (line->len - at >= four.len && memcmp(line->ptr + at, four.ptr, four.len) == 0)
        at += four.len;
    while (slice_starts(slice_from(*line, at), level))
        at += level.len;
    if (!slice_starts(slice_from(*line, at), SLICE("+- ")))
        return false;
    *depth = at / 2;
    *line = slice_from(*line, at + 3);
    return true;
}

/* A guard whose code has line breaks continues in lines without a prefix. Those of a tensor's values may be empty. */
static struct slice whole_line(struct slice line, struct slice *rest) {
    struct slice next, ahead = *rest;
    size_t depth;
    while (slice_next_line(&ahead, &next)) {
        struct slice look = next;
        if (take_prefix(&look, &depth) || slice_starts(next, SLICE("Guard latency")))
            break;
        if (!slice_trim(next).len) /* a part of it, if something follows */
            continue;
        line.len = (size_t)(next.ptr + next.len - line.ptr);
        *rest = ahead;
    }
    return line;
}

/* "Guard latency = 161.84 us" */
static void read_latency(struct slice line, struct slice *latency_us) {
    static const struct slice begin = SLICE_INIT("Guard latency = "), end = SLICE_INIT(" us");
    if (!slice_starts(line, begin) || !slice_ends(slice_trim(line), end))
        return;
    *latency_us = slice_trim(slice_from(line, begin.len));
    latency_us->len -= end.len;
}

/* Removes the next line of the tree, which may have several lines, from the text. Returns false at the end. */
static bool next_node(struct slice *text, struct guard_node *node, struct slice *latency_us) {
    struct slice line;
    while (slice_next_line(text, &line)) {
        *node = (struct guard_node){0};
        if (!take_prefix(&line, &node->depth)) {
            read_latency(line, latency_us);
            continue;
        }
        line = whole_line(line, text);
        node->manager = is_manager(line, &node->kind);
        if (node->manager) {
            node->source = field(line, SLICE("source="));
            node->type = guard_class_name(field(line, SLICE(", type=")));
        } else {
            node->part = slice_from(line, node->kind.len);
            node->part = slice_trim(slice_starts(node->part, SLICE(":")) ? slice_from(node->part, 1) : node->part);
        }
        return true;
    }
    return false;
}

/* "161.84": digits, with optional digits after a point. */
static bool is_decimal(struct slice text) {
    size_t points = 0;
    for (size_t i = 0; i < text.len; i++) {
        points += text.ptr[i] == '.';
        if (!is_digit(text.ptr[i]) && text.ptr[i] != '.')
            return false;
    }
    return text.len && points <= 1 && is_digit(text.ptr[0]) && is_digit(text.ptr[text.len - 1]) &&
           (text.ptr[0] != '0' || text.len == 1 || text.ptr[1] == '.');
}

struct guard_tree guard_tree_read(struct slice text, struct buf *json, struct guard_notes *notes,
                                  struct guard_facts *facts) {
    struct reader reader = {.notes = notes};
    struct check_counter *counter = check_counter_create();
    struct slice latency_us = {0};
    struct guard_node node;
    reader.guard_w.out = &reader.guards;
    reader.source_w.out = &reader.sources;
    for (size_t i = 0; i < DEPTH_MAX; i++)
        reader.open[i] = NO_SOURCE;
    jsonw_array(&reader.guard_w, NULL);
    jsonw_array(&reader.source_w, NULL);
    while (next_node(&text, &node, &latency_us)) {
        guard_facts_note(facts, &node);
        reader.part = check_counter_note(counter, &node);
        if (json && node.manager)
            add_manager(&reader, &node);
        else if (json)
            add_guard(&reader, &node);
    }
    reader.tree.count = check_counter_count(counter);
    check_counter_end(counter, &notes->checks);
    if (json)
        sum_lines(&notes->lines, &notes->checks);
    guard_facts_end(facts);
    jsonw_end_array(&reader.guard_w);
    jsonw_end_array(&reader.source_w);
    if (json) {
        struct jsonw w = {.out = json};
        jsonw_object(&w, NULL);
        jsonw_raw(&w, "latency_us", is_decimal(latency_us) ? latency_us : (struct slice){0});
        JSON_MEMBERS(&w, &reader.tree, count, more);
        jsonw_raw(&w, "sources", buf_slice(&reader.sources));
        jsonw_raw(&w, "guards", buf_slice(&reader.guards));
        jsonw_end_object(&w);
    }
    buf_free(&reader.guards);
    buf_free(&reader.sources);
    return reader.tree;
}
