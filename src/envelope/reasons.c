/* What artifacts of certain names say: why a frame broke, was compiled again, missed a cache. */
#include <stdlib.h>

#include "base/mem.h"
#include "envelope/registry.h"
#include "model/dynamic.h"
#include "model/kernels.h"

static struct slice after(struct slice line, struct slice prefix) {
    return slice_trim(slice_from(line, prefix.len));
}

/* "…raph break in user code at FILE:LINE" anywhere in the text. */
static struct place find_place(struct slice text) {
    static const struct slice words = {"raph break in user code at ", 27};
    struct slice line;
    while (slice_next_line(&text, &line)) {
        size_t at = slice_find(line, words);
        if (at == SIZE_MAX || at == 0 || (line.ptr[at - 1] != 'G' && line.ptr[at - 1] != 'g'))
            continue;
        struct slice place = after(line, slice_first(line, at + words.len));
        size_t colon = slice_rfind_byte(place, ':');
        struct place found = {0};
        if (colon == SIZE_MAX || colon == 0 || !slice_to_u64(slice_from(place, colon + 1), &found.line))
            continue;
        found.file = slice_first(place, colon);
        return found;
    }
    return (struct place){0};
}

/* Takes one frame of a Python traceback: '  File "x.py", line 3, in f' and perhaps the code behind it. */
static bool take_frame(struct slice *rest, struct frame *frame) {
    struct slice look = *rest, line = {0};
    if (!slice_next_line(&look, &line))
        return false;
    struct slice text = slice_trim(line);
    if (!slice_starts(text, SLICE("File \"")))
        return false;
    text = slice_from(text, 6);
    size_t quote = slice_find(text, SLICE("\", line "));
    if (quote == SIZE_MAX)
        return false;
    struct slice tail = slice_from(text, quote + 8);
    size_t comma = slice_find(tail, SLICE(", in "));
    *frame = (struct frame){.file = slice_first(text, quote)};
    slice_to_u64(slice_first(tail, comma == SIZE_MAX ? tail.len : comma), &frame->line);
    if (comma != SIZE_MAX)
        frame->function = slice_from(tail, comma + 5);
    *rest = look;
    while (slice_next_line(&look, &line) && line.len && slice_starts(line, SLICE("    "))) {
        text = slice_trim(line);
        bool marks = text.len > 0;
        for (size_t i = 0; i < text.len; i++)
            marks &= text.ptr[i] == '^' || text.ptr[i] == '~';
        if (!marks && !frame->code.ptr)
            frame->code = text;
        *rest = look;
    }
    return true;
}

static void add_user_stack(struct fold *fold, struct graph_break *found, struct slice text) {
    static const struct slice head = {"User code traceback:\n", 21};
    size_t at = slice_find(text, head);
    struct frame frame;
    if (at == SIZE_MAX)
        return;
    text = slice_from(text, at + head.len);
    while (take_frame(&text, &frame)) {
        frame.file = report_copy(fold->report, frame.file);
        frame.function = report_copy(fold->report, frame.function);
        frame.code = report_copy(fold->report, frame.code);
        MEM_GROW(&found->stack);
        found->stack.items[found->stack.count++] = frame;
    }
    if (found->stack.count)
        found->place.function = found->stack.items[found->stack.count - 1].function;
}

/* "…/gb/gb0123.html" → "GB0123". */
static struct slice gb_id(struct fold *fold, struct slice url) {
    size_t at = slice_find(url, SLICE("/gb/gb"));
    struct slice digits = at == SIZE_MAX ? (struct slice){0} : slice_from(url, at + 6);
    struct buf id = {0};
    buf_add_lit(&id, "GB");
    while (digits.len && digits.ptr[0] >= '0' && digits.ptr[0] <= '9') {
        buf_add_byte(&id, digits.ptr[0]);
        digits = slice_from(digits, 1);
    }
    struct slice kept = id.len > 2 ? report_copy(fold->report, buf_slice(&id)) : (struct slice){0};
    buf_free(&id);
    return kept;
}

/* The parts of an artifact's text; slices of it. */
struct break_text {
    struct slice reason, explanation, url;
    LIST(struct slice) hints;
};

/* Where a line of the text belongs. */
enum break_part { PART_OTHER, PART_REASON, PART_EXPLANATION };

/* Reason, Explanation, Hints and address begin lines of their own. The reason is the last line before the explanation:
 * "Graph Break Reason:" may say first what was being traced. An explanation may go on over several lines. */
static void read_break(struct slice text, struct break_text *found) {
    static const struct slice reason = {"Graph Break Reason:", 19}, explanation = {"Explanation:", 12},
                              hint = {"Hint:", 5}, visit = {"please visit: ", 14};
    enum break_part part = PART_OTHER;
    struct slice line;
    while (slice_next_line(&text, &line)) {
        struct slice trimmed = slice_trim(line);
        if (slice_starts(line, SLICE("User code traceback:")) || slice_starts(line, SLICE("Traceback (most recent")))
            break;
        if (slice_starts(trimmed, reason)) {
            part = PART_REASON;
            found->reason = after(trimmed, reason);
        } else if (slice_starts(trimmed, explanation) && !found->explanation.ptr) {
            part = PART_EXPLANATION;
            found->explanation = after(trimmed, explanation);
        } else if (slice_starts(trimmed, hint)) {
            part = PART_OTHER;
            MEM_GROW(&found->hints);
            found->hints.items[found->hints.count++] = after(trimmed, hint);
        } else if (slice_find(trimmed, visit) != SIZE_MAX) {
            part = PART_OTHER;
            found->url = slice_trim(slice_from(trimmed, slice_find(trimmed, visit) + visit.len));
        } else if (slice_starts(trimmed, SLICE("Developer debug context:"))) {
            part = PART_OTHER;
        } else if (trimmed.len && part == PART_REASON) {
            found->reason = trimmed;
        } else if (trimmed.len && part == PART_EXPLANATION) {
            found->explanation.len = (size_t)(trimmed.ptr + trimmed.len - found->explanation.ptr);
        }
    }
}

static struct graph_break *new_break(struct fold *fold, const struct break_text *said, struct place place,
                                     struct slice payload) {
    struct report *report = fold->report;
    struct graph_break *found = arena_zalloc(&report->arena, sizeof *found);
    bool web = slice_starts(said->url, SLICE("https://")) || slice_starts(said->url, SLICE("http://"));
    found->reason = report_copy(report, said->reason.ptr ? said->reason : SLICE(""));
    found->explanation = report_copy(report, said->explanation);
    found->url = web ? report_copy(report, said->url) : (struct slice){0};
    found->gb_id = gb_id(fold, said->url);
    found->place = place;
    found->place.file = report_copy(report, place.file);
    for (size_t i = 0; i < said->hints.count; i++) {
        MEM_GROW(&found->hints);
        found->hints.items[found->hints.count++] = report_copy(report, said->hints.items[i]);
    }
    add_user_stack(fold, found, payload);
    MEM_GROW(&report->breaks);
    report->breaks.items[report->breaks.count++] = found;
    return found;
}

static void note_index(struct fold *fold, uint32_t index) {
    struct report *report = fold->report;
    struct graph_break *found = report->breaks.items[index];
    struct compile *compile = fold_compile(fold);
    uint32_t place = report->folders.items[fold->folder].compile;
    uint32_t pair[2] = {index, place};
    bool added;
    found->count++;
    map_put(&report->break_pair_map, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    MEM_GROW(&found->compiles);
    found->compiles.items[found->compiles.count++] = place;
    MEM_GROW(&compile->breaks);
    compile->breaks.items[compile->breaks.count++] = index;
}

static void note_break(struct fold *fold, struct slice payload) {
    struct break_text said = {0};
    struct place place = find_place(payload);
    struct buf key = {0};
    bool added;
    read_break(payload, &said);
    buf_addf(&key, "%llu ", (unsigned long long)place.line);
    buf_add(&key, place.file);
    buf_add_byte(&key, '\n');
    buf_add(&key, said.reason);
    uint32_t index = *map_put(&fold->report->break_map, buf_slice(&key), (uint32_t)fold->report->breaks.count, &added);
    if (added)
        new_break(fold, &said, place, payload);
    note_index(fold, index);
    free(said.hints.items);
    buf_free(&key);
}

static void note_reason(struct fold *fold, struct slice text) {
    struct compile *compile = fold_compile(fold);
    MEM_GROW(&compile->reasons);
    compile->reasons.items[compile->reasons.count++] = report_copy(fold->report, text);
    dynamic_note_reason(fold->report, compile, text);
}

/* A JSON list, one JSON value, or bare text that is one reason. */
static void note_recompile(struct fold *fold, struct slice payload, yyjson_val *json) {
    size_t i, max;
    yyjson_val *reason;
    struct slice text = json_text(json);
    if (!yyjson_is_arr(json)) {
        note_reason(fold, text.ptr ? text : payload);
        return;
    }
    yyjson_arr_foreach(json, i, max, reason) {
        struct buf other = {0};
        text = json_text(reason);
        if (!text.ptr)
            json_add_value(&other, reason);
        note_reason(fold, text.ptr ? text : buf_slice(&other));
        buf_free(&other);
    }
}

static bool note_cache(struct fold *fold, struct slice name, yyjson_val *json) {
    static const char *const caches[] = {"fx_graph", "aotautograd"}, *const results[] = {"hit", "miss", "bypass"};
    for (int cache = 0; cache < 2; cache++)
        for (int result = 0; result < 3; result++) {
            struct buf text = {0};
            buf_addf(&text, "%s_cache_%s", caches[cache], results[result]);
            bool same = slice_eq(name, buf_slice(&text));
            buf_free(&text);
            if (!same)
                continue;
            struct compile *compile = fold_compile(fold);
            struct slice reason = json_get_text(json, "cache_bypass_reason");
            fold->report->cache_counts[cache][result]++;
            MEM_GROW(&compile->caches);
            compile->caches.items[compile->caches.count++] =
                (struct cache_result){.cache = caches[cache],
                                      .result = results[result],
                                      .reason = report_copy(fold->report, reason),
                                      .key = report_copy(fold->report, json_get_text(json, "key")),
                                      .detail =
                                          report_copy(fold->report, json_get_text(json, "cache_status_detailed"))};
            return true;
        }
    return false;
}

/* Kept for the comparison of ranks. */
static void note_text(struct fold *fold, enum note_kind kind, struct slice name, struct slice text) {
    struct report *report = fold->report;
    if (!text.ptr || fold->aside)
        return;
    MEM_GROW(&report->notes);
    report->notes.items[report->notes.count++] =
        (struct note){kind, fold->folder, report_copy(report, name), report_copy(report, text)};
}

void reasons_note(struct fold *fold, struct slice name, struct slice payload, yyjson_val *json) {
    if (slice_is(name, "dynamo_graph_break_reason")) {
        note_break(fold, payload);
    } else if (slice_is(name, "recompile_reasons")) {
        note_recompile(fold, payload, json);
    } else if (slice_is(name, "torch_version")) {
        struct slice version = json_get_text(json, "pytorch_version");
        if (version.len)
            fold->report->torch = report_copy(fold->report, version);
    } else if (slice_starts(name, SLICE("inductor_collective_schedule"))) {
        note_text(fold, NOTE_COLLECTIVES, name, json ? fold->record->json_text : (struct slice){0});
    } else if (slice_starts(name, SLICE("inductor_runtime_and_tensor_meta"))) {
        note_text(fold, NOTE_RUNTIME, name, json ? fold->record->json_text : (struct slice){0});
    } else if (slice_starts(name, SLICE("graph_execution"))) {
        note_text(fold, NOTE_EXECUTION, name, json ? fold->record->json_text : (struct slice){0});
    } else if (slice_is(name, "aot_joint_graph_sync_decision_cross_ranks") ||
               slice_is(name, "inductor_spmd_graph_mismatch") || slice_is(name, "compiler_collective")) {
        note_text(fold, NOTE_DECISION, name, payload);
    } else if (slice_starts(name, SLICE("inductor_provenance_tracking_node_mappings"))) {
        kernels_note_nodes(fold->report, fold->folder, json_get(json, "cppCodeToPost"));
    } else if (slice_starts(name, SLICE("inductor_triton_kernel_to_post_grad_nodes"))) {
        kernels_note_nodes(fold->report, fold->folder, json);
    } else if (slice_starts(name, SLICE("inductor_provenance_tracking_kernel_stack_traces"))) {
        kernels_note_traces(fold->report, fold->folder, json);
    } else if (slice_starts(name, SLICE("triton_kernel_info"))) {
        kernels_note_info(fold->report, fold->folder, json);
    } else if (slice_find(name, SLICE("_cache_")) != SIZE_MAX) {
        note_cache(fold, name, json);
    }
}
