#include "kinds/fold.h"

#include "analysis/identity.h"
#include "analysis/timeline.h"
#include "kinds/kind.h"
#include "kinds/records.h"
#include "lowering/kernel_cached.h"
#include "lowering/provenance_sets.h"
#include "lowering/stages.h"
#include "model/export.h"
#include "model/extras.h"
#include "model/log_info.h"
#include "report/members.h"

void fold_start(struct fold *fold, struct spool *spool) {
    if (fold->options->export)
        exports_of(fold->model)->asked = exports_of(fold->model)->found = true;
    fold->spool = spool;
    spooled_start(&fold->jsonl, spool);
    stream_open(&fold->events, fold->files, "chromium_events.json");
    stream_add(&fold->events, SLICE("["));
}

static void fill_holes(struct slice *texts, const struct strings *strings) {
    for (size_t i = 0; i < strings->list.count; i++) {
        const struct string *string = &strings->list.items[i];
        if (!texts[string->id].ptr)
            texts[string->id] = string->text;
    }
}

/* Writes the table of the log's first process. Strings of other processes in the log fill its gaps. */
static void add_string_table(struct fold *fold, struct buf *line) {
    struct processes *processes = fold->processes;
    static const struct strings none;
    const struct strings *own = fold->first ? &fold->first->strings : &none;
    size_t count = own->count;
    for (size_t p = 0; p < processes->count; p++)
        count = processes->items[p]->strings.count > count ? processes->items[p]->strings.count : count;
    struct slice *texts = mem_zalloc(count + 1, sizeof *texts);
    fill_holes(texts, own);
    for (size_t p = 0; p < processes->count; p++)
        fill_holes(texts, &processes->items[p]->strings);
    buf_add_lit(line, "{\"string_table\": [");
    for (size_t i = 0; i < count || i == 0; i++) {
        if (i)
            buf_add_lit(line, ", ");
        json_add_string_or_null(line, texts[i]);
    }
    buf_add_lit(line, "]}\n");
    mem_free(texts);
}

/* raw.jsonl begins with the string table, which is complete only now. */
static void write_jsonl(struct fold *fold) {
    struct stream stream;
    AUTO_BUF line = {0};
    spooled_end(&fold->jsonl);
    stream_open(&stream, fold->files, "raw.jsonl");
    add_string_table(fold, &line);
    stream_add(&stream, buf_slice(&line));
    clock_copy_lines(&fold->clock, &fold->jsonl, fold->guessed_bytes, &stream);
    stream_close(&stream);
    spooled_free(&fold->jsonl);
}

/* Records may precede the first event and follow the last event. */
static void note_run(struct model *model, const struct clock *clock) {
    bool zoned = model->first_us && clock->first_us;
    model->prefixes_us = clock_span(clock);
    model->run_first_us = zoned && clock->first_us < model->first_us ? clock->first_us : model->first_us;
    model->run_last_us = zoned && clock->last_us > model->last_us ? clock->last_us : model->last_us;
}

void fold_finish(struct fold *fold) {
    if (files_wanted(fold->files))
        write_jsonl(fold);
    stream_add(&fold->events, SLICE("\n]\n"));
    stream_close(&fold->events);
    note_run(fold->model, &fold->clock);
    model_name_compiles(fold->model);
    model_share_frames(fold->model);
    compile_callers_find(fold->model);
    model_label_frames(fold->model);
    extras_attach(fold->model);
    captures_join(fold->model);
    ddp_name_submodules(fold->model);
    model_end_processes(fold->model);
    kernels_check_cached(fold->model);
    if (fold->model->timeline)
        timeline_end(fold->model->timeline, fold->model);
    if (fold->options->shared_events)
        spooled_end(fold->options->shared_events);
}

/* The current record is not in raw.jsonl yet. */
static void note_year(struct fold *fold, bool was_known) {
    if (fold->clock.known && !was_known)
        fold->guessed_bytes = fold->jsonl.bytes + fold->jsonl.buf.len;
}

bool fold_see_time(struct fold *fold, int64_t us) {
    bool known = fold->clock.known;
    bool fits = clock_see(&fold->clock, &fold->record->glog, us);
    note_year(fold, known);
    return fits;
}

void fold_see_times(struct fold *fold, yyjson_val *value) {
    bool known = fold->clock.known;
    clock_see_value(&fold->clock, &fold->record->glog, value);
    note_year(fold, known);
}

struct compile *fold_compile(struct fold *fold) {
    return model_compile_of(fold->model, fold->folder);
}

struct slice fold_key(struct fold *fold) {
    const struct compile *compile = fold_compile(fold);
    struct buf key = {0};
    if (fold->several_processes) {
        model_add_process_name(&key, fold->model, compile->process);
        buf_add_byte(&key, ':');
    }
    buf_add(&key, compile->id);
    if (compile->generation > 1)
        buf_addf(&key, "#%" PRIu32, compile->generation);
    return arena_keep(fold->arena, &key);
}

static void report_fault(struct fold *fold, const char *what, uint64_t line, struct slice detail) {
    if (fold->watcher && fold->watcher->fault)
        fold->watcher->fault(fold->watcher->context, what, line, detail);
}

void fold_fault(struct fold *fold, enum counter counter, const char *what, struct slice detail) {
    if (counter < COUNTERS)
        fold->model->counters[counter]++;
    model_add_fault(fold->model, what, fold->line, 1);
    report_fault(fold, what, fold->line, detail);
}

void fold_mention(struct fold *fold, const char *what, struct slice detail) {
    report_fault(fold, what, fold->line, detail);
}

void fold_strays(struct fold *fold, const struct stray *stray) {
    static const char what[] = "unrecognized line";
    fold->model->counters[COUNT_FAIL_GLOG] += stray->count;
    fold->model->last_cut = glog_is_cut(stray->last);
    model_add_fault(fold->model, what, fold->block_line + stray->line, stray->count);
    for (uint32_t i = 0; i < stray->count; i++)
        report_fault(fold, what, fold->block_line + stray->line + i, i == 0 ? stray->text : (struct slice){0});
}

static bool is_md5(struct slice text) {
    if (text.len != 2 * MD5_BYTES)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!((text.ptr[i] >= '0' && text.ptr[i] <= '9') || (text.ptr[i] >= 'a' && text.ptr[i] <= 'f')))
            return false;
    return true;
}

struct slice fold_payload_file(struct fold *fold) {
    if (fold->payload_file.ptr)
        return fold->payload_file;
    const struct record *record = fold->record;
    struct buf path = {0};
    bool added;
    buf_add_lit(&path, "payloads/");
    if (is_md5(record->claimed)) /* identified by the MD5 that it claims */
        buf_add(&path, record->claimed);
    else
        md5_add_hex(&path, record->md5);
    uint32_t good =
        *map_put_in(&fold->model->arena, &fold->model->payload_map, buf_slice(&path), record->payload_good, &added);
    bool same = !added && good && record->payload_good;
    if (!added && !same) /* the same name, but a different text */
        buf_addf(&path, "_%" PRIu64, fold->line);
    buf_add_lit(&path, ".txt");
    fold->payload_file = arena_keep(&fold->model->arena, &path);
    if (!same) {
        files_folder(fold->files, fold->payload_file);
        outputs_add(fold->outputs, fold->arena,
                    &(struct output){.files = fold->files, .path = fold->payload_file, .text = record->payload});
    }
    return fold->payload_file;
}

static struct slice file_path(struct fold *fold, const struct making *making, int64_t number) {
    struct buf path = {0};
    BUF_ADD(&path, making->folder.ptr ? making->folder : fold->model->folders.items[fold->folder].name, "/");
    path_add_name(&path, making->name);
    if (!making->own_name)
        buf_addf(&path, "_%" PRId64, number);
    buf_add_str(&path, making->suffix);
    return arena_keep(&fold->model->arena, &path);
}

/* The path of a file whose name has no number. A second file with the same name replaces the first one, as in the
 * reference. A name that is different but the same for this file system gets the number of its line instead. */
static struct slice own_path(struct fold *fold, const struct making *making) {
    struct model *model = fold->model;
    struct slice path = file_path(fold, making, NUMBER_NONE);
    bool added;
    uint32_t before = *map_put_in(&model->arena, &model->own_name_map, path, (uint32_t)model->artifacts.count, &added);
    if (!added)
        return model->artifacts.items[before].url;
    struct slice stem = slice_first(path, path.len - strlen(making->suffix));
    for (int tries = 1; files_is_taken(fold->files, path); tries++) {
        struct buf other = {0};
        buf_addf(&other, "%.*s_%" PRIu64, SLICE_ARG(stem), fold->line);
        if (tries > 1)
            buf_addf(&other, "_%d", tries);
        buf_add_str(&other, making->suffix);
        path = arena_keep(&model->arena, &other);
    }
    return path;
}

static struct artifact base_artifact(struct fold *fold, struct slice kind, struct slice name, enum lang lang) {
    return (struct artifact){.name = name,
                             .kind = kind,
                             .lang = lang,
                             .line = fold->line,
                             .day_us = glog_time_of_day(&fold->record->glog),
                             .number = NUMBER_NONE,
                             .folder = fold->folder,
                             .subgraph = json_get_text(fold->record->root, "subgraph_name")};
}

static void add_text(struct fold *fold, struct artifact *artifact, struct slice text) {
    if (!text.ptr)
        return;
    artifact->has_text = true;
    *fold->written += text.len;
    artifact->bytes = text.len;
    artifact->text_offset = texts_add(fold->texts, fold->folder, text, provenance_reads(artifact->name));
}

static bool has_number(const struct fold *fold, enum when when) {
    if (fold->options->export)
        return !fold->left_out && when != MAKE_USUALLY;
    return !fold->aside && when != MAKE_IN_EXPORT;
}

static const struct text_counts *keep_counts(struct fold *fold, const struct text_counts *counts) {
    if (!counts)
        return NULL;
    struct text_counts *kept = arena_alloc(&fold->model->arena, sizeof *kept);
    *kept = *counts;
    if (kept->list.ptr) {
        kept->list_bytes = kept->list.len;
        kept->list_offset = texts_add(fold->texts, fold->folder, kept->list, false);
    }
    kept->list = kept->packed = (struct slice){0};
    return kept;
}

struct artifact *fold_make(struct fold *fold, const struct node *node, const struct making *making) {
    struct artifact artifact = base_artifact(fold, slice_str(node->kind->key), making->name, making->lang);
    add_text(fold, &artifact, making->text);
    if (making->text.ptr)
        artifact.counts = keep_counts(fold, node->counts);
    fold->payload_used |= making->text.ptr && fold->record->has_payload;
    if (!has_number(fold, making->when)) {
        if (fold->record->has_payload)
            artifact.url = fold_payload_file(fold);
        return model_add_artifact(fold->model, &artifact);
    }
    artifact.number = (int64_t)fold->model->next_number++;
    artifact.listed = true;
    artifact.url = making->own_name ? own_path(fold, making) : file_path(fold, making, artifact.number);
    files_folder(fold->files, artifact.url);
    struct output output = {.files = fold->files,
                            .path = artifact.url,
                            .text = making->text,
                            .render = making->render,
                            .data = making->data};
    if (making->own_name) /* it may replace an older file of this name, so write it now, in log order */
        outputs_write(&(struct outputs){.first = &output});
    else
        outputs_add(fold->outputs, fold->arena, &output);
    if (making->is_payload)
        fold->payload_file = artifact.url;
    return model_add_artifact(fold->model, &artifact);
}

void fold_note(struct fold *fold, const struct node *node, struct slice name, enum lang lang, struct slice text) {
    struct artifact artifact = base_artifact(fold, slice_str(node->kind->key), name, lang);
    add_text(fold, &artifact, text);
    model_add_artifact(fold->model, &artifact);
}

void fold_keep_payload(struct fold *fold, struct slice key, enum lang lang) {
    struct slice file = fold_payload_file(fold);
    if (fold->payload_used)
        return;
    struct artifact artifact = base_artifact(fold, key, key, lang);
    add_text(fold, &artifact, fold->record->payload);
    artifact.url = file;
    model_add_artifact(fold->model, &artifact);
}
