#include "findings/findings_make.h"

#include <stdarg.h>

#include "scan/guard_facts.h"

void failure_add_place(struct findings *findings, compile_list *list, uint32_t place) {
    ARENA_ADD(&findings->scratch, list, place);
}

struct place frame_place(const struct frame *frame) {
    return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
}

void failure_add_sentence(struct buf *out, const char *text) {
    if (out->len)
        buf_add_byte(out, ' ');
    buf_add_str(out, text);
}

enum { REASON_MAX = 300, MESSAGE_MAX = 600, NAMES_MAX = 3 };

struct slice finding_say(struct findings *findings, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    struct slice kept = arena_slice(&findings->arena, slice_str(text));
    mem_free(text);
    return kept;
}

struct finding *finding_add(struct findings *findings, enum finding_kind kind, enum severity severity,
                            enum impact impact) {
    ARENA_GROW(&findings->arena, &findings->list);
    struct finding *finding = &findings->list.items[findings->list.count++];
    *finding = (struct finding){.added = (uint32_t)(findings->list.count - 1),
                                .kind = kind,
                                .severity = severity,
                                .impact = impact,
                                .time_us = -1};
    return finding;
}

void finding_add_time(struct finding *finding, int64_t us) {
    if (us >= 0)
        finding->time_us = (finding->time_us < 0 ? 0 : finding->time_us) + us;
}

bool finding_name_compile(struct findings *findings, struct finding *finding, uint32_t place) {
    uint32_t pair[2] = {(uint32_t)(finding - findings->list.items), place};
    bool added;
    map_put_in(&findings->arena, &findings->known, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return false;
    ARENA_ADD(&findings->arena, &finding->compiles, place);
    return true;
}

void finding_add_compile(struct findings *findings, struct finding *finding, const struct model *model,
                         uint32_t place) {
    if (finding_name_compile(findings, finding, place) && model->compiles.items[place]->framed)
        finding_add_time(finding, model->compiles.items[place]->time_us);
}

void finding_add_cacheable(struct findings *findings, struct finding *finding, const struct model *model,
                           uint32_t place, int64_t time_us) {
    finding->cost = COST_CACHEABLE;
    if (finding_name_compile(findings, finding, place) && model->compiles.items[place]->framed)
        finding_add_time(finding, time_us);
}

void finding_set_place(struct findings *findings, struct finding *finding, const struct compile *compile) {
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
}

struct slice finding_cut(struct findings *findings, struct slice text, size_t max) {
    return text.len <= max ? text : finding_say(findings, "%.*s…", SLICE_ARG(utf8_first(text, max)));
}

struct slice finding_line(struct findings *findings, struct slice text) {
    struct slice rest = slice_trim(text), line = {0}, second = {0};
    slice_next_line(&rest, &line);
    line = slice_trim(line);
    rest = slice_trim(rest);
    if (!slice_ends(line, SLICE(":")) || !slice_next_line(&rest, &second))
        return finding_cut(findings, line, REASON_MAX);
    return finding_say(findings, "%.*s %.*s", SLICE_ARG(finding_cut(findings, line, REASON_MAX)),
                       SLICE_ARG(finding_cut(findings, slice_trim(second), REASON_MAX)));
}

struct slice finding_message(struct findings *findings, struct slice text) {
    text = slice_trim(text);
    if (!text.len)
        return (struct slice){0};
    if (text.len <= MESSAGE_MAX)
        return arena_slice(&findings->arena, text);
    return finding_say(findings, "%.*s…", SLICE_ARG(utf8_first(text, MESSAGE_MAX)));
}

static struct slice name_of(const struct compile *compile) {
    return slice_first(compile->label.ptr ? compile->label : compile->frame.function, REASON_MAX);
}

struct slice finding_function(struct findings *findings, const struct compile *compile) {
    struct slice name = name_of(compile);
    return name.len ? finding_say(findings, "`%.*s`", SLICE_ARG(name)) : SLICE("a frame");
}

struct slice finding_subject(struct findings *findings, const struct compile *compile, bool begins_sentence) {
    bool backward = compile->autograd_id != PART_MISSING && slice_starts(compile->frame.file, SLICE("<"));
    if (!backward)
        return finding_function(findings, compile);
    return begins_sentence ? SLICE("The backward graph of Compiled Autograd")
                           : SLICE("the backward graph of Compiled Autograd");
}

/* The key as part of a URL, encoded like encodeURIComponent(). */
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
    return arena_keep(&findings->arena, &link);
}

size_t finding_add_functions(struct buf *out, const struct model *model, const uint32_t *items, size_t count) {
    struct slice names[NAMES_MAX];
    size_t known = 0, more = 0;
    for (size_t i = 0; i < count; i++) {
        struct slice name = name_of(model->compiles.items[items[i]]);
        size_t at = 0;
        while (at < known && !slice_eq(names[at], name))
            at++;
        if (at == known && known == NAMES_MAX)
            more++;
        else if (at == known)
            names[known++] = name;
    }
    bool sentence = !out->len || (out->len > 1 && out->ptr[out->len - 2] == '.');
    for (size_t i = 0; i < known; i++) {
        const char *before = i == 0 ? "" : i + 1 == known && !more ? " and " : ", ";
        if (names[i].len)
            buf_addf(out, "%s`%.*s`", before, SLICE_ARG(names[i]));
        else
            buf_addf(out, "%s%s", before, sentence && i == 0 ? "A frame" : "a frame");
    }
    if (more)
        buf_addf(out, " and %zu more", more);
    return known + more;
}

void finding_add_duration(struct buf *out, int64_t us) {
    double s = (double)us / 1e6;
    if (us >= 120000000)
        buf_addf(out, "%" PRId64 " min %02.0f s", us / 60000000, (double)(us % 60000000) / 1e6);
    else if (us >= 9950000)
        buf_addf(out, "%.1f s", s);
    else if (us >= 999500)
        buf_addf(out, "%.2f s", s);
    else if (us >= 1000)
        buf_addf(out, us >= 9950 ? "%.0f ms" : "%.1f ms", s * 1e3);
    else
        buf_addf(out, "%d µs", (int)us);
}

struct slice finding_keep(struct findings *findings, struct buf *text) {
    struct slice kept = arena_slice(&findings->arena, buf_slice(text));
    buf_free(text);
    return kept;
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

struct slice finding_partner_advice(struct findings *findings, const struct compile *compile,
                                    const struct equal_size *equal, struct slice *evidence) {
    if (!equal->partner.len)
        return (struct slice){0};
    *evidence = finding_say(findings, "guard_added_fast of %.*s (%.*s)", SLICE_ARG(compile->key),
                            SLICE_ARG(equal->guard->text));
    return finding_say(findings, "Mark the other size, too: `torch._dynamo.mark_dynamic(%.*s, %u)`.",
                       SLICE_ARG(equal->partner), equal->dimension);
}
