/* Finds kernels in code: the second half of provenance_lines.h. */
#include <ctype.h>

#include "codegen/provenance_find.h"
#include "codegen/provenance_lines.h"

struct code {
    enum code_kind kind;
    struct slice text;
    size_t *starts; /* of the lines */
    uint32_t count; /* number of lines */
    /* Lines that may still be searched one by one: a malicious text may have many kernels without an end */
    size_t budget;
};

enum { BUDGET = 4 << 20 };

static bool holds(struct slice text, struct slice part) {
    return slice_find(text, part) != SIZE_MAX;
}

struct slice code_trim(struct slice text) {
    size_t at = 0;
    while (at < text.len && (text.ptr[at] == '\n' || text.ptr[at] == '\r'))
        at++;
    return slice_from(text, at);
}

uint32_t code_aot_line(struct slice code) {
    struct slice line;
    for (uint32_t number = 1; slice_next_line(&code, &line); number++)
        if (holds(line, SLICE("# AOT ID:")))
            return number;
    return 0;
}

static void code_index(struct code *code, enum code_kind kind, struct slice text) {
    struct {
        size_t *items, count, cap;
    } starts = {0};
    struct slice rest = text, line;
    while (slice_next_line(&rest, &line))
        LIST_ADD(&starts, (size_t)(line.ptr - text.ptr));
    MEM_GROW(&starts); /* never NULL, even without lines */
    *code = (struct code){kind, text, starts.items, (uint32_t)starts.count, BUDGET};
}

/* Returns false if the budget is exhausted. */
static bool spend(struct code *code) {
    return code->budget && code->budget--;
}

static struct slice code_line(const struct code *code, uint32_t number) {
    size_t from = code->starts[number - 1], to = number < code->count ? code->starts[number] - 1 : code->text.len;
    struct slice line = slice_make(code->text.ptr + from, to - from);
    return slice_ends(line, SLICE("\n")) ? slice_first(line, line.len - 1) : line;
}

/* The line after which kernels are called. */
static uint32_t first_line(const struct code *code) {
    for (uint32_t number = 1; number <= code->count; number++) {
        struct slice line = code_line(code, number);
        if (code->kind == CODE_CPP
                ? holds(line, SLICE("::run_impl("))
                : holds(line, SLICE("(args)")) && holds(line, SLICE("def")) && holds(line, SLICE("call")))
            return number;
    }
    return 1;
}

/* A line of C++ that defines a kernel's name is not the call with its debug handle. */
static bool is_definition(struct slice line) {
    line = slice_trim(line);
    return slice_starts(line, SLICE("def ")) || slice_starts(line, SLICE("static inline void "));
}

/* Whether the text is "_xnumel" or "_xnumel_0", spaces, and '='. */
static bool assigns_xnumel(struct slice text) {
    static const struct slice mark = SLICE_INIT("_xnumel");
    for (size_t at; (at = slice_find(text, mark)) != SIZE_MAX;) {
        text = slice_from(text, at + mark.len);
        size_t i = 0;
        if (text.len > 1 && text.ptr[0] == '_' && isdigit((unsigned char)text.ptr[1]))
            for (i = 1; i < text.len && isdigit((unsigned char)text.ptr[i]);)
                i++;
        while (i < text.len && (text.ptr[i] == ' ' || text.ptr[i] == '\t'))
            i++;
        if (i < text.len && text.ptr[i] == '=')
            return true;
    }
    return false;
}

/* In C++, the sizes of its grid precede a launch: "int64_t triton_poi_fused_mul_1_xnumel = …" is not a call. */
static bool is_size(struct slice line) {
    if (holds(line, SLICE("_xnumel =")))
        return true;
    line = slice_trim(line);
    size_t word = 0;
    while (word < line.len && is_word(line.ptr[word]))
        word++;
    return word && word < line.len && (line.ptr[word] == ' ' || line.ptr[word] == '\t') &&
           assigns_xnumel(slice_from(line, word));
}

/* The index of the first line that is at least `from`. */
static size_t lines_from(const struct name_lines *lines, uint32_t from) {
    size_t low = 0;
    SEARCH(low, lines->count, middle, lines->items[middle] < from);
    return low;
}

/* The line of the call after the comment with the kernel's debug handle, or 0. */
static uint32_t call_by_handle(struct code *code, uint32_t from, const struct name_lines *whole,
                               const struct name_lines *bare) {
    size_t i = lines_from(whole, from);
    while (code->kind == CODE_CPP && i < whole->count && is_definition(code_line(code, whole->items[i])))
        i++;
    if (i == whole->count)
        return 0;
    for (size_t c = lines_from(bare, whole->items[i] + 1); c < bare->count && spend(code); c++)
        if (code->kind != CODE_CPP || !is_size(code_line(code, bare->items[c])))
            return bare->items[c];
    return 0;
}

/* ---- the code of kernels ---------------------------------------------------------------------------------------- */

/* In Python, a kernel is a string: from "name = async_compile.…('''" to the line that begins with "'''". */
static uint32_t python_body(struct code *code, uint32_t number, struct slice name) {
    static const struct slice quotes = SLICE_INIT("'''");
    struct slice line = code_line(code, number);
    if (!slice_starts(line, name) || !slice_starts(slice_from(line, name.len), SLICE(" = async_compile.")))
        return 0;
    size_t open = slice_find(line, quotes);
    if (open == SIZE_MAX || holds(slice_from(line, open + quotes.len), quotes))
        return number;
    while (number < code->count && spend(code))
        if (slice_starts(code_line(code, ++number), quotes))
            break;
    return number;
}

/* In C++, it is a function: from 'extern "C" …' or "static inline …" to the '}' at the start of a line. */
static uint32_t cpp_body(struct code *code, uint32_t number, struct slice name) {
    struct slice line = code_line(code, number);
    if (!slice_starts(line, SLICE("extern \"C\"")) && !slice_starts(line, SLICE("static inline ")))
        return 0;
    size_t at = slice_find(line, name);
    if (at == SIZE_MAX || !slice_starts(slice_from(line, at + name.len), SLICE("(")))
        return 0;
    for (bool open = false; number <= code->count && spend(code); number++) {
        line = slice_trim(code_line(code, number));
        if (!open && slice_ends(line, SLICE(";")))
            return 0; /* a declaration */
        open |= slice_ends(line, SLICE("{"));
        if (open && slice_starts(code_line(code, number), SLICE("}")))
            return number;
    }
    return 0;
}

static void find_body(struct kernel_lines *lines, struct code *code, uint32_t kernel, struct slice name,
                      const struct name_lines *bare) {
    enum { TRIES = 64 }; /* a definition is near the first mention */
    for (size_t i = 0; i < bare->count && i < TRIES; i++) {
        uint32_t from = bare->items[i],
                 to = code->kind == CODE_PYTHON ? python_body(code, from, name) : cpp_body(code, from, name);
        if (!to)
            continue;
        LIST_ADD(&lines->bodies, (struct kernel_body){kernel, from, to});
        return;
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

/* Returns false if there are too many lines. */
static bool add_calls(struct relation *calls, struct code *code, uint32_t from, uint32_t kernel,
                      const struct name_lines *whole, const struct name_lines *bare) {
    uint32_t call = whole ? call_by_handle(code, from, whole, bare) : 0;
    bool room = true;
    relation_begin(calls, kernel);
    if (call)
        room = relation_add(calls, call);
    for (size_t i = call ? bare->count : lines_from(bare, from); room && i < bare->count; i++)
        room = relation_add(calls, bare->items[i]);
    relation_end(calls);
    return room;
}

static struct slice bare_name(const struct kernel *kernel, enum code_kind kind) {
    return kind == CODE_PYTHON ? kernel->bare : kernel->bare_cpp;
}

void kernel_lines_find(struct kernel_lines *lines, const struct kernels *kernels, struct slice text,
                       enum code_kind kind) {
    struct code code;
    struct slice *wanted = mem_alloc((2 * kernels->count + 1) * sizeof *wanted);
    for (size_t i = 0; i < kernels->count; i++) {
        wanted[2 * i] = bare_name(&kernels->items[i], kind);
        wanted[2 * i + 1] = kernels->items[i].name;
    }
    struct names *names = names_create(wanted, 2 * kernels->count);
    struct name_lines *found = names_find(names, text);
    code_index(&code, kind, text);
    uint32_t from = first_line(&code);
    bool room = kind != CODE_KERNELS;
    for (size_t i = 0; i < kernels->count; i++) {
        const struct name_lines *bare = names_lines(names, found, 2 * i), *whole = names_lines(names, found, 2 * i + 1);
        struct slice name = bare_name(&kernels->items[i], kind);
        bool handle = name.len != kernels->items[i].name.len;
        if (room)
            room = add_calls(&lines->calls, &code, from, (uint32_t)i, handle ? whole : NULL, bare);
        find_body(lines, &code, (uint32_t)i, name, bare);
    }
    relation_sort(&lines->calls);
    name_lines_free(names, found);
    names_destroy(names);
    mem_free(code.starts);
    mem_free(wanted);
}

void kernel_lines_free(struct kernel_lines *lines) {
    relation_free(&lines->calls);
    mem_free(lines->bodies.items);
    *lines = (struct kernel_lines){0};
}
