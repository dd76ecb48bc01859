#include "pipeline/lanes.h"

#include "hooks/hooks.h"
#include "hooks/parsers.h"
#include "model/log_info.h"
#include "pipeline/finish.h"
#include "profile/profile.h"
#include "sink/assets.h"
#include "trace/choice.h"
#include "trace/process_ranks.h"
#include "trace/source.h"

enum { LANES_MAX = 256, FURTHER_OPEN = 2 };

static struct lane *add_lane(struct lanes *lanes, struct sink *sink, const char *dir) {
    struct lane *lane = mem_zalloc(1, sizeof *lane);
    LIST_ADD(lanes, lane);
    lane->dir = mem_strdup(dir);
    lane->sink = sink;
    files_init(&lane->files, sink);
    files_folder(&lane->files, SLICE("data/"));
    lane->model.profiled = lanes->options->profiles != NULL;
    struct slice name = slice_str(lanes->source->name);
    lane->model.file_name = model_copy(&lane->model, lanes->source->file_count > 1 ? name : path_last(name));
    lane->fold =
        (struct fold){.model = &lane->model,
                      .processes = lanes->processes,
                      .files = &lane->files,
                      .options = lanes->options,
                      .watcher = lanes->watcher,
                      .several_files = lanes->source->file_count > 1,
                      .shared_numbers = lanes->options->process_ranks && lanes->options->process_ranks->shared_numbers,
                      .clock = {.last_write = lanes->source->modified}};
    lane->fold.texts = texts_create(&lane->model, &lane->files, lanes->spool, lanes->pool,
                                    lanes->count == 1 ? TEXTS_OPEN_MAX : FURTHER_OPEN);
    lane->fold.parsers = parser_inputs_create(lanes->options->parsers, lanes->spool);
    fold_start(&lane->fold, lanes->spool);
    lane->fold.written = &lanes->written;
    return lane;
}

void lanes_start(struct lanes *lanes, struct source *source, struct sink *sink, const struct reading_options *options,
                 const struct reading_watcher *watcher, struct pool *pool) {
    *lanes = (struct lanes){.source = source, .options = options, .watcher = watcher, .pool = pool, .sink = sink};
    lanes->spool = spool_create(sink);
    lanes->processes = options->processes ? options->processes : &lanes->own_processes;
    processes_next_file(lanes->processes, source->files[0].path);
    struct lane *first = add_lane(lanes, sink, "");
    first->model.inner = options->assets != NULL;
    first->model.rank = options->has_only_rank ? options->only_rank : 0;
}

struct files *lanes_files(struct lanes *lanes) {
    return &lanes->items[0]->files;
}

static struct slice process_key(const struct process *process) {
    return slice_make((const char *)&process->id, sizeof process->id);
}

/* The lane of a rank other than that of the first lane. Creates it if it is unknown. NULL: there are too many. */
static struct lane *lane_of_rank(struct lanes *lanes, uint64_t rank) {
    char dir[32];
    for (size_t i = 1; i < lanes->count; i++)
        if (lanes->items[i]->model.rank == rank)
            return lanes->items[i];
    if (lanes->count == LANES_MAX)
        return NULL;
    snprintf(dir, sizeof dir, "rank_%" PRIu64, rank);
    struct files *top = lanes_files(lanes);
    struct sink *sink = sink_below(lanes->sink, dir);
    if (!sink) {
        files_fail(top, "create folder", slice_str(dir));
        return NULL;
    }
    struct lane *lane = add_lane(lanes, sink, dir);
    lane->model.further = lane->model.inner = true;
    lane->model.rank = rank; /* set at its first record with a rank, as for the first lane */
    return lane;
}

/* The rank of a record without one, if other records of its process have a rank. */
static bool rank_of_process(const struct lanes *lanes, uint64_t number, uint64_t *rank) {
    return lanes->options->process_ranks && process_ranks_get(lanes->options->process_ranks, lanes->file, number, rank);
}

/* The rank of the first lane: that of the first record with a rank. */
static bool first_rank(const struct lanes *lanes, uint64_t *rank) {
    const struct model *model = &lanes->items[0]->model;
    const struct process_ranks *process_ranks = lanes->options->process_ranks;
    *rank = model->has_rank ? model->rank : process_ranks ? process_ranks->first_rank : 0;
    return model->has_rank || (process_ranks && process_ranks->has_first);
}

/* The lane of a record without a rank. */
static struct lane *route_rankless(struct lanes *lanes, const struct process *process) {
    struct lane *first = lanes->items[0], *lane = NULL;
    uint64_t rank, of_first;
    uint32_t known = lanes->count > 1 ? map_get(&lanes->process_map, process_key(process)) : MAP_NONE;
    if (known != MAP_NONE)
        return lanes->items[known];
    if (rank_of_process(lanes, process->number, &rank) && first_rank(lanes, &of_first) && rank != of_first)
        lane = lane_of_rank(lanes, rank);
    return lane ? lane : first;
}

/* The lane of a record. */
static struct lane *route(struct lanes *lanes, const struct record *record, const struct process *process) {
    struct lane *first = lanes->items[0];
    uint64_t of_first;
    if (!lanes->options->split || !record->root)
        return first;
    if (!record->has_rank)
        return route_rankless(lanes, process);
    if (!first_rank(lanes, &of_first) || of_first == record->rank)
        return first;
    struct lane *lane = lane_of_rank(lanes, record->rank);
    if (!lane)
        return first;
    bool added;
    uint32_t place = 1;
    while (lanes->items[place] != lane)
        place++;
    *map_put(&lanes->process_map, process_key(process), place, &added) = place;
    return lane;
}

/* Whether --rank selects only other ranks. */
static bool is_unwanted(const struct lanes *lanes, const struct record *record) {
    uint64_t rank = record->rank;
    bool has_rank = record->has_rank || rank_of_process(lanes, record->glog.thread, &rank);
    return lanes->options->has_only_rank && has_rank && rank != lanes->options->only_rank;
}

static void set_block(struct lane *lane, const struct lanes_block *block) {
    lane->fold.outputs = block->outputs;
    lane->fold.arena = block->arena;
    lane->fold.block_line = block->line;
}

static void fold_one(struct lanes *lanes, const struct lanes_block *block, const struct record *record) {
    size_t file = source_reach(lanes->source, block->line + record->line);
    if (record->root)
        lanes->source->files[file].records++;
    if (file != lanes->file)
        processes_next_file(lanes->processes, lanes->source->files[file].path);
    lanes->file = file;
    lanes->bytes += record->log_bytes;
    if (is_unwanted(lanes, record))
        return;
    struct process *process = process_of(lanes->processes, record->glog.thread);
    struct lane *lane = route(lanes, record, process);
    lane->bytes += record->log_bytes;
    set_block(lane, block);
    fold_record(&lane->fold, record, process);
    if (lanes->watcher && lanes->watcher->folded)
        lanes->watcher->folded(lanes->watcher->context, &lane->fold);
}

static void fold_stray(struct lanes *lanes, const struct lanes_block *block, const struct stray *stray) {
    set_block(lanes->items[0], block);
    fold_strays(&lanes->items[0]->fold, stray);
}

uint64_t lanes_fold_block(struct lanes *lanes, const struct lanes_block *block, const struct records *records) {
    size_t r = 0, s = 0;
    while (r < records->count || s < records->strays.count) {
        bool stray = r == records->count ||
                     (s < records->strays.count && records->strays.items[s].line < records->items[r].line);
        if (lanes->written > block->room)
            return stray ? records->strays.items[s].line : records->items[r].line;
        if (stray)
            fold_stray(lanes, block, &records->strays.items[s++]);
        else
            fold_one(lanes, block, &records->items[r++]);
    }
    return records->lines;
}

bool lanes_good(struct lanes *lanes, struct err *err) {
    for (size_t i = 0; i < lanes->count; i++)
        if (!files_good(&lanes->items[i]->files, err))
            return false;
    return spool_good(lanes->spool, err);
}

static void add_result(const struct lanes *lanes, const struct lane *lane, struct map *known,
                       struct pipeline_result *result) {
    const struct model *model = &lane->model;
    for (int i = 0; i < COUNTERS; i++)
        result->counters[i] += model->counters[i];
    if (lane->fold.no_compile_id &&
        (!result->no_compile_id || lane->fold.no_compile_id_line < result->no_compile_id_line))
        result->no_compile_id_line = lane->fold.no_compile_id_line;
    result->no_compile_id += lane->fold.no_compile_id;
    if (model->process_count > result->processes)
        result->processes = model->process_count;
    for (size_t i = 0; i < model->processes.count; i++)
        if (model->processes.items[i].nth > 1 && model->processes.items[i].compiles && result->namesakes++ == 0)
            result->namesake = model->processes.items[i].number;
    result->compiles += model->compiles.count;
    result->artifacts += model->artifacts.count;
    if (lane == lanes->items[0]) {
        result->has_rank = model->has_rank;
        result->rank = model->rank;
        result->missing_inputs = model_missing_inputs(model);
    }
    for (size_t i = 0; i < model->unknown_keys.count; i++) {
        struct slice key = model->unknown_keys.items[i];
        bool added;
        map_put(known, key, 0, &added);
        if (!added)
            continue;
        pipeline_result_add_key(result, key);
    }
}

static void add_files(struct model *model, const struct source *source, const struct choice_paths *unread) {
    for (size_t i = 0; unread && i < unread->count; i++)
        model_add_unread_folder(model, slice_str(unread->items[i]));
    for (size_t i = 0; i < source->file_count; i++) {
        const struct source_file *file = &source->files[i];
        struct slice label = slice_str(file->label), damage = slice_str(file->damage);
        if (!file->damage && i + 1 == source->file_count && model->last_cut)
            damage = SLICE("it ends within the header of a record");
        model_add_file(model, &(struct log_file){.name = source->file_count > 1 ? label : path_last(label),
                                                 .bytes = file->bytes,
                                                 .first_line = file->first_line,
                                                 .records = file->records,
                                                 .damage = damage});
    }
    model->empty = source_records(source) == 0;
}

static void tell_hook(const struct lanes *lanes, const struct parser_result *result) {
    const struct reading_watcher *watcher = lanes->watcher;
    if (!watcher || !watcher->hook)
        return;
    char *text = NULL;
    if (result->error)
        text = mem_printf("%s: its output is left out", result->error);
    else if (result->rejected)
        text = mem_printf("parser %s: ignored %" PRIu64 " %s of its answer, first %s", result->name, result->rejected,
                          result->rejected == 1 ? "line" : "lines", result->example);
    if (text)
        watcher->hook(watcher->context, text);
    mem_free(text);
}

/* Runs the user's own parsers, and writes their results. */
static void run_parsers(const struct lanes *lanes, struct lane *lane, struct finish_parsers *added) {
    const struct model *model = &lane->model;
    struct slice *list = mem_alloc((model->compiles.count + 1) * sizeof *list);
    struct parser_keys keys = {.items = list, .count = model->compiles.count};
    for (size_t i = 0; i < keys.count; i++) {
        list[i] = model->compiles.items[i]->key;
        map_put(&keys.map, list[i], (uint32_t)i, NULL);
    }
    const struct parser_results *results = parser_inputs_run(lane->fold.parsers, &keys);
    struct jsonw whole = {.out = &added->whole}, summary = {.out = &added->summary};
    if (results->count) {
        parser_results_write(&whole, NULL, results, &keys, true);
        parser_results_write(&summary, NULL, results, &keys, false);
        parser_files_write(results, &lane->files);
    }
    for (size_t i = 0; i < results->count; i++)
        tell_hook(lanes, &results->items[i]);
    map_free(&keys.map);
    mem_free(list);
}

static void end_lane(struct lanes *lanes, struct lane *lane, uint64_t bytes, bool write) {
    struct view_together together = {0};
    struct finish_parsers parsers = {0};
    texts_finish(lane->fold.texts);
    lane->model.log_bytes = bytes;
    lane->model.other_ranks_bytes += lanes->bytes - lane->bytes;
    add_files(&lane->model, lanes->source, lanes->options->unread);
    fold_finish(&lane->fold);
    if (!write)
        return;
    if (lane->dir[0])
        assets_write(&lane->files, lanes->sink);
    if (lanes->options->profiles)
        profile_attach(&lane->model, lanes->options->profiles);
    if (lanes->watcher && lanes->watcher->whole)
        lanes->watcher->whole(lanes->watcher->context, &lane->model, lane->dir, &together);
    if (files_want_report(&lane->files)) {
        if (lane->fold.parsers)
            run_parsers(lanes, lane, &parsers);
        finish_report(&lane->model, lanes->options, &lane->files, lane->fold.texts, &together, &parsers);
    }
    buf_free(&together.extra);
    buf_free(&together.unfinished);
    buf_free(&parsers.whole);
    buf_free(&parsers.summary);
}

bool lanes_end(struct lanes *lanes, uint64_t bytes, bool write, struct pipeline_result *result, struct err *err) {
    *result = (struct pipeline_result){.bytes = bytes};
    if (write)
        assets_write(lanes_files(lanes), lanes->options->assets);
    for (size_t i = lanes->count; i-- > 0;) { /* the first lane comes last, because its report covers the others */
        end_lane(lanes, lanes->items[i], bytes, write);
        texts_destroy(lanes->items[i]->fold.texts);
        parser_inputs_destroy(lanes->items[i]->fold.parsers);
    }
    struct map known = {0};
    for (size_t i = 0; i < lanes->count; i++)
        add_result(lanes, lanes->items[i], &known, result);
    map_free(&known);
    if (result->no_compile_id) {
        const struct source_file *file = source_file_at(lanes->source, result->no_compile_id_line);
        result->no_compile_id_file = mem_strdup(file->path);
        result->no_compile_id_line -= file->first_line - 1;
    }
    bool good = lanes_good(lanes, err);
    for (size_t i = 0; i < lanes->count; i++) {
        struct lane *lane = lanes->items[i];
        model_finish(&lane->model);
        files_finish(&lane->files);
        if (lane->dir[0])
            sink_destroy(lane->sink);
        mem_free(lane->dir);
        mem_free(lane);
    }
    mem_free(lanes->items);
    spool_destroy(lanes->spool);
    map_free(&lanes->process_map);
    processes_finish(&lanes->own_processes);
    return good;
}
