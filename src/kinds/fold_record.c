
#include "analysis/identity.h"
#include "hooks/parsers.h"
#include "kinds/export_records.h"
#include "kinds/fold.h"
#include "kinds/kind.h"
#include "kinds/records.h"
#include "model/extras.h"
#include "model/log_info.h"

static void count_unknown(struct fold *fold, const struct node *node) {
    bool added;
    fold->model->counters[COUNT_UNKNOWN]++;
    map_put_in(&fold->model->arena, &fold->model->unknown_map, node->key, 0, &added);
    if (!added)
        return;
    ARENA_ADD(&fold->model->arena, &fold->model->unknown_keys, model_copy(fold->model, node->key));
}

static const struct node *first_unknown(const struct node *nodes) {
    while (nodes && nodes->kind)
        nodes = nodes->next;
    return nodes;
}

static const struct node *find_event(const struct node *nodes) {
    while (nodes && !(nodes->kind && nodes->kind->flags & KIND_EVENT))
        nodes = nodes->next;
    return nodes;
}

static void fold_node(struct fold *fold, const struct node *node) {
    const struct kind *kind = node->kind;
    if (kind->flags & KIND_TEXT)
        fold_make(fold, node,
                  &(struct making){.name = slice_str(kind->key),
                                   .suffix = ".txt",
                                   .lang = kind->lang,
                                   .text = fold->record->payload.ptr ? fold->record->payload : SLICE(""),
                                   .is_payload = true});
    if (kind->flags & KIND_VALUE) {
        AUTO_BUF text = {0};
        value_text_add(&text, node->value, fold->strings);
        fold_note(fold, node, slice_str(kind->key), LANG_TEXT, buf_slice(&text));
    }
    fold_see_times(fold, node->value);
    if (kind->fold)
        kind->fold(fold, node);
}

/* A payload that no kind has used also becomes an artifact. */
static void keep_payload(struct fold *fold) {
    const struct node *node = fold->record->nodes, *unknown = first_unknown(node);
    if (!fold->record->has_payload || find_event(node))
        return;
    struct slice key = unknown ? unknown->key : node ? node->key : SLICE("payload");
    bool known = node && node->kind && node->kind->lang != LANG_NONE;
    fold_keep_payload(fold, key, known ? node->kind->lang : LANG_TEXT);
}

/* Adds the envelope's own text, with additional keys inserted before its last brace. */
static void add_jsonl(struct fold *fold) {
    static const char *const ours[] = {"timestamp", "thread", "pathname", "lineno", "payload_filename"};
    const struct record *record = fold->record;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (json_get(record->root, ours[i])) {
            fold_fault(fold, COUNT_FAIL_KEY_CONFLICT, "record with a key that raw.jsonl reserves; left out there",
                       slice_str(ours[i]));
            return;
        }
    struct buf *out = &fold->jsonl.buf;
    if (!files_wanted(fold->files))
        return;
    struct slice body = slice_trim(slice_first(record->envelope, record->envelope.len - 1));
    buf_add(out, body);
    if (yyjson_obj_size(record->root))
        buf_add_lit(out, ", ");
    buf_addf(out, "\"timestamp\": \"%04d-", clock_year(&fold->clock, &record->glog));
    BUF_ADD(out, slice_first(record->glog.date, 2), "-", slice_from(record->glog.date, 2), "T", record->glog.time,
            "Z\", \"thread\": ", (uint64_t)record->glog.thread, ", \"pathname\": ");
    json_add_string(out, record->glog.pathname);
    BUF_ADD(out, ", \"lineno\": ", (uint64_t)record->glog.lineno);
    if (fold->payload_file.ptr) {
        buf_add_lit(out, ", \"payload_filename\": ");
        json_add_string(out, fold->payload_file);
    }
    buf_add_lit(out, "}\n");
    spooled_flush_if_full(&fold->jsonl); /* pieces consist of whole lines: see clock_copy_lines() */
}

static void fold_string(struct fold *fold, yyjson_val *value) {
    uint64_t id;
    struct slice text = json_text(yyjson_arr_get(value, 0));
    if (!text.ptr || !json_to_u64(yyjson_arr_get(value, 1), &id))
        fold_fault(fold, COUNT_FAIL_JSON, "malformed str record, expected [text, id]", (struct slice){0});
    else if (!strings_define(fold->strings, id, text))
        fold_fault(fold, COUNT_FAIL_JSON, "interned string id is too large", text);
    export_note_string(fold, text);
}

/* Index of the record's kind, or UINT32_MAX. */
static uint32_t count_kind(struct fold *fold) {
    struct model *model = fold->model;
    struct slice key = record_key(fold->record->root), name = {0};
    AUTO_BUF text = {0};
    bool added;
    if (!key.len)
        return UINT32_MAX;
    if (slice_is(key, "artifact"))
        name = json_get_text(json_get(fold->record->root, "artifact"), "name");
    buf_add(&text, key);
    buf_add_byte(&text, 0);
    buf_add(&text, name);
    uint32_t index =
        *map_put_in(&model->arena, &model->kind_map, buf_slice(&text), (uint32_t)model->kinds.count, &added);
    if (added)
        ARENA_ADD(&model->arena, &model->kinds,
                  (struct kind_count){.key = model_copy(model, key), .name = model_copy(model, name)});
    model->kinds.items[index].records++;
    model->kinds.items[index].bytes += fold->record->log_bytes;
    return index;
}

/* Counts the record's size for its compile id. */
static void count_share(struct fold *fold, uint32_t kind) {
    struct compile *compile = fold_compile(fold);
    size_t at = 0;
    compile->log_records++;
    compile->log_bytes += fold->record->log_bytes;
    if (kind == UINT32_MAX)
        return;
    while (at < compile->shares.count && compile->shares.items[at].kind != kind)
        at++;
    if (at == KIND_SHARES_MAX)
        return;
    if (at == compile->shares.count)
        ARENA_ADD(&fold->model->arena, &compile->shares, (struct kind_share){.kind = kind});
    compile->shares.items[at].records++;
    compile->shares.items[at].bytes += fold->record->log_bytes;
}

/* Keeps the record for the user's own parsers. */
static void keep_for_parsers(struct fold *fold) {
    const struct record *record = fold->record;
    struct slice key = record_key(record->root);
    bool artifact = slice_is(key, "artifact");
    if (fold->parsers)
        parser_inputs_add(fold->parsers,
                          &(struct parser_record){.key = key,
                                                  .name = artifact
                                                            ? json_get_text(json_get(record->root, "artifact"), "name")
                                                            : (struct slice){0},
                                                  .compile = fold_compile(fold)->index,
                                                  .line = fold->line,
                                                  .envelope = record->envelope,
                                                  .has_payload = record->has_payload,
                                                  .payload = record->payload.ptr ? record->payload : SLICE("")});
}

/* Whether the record belongs to the report's rank. A record without a rank belongs to the file's process, but the
 * reference leaves it out after the first record with a rank. */
static bool is_own_rank(struct fold *fold) {
    struct model *model = fold->model;
    const struct record *record = fold->record;
    if (record->has_rank && !model->has_rank) {
        model->has_rank = true;
        model->rank = record->rank;
    }
    fold->left_out = model->has_rank && !record->has_rank;
    fold->aside = fold->left_out || fold->options->export;
    return !record->has_rank || record->rank == model->rank;
}

/* A record with a stack belongs to a compile and should have an id. torch_version and events need none. */
static void check_id(struct fold *fold) {
    const struct record *record = fold->record;
    bool has_stack = yyjson_arr_size(json_get(record->root, "stack")) > 0;
    if (record->id.state == COMPILE_ID_GOOD || (record->id.state == COMPILE_ID_NONE && !has_stack))
        return;
    if (fold->no_compile_id++ == 0)
        fold->no_compile_id_line = fold->line;
    if (fold->record->id.state == COMPILE_ID_BAD)
        model_add_fault(fold->model, "malformed compile id", fold->line, 1);
}

/* Notes a record with a stack but without a compile id. */
static void note_caller(struct fold *fold, size_t artifacts) {
    const struct stack_node *stack = NULL;
    if (fold->record->id.state == COMPILE_ID_NONE)
        stack = stacks_add(&fold->model->stacks, json_get(fold->record->root, "stack"), fold->strings);
    if (stack)
        model_add_unattributed(fold->model, stack, artifacts);
}

/* Whether the storage is the first of a trace that follows an export. A strict export resets Dynamo and traces as 0/0.
 * It logs neither dynamo_start nor metrics with that id, only metrics without an id when it ends; a non-strict export
 * logs none. Each trace, and each attempt, describes its tensors with its own describer. */
static bool begins_export(struct fold *fold, const struct compile *compile, yyjson_val *storage) {
    uint64_t describer = compile->describer;
    json_to_u64(json_get(storage, "describer_id"), &describer);
    return compile->described && (compile->exports_ended != fold->process->exports_ended ||
                                  (compile->describer != describer && fold->record->id.attempt <= 0));
}

/* Whether the record cannot belong to the newest compile of its id, and thus begins the next generation. */
static bool begins_compile(struct fold *fold) {
    const struct record *record = fold->record;
    const struct compile *compile = fold_compile(fold);
    const struct node *node = record->nodes, *event = find_event(node);
    if (record->id.state == COMPILE_ID_BAD || !node || !node->kind)
        return false;
    if (!compile->framed && compile->frame_id != PART_MISSING && node->kind->fold == describe_storage_fold)
        return begins_export(fold, compile, node->value);
    if (node->kind->fold == start_fold)
        return compile->has_metrics || (compile->started && record->id.attempt <= 0);
    if (!compile->has_metrics)
        return false;
    if (node->kind->fold == metrics_fold)
        return metrics_is_forward(node->value);
    if (event)
        return event_begins_compile(event->json);
    if (slice_is(json_get_text(node->value, "name"), "recompile_reasons"))
        return true;
    /* Without an id, there is no dynamo_start. A record with a stack belongs to a compile that has not ended. */
    return record->id.state == COMPILE_ID_NONE && json_get(record->root, "stack") &&
           !metrics_follow_compile(node->kind);
}

/* PyTorch defines string 0 of a process once. A second definition belongs to another process with the same number, in
 * another container. A compile that only has events so far is handed over to that process. */
static void see_other_process(struct fold *fold, yyjson_val *value) {
    uint64_t id;
    const struct strings *known = fold->strings;
    if (fold->shared_numbers || !json_to_u64(yyjson_arr_get(value, 1), &id) || id != 0 || !strings_has(known, 0))
        return;
    const struct process *old = fold->process;
    fold->process = process_renew(fold->processes, old);
    fold->strings = &fold->process->strings;
    fold->several_processes |= fold->process != fold->first;
    model_count_process(fold->model, fold->process, fold->line, 0);
    model_hand_over(fold->model, old->id, fold->process->id);
}

static void note_first(struct fold *fold) {
    struct compile *compile = fold_compile(fold);
    if (!compile->first_line)
        compile->first_line = fold->line;
}

void fold_record(struct fold *fold, const struct record *record, struct process *process) {
    fold->record = record;
    fold->line = fold->block_line + record->line;
    fold->model->last_line = fold->line;
    fold->model->last_cut = false;
    fold->model->last_damaged = fold->record->has_payload && !fold->record->payload_good;
    fold->payload_file = (struct slice){0};
    fold->payload_used = fold->aside = fold->left_out = false;
    fold->model->events_lost |= fold->model->loss_pending;
    fold->model->loss_pending = false;
    fold->process = process;
    fold->strings = &process->strings;
    fold->first = fold->first ? fold->first : process;
    fold->several_processes |= process != fold->first;
    if (record->too_large) {
        fold->model->loss_pending = true;
        fold_fault(fold, COUNT_TOO_LARGE, record->too_large, record->glog.rest);
        return;
    }
    if (!record->root) {
        fold->model->loss_pending = true;
        fold_fault(fold, COUNT_FAIL_JSON, "envelope is not a JSON object", record->glog.rest);
        return;
    }
    const struct node *nodes = record->nodes, *event = find_event(nodes);
    for (const struct node *node = first_unknown(nodes); node; node = node->next)
        count_unknown(fold, node);
    bool table = nodes && nodes->kind && !nodes->next && nodes->kind->flags & KIND_TABLE;
    model_count_process(fold->model, process, fold->line, !table);
    if (table) {
        see_other_process(fold, nodes->value);
        fold_string(fold, nodes->value);
        return;
    }
    fold->model->records++;
    *fold->written += record->log_bytes; /* size in raw.jsonl or chromium_events.json, and in the payload's file */
    if (!is_own_rank(fold)) {
        fold->model->other_ranks_bytes += record->log_bytes;
        fold_fault(fold, COUNT_OTHER_RANK, "record of another rank", (struct slice){0});
        if (!event)
            add_jsonl(fold);
        return;
    }
    clock_note(&fold->clock, &record->glog);
    check_id(fold);
    uint32_t kind = count_kind(fold);
    fold->model->counters[COUNT_OK]++;
    fold->folder = model_folder(fold->model, process->id, &record->id, fold->line);
    if (begins_compile(fold))
        model_next_generation(fold->model, fold->folder, process->id, &record->id);
    note_first(fold);
    count_share(fold, kind);
    keep_for_parsers(fold);
    if (!fold->left_out)
        fold->model->entries.items[fold->model->folders.items[fold->folder].entry].listed = true;
    if (record->has_payload && !record->payload_good)
        fold_fault(fold, COUNT_FAIL_PAYLOAD_MD5, "payload MD5 mismatch", record->claimed);
    size_t artifacts = fold->model->artifacts.count;
    for (const struct node *node = nodes; node && node->kind; node = node->next)
        fold_node(fold, node);
    keep_payload(fold);
    note_caller(fold, artifacts);
    if (!event)
        add_jsonl(fold);
}
