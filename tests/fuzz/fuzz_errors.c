/* Any text: what is parsed of errors, graph breaks and tracebacks is within it, and recompile reasons can be compared.
 */
#define _GNU_SOURCE /* memfd_create */
#include "base/arena.h"
#include "base/json.h"
#include "fuzz.h"
#include "scan/error_text.h"
#include "scan/guard_facts.h"
#include "scan/guard_failure.h"
#include "scan/guard_prose.h"
#include "scan/guard_text.h"
#include "scan/library.h"

static void check_part(const struct break_part *part, struct slice text) {
    MUST(fuzz_inside(part->reason, text) && fuzz_inside(part->explanation, text));
    MUST(fuzz_inside(part->context, text) && fuzz_inside(part->url, text));
}

static void check_frame(const struct frame *frame, struct slice text) {
    MUST(fuzz_inside(frame->file, text) && fuzz_inside(frame->function, text) && fuzz_inside(frame->code, text));
}

static void check_breaks(struct slice text) {
    for (int bare = 0; bare < 2; bare++) {
        struct break_text said;
        struct buf id = {0};
        break_text_read(text, bare == 1, &said);
        check_part(&said.cause, text);
        check_part(&said.then, text);
        MUST(said.hint_count <= HINTS_MAX);
        for (size_t i = 0; i < said.hint_count; i++)
            MUST(fuzz_inside(said.hints[i], text) && said.hints[i].len);
        MUST(fuzz_inside(break_hint(said.hints, said.hint_count), text));
        MUST(break_id_add(&id, said.cause.url) == (id.len > 2));
        buf_free(&id);
    }
}

static void check_tracebacks(struct slice text) {
    struct frame frame = {0}, at = {0}, caller = {0};
    struct slice rest = text, type = {0};
    struct buf message = {0};
    if (traceback_last_frame(text, &frame)) {
        check_frame(&frame, text);
        MUST(traceback_frame_at(text, frame.file, frame.line, &at, &caller));
        check_frame(&at, text);
        check_frame(&caller, text);
        MUST(!caller.file.ptr || !is_library_file(caller.file));
    } else {
        MUST(!traceback_user_frame(text, &frame));
    }
    if (traceback_user_frame(text, &frame))
        MUST(!is_library_file(frame.file));
    while (traceback_take(&rest, &frame))
        MUST(fuzz_inside(rest, text));
    if (exception_read(text, &type, &message))
        MUST(type.len && fuzz_inside(type, text) && message.len <= text.len);
    buf_free(&message);
}

static void check_guards(struct slice text) {
    struct slice half = slice_first(text, text.len / 2), other = slice_from(text, text.len / 2);
    struct buf differs = {0}, packed = {0};
    struct arena arena = {0};
    yyjson_val *json = NULL;
    guard_keys_differ(&differs, half, half);
    MUST(!differs.len);
    guard_keys_differ(&differs, half, other);
    struct guard_failure failure = guard_failure_read(text);
    MUST(fuzz_inside(failure.guard, text) || slice_is(failure.guard, GUARD_NOT_NAMED));
    MUST(fuzz_inside(failure.against, text));
    MUST(guard_operand_length(text) <= text.len && fuzz_inside(guard_class_name(text), text));
    if (json_read(&other, JSON_NUMBERS, &arena, &json) != JSON_BAD)
        MUST(guard_facts_add_list(&packed, json) <= GUARD_FACTS_MAX);
    buf_free(&packed);
    buf_free(&differs);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    check_breaks(text);
    check_tracebacks(text);
    check_guards(text);
    return 0;
}
