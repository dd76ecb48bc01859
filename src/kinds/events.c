/* chromium_event: the payload is an event in the trace event format. */
#include "kinds/records.h"

#include "analysis/timeline.h"
#include "base/jsonw.h"
#include "kinds/fold.h"
#include "lowering/stages.h"
#include "recompiles/dynamic.h"

struct node *event_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    (void)value;
    node->json_text = record->payload;
    if (record->has_payload)
        json_read(&node->json_text, JSON_NUMBERS, arena, &node->json);
    return node;
}

/* Uses the event's time. Returns whether the record may have been written at that time, in some year. */
static bool see_time(struct fold *fold, yyjson_val *event) {
    struct model *model = fold->model;
    double ts;
    if (!json_to_double(json_get(event, "ts"), &ts) || !(ts > 0 && ts < 9e15))
        return false;
    int64_t us = (int64_t)ts;
    if (!model->first_us || us < model->first_us)
        model->first_us = us;
    if (us > model->last_us)
        model->last_us = us;
    bool fits = fold_see_time(fold, us);
    if (fits)
        clock_see_event(&fold->clock, &fold->record->glog, us);
    return fits;
}

bool event_begins_compile(yyjson_val *event) {
    static const struct slice names[] = {SLICE_INIT("dynamo"), SLICE_INIT("_compile.compile_inner"),
                                         SLICE_INIT("entire_frame_compile"), SLICE_INIT("fullgraph_capture")};
    struct slice name = json_get_text(event, "name");
    if (!slice_is(json_get_text(event, "ph"), "B"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(name, names[i]))
            return true;
    return false;
}

/* "0/1_2" → "0/1" */
static struct slice without_attempt(struct slice id) {
    size_t at = slice_rfind_byte(id, '_');
    return at == SIZE_MAX ? id : slice_first(id, at);
}

/* Adds the event as a span of the record's compile. Run-time events are logged without an id, but may name a compile.
 */
static void add_to_timeline(struct fold *fold, yyjson_val *event, bool good_time) {
    struct model *model = fold->model;
    AUTO_BUF id = {0};
    struct slice named = json_get_text(json_get(event, "args"), "compile_id");
    const struct compile *compile = NULL;
    timeline_of(model, fold->files);
    if (slice_is(named, "None"))
        named = (struct slice){0};
    bool within = fold->record->id.state == COMPILE_ID_GOOD &&
                  (!named.ptr || slice_eq(without_attempt(named), fold_compile(fold)->id));
    if (within)
        compile = fold_compile(fold);
    else if (named.ptr)
        compile = model_newest(model, fold->process->id, without_attempt(named));
    if (compile)
        timeline_add_token(&id, compile->index);
    else if (!slice_starts(named, SLICE("\1"))) /* not one of our tokens */
        buf_add(&id, named);
    timeline_event(model->timeline, event, fold->process->track, good_time, buf_slice(&id), within);
}

/* The position of the event's pid in its text, if it is unambiguous: the key occurs once, followed by a number. */
static bool find_pid(const struct node *node, size_t *start, size_t *end) {
    static const struct slice key = SLICE_INIT("\"pid\"");
    struct slice text = node->json_text;
    size_t at = slice_find(text, key);
    if (at == SIZE_MAX || slice_find(slice_from(text, at + key.len), key) != SIZE_MAX ||
        !yyjson_is_uint(json_get(node->json, "pid")))
        return false;
    at += key.len;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == ':'))
        at++;
    *start = at;
    while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
        at++;
    *end = at;
    return *end > *start;
}

/* Adds the event with another pid. */
static void add_event(struct buf *out, const struct node *node, uint64_t pid) {
    size_t start, end, i, max;
    yyjson_val *key, *value;
    if (find_pid(node, &start, &end)) {
        BUF_ADD(out, slice_first(node->json_text, start), (uint64_t)pid, slice_from(node->json_text, end));
    } else {
        struct jsonw w = {.out = out};
        jsonw_object(&w, NULL);
        jsonw_u64(&w, "pid", pid);
        yyjson_obj_foreach(node->json, i, max, key, value) {
            if (slice_is(json_text(key), "pid"))
                continue;
            jsonw_key(&w, json_text(key));
            jsonw_value(&w, NULL, value);
        }
        jsonw_end_object(&w);
    }
}

/* The pid of an event in a log with several files. A process whose number is already taken gets a pid beyond Linux's
 * maximum, and a name before its first event. */
static uint64_t event_pid(struct fold *fold) {
    enum { LINUX_PID_MAX = 1 << 22 };
    struct process *process = fold->process;
    if (process->nth == 1)
        return process->number;
    uint64_t pid = LINUX_PID_MAX + (process->id & UINT32_MAX);
    if (!process->named) {
        struct jsonw w = {.out = &fold->events.buf};
        AUTO_BUF name = {0};
        buf_addf(&name, "process %" PRIu64 ".%" PRIu32, process->number, process->nth);
        jsonw_object(&w, NULL);
        JSON_ADD(&w, "name", "process_name", "ph", "M", "pid", pid);
        jsonw_object(&w, "args");
        jsonw_text(&w, "name", buf_slice(&name));
        jsonw_end_object(&w);
        jsonw_end_object(&w);
        buf_add_lit(&fold->events.buf, ",\n");
    }
    process->named = true;
    return pid;
}

void event_fold(struct fold *fold, const struct node *node) {
    const struct record *record = fold->record;
    if (!node->json) {
        fold->model->loss_pending = true;
        if (record->has_payload)
            fold_fault(fold, COUNTERS, "chromium_event dropped: its payload is not JSON", (struct slice){0});
        return;
    }
    if (record->id.state == COMPILE_ID_GOOD && slice_is(json_get_text(node->json, "name"), "automatic_dynamic"))
        dynamic_note_automatic(fold->model, fold_compile(fold), json_get(node->json, "args"));
    if (record->id.state == COMPILE_ID_GOOD)
        kernel_choices_note(fold->model, fold_compile(fold)->index, node->json);
    add_to_timeline(fold, node->json, see_time(fold, node->json));
    struct slice between = fold->model->events++ ? SLICE(",\n") : SLICE("\n");
    if (!files_wanted(fold->files))
        return;
    stream_add(&fold->events, between);
    if (fold->several_files) { /* PyTorch's pid is 0 in all processes, so their events would overlap */
        uint64_t pid = event_pid(fold);
        add_event(&fold->events.buf, node, pid);
        stream_flush_if_full(&fold->events);
    } else {
        stream_add(&fold->events, node->json_text);
    }
    struct spooled *shared = fold->options->shared_events;
    if (shared) {
        spooled_add(shared, between);
        add_event(&shared->buf, node, fold->options->events_pid);
        spooled_flush_if_full(shared);
    }
}
