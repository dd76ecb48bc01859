#include "follow/news.h"

#include "kinds/fold.h"
#include "trace/stack.h"

#define DAY_US INT64_C(86400000000)

const char *follow_kind_name(enum follow_kind kind) {
    static const char *const names[FOLLOW_KINDS] = {
        [FOLLOW_LOG] = "log",           [FOLLOW_TRUNCATED] = "truncated",
        [FOLLOW_ROTATED] = "rotated",   [FOLLOW_REMOVED] = "removed",
        [FOLLOW_COMPILE] = "compile",   [FOLLOW_BACKWARD] = "backward",
        [FOLLOW_REFUSED] = "refused",   [FOLLOW_RECOMPILE] = "recompile",
        [FOLLOW_BREAK] = "graph_break", [FOLLOW_UNFINISHED] = "unfinished",
    };
    return names[kind];
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static struct news_model *model_of(struct news *news, const struct model *model) {
    for (size_t i = 0; i < news->models.count; i++)
        if (news->models.items[i]->model == model)
            return news->models.items[i];
    struct news_model *kept = mem_zalloc(1, sizeof *kept);
    kept->model = model;
    MEM_GROW(&news->models);
    return news->models.items[news->models.count++] = kept;
}

static struct news_compile *compile_of(struct news_model *kept, uint32_t index) {
    while (kept->compiles.count <= index)
        LIST_ADD(&kept->compiles, (struct news_compile){.backward_us = -1});
    return &kept->compiles.items[index];
}

/* The latest processes are at the end. */
static struct news_process *process_of_id(struct news *news, uint64_t id) {
    for (size_t i = news->processes.count; i-- > 0;)
        if (news->processes.items[i].id == id)
            return &news->processes.items[i];
    MEM_GROW(&news->processes);
    struct news_process *process = &news->processes.items[news->processes.count++];
    *process = (struct news_process){.id = id, .last_us = -1, .longest_us = -1};
    return process;
}

/* The first compile of the frame between two resets; UINT32_MAX: this is the first one. */
static uint32_t first_version(struct news_model *kept, const struct compile *compile, bool add) {
    const int64_t key[] = {(int64_t)compile->process, compile->epoch, compile->frame_id};
    struct slice bytes = slice_make((const char *)key, sizeof key);
    if (compile->frame_id < 0)
        return UINT32_MAX;
    uint32_t first = add ? *map_put(&kept->frames, bytes, compile->index, NULL) : map_get(&kept->frames, bytes);
    return first == MAP_NONE || first == compile->index ? UINT32_MAX : first;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* The place of a frame: from its metrics, which come last, or else from the metrics of another version, or from the
 * stack at its start. */
static struct place place_of(struct news_model *kept, const struct compile *compile) {
    uint32_t first = first_version(kept, compile, false);
    struct place place = compile->frame;
    if (!place.file.ptr && first != UINT32_MAX)
        place = kept->model->compiles.items[first]->frame;
    if (!place.file.ptr && compile->stack)
        place =
            (struct place){compile->stack->frame->file, compile->stack->frame->function, compile->stack->frame->line};
    return place;
}

static struct follow_event event_of(struct news *news, struct news_model *kept, const struct compile *compile,
                                    enum follow_kind kind) {
    const struct model *model = kept->model;
    return (struct follow_event){.kind = kind,
                                 .path = news->path,
                                 .has_rank = model->has_rank || news->has_rank,
                                 .rank = model->has_rank ? model->rank : news->rank,
                                 .id = compile->id,
                                 .generation = compile->generation,
                                 .place = place_of(kept, compile),
                                 .time_us = -1,
                                 .longest_us = -1};
}

static void pass(struct news *news, struct follow_event *event, const struct fold *fold) {
    if (fold) {
        event->process = fold->process->number;
        event->date = fold->record->glog.date;
        event->clock = fold->record->glog.time;
    }
    news->listener->event(news->listener->context, event);
}

static void add_failure(struct follow_event *event, const struct model *model, int64_t index) {
    const struct failure *failure = index >= 0 ? &model->failures.items[index] : NULL;
    if (!failure)
        return;
    event->error_type = failure->type;
    event->reason = failure->reason;
    if (failure->place.file.ptr) {
        struct slice function = event->place.function;
        event->place = failure->place;
        event->place.function = event->place.function.len ? event->place.function : function;
    }
}

static void see_recompile(struct news *news, struct news_model *kept, const struct compile *compile,
                          const struct fold *fold) {
    struct news_compile *seen = compile_of(kept, compile->index);
    bool later = compile->framed && first_version(kept, compile, true) != UINT32_MAX;
    if (seen->recompile || !(compile->reasons.count || (later && compile->has_metrics)))
        return;
    seen->recompile = true;
    struct follow_event event = event_of(news, kept, compile, FOLLOW_RECOMPILE);
    if (compile->reasons.count) {
        event.reason = compile->reasons.items[0];
        event.more_reasons = compile->reasons.count - 1;
    }
    pass(news, &event, fold);
}

static void see_breaks(struct news *news, struct news_model *kept, const struct compile *compile,
                       const struct fold *fold) {
    struct news_compile *seen = compile_of(kept, compile->index);
    while (seen->breaks < compile->breaks.count) {
        const struct graph_break *found = kept->model->breaks.items[compile->breaks.items[seen->breaks++]];
        if (!graph_break_counts(found)) /* the failure says it */
            continue;
        struct follow_event event = event_of(news, kept, compile, FOLLOW_BREAK);
        if (found->place.file.ptr)
            event.place = found->place;
        event.reason = found->reason;
        event.break_id = found->gb_id;
        pass(news, &event, fold);
    }
}

static void see_longest(struct news_process *process, int64_t us) {
    if (us > process->longest_us)
        process->longest_us = us;
}

static void see_backward(struct news *news, struct news_model *kept, const struct compile *compile,
                         struct news_process *process, const struct fold *fold) {
    struct news_compile *seen = compile_of(kept, compile->index);
    bool failed = compile->backward_failure >= 0 && !seen->backward_failed;
    if (compile->backward_us == seen->backward_us && !failed)
        return;
    struct follow_event event = event_of(news, kept, compile, FOLLOW_BACKWARD);
    if (compile->backward_us >= 0 && compile->backward_us != seen->backward_us)
        event.time_us = compile->backward_us - (seen->backward_us < 0 ? 0 : seen->backward_us);
    event.status = status_name(failed ? STATUS_ERROR : STATUS_OK);
    event.was_unfinished = seen->backward_unfinished;
    event.longest = process->longest_us >= 0 && event.time_us > process->longest_us;
    if (failed)
        add_failure(&event, kept->model, compile->backward_failure);
    seen->backward_us = compile->backward_us;
    seen->backward_failed |= failed;
    seen->backward_unfinished = false;
    see_longest(process, event.time_us);
    running_end(&process->running, kept->model, compile, true);
    pass(news, &event, fold);
}

/* The compile has ended: it has metrics, or its events show it. */
static void end_compile(struct news *news, struct news_model *kept, const struct compile *compile,
                        struct news_process *process, const struct fold *fold) {
    struct news_compile *seen = compile_of(kept, compile->index);
    struct follow_event event = event_of(news, kept, compile, FOLLOW_COMPILE);
    bool has_id = compile->frame_id >= 0;
    seen->ended = true;
    event.time_us = compile->forward_us;
    event.status = status_name(compile_status(compile));
    event.interrupted = compile_is_interrupted(kept->model, compile);
    event.ops_unknown = compile_ops_unknown(compile);
    event.restarts = compile->restarts.count;
    event.was_unfinished = seen->unfinished || (!has_id && process->unfinished);
    event.longest = process->longest_us >= 0 && compile->forward_us > process->longest_us;
    add_failure(&event, kept->model, compile->failure);
    see_longest(process, compile->forward_us);
    running_end(&process->running, kept->model, compile, false);
    process->unfinished &= has_id;
    pass(news, &event, fold);
}

/* ---- compiles that run ------------------------------------------------------------------------------------------ */

/* Ends the running compile if its events show that it has ended. */
static void end_by_events(struct news *news, struct news_process *process, const struct fold *fold) {
    const struct running running = process->running;
    const struct model *model = running.model;
    if (model && running_has_ended(&running))
        end_compile(news, model_of(news, model), model->compiles.items[running.compile], process, fold);
}

void news_folded(void *context, struct fold *fold) {
    struct news *news = context;
    if (!fold->record->root || !fold->model->folders.count)
        return;
    struct news_model *kept = model_of(news, fold->model);
    struct news_process *process = process_of_id(news, fold->process->id);
    const struct compile *compile = fold_compile(fold);
    struct news_compile *seen = compile_of(kept, compile->index);
    int64_t us = glog_time_of_day(&fold->record->glog);
    process->last_us = us >= 0 ? us : process->last_us;
    process->read_ms = news->now_ms;
    if (compile->started && !seen->started) {
        seen->started = true;
        end_by_events(news, process, fold);
        running_start(&process->running, compile, fold);
    }
    running_see(&process->running, fold);
    see_recompile(news, kept, compile, fold);
    see_breaks(news, kept, compile, fold);
    if (compile->failure >= 0 && kept->model->failures.items[compile->failure].before_start && !seen->refused) {
        struct follow_event event = event_of(news, kept, compile, FOLLOW_REFUSED);
        seen->refused = true;
        event.time_us = compile->forward_us;
        add_failure(&event, kept->model, compile->failure);
        pass(news, &event, fold);
    }
    if (compile->has_metrics && !seen->ended)
        end_compile(news, kept, compile, process, fold);
    see_backward(news, kept, compile, process, fold);
}

static uint64_t process_number(const struct model *model, uint64_t id) {
    for (size_t i = 0; i < model->processes.count; i++)
        if (model->processes.items[i].id == id)
            return model->processes.items[i].number;
    return 0;
}

static void pass_unfinished(struct news *news, struct news_process *process, int64_t running_us, int64_t quiet_us) {
    struct running *running = &process->running;
    struct news_model *kept = model_of(news, running->model);
    const struct compile *compile = running->model->compiles.items[running->compile];
    struct news_compile *seen = compile_of(kept, compile->index);
    struct follow_event event = event_of(news, kept, compile, FOLLOW_UNFINISHED);
    event.process = process_number(running->model, process->id);
    event.date = slice_make(running->date, running->date_len);
    event.clock = slice_make(running->clock, running->clock_len);
    event.time_us = running->named_us = running_us;
    event.longest_us = process->longest_us;
    event.quiet_us = quiet_us;
    event.span = running_span(running);
    event.phase = running_phase(running);
    event.artifact = running_artifact(running);
    if (running_is_backward(running))
        seen->backward_unfinished = true;
    else if (compile->frame_id < 0)
        process->unfinished = true;
    else
        seen->unfinished = true;
    pass(news, &event, NULL);
}

static void tick_process(struct news *news, struct news_process *process) {
    const struct running *running = &process->running;
    int64_t quiet_us = (news->now_ms - process->read_ms) * 1000;
    if (running->what == RUNNING_NOTHING || running->start_us < 0)
        return;
    int64_t logged_us = process->last_us - running->start_us;
    int64_t running_us = (logged_us < 0 ? logged_us + DAY_US : logged_us) + quiet_us;
    int64_t least = process->longest_us > news->slow_us ? process->longest_us : news->slow_us;
    if (running_us <= least || running_us < 2 * running->named_us)
        return;
    end_by_events(news, process, NULL);
    if (running->what != RUNNING_NOTHING)
        pass_unfinished(news, process, running_us, quiet_us);
}

void news_tick(struct news *news) {
    for (size_t i = 0; i < news->processes.count; i++)
        tick_process(news, &news->processes.items[i]);
}

void news_forget(struct news *news) {
    for (size_t i = 0; i < news->models.count; i++) {
        mem_free(news->models.items[i]->compiles.items);
        map_free(&news->models.items[i]->frames);
        mem_free(news->models.items[i]);
    }
    news->models.count = 0;
    for (size_t i = 0; i < news->processes.count; i++)
        running_forget(&news->processes.items[i].running);
}

void news_finish(struct news *news) {
    news_forget(news);
    mem_free(news->models.items);
    mem_free(news->processes.items);
    news->models.items = NULL;
    news->processes.items = NULL;
}
