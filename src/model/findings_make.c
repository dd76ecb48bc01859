#include "model/findings_make.h"

#include <stdarg.h>

#include "base/mem.h"

enum { REASON_MAX = 300 };

struct slice finding_say(struct findings *findings, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    struct slice kept = arena_slice(&findings->arena, slice_str(text));
    mem_free(text);
    return kept;
}

struct finding *finding_add(struct findings *findings, const char *kind, enum severity severity, enum impact impact) {
    MEM_GROW(&findings->list);
    struct finding *finding = &findings->list.items[findings->list.count++];
    *finding = (struct finding){.kind = kind, .severity = severity, .impact = impact, .time_us = -1};
    return finding;
}

void finding_add_compile(struct findings *findings, struct finding *finding, const struct report *report,
                         uint32_t place) {
    uint32_t pair[2] = {(uint32_t)(finding - findings->list.items), place};
    bool added;
    map_put(&findings->known, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    MEM_GROW(&finding->compiles);
    finding->compiles.items[finding->compiles.count++] = place;
    const struct compile *compile = report->compiles.items[place];
    int64_t time = compile->time_us;
    if (time >= 0 && compile->frame_id != PART_MISSING) /* what is outside of compiles shares one time */
        finding->time_us = (finding->time_us < 0 ? 0 : finding->time_us) + time;
}

struct slice finding_line(struct findings *findings, struct slice text) {
    struct slice rest = slice_trim(text), line = {0}, second = {0};
    slice_next_line(&rest, &line);
    line = slice_trim(line);
    rest = slice_trim(rest);
    if (!slice_ends(line, SLICE(":")) || !slice_next_line(&rest, &second))
        return slice_first(line, REASON_MAX);
    return finding_say(findings, "%.*s %.*s", SLICE_ARG(slice_first(line, REASON_MAX)),
                       SLICE_ARG(slice_first(slice_trim(second), REASON_MAX)));
}

struct slice finding_function(const struct compile *compile) {
    return compile->frame.function.len ? compile->frame.function : SLICE("a frame");
}

/* The key as one part of an address, as encodeURIComponent() has it. */
struct slice finding_link(struct findings *findings, const struct compile *compile) {
    struct buf link = {0};
    buf_add_lit(&link, "#/c/");
    for (size_t i = 0; i < compile->key.len; i++)
        switch (compile->key.ptr[i]) {
        case '/':
            buf_add_lit(&link, "%2F");
            break;
        case '#':
            buf_add_lit(&link, "%23");
            break;
        case ':':
            buf_add_lit(&link, "%3A");
            break;
        default:
            buf_add_byte(&link, compile->key.ptr[i]);
        }
    struct slice kept = arena_slice(&findings->arena, buf_slice(&link));
    buf_free(&link);
    return kept;
}

bool is_library_file(struct slice file) {
    static const struct slice marks[] = {
        {"/site-packages/", 15}, {"/dist-packages/", 15}, {"/lib/python", 11},
        {"/torch/_dynamo/", 15}, {"/torch/nn/", 10},
    };
    if (!file.len || file.ptr[0] == '<')
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_find(file, marks[i]) != SIZE_MAX)
            return true;
    return false;
}

struct place finding_place(struct place place, const struct stack_node *stack) {
    if (!is_library_file(place.file))
        return place;
    for (const struct stack_node *node = stack; node; node = node->parent)
        if (!is_library_file(node->frame->file))
            return (
                struct place){.file = node->frame->file, .function = node->frame->function, .line = node->frame->line};
    return place;
}
