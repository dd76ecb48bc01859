/* findings_profile.c - what traces of torch.profiler show: compiled code that no call used, guard checks that take a
 * part of a frame's time, graph breaks with more time around them than in graphs, and the kernel with most of the time.
 */

#include "advice/recompile_advice.h"
#include "analysis/identity.h"
#include "findings/findings_make.h"
#include "lowering/kernels.h"
#include "profile/profile.h"
#include "scan/guard_checks.h"

/* Guard checks are an issue if they take this part of a frame's time, or this time in each call. A check below the
 * minimum costs little more than the profiler's own event. */
enum { GUARD_PART = 20, GUARD_LONG_NS = 1000 * 1000, GUARD_MIN_NS = 20 * 1000 };
/* Less than this part of all time in compiled frames is not worth a sentence. */
enum { SMALL_PART = 100 };
/* PyTorch 2.10, the first version whose documentation has these filters of guards. */
enum { FILTERS_SINCE = 210 };
/* Fewer calls of a kernel do not show how long it usually takes. */
enum { HOT_CALLS = 3 };
enum { KEYS_SHOWN = 4, LINES_NAMED = 8 };

/* The versions of a frame between two resets. */
struct profiled_frame {
    compile_list ran, never;
    uint64_t calls, lookups, ordered_calls, tried_before;
    int64_t guard_ns, ns, device_ns;
    int64_t usual_guard_ns; /* the lookups at their medians */
};

typedef LIST(struct profiled_frame) frame_list;

/* Adds "3.2 s" */
static void add_ns(struct buf *out, int64_t ns) {
    finding_add_duration(out, (ns + 500) / 1000);
}

/* " call", " calls" */
static void add_count(struct buf *out, uint64_t count, const char *one) {
    BUF_ADD(out, count, " ", one, count == 1 ? "" : "s");
}

/* "[0/0]", "[0/0] and [0/1]", "[0/0], [0/1], [0/2], [0/3] and 2 more" */
static void add_keys(struct buf *out, const struct model *model, const compile_list *list) {
    size_t shown = list->count <= KEYS_SHOWN ? list->count : KEYS_SHOWN, more = list->count - shown;
    for (size_t i = 0; i < shown; i++) {
        const char *before = i == 0 ? "" : i + 1 == shown && !more ? " and " : ", ";
        BUF_ADD(out, before, "[", model->compiles.items[list->items[i]]->key, "]");
    }
    if (more)
        BUF_ADD(out, " and ", more, " more");
}

/* ---- Frames */

static struct profiled_frame *frame_of(struct findings *findings, frame_list *frames, struct map *known,
                                       const struct compile *compile) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%" PRIu64 " %" PRIu32 " %" PRId64, compile->process, compile->epoch, compile->frame_id);
    uint32_t place = *map_put_in(&findings->scratch, known, buf_slice(&key), (uint32_t)frames->count, &added);
    if (added)
        ARENA_ADD(&findings->scratch, frames, (struct profiled_frame){0});
    return &frames->items[place];
}

static void find_frames(struct findings *findings, frame_list *frames, const struct model *model,
                        const struct profile *profile) {
    struct map known = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct profiled_compile *profiled = &profile->compiles.items[i];
        bool never = profile_never_ran(profile, model, i);
        if (!never && !profiled->time.calls)
            continue;
        struct profiled_frame *frame = frame_of(findings, frames, &known, model->compiles.items[i]);
        if (never) {
            ARENA_ADD(&findings->scratch, &frame->never, i);
            continue;
        }
        ARENA_ADD(&findings->scratch, &frame->ran, i);
        frame->calls += profiled->time.calls;
        frame->lookups += profiled->guard_calls;
        frame->ordered_calls += profiled->ordered_calls;
        frame->tried_before += profiled->tried_before;
        frame->guard_ns += profiled->guard_ns;
        frame->usual_guard_ns += profiled->guard_median_ns * (int64_t)profiled->guard_calls;
        frame->ns += profiled->time.ns - profiled->nested_ns + profiled->backward_ns;
        frame->device_ns += profiled->time.device_ns;
    }
}

/* ---- Compiled code that no call used */

static int64_t sum_compile_time(const struct model *model, const compile_list *list) {
    int64_t sum_us = 0;
    for (size_t i = 0; i < list->count; i++)
        if (model->compiles.items[list->items[i]]->time_us > 0)
            sum_us += model->compiles.items[list->items[i]]->time_us;
    return sum_us;
}

/* Adds the end of a sentence on these compiles, which are so many versions or frames: " took 1.43 s of compile time." */
static void add_compile_time(struct buf *out, const struct model *model, const compile_list *list, size_t count) {
    int64_t us = sum_compile_time(model, list);
    if (us <= 0) {
        buf_add_str(out, count == 1 ? " was compiled." : " were compiled.");
        return;
    }
    buf_add_lit(out, " took ");
    finding_add_duration(out, us);
    buf_add_lit(out, " of compile time.");
}

static size_t count_symbols(const struct model *model, const compile_list *list) {
    return model->compiles.items[list->items[0]]->shapes[SHAPE_SYMBOL].count;
}

/* Whether advice on the frame's recompiles makes the numbers dynamic that the calls need, from the first call on. */
static bool has_dynamic_advice(const struct chains *chains, uint32_t compile) {
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        for (size_t c = 0; c < chain->compiles.count; c++)
            for (size_t a = 0; chain->compiles.items[c] == compile && a < chain->advice.count; a++)
                if (chain->advice.items[a].dynamic && chain->advice.items[a].saves && !chain->advice.items[a].expected)
                    return true;
    }
    return false;
}

static const struct step *step_to(const struct chains *chains, uint32_t compile) {
    for (size_t i = 0; i < chains->list.count; i++)
        for (size_t s = 0; s < chains->list.items[i].steps.count; s++)
            if (chains->list.items[i].steps.items[s].compile == compile)
                return &chains->list.items[i].steps.items[s];
    return NULL;
}

/* Whether the caller chose what changed: an argument as a whole, its size, or a mode such as grad_mode. A member of an
 * object may change in any first call. */
static bool is_callers_choice(const struct guard_change *change) {
    struct slice source = change->source;
    size_t end = slice_find(source, SLICE(".size()["));
    source = end == SIZE_MAX ? source : slice_first(source, end);
    for (size_t i = 0; i < source.len; i++)
        if (source.ptr[i] == '.' || source.ptr[i] == '[' || source.ptr[i] == '(')
            return false;
    return source.len && !slice_starts(source, SLICE("___"));
}

/* Advice for a frame with one version that ran. If only that has symbols, the other is one for the first size, which
 * any first call makes. */
static void advise_unused(struct findings *findings, struct finding *finding, const struct model *model,
                          const struct chains *chains, const struct profiled_frame *frame) {
    if (frame->never.count != 1 || frame->ran.count != 1)
        return;
    struct slice never = model->compiles.items[frame->never.items[0]]->key,
                 ran = model->compiles.items[frame->ran.items[0]]->key;
    const struct step *step = step_to(chains, frame->ran.items[0]);
    if (count_symbols(model, &frame->ran) > count_symbols(model, &frame->never)) {
        if (has_dynamic_advice(chains, frame->never.items[0]))
            finding->advice = finding_say(findings,
                                          "Follow the advice on its recompiles: if its numbers are dynamic from the "
                                          "first call on, [%.*s] is not compiled.",
                                          SLICE_ARG(never));
    } else if (step && step->changes.count && is_callers_choice(&step->changes.items[0])) {
        finding->advice = finding_say(
            findings,
            "If only a warm-up uses [%.*s], warm up with calls like those of the profile: it is then not compiled.",
            SLICE_ARG(never));
    }
    if (finding->advice.len)
        finding->evidence = finding_say(findings, "the calls of [%.*s] in the profile", SLICE_ARG(ran));
}

/* Another version ran instead. */
static void add_unused_versions(struct findings *findings, const struct model *model, const struct chains *chains,
                                const struct profiled_frame *frame) {
    struct buf why = {0};
    const struct compile *first = model->compiles.items[frame->never.items[0]];
    struct finding *finding = finding_add(findings, FINDING_NEVER_RAN, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    struct slice function = finding_function(findings, first);
    size_t never = frame->never.count;
    finding->title =
        never == 1
            ? finding_say(findings, "A version of %.*s has no call in the profile", SLICE_ARG(function))
            : finding_say(findings, "%zu versions of %.*s have no call in the profile", never, SLICE_ARG(function));
    buf_add_str(&why, frame->calls == 1   ? "The only call of its compiled code used "
                      : frame->calls == 2 ? "Both calls of its compiled code used "
                                          : "All ");
    if (frame->calls > 2)
        BUF_ADD(&why, frame->calls, " calls of its compiled code used ");
    add_keys(&why, model, &frame->ran);
    buf_add_lit(&why, ". ");
    add_keys(&why, model, &frame->never);
    add_compile_time(&why, model, &frame->never, never);
    finding->why = finding_keep(findings, &why);
    finding_set_place(findings, finding, first);
    for (size_t i = 0; i < never; i++)
        finding_add_compile(findings, finding, model, frame->never.items[i]);
    advise_unused(findings, finding, model, chains, frame);
}

/* All frames of which no version ran: the profile may not cover what calls them. */
static void add_unused_frames(struct findings *findings, const struct model *model, const frame_list *frames) {
    compile_list all = {0};
    size_t count = 0;
    for (size_t i = 0; i < frames->count; i++) {
        const struct profiled_frame *frame = &frames->items[i];
        count += !frame->ran.count;
        for (size_t c = 0; !frame->ran.count && c < frame->never.count; c++)
            ARENA_ADD(&findings->scratch, &all, frame->never.items[c]);
    }
    if (!all.count)
        return;
    struct buf why = {0};
    struct finding *finding = finding_add(findings, FINDING_NEVER_RAN, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    finding->title = count == 1
                       ? finding_say(findings, "%.*s has no call in the profile",
                                     SLICE_ARG(finding_function(findings, model->compiles.items[all.items[0]])))
                       : finding_say(findings, "%zu compiled frames have no call in the profile", count);
    finding_add_functions(&why, model, all.items, all.count);
    add_compile_time(&why, model, &all, count);
    buf_add_str(&why,
                count == 1
                    ? " Its calls may be before or after the profile, or in a thread or process without events."
                    : " Their calls may be before or after the profile, or in threads or processes without events.");
    finding->why = finding_keep(findings, &why);
    finding_set_place(findings, finding, model->compiles.items[all.items[0]]);
    for (size_t i = 0; i < all.count; i++)
        finding_add_compile(findings, finding, model, all.items[i]);
}

/* ---- Guard checks */

/* The frame's time, in which devices may work while the CPU goes on. */
static int64_t time_of(const struct profiled_frame *frame) {
    return frame->device_ns > frame->ns ? frame->device_ns : frame->ns;
}

static bool guards_are_slow(const struct profile *profile, const struct profiled_frame *frame) {
    int64_t usual_ns = frame->usual_guard_ns;
    if (!frame->lookups || usual_ns < GUARD_MIN_NS * (int64_t)frame->lookups ||
        usual_ns < profile->regions.ns / SMALL_PART)
        return false;
    return usual_ns > (usual_ns + time_of(frame)) / GUARD_PART || usual_ns > GUARD_LONG_NS * (int64_t)frame->lookups;
}

/* The filter that leaves at most half of the checks, and the fewer of the two that give up no guards of inputs; GUARD_FILTERS: none. */
static enum guard_filter filter_to_advise(const struct compile *compile) {
    static const enum guard_filter candidates[2] = {FILTER_SKIP_NN_MODULES, FILTER_SKIP_GLOBALS};
    const struct guard_checks *checks = compile->checks;
    enum guard_filter best = GUARD_FILTERS;
    int64_t fewest = checks ? checks->checks / 2 : 0;
    for (int i = 0; checks && i < 2; i++) {
        int64_t left = checks->filters[candidates[i]];
        if (left < 0 || left > fewest || (best != GUARD_FILTERS && left == fewest))
            continue;
        best = candidates[i];
        fewest = left;
    }
    return best;
}

/* Which guards may be dropped, if that leaves at most half of the checks of the last version. */
static void advise_guards(struct findings *findings, struct finding *finding, const struct model *model,
                          const struct profiled_frame *frame) {
    const struct compile *compile = model->compiles.items[frame->ran.items[frame->ran.count - 1]];
    struct slice version = compile->torch.ptr || model->process_count > 1 ? compile->torch : model->torch;
    if (version_number(version) < FILTERS_SINCE)
        return;
    enum guard_filter filter = filter_to_advise(compile);
    if (filter == FILTER_SKIP_NN_MODULES)
        finding->advice =
            SLICE("If nothing changes its modules after the first call, drop their guards: `torch.compile(…, "
                  "options={\"guard_filter_fn\": torch.compiler.skip_guard_on_all_nn_modules_unsafe})`. With a `mode`, "
                  "pass its options instead, too, as "
                  "`torch._inductor.list_mode_options()` lists them: both cannot be given.");
    else if (filter == FILTER_SKIP_GLOBALS)
        finding->advice =
            SLICE("If nothing changes the global variables that it reads after the first call, drop their "
                  "guards: `torch.compile(…, options={\"guard_filter_fn\": "
                  "torch.compiler.skip_guard_on_globals_unsafe})`. With a `mode`, pass its options instead, too, as "
                  "`torch._inductor.list_mode_options()` lists them: both cannot be given.");
    else
        return;
    finding->evidence = finding_say(findings, "the guard tree of %.*s: `%s` leaves %" PRId64 " of %" PRIu32 " checks",
                                    SLICE_ARG(compile->key), guard_filter_name(filter),
                                    compile->checks->filters[filter], compile->checks->checks);
}

static void add_guards(struct findings *findings, const struct model *model, const struct profiled_frame *frame) {
    struct buf why = {0};
    const struct compile *first = model->compiles.items[frame->ran.items[0]];
    struct finding *finding = finding_add(findings, FINDING_GUARD_CHECKS, SEVERITY_INFO, IMPACT_EVERY_STEP);
    double percent = 100.0 * (double)frame->guard_ns / (double)(frame->guard_ns + time_of(frame));
    int64_t guards = -1;
    finding->title = finding_say(findings, "Guard checks take %.0f %% of the time of %.*s", percent,
                                 SLICE_ARG(finding_function(findings, first)));
    add_ns(&why, frame->guard_ns);
    buf_add_lit(&why, " in ");
    add_count(&why, frame->lookups, "call");
    buf_add_lit(&why, ", ");
    add_ns(&why, frame->guard_ns / (int64_t)frame->lookups);
    buf_add_lit(&why, " each, before ");
    add_ns(&why, time_of(frame));
    buf_add_lit(&why, " in what was compiled.");
    for (size_t i = 0; i < frame->ran.count; i++) {
        int64_t of_version = compile_guards(model->compiles.items[frame->ran.items[i]]);
        guards = of_version > guards ? of_version : guards;
    }
    if (guards > 0) {
        if (frame->ran.count == 1)
            BUF_ADD(&why, " [", first->key, "] has ", (uint64_t)guards, guards == 1 ? " guard." : " guards.");
        else
            BUF_ADD(&why, " The versions that were called have up to ", (uint64_t)guards, " guards each.");
    }
    if (2 * frame->tried_before >= frame->ordered_calls && frame->ordered_calls)
        buf_addf(&why, " Guards of %.1f other versions were tried before those of the one that fits, on average.",
                 (double)frame->tried_before / (double)frame->ordered_calls);
    finding->why = finding_keep(findings, &why);
    finding_set_place(findings, finding, first);
    finding->cost = COST_RUN_TIME;
    finding->run_us = frame->guard_ns / 1000;
    advise_guards(findings, finding, model, frame);
    if (finding->advice.len)
        finding->severity = SEVERITY_WARNING;
    for (size_t i = 0; i < frame->ran.count; i++)
        finding_name_compile(findings, finding, frame->ran.items[i]);
}

/* ---- Graph breaks */

/* Whether the break is in a compile of the function whose rest this is. */
static bool splits_function(const struct model *model, const struct graph_break *found, const struct compile *rest,
                            struct slice function) {
    for (size_t i = 0; i < found->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[found->compiles.items[i]];
        uint64_t line;
        if (slice_eq(resumed_function(compile->frame.function, &line), function) &&
            slice_eq(compile->frame.file, rest->frame.file))
            return true;
    }
    return false;
}

/* Whether the rest of the function after the break was never compiled: it runs at the break, too. */
static bool runs_rest(const struct model *model, const struct graph_break *found) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint64_t line = 0;
        if (!compile->failed || compile->frame_compile_id)
            continue;
        struct slice function = resumed_function(compile->frame.function, &line);
        if (!line || !splits_function(model, found, compile, function))
            continue;
        for (size_t s = 0; s < found->stack.count; s++)
            if (found->stack.items[s].line == line && slice_eq(found->stack.items[s].file, compile->frame.file))
                return true;
    }
    return false;
}

/* Adds the time at a graph break to its finding. */
static void say_gap(struct findings *findings, const struct model *model, const struct profiled_gap *gap) {
    const struct profile *profile = model->profile;
    struct finding *finding = &findings->list.items[findings->of_breaks[gap->graph_break]];
    struct buf why = {0};
    if (gap->eager_ns < profile->regions.ns / SMALL_PART)
        return; /* what no version fits is no cost of the break */
    BUF_ADD(&why, finding->why, finding->why.len ? " " : "", "In the profile, ");
    add_ns(&why, gap->eager_ns);
    buf_add_lit(&why, " ran outside of graphs at this break");
    if (gap->graph_ns) {
        buf_add_lit(&why, "; the graphs of the calls that it splits took ");
        add_ns(&why, gap->graph_ns);
    } else {
        buf_add_lit(&why, "; the calls that it splits ran no graph");
    }
    buf_add_lit(&why, ".");
    if (runs_rest(model, model->breaks.items[gap->graph_break]))
        buf_add_lit(&why, " The rest of the function runs eagerly, too, and is part of that.");
    if (gap->unmatched_ns >= profile->regions.ns / SMALL_PART) {
        buf_add_lit(&why, " Another ");
        add_ns(&why, gap->unmatched_ns);
        buf_add_lit(&why, " ran after guard checks that no version passed, as beyond a recompile limit.");
    }
    finding->why = finding_keep(findings, &why);
    finding->run_us += gap->eager_ns / 1000;
    if (gap->eager_ns > gap->graph_ns && finding->impact > IMPACT_EVERY_STEP)
        finding->impact = IMPACT_EVERY_STEP;
}

/* ---- Kernels */

static int64_t kernel_ns(const struct profile *profile, const struct run_time *time) {
    return profile->devices.count ? time->device_ns : time->ns;
}

/* Calls of a kernel, without the slowest ones, which may have been the first. */
static int64_t usual_ns(const struct profile *profile, uint32_t kernel) {
    return profile->kernel_spreads[kernel].median_ns * (int64_t)profile->kernels[kernel].calls;
}

/* The kernel with more than half of the time in graphs, in calls that usually take that long; UINT32_MAX: none, or only
 * one ran. */
static uint32_t hot_kernel(const struct profile *profile, const struct kernels *kernels) {
    int64_t half_ns = kernel_ns(profile, &profile->graph_calls) / 2;
    uint32_t hot = UINT32_MAX;
    size_t ran = 0;
    for (uint32_t i = 0; profile->kernels && i < kernels->list.count; i++) {
        ran += profile->kernels[i].calls > 0;
        if (profile->kernels[i].calls >= HOT_CALLS && kernel_ns(profile, &profile->kernels[i]) > half_ns &&
            usual_ns(profile, i) > half_ns)
            hot = i;
    }
    return ran > 1 ? hot : UINT32_MAX;
}

/* Adds which lines of the user's file a kernel computes, if there are several. */
static void say_lines(struct buf *out, const struct kernel *kernel) {
    const struct kernel_source *first = kernel_user_source(kernel);
    uint32_t count = 0, others = 0;
    for (uint32_t i = 0; first && i < kernel->source_count; i++)
        if (slice_eq(kernel->sources[i].place.file, first->place.file))
            count++;
        else
            others += !is_library_file(kernel->sources[i].place.file);
    if (count + others < 2)
        return;
    buf_add_lit(out, " It computes several lines, and no event says what each of them takes: ");
    for (uint32_t i = 0, shown = 0; i < kernel->source_count && shown < LINES_NAMED; i++)
        if (slice_eq(kernel->sources[i].place.file, first->place.file))
            BUF_ADD(out, shown++ ? ", " : "", kernel->sources[i].place.line);
    uint32_t more = others + (count > LINES_NAMED ? count - LINES_NAMED : 0);
    if (more)
        BUF_ADD(out, " and ", (uint64_t)more, " more");
    buf_add_lit(out, ".");
}

static void add_hot_kernel(struct findings *findings, const struct model *model, const struct profile *profile) {
    uint32_t hot = model->kernels ? hot_kernel(profile, model->kernels) : UINT32_MAX;
    if (hot == UINT32_MAX)
        return;
    struct buf why = {0};
    const struct kernel *kernel = &model->kernels->list.items[hot];
    const struct compile *compile = model->compiles.items[kernel->compile];
    const struct run_time *time = &profile->kernels[hot];
    const struct kernel_source *source = kernel_user_source(kernel);
    struct finding *finding = finding_add(findings, FINDING_HOT_KERNEL, SEVERITY_INFO, IMPACT_EVERY_STEP);
    int64_t ns = kernel_ns(profile, time), all_ns = kernel_ns(profile, &profile->graph_calls);
    finding->title = finding_say(findings, "`%.*s` takes %.0f %% of the time in graphs", SLICE_ARG(kernel->name),
                                 100.0 * (double)ns / (double)all_ns);
    add_count(&why, time->calls, "call");
    buf_add_lit(&why, " in [");
    BUF_ADD(&why, compile->key, "] took ");
    add_ns(&why, ns);
    buf_add_lit(&why, " of ");
    add_ns(&why, all_ns);
    buf_add_str(&why, profile->devices.count ? " on devices." : ".");
    say_lines(&why, kernel);
    finding->why = finding_keep(findings, &why);
    finding_set_place(findings, finding, compile);
    if (source) {
        finding->place = source->place;
        finding->code = source->code;
        finding->library = false;
    }
    finding->cost = COST_RUN_TIME;
    finding->run_us = ns / 1000;
    finding_name_compile(findings, finding, kernel->compile);
}

void findings_add_profile(struct findings *findings, const struct model *model, const struct chains *chains) {
    const struct profile *profile = model->profile;
    frame_list frames = {0};
    find_frames(findings, &frames, model, profile);
    for (size_t i = 0; i < frames.count; i++) {
        if (guards_are_slow(profile, &frames.items[i]))
            add_guards(findings, model, &frames.items[i]);
        if (frames.items[i].never.count && frames.items[i].ran.count)
            add_unused_versions(findings, model, chains, &frames.items[i]);
    }
    add_unused_frames(findings, model, &frames);
    for (size_t i = 0; i < profile->gaps.count; i++)
        say_gap(findings, model, &profile->gaps.items[i]);
    add_hot_kernel(findings, model, profile);
}
