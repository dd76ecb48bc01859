
#include "facts/rank_facts.h"

#include "advice/advice.h"
#include "base/json.h"
#include "facts/rank_keys.h"
#include "findings/findings_make.h"
#include "kinds/records.h"
#include "scan/guard_failure.h"
#include "scan/library.h"

static struct slice copy(struct rank_facts *facts, struct slice text) {
    return text.ptr ? arena_slice(&facts->arena, text) : text;
}

static struct slice take_buf(struct rank_facts *facts, struct buf *text) {
    struct slice kept = arena_slice(&facts->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

/* Determined from the marks of the artifacts in the directory. */
static struct rank_outcomes outcomes_of(struct rank_facts *facts, const struct model *model,
                                        const struct compile *compile) {
    enum cache_outcome *items = arena_alloc(&facts->arena, compile->artifacts.count * sizeof *items);
    size_t count = 0;
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        const struct artifact *artifact = &model->artifacts.items[compile->artifacts.items[i]];
        enum cache_outcome outcome = artifact->listed ? artifact_outcome(artifact) : OUTCOME_NONE;
        if (outcome != OUTCOME_NONE)
            items[count++] = outcome;
    }
    return (struct rank_outcomes){items, count};
}

enum { FAILURE_BYTES_MAX = 500, FILES_MAX = 64 };

/* Per rank: its processes in the order in which they compile, the number of compiles per slot, and the remaining room.
 */
struct rank_seen {
    struct map processes, slots;
    uint32_t process_count;
    size_t guards_room;             /* guard facts that may still be stored */
    struct rank_compile **compiles; /* those of the facts */
};

static struct slice frame_of(struct rank_facts *facts, const struct compile *compile) {
    struct buf frame = {0};
    buf_add(&frame, compile->frame.function);
    if (compile->frame.file.ptr)
        buf_addf(&frame, " at %.*s:%" PRIu64, SLICE_ARG(compile->frame.file), compile->frame.line);
    return take_buf(facts, &frame);
}

/* "4711:0/1#2" → "0/1#2" for the rank's first process that compiles, "2:0/1#2" for the second. */
static struct slice match_of(struct rank_facts *facts, const struct compile *compile, struct rank_seen *seen) {
    size_t colon = slice_find(compile->key, SLICE(":")), numbered = compile->key.len - compile->id.len;
    if (colon == SIZE_MAX || colon >= numbered)
        return copy(facts, compile->key);
    bool added;
    struct buf key = {0};
    uint32_t place = *map_put(&seen->processes, slice_first(compile->key, colon), seen->process_count, &added);
    seen->process_count += added;
    if (place)
        buf_addf(&key, "%u:", place + 1);
    buf_add(&key, slice_from(compile->key, colon + 1));
    return take_buf(facts, &key);
}

/* After a reset, there may be a second compile with this number, which gets another slot. */
static struct slice slot_name(struct rank_facts *facts, const struct rank_compile *c, struct rank_seen *seen) {
    struct buf name = {0};
    bool added;
    if (c->frame.len) {
        buf_add(&name, c->frame);
        buf_addf(&name, " %" PRId64, c->number);
    } else {
        BUF_ADD(&name, "[", c->match);
    }
    uint32_t *times = map_put(&seen->slots, buf_slice(&name), 1, &added);
    if (!added)
        buf_addf(&name, "%c%u", 0, ++*times);
    return take_buf(facts, &name);
}

static struct place copy_place(struct rank_facts *facts, const struct place *place) {
    return (struct place){copy(facts, place->file), copy(facts, place->function), place->line};
}

/* The user's line that calls the frame if the frame is in a library. */
static struct place copy_user_place(struct rank_facts *facts, const struct compile *compile) {
    struct place user = finding_place(compile->frame, compile->stack);
    return !is_library_file(user.file) ? copy_place(facts, &user) : (struct place){0};
}

static struct slice failure_of(struct rank_facts *facts, const struct model *model, const struct compile *compile) {
    struct buf text = {0};
    if (compile->failure < 0)
        return (struct slice){0};
    const struct failure *failure = &model->failures.items[compile->failure];
    BUF_ADD(&text, failure->type, ": ", slice_first(failure->reason, FAILURE_BYTES_MAX));
    return take_buf(facts, &text);
}

/* The first place where its graph breaks: in the user's code, or else in a library. */
static void take_break(struct rank_compile *taken, struct rank_facts *facts, const struct model *model,
                       const struct compile *compile) {
    const struct graph_break *first = NULL;
    for (size_t i = 0; i < compile->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[compile->breaks.items[i]];
        if (!first || (first->library && !found->library))
            first = found;
    }
    if (!first)
        return;
    taken->breaks = true;
    taken->break_at = copy_place(facts, &first->place);
    taken->break_reason = copy(facts, slice_first(first->reason, FAILURE_BYTES_MAX));
}

/* The collectives of a compile, in the form of a schedule. */
static void take_calls(struct rank_facts *facts, const struct model *model, const struct compile *compile,
                       const struct slice *ops, size_t count, struct slice id, bool code) {
    struct rank_graph graph = {.id = id};
    if (!count)
        return;
    graph.folder = copy(facts, compile->folders.count
                                   ? model->folders.items[compile->folders.items[compile->folders.count - 1]].name
                                   : (struct slice){0});
    for (size_t i = 0; i < count; i++)
        ARENA_ADD(&facts->arena, &graph.ops, copy(facts, ops[i]));
    if (code) {
        ARENA_ADD(&facts->arena, &facts->code_calls, graph);
    } else {
        ARENA_ADD(&facts->arena, &facts->graph_calls, graph);
    }
}

/* Takes the program, and the files of its frames: logs of one job share some of them. */
static void take_files(struct rank_facts *facts, const struct compile *compile) {
    struct slice program = {0};
    for (const struct stack_node *node = compile->stack; node; node = node->parent)
        if (!program.ptr || !is_library_file(node->frame->file))
            program = node->frame->file;
    if (!facts->program.ptr && !is_library_file(program))
        facts->program = copy(facts, program);
    if (!compile->frame.file.ptr || facts->frame_files.count == FILES_MAX)
        return;
    for (size_t i = 0; i < facts->frame_files.count; i++)
        if (slice_eq(facts->frame_files.items[i], compile->frame.file))
            return;
    ARENA_ADD(&facts->arena, &facts->frame_files, copy(facts, compile->frame.file));
}

static void take_unfinished(struct rank_facts *facts, const struct model *model, struct rank_seen *seen) {
    const struct timeline *timeline = model->timeline;
    for (size_t i = 0; timeline && i < timeline->unfinished.count && i < RANK_SPANS_MAX; i++) {
        const struct unfinished_span *span = &timeline->unfinished.items[i];
        const struct timeline_track *track = &timeline->tracks.items[span->track];
        struct rank_span taken = {.name = copy(facts, timeline->totals.items[span->name].name),
                                  .process = copy(facts, track->whose),
                                  .thread = copy(facts, track->tid),
                                  .started_us = timeline->base_us + span->start_us,
                                  .before_end_us = timeline->last_us - span->start_us};
        if (span->id != UINT32_MAX)
            taken.compile = copy(facts, timeline->ids.items[span->id]);
        uint32_t at = taken.compile.ptr ? map_get(&facts->compile_map, taken.compile) : MAP_NONE;
        if (at != MAP_NONE) {
            struct rank_compile *compile = seen->compiles[at];
            compile->open = true;
            taken.frame = compile->frame;
            taken.place = compile->place;
        } else {
            taken.compile = (struct slice){0}; /* an id that several processes share, or without records */
        }
        ARENA_ADD(&facts->arena, &facts->unfinished, taken);
    }
}

/* Whether the log may have only the beginning of its graph. */
static bool is_graph_cut(const struct model *model, const struct compile *compile) {
    return model->last_damaged && compile->graph_line == model->last_line;
}

/* The number of the version: 1 for "0/1"; UINT64_MAX: unknown. */
static uint64_t version_of(struct slice reason) {
    struct slice id = guard_failure_read(reason).against;
    size_t slash = slice_rfind_byte(id, '/');
    uint64_t number;
    id = slash == SIZE_MAX ? (struct slice){0} : slice_from(id, slash + 1);
    return slice_to_u64(slice_first(id, slice_find(id, SLICE("_"))), &number) ? number : UINT64_MAX;
}

/* PyTorch logs a reason for each version, the most recently used one first. Later versions depend on earlier
 * recompiles, but the earliest version is the same on ranks that begin alike. */
static struct slice reason_of(struct rank_facts *facts, const struct compile *compile) {
    struct buf text = {0};
    size_t earliest = 0;
    for (size_t i = 1; i < compile->reasons.count; i++)
        if (version_of(compile->reasons.items[i]) < version_of(compile->reasons.items[earliest]))
            earliest = i;
    if (!compile->reasons.count)
        return (struct slice){0};
    noise_add_without(&text, compile->reasons.items[earliest]);
    return take_buf(facts, &text);
}

static void take_compile(struct rank_facts *facts, const struct model *model, const struct compile *compile,
                         const struct rank_stores *stores, struct rank_seen *seen) {
    struct rank_compile taken = {.id = copy(facts, compile->key),
                                 .match = match_of(facts, compile, seen),
                                 .place = copy_place(facts, &compile->frame),
                                 .number = compile->frame_compile_id,
                                 .user = copy_user_place(facts, compile),
                                 .failure = failure_of(facts, model, compile),
                                 .sizes = copy(facts, compile->sizes),
                                 .frame = frame_of(facts, compile),
                                 .label = copy(facts, compile->label),
                                 .status = compile_status(compile),
                                 .ops = compile->ops,
                                 .guards = compile_guards(compile),
                                 .graph_hash = is_graph_cut(model, compile) ? 0 : compile->graph_hash,
                                 .guards_hash = compile->guards_hash,
                                 .attempt = compile->graph_hash ? compile->graph_attempt : 0,
                                 .reasons = compile->reasons.count,
                                 .reason = reason_of(facts, compile),
                                 .earliest = compile->reasons.count > 0,
                                 .cache = outcomes_of(facts, model, compile)};
    taken.slot = slot_name(facts, &taken, seen);
    take_break(&taken, facts, model, compile);
    if (taken.graph_hash)
        taken.trace = graph_store_take(stores->graphs, taken.graph_hash, compile->trace);
    taken.stated = guard_store_take(stores->guards, taken.guards_hash, model, compile, &seen->guards_room);
    if (taken.trace)
        take_calls(facts, model, compile, taken.trace->calls, taken.trace->call_count, taken.id, false);
    take_calls(facts, model, compile, compile->code_calls.items, compile->code_calls.count, taken.id, true);
    taken.has_code = compile->has_code;
    taken.backward = compile->backward_us >= 0 || compile->has_backward_metrics || compile->backward_failure >= 0;
    take_files(facts, compile);
    map_put_in(&facts->arena, &facts->compile_map, taken.id, (uint32_t)facts->compiles.count, NULL);
    struct rank_compile *kept = arena_alloc(&facts->arena, sizeof *kept);
    *kept = taken;
    seen->compiles[facts->compiles.count] = kept;
    facts->times_us[facts->compiles.count] = compile->time_us;
    ARENA_ADD(&facts->arena, &facts->compiles, kept);
}

static struct rank_graph graph_for(struct rank_facts *facts, const struct model *model, const struct note *note) {
    return (struct rank_graph){.folder = copy(facts, model->folders.items[note->folder].name),
                               .id = copy(facts, model->compiles.items[note->compile]->key)};
}

static void take_schedule(struct rank_facts *facts, const struct model *model, const struct note *note,
                          yyjson_val *json) {
    struct rank_graph graph = graph_for(facts, model, note);
    size_t i, max;
    yyjson_val *op;
    yyjson_arr_foreach(json, i, max, op) {
        ARENA_ADD(&facts->arena, &graph.ops, copy(facts, yyjson_is_str(op) ? json_text(op) : SLICE("?")));
    }
    if (!graph.ops.count)
        return;
    ARENA_ADD(&facts->arena, &facts->schedules, graph);
}

static void take_runtime(struct rank_facts *facts, const struct model *model, const struct note *note,
                         yyjson_val *json) {
    struct rank_graph graph = graph_for(facts, model, note);
    struct buf meta = {0};
    size_t i, max;
    yyjson_val *op;
    yyjson_arr_foreach(json_get(json, "ops"), i, max, op) {
        struct rank_op timed = {.name = copy(facts, json_get_text(op, "name"))};
        json_to_double(json_get(op, "estimated_runtime_ns"), &timed.ns);
        if (!timed.name.ptr)
            timed.name = SLICE("");
        ARENA_ADD(&facts->arena, &graph.timed, timed);
        graph.total_ns += timed.ns;
        BUF_ADD(&meta, timed.name, " ");
        json_add_value(&meta, json_get(op, "outputs"));
        buf_add_byte(&meta, '\n');
    }
    graph.meta = take_buf(facts, &meta);
    if (!graph.timed.count)
        return;
    ARENA_ADD(&facts->arena, &facts->runtimes, graph);
}

/* The latest order counts. */
static void take_execution(struct rank_facts *facts, yyjson_val *json) {
    size_t i, max;
    yyjson_val *graph;
    facts->execution.count = 0;
    facts->execution_said = true;
    yyjson_arr_foreach(json_get(json, "graph_execution_order"), i, max, graph) {
        struct buf text = {0};
        struct slice id = yyjson_is_obj(graph) ? json_get_text(graph, "compile_id") : json_text(graph);
        if (id.ptr)
            buf_add(&text, id);
        else if (yyjson_is_obj(graph))
            buf_add_lit(&text,
                        "(unknown)"); /* like an artifact without an id: it is a graph, and its position matters */
        else
            json_add_value(&text, graph);
        ARENA_ADD(&facts->arena, &facts->execution, take_buf(facts, &text));
    }
}

static void take_notes(struct rank_facts *facts, const struct model *model) {
    for (size_t i = 0; i < model->notes.count; i++) {
        const struct note *note = &model->notes.items[i];
        AUTO_ARENA arena = {0};
        struct slice text = note->text;
        yyjson_val *json = NULL;
        if (note->kind == NOTE_DECISION) {
            struct buf said = {0};
            BUF_ADD(&said, note->name, ": ", note->text);
            ARENA_ADD(&facts->arena, &facts->decisions, take_buf(facts, &said));
            continue;
        }
        json_read(&text, JSON_NUMBERS, &arena, &json);
        if (note->kind == NOTE_COLLECTIVES)
            take_schedule(facts, model, note, json);
        else if (note->kind == NOTE_RUNTIME)
            take_runtime(facts, model, note, json);
        else
            take_execution(facts, json);
    }
}

/* Compares the latest schedule of a folder with its latest output code. */
static void take_parity(struct rank_facts *facts, const struct model *model) {
    for (size_t i = 0; i < model->folders.count; i++) {
        const struct folder *folder = &model->folders.items[i];
        const struct rank_graph *schedule = NULL;
        uint32_t counts[COLLECTIVES] = {0};
        uint64_t offset = 0, calls = 0;
        for (size_t s = 0; s < facts->schedules.count && folder->has_code; s++)
            if (slice_eq(facts->schedules.items[s].folder, folder->name))
                schedule = &facts->schedules.items[s];
        if (!schedule)
            continue;
        for (size_t op = 0; op < schedule->ops.count; op++) {
            enum collective kind = collective_of(schedule->ops.items[op]);
            if (kind < COLLECTIVES)
                counts[kind]++;
        }
        for (int kind = 0; kind < COLLECTIVES; kind++) {
            uint32_t called = folder->calls.counts[kind];
            offset += called > counts[kind] ? called - counts[kind] : counts[kind] - called;
            calls += called;
        }
        uint64_t missing = calls > folder->calls.waits ? calls - folder->calls.waits : 0;
        if (!offset && !missing)
            continue;
        ARENA_ADD(&facts->arena, &facts->parity,
                  (struct rank_parity){copy(facts, folder->name), copy(facts, model->entries.items[folder->entry].key),
                                       offset, missing});
    }
}

/* Takes the data for the comparison of runs, including the findings. */
static void take_run(struct rank_facts *facts, const struct model *model, const struct chains *chains,
                     struct run_texts *texts) {
    facts->run = run_facts_take(model, chains, texts);
    for (size_t i = 0; i < facts->findings.count; i++) {
        const struct rank_finding *found = facts->findings.items[i];
        run_facts_add_finding(facts->run, &(struct run_finding){.kind = found->kind,
                                                                .severity = found->severity,
                                                                .title = found->title,
                                                                .plain = found->plain,
                                                                .place = found->place,
                                                                .time_us = found->time_us});
    }
}

static void take_findings(struct rank_facts *facts, struct model *model, struct run_texts *texts) {
    struct chains chains = {0};
    struct findings findings = {0};
    chains_find(&chains, model);
    chains_advise(&chains, model);
    totals_add_chains(&facts->totals, &chains);
    findings_find(&findings, model, &chains);
    for (size_t i = 0; i < findings.list.count; i++) {
        const struct finding *finding = &findings.list.items[i];
        struct rank_finding *kept = arena_alloc(&facts->arena, sizeof *kept);
        struct rank_finding taken = {.kind = finding->kind,
                                     .severity = finding->severity,
                                     .impact = finding->impact,
                                     .title = copy(facts, finding->title),
                                     .why = copy(facts, finding->why),
                                     .advice = copy(facts, finding->advice),
                                     .place = finding->place,
                                     .time_us = finding->time_us,
                                     .fix_us = finding->fix_us,
                                     .cost = finding->cost,
                                     .library = finding->library,
                                     .caller = finding->caller,
                                     .plain = copy(facts, finding->plain),
                                     .message = copy(facts, finding->message),
                                     .evidence = copy(facts, finding->evidence),
                                     .id = copy(facts, finding->id),
                                     .code = copy(facts, finding->code),
                                     .expected = finding->expected,
                                     .handled = finding->handled};
        taken.place.file = copy(facts, finding->place.file);
        taken.place.function = copy(facts, finding->place.function);
        taken.caller.file = copy(facts, finding->caller.file);
        taken.caller.function = copy(facts, finding->caller.function);
        *kept = taken;
        ARENA_ADD(&facts->arena, &facts->findings, kept);
    }
    if (texts)
        take_run(facts, model, &chains, texts);
    findings_finish(&findings);
    chains_finish(&chains);
}

static struct rank_lists rank_lists_of(const struct rank_facts *facts) {
    struct rank_lists lists;
    memset(&lists, 0, sizeof lists); /* including its padding, because the struct is a key */
    lists.compiles = facts->compiles.items;
    lists.schedules = facts->schedules.items;
    lists.code_calls = facts->code_calls.items;
    lists.graph_calls = facts->graph_calls.items;
    lists.runtimes = facts->runtimes.items;
    lists.execution = facts->execution.items;
    const size_t counts[] = {facts->compiles.count,    facts->schedules.count, facts->code_calls.count,
                             facts->graph_calls.count, facts->runtimes.count,  facts->execution.count};
    memcpy(lists.counts, counts, sizeof counts);
    lists.execution_said = facts->execution_said;
    lists.has_settings = facts->settings.count > 0;
    return lists;
}

uint32_t *ranks_alike(const struct rank_facts *const *facts, size_t count, struct arena *arena) {
    uint32_t *first = arena_alloc(arena, (count + 1) * sizeof *first);
    AUTO_MAP known = {0};
    for (size_t r = 0; r < count; r++) {
        struct rank_lists lists = rank_lists_of(facts[r]);
        first[r] = rank_is_compared(facts[r]) ? *map_put(&known, rank_lists_key(&lists), (uint32_t)r, NULL) : NO_RANK;
    }
    return first;
}

uint64_t rank_records(const struct rank_facts *facts) {
    return facts->counters[COUNT_OK];
}

void rank_facts_take(struct rank_facts *facts, struct model *model, const struct rank_stores *stores, const char *dir,
                     const char *file) {
    struct rank_seen seen = {.guards_room = RANK_GUARD_FACTS_MAX};
    uint32_t *order = model_order(model);
    facts->has_rank = facts->has_own_rank = model->has_rank;
    facts->own_rank = model->rank;
    facts->rank = model->rank;
    facts->dir = arena_str(&facts->arena, slice_str(dir));
    facts->file = arena_str(&facts->arena, slice_str(file));
    facts->bytes = model->log_bytes;
    facts->events = model->events;
    memcpy(facts->counters, model->counters, sizeof facts->counters);
    facts->graph_breaks = model_graph_breaks(model);
    facts->failures = model->failures.count;
    memcpy(facts->cache_counts, model->cache_counts, sizeof facts->cache_counts);
    facts->empty = model->empty;
    for (size_t i = 0; i < model->files.count; i++) {
        ARENA_GROW(&facts->arena, &facts->files);
        struct log_file *kept = &facts->files.items[facts->files.count++];
        *kept = model->files.items[i];
        kept->name = copy(facts, kept->name);
        kept->damage = copy(facts, kept->damage);
    }
    facts->first_us = model->first_us;
    facts->last_us = model->last_us;
    facts->run_first_us = model->run_first_us;
    facts->run_last_us = model->run_last_us;
    facts->torch = copy(facts, model->torch);
    facts->python = copy(facts, model->python);
    facts->cuda = copy(facts, model->cuda);
    facts->triton = copy(facts, model->triton);
    totals_init(&facts->totals);
    totals_add_report(&facts->totals, model);
    take_findings(facts, model, stores->run_texts); /* also shares the names of frames */
    facts->world = model->world;
    facts->times_us = arena_alloc(&facts->arena, (model->compiles.count + 1) * sizeof *facts->times_us);
    seen.compiles = mem_alloc((model->compiles.count + 1) * sizeof *seen.compiles);
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[order[i]]->framed)
            take_compile(facts, model, model->compiles.items[order[i]], stores, &seen);
    map_free(&seen.processes);
    map_free(&seen.slots);
    take_unfinished(facts, model, &seen);
    mem_free(seen.compiles);
    facts->keys = rank_keys_take(model, &facts->compile_map, &facts->arena);
    take_notes(facts, model);
    take_parity(facts, model);
    facts->ran = rank_ran_take(model, &facts->arena);
    facts->timeline = rank_timeline_take(model->timeline, model->has_rank, model->rank, &facts->arena);
    mem_free(order);
}

void rank_sums_add(const struct rank_facts *const *facts, size_t count, struct totals *totals, struct view_sums *sums) {
    totals_init(totals);
    *sums = (struct view_sums){0};
    for (size_t i = 0; i < count; i++) {
        if (facts[i]->bad)
            continue;
        totals_add(totals, &facts[i]->totals);
        sums->graph_breaks += facts[i]->graph_breaks;
        sums->failures += facts[i]->failures;
        sums->findings += facts[i]->findings.count + facts[i]->inside.findings;
        for (int c = 0; c < COUNTERS; c++)
            sums->counters[c] += facts[i]->counters[c];
        for (int c = COUNT_OK; c <= COUNT_OTHER_RANK; c++)
            sums->records += facts[i]->counters[c];
        for (int cache = 0; cache < CACHES_COUNTED; cache++)
            for (int outcome = 0; outcome < OUTCOMES_COUNTED; outcome++)
                sums->cache_counts[cache][outcome] += facts[i]->cache_counts[cache][outcome];
    }
}

uint64_t rank_time_us(const struct rank_facts *facts) {
    uint64_t sum = facts->inside.time_us;
    for (size_t c = 0; c < facts->compiles.count; c++)
        sum += facts->times_us[c] > 0 ? (uint64_t)facts->times_us[c] : 0;
    return sum;
}

bool rank_compile_has(const struct rank_compile *compile, enum cache_outcome outcome) {
    for (size_t i = 0; i < compile->cache.count; i++)
        if (compile->cache.items[i] == outcome)
            return true;
    return false;
}

bool rank_compile_begins(const struct rank_compile *compile, const struct rank_compile *other) {
    const struct rank_outcomes *some = &compile->cache, *all = &other->cache;
    bool less = (!compile->backward && other->backward) ||
                (compile->status == STATUS_MISSING && other->status != STATUS_MISSING);
    return less && !compile->open && compile->status != STATUS_ERROR && some->count <= all->count &&
           (!some->count || memcmp(some->items, all->items, some->count * sizeof *some->items) == 0);
}

const struct rank_compile *rank_compile_by_id(const struct rank_facts *facts, struct slice id) {
    uint32_t at = map_get(&facts->compile_map, id);
    return at == MAP_NONE ? NULL : facts->compiles.items[at];
}

uint32_t rank_compile_place(const struct rank_facts *facts, struct slice id) {
    return map_get(&facts->compile_map, id);
}

struct slice rank_slot_by_id(const struct rank_facts *facts, struct slice id) {
    uint32_t at = rank_compile_place(facts, id);
    return at == MAP_NONE ? (struct slice){0} : rank_slot(facts, at);
}

void rank_facts_finish(struct rank_facts *facts) {
    for (size_t i = 0; i < facts->members.count; i++)
        run_facts_destroy(facts->members.items[i].run);
    run_facts_destroy(facts->run);
    rank_keys_forget(facts->keys);
    arena_free(&facts->arena);
    *facts = (struct rank_facts){0};
}
