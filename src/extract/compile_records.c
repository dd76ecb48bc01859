#include "extract/compile_records.h"

#include "base/json.h"
#include "base/word.h"

/* ---- which compile ---------------------------------------------------------------------------------------------- */

/* Removes a number from the start of the text. */
static bool cut_number(struct slice *text, uint64_t *number) {
    size_t length = digits_length(*text);
    if (!length || !slice_to_u64(slice_first(*text, length), number))
        return false;
    *text = slice_from(*text, length);
    return true;
}

bool compile_wanted_parse(struct slice text, struct compile_wanted *wanted) {
    struct compile_wanted parsed = {.generation = 1};
    struct slice rest = text, after;
    if (cut_number(&rest, &parsed.process) && slice_cut_start(&rest, SLICE(":")))
        parsed.has_process = true;
    else
        rest = text;
    size_t hash = slice_find(rest, SLICE("#"));
    parsed.id = slice_first(rest, hash);
    if (hash != SIZE_MAX) {
        after = slice_from(rest, hash + 1);
        if (!cut_number(&after, &parsed.generation) || after.len || !parsed.generation)
            return false;
    }
    if (!compile_id_is_shown(parsed.id))
        return false;
    *wanted = parsed;
    return true;
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

/* A copy in the arena; empty if there is no room. */
static struct slice keep(struct compile_records *records, struct slice text) {
    if (text.len > RECORDS_BYTES - records->bytes) {
        records->is_cut = true;
        return SLICE("");
    }
    char *copy = arena_alloc(&records->arena, text.len + 1);
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    records->bytes += text.len;
    return slice_make(copy, text.len);
}

/* Whether the arguments of forward() are tangents. */
static bool is_backward(struct slice text) {
    struct slice rest = slice_after(text, SLICE("class Repro(")), line;
    rest = slice_after(rest, SLICE("def forward("));
    line = slice_first_line(rest);
    return slice_find(line, SLICE("tangents_")) != SIZE_MAX;
}

/* A copy of the list "name=[7, 8]" without the brackets; empty: there is none, or it has something other than numbers. */
static struct slice keep_numbers(struct compile_records *records, struct slice text, struct slice name) {
    AUTO_BUF numbers = {0};
    struct slice list = slice_after(text, name), number;
    size_t end = slice_find(list, SLICE("]"));
    list = slice_first(list, end == SIZE_MAX ? 0 : end);
    while (list.len) {
        size_t comma = slice_find(list, SLICE(","));
        number = slice_trim(slice_first(list, comma));
        bool leads = number.len > 1 && number.ptr[0] == '0';
        if (!number.len || number.len > 9 || leads || digits_length(number) != number.len)
            return (struct slice){0};
        BUF_ADD(&numbers, numbers.len ? ", " : "", number);
        list = comma == SIZE_MAX ? (struct slice){0} : slice_from(list, comma + 1);
    }
    return numbers.len ? keep(records, buf_slice(&numbers)) : (struct slice){0};
}

static void keep_text(struct compile_records *records, struct compile_texts *texts, const struct record *record) {
    int64_t attempt = record->id.attempt;
    if (texts->count && texts->items[0].attempt > attempt)
        return;
    if (texts->count && texts->items[0].attempt < attempt)
        texts->count = 0; /* what a restarted attempt made is not what runs */
    struct slice text = keep(records, record->payload);
    if (text.len)
        LIST_ADD(texts, (struct compile_text){.text = text,
                                              .attempt = attempt,
                                              .backward = is_backward(text),
                                              .donated = records->donated});
}

/* The code is that of the latest program, unless that has code: then it is of a graph from a cache. */
static void keep_code(struct compile_records *records, const struct record *record) {
    size_t before = records->codes.count;
    keep_text(records, &records->codes, record);
    if (!records->codes.count || !records->programs.count || records->codes.count == before)
        return;
    const struct compile_text *code = &records->codes.items[records->codes.count - 1];
    struct compile_text *program = &records->programs.items[records->programs.count - 1];
    if (!program->code.len && program->attempt == code->attempt)
        program->code = code->text;
}

/* ---- records of the compile ------------------------------------------------------------------------------------- */

static void add_artifact(struct compile_records *records, const struct record *record, struct slice name) {
    if (slice_is(name, "fx_graph_runnable"))
        keep_text(records, &records->programs, record);
    else if (slice_is(name, "aot_forward_graph_fw_metadata"))
        records->donated = keep_numbers(records, record->payload, SLICE("bw_donated_idxs=["));
    else if (slice_is(name, "recompile_reasons"))
        records->recompile_reasons = keep(records, record->payload);
}

static void add_metrics(struct compile_records *records, yyjson_val *metrics, bool backward) {
    struct slice failure = json_get_text(metrics, "fail_type");
    if (failure.len) {
        records->fail_type = keep(records, failure);
        records->fail_reason = keep(records, json_get_text(metrics, "fail_reason"));
        records->failed_in_backward = backward;
    }
    if (backward)
        return;
    records->has_metrics = true;
    records->frame_name = keep(records, json_get_text(metrics, "co_name"));
}

static void add_tensor(struct compile_records *records, yyjson_val *tensor) {
    AUTO_BUF facts = {0};
    if (yyjson_get_bool(json_get(tensor, "requires_grad")))
        buf_add_lit(&facts, "requires_grad ");
    if (yyjson_get_bool(json_get(tensor, "is_leaf")))
        buf_add_lit(&facts, "leaf ");
    if (yyjson_get_bool(json_get(tensor, "is_parameter")))
        buf_add_lit(&facts, "parameter ");
    records->tensor_facts = keep(records, slice_trim(buf_slice(&facts)));
}

static void add_source(struct compile_records *records, yyjson_val *source) {
    struct slice name = json_get_text(source, "source");
    if (name.len && records->tensor_facts.len && records->sources.count < RECORDS_SOURCES)
        LIST_ADD(&records->sources, (struct compile_fact){keep(records, name), records->tensor_facts});
    records->tensor_facts = (struct slice){0};
}

static void add_symbol(struct compile_records *records, yyjson_val *symbol) {
    struct slice name = json_get_text(symbol, "symbol"), value = json_get_text(symbol, "val");
    if (name.len && value.len && records->symbols.count < RECORDS_SYMBOLS)
        LIST_ADD(&records->symbols, (struct compile_fact){keep(records, name), keep(records, value)});
}

static void add_own(struct compile_records *records, const struct record *record) {
    yyjson_val *value, *root = record->root;
    records->number++;
    if ((value = json_get(root, "artifact")))
        add_artifact(records, record, json_get_text(value, "name"));
    else if (json_get(root, "dynamo_output_graph"))
        keep_text(records, &records->graphs, record);
    else if (json_get(root, "inductor_output_code"))
        keep_code(records, record);
    else if ((value = json_get(root, "describe_tensor")))
        add_tensor(records, value);
    else if ((value = json_get(root, "describe_source")))
        add_source(records, value);
    else if ((value = json_get(root, "create_symbol")))
        add_symbol(records, value);
    else if ((value = json_get(root, "compilation_metrics")))
        add_metrics(records, value, false);
    else if ((value = json_get(root, "bwd_compilation_metrics")))
        add_metrics(records, value, true);
    else if (json_get(root, "aot_forward_graph") || json_get(root, "aot_inference_graph") ||
             json_get(root, "aot_joint_graph"))
        records->has_aot = true;
}

/* ---- which records are its own ---------------------------------------------------------------------------------- */

static bool has_graph(const struct record *record) {
    yyjson_val *artifact = json_get(record->root, "artifact");
    return json_get(record->root, "dynamo_output_graph") ||
           slice_is(json_get_text(artifact, "name"), "fx_graph_runnable");
}

static void note_id(struct compile_records *records, const struct record *record, struct slice id) {
    if (!has_graph(record))
        return;
    for (size_t i = 0; i < records->ids.count; i++)
        if (slice_eq(records->ids.items[i], id))
            return;
    if (records->ids.count < RECORDS_IDS)
        LIST_ADD(&records->ids, keep(records, id));
    else
        records->more_ids++;
}

/* Whether the JSON has the member, written as PyTorch does or without spaces. */
static bool has_member(struct slice json, const char *name, struct slice value) {
    AUTO_BUF mark = {0};
    BUF_ADD(&mark, "\"", name, "\": \"", value, "\"");
    if (slice_find(json, buf_slice(&mark)) != SIZE_MAX)
        return true;
    mark.len = 0;
    BUF_ADD(&mark, "\"", name, "\":\"", value, "\"");
    return slice_find(json, buf_slice(&mark)) != SIZE_MAX;
}

/* A reset of Dynamo starts ids again: a compile begins when an id has its metrics already. */
static bool begins(const struct record *record) {
    if (json_get(record->root, "dynamo_start"))
        return true;
    return json_get(record->root, "chromium_event") && has_member(record->payload, "name", SLICE("dynamo")) &&
           has_member(record->payload, "ph", SLICE("B"));
}

static bool is_own(struct compile_records *records, const struct record *record) {
    AUTO_BUF id = {0};
    if (record->id.state != COMPILE_ID_GOOD) {
        records->without_id += has_graph(record);
        return false;
    }
    compile_id_add(&id, &record->id);
    note_id(records, record, buf_slice(&id));
    if (!records->wanted.id.len || !slice_eq(buf_slice(&id), records->wanted.id))
        return false;
    if (records->wanted.has_process && record->glog.thread != records->wanted.process)
        return false;
    if (!records->found_process) {
        records->found_process = true;
        records->process = record->glog.thread;
    } else if (record->glog.thread != records->process) {
        records->is_in_others = true;
        return false;
    }
    if (!records->generation || (records->has_metrics && begins(record))) {
        records->generation++;
        records->has_metrics = false;
    }
    if (json_get(record->root, "compilation_metrics"))
        records->has_metrics = true;
    return records->generation == records->wanted.generation;
}

static void add_version(struct compile_records *records, const struct record *record) {
    AUTO_ARENA arena = {0};
    yyjson_val *root;
    struct slice text = record->payload;
    if (records->torch_version.len || json_read(&text, JSON_NUMBERS, &arena, &root) == JSON_BAD)
        return;
    records->torch_version = keep(records, json_get_text(root, "pytorch_version"));
    records->torch_commit = keep(records, json_get_text(root, "commit"));
}

/* Whether an event that no id names is of the compile. */
static bool is_its_event(const struct compile_records *records, const struct record *record) {
    return record->id.state == COMPILE_ID_NONE && json_get(record->root, "chromium_event") && records->found_process &&
           record->glog.thread == records->process && has_member(record->payload, "compile_id", records->wanted.id);
}

void compile_records_add(struct compile_records *records, const struct record *record, struct slice raw) {
    if (!record->root)
        return;
    bool version = slice_is(json_get_text(json_get(record->root, "artifact"), "name"), "torch_version");
    bool own = is_own(records, record), shared = version || json_get(record->root, "str") != NULL;
    if (version)
        add_version(records, record);
    if (own)
        add_own(records, record);
    bool is_process = records->found_process      ? record->glog.thread == records->process
                    : records->wanted.has_process ? record->glog.thread == records->wanted.process
                                                  : true;
    bool kept = own || (shared && is_process) || is_its_event(records, record);
    if (!records->keeps_log || !kept)
        return;
    if (raw.len > RECORDS_BYTES - records->bytes) {
        records->is_cut = true;
        return;
    }
    records->bytes += raw.len;
    buf_add(&records->log, raw);
    if (raw.len && raw.ptr[raw.len - 1] != '\n')
        buf_add_byte(&records->log, '\n');
}

void compile_records_finish(struct compile_records *records) {
    arena_free(&records->arena);
    mem_free(records->ids.items);
    mem_free(records->programs.items);
    mem_free(records->graphs.items);
    mem_free(records->codes.items);
    mem_free(records->symbols.items);
    mem_free(records->sources.items);
    buf_free(&records->log);
}
