/* The savings from fixing graph breaks: besides discarded traces, frames that exist only because of a break.
 *
 * These are resume functions, functions that were traced as a part of their caller and are now split as separate
 * frames, and functions that a split line calls. Without the break, their operators would be in the graphs of the
 * frames with the break. Their cost there is unknown; a graph costs at least as much as each of its parts. */

#include "advice/recompile_advice.h"
#include "analysis/advice_words.h"
#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"
#include "scan/library.h"

#define GAIN_MIN_US INT64_C(10000) /* less is not named */
enum { DEPTH_MAX = 256, LINES_MAX = 2, NO_BREAK = -1, UNKNOWN = -2 };

struct gain {
    compile_list frames;
    size_t spared; /* number without operators, or for a value from before the break; and their time: */
    int64_t us;
    int64_t parts_us; /* of the others */
};

struct gains {
    struct arena *arena;
    const struct model *model;
    struct finding *findings; /* of break i: i */
    struct map ways; /* (file, function, line) of a split line → its break; line 0: a function that also calls the
                      * code that breaks, and is split nowhere else */
    struct map outermost; /* (break, file, function) that the break splits first: no break created these frames */
    int64_t *inlined;     /* by index in model->compiles: the break that made it a separate frame */
    struct map rests;     /* (process, frame id) of resume functions → the break before them */
    struct map between;   /* (process, frame id) → the break during whose call the frame was first compiled */
    int64_t *below;       /* by index of a stack node: the break whose line this node, or its nearest caller, is on */
    struct gain *of;      /* by break */
    bool *of_stack;       /* by index in model->compiles: only values from before the break are new */
    struct slice *fixes;  /* by break: the text that breaks with the same fix share. Empty: none */
};

static struct slice key_of(struct buf *key, uint64_t line, struct slice file, struct slice function) {
    uint64_t unused;
    key->len = 0;
    BUF_ADD(key, line, " ", resumed_function(function, &unused), "\n", file);
    return buf_slice(key);
}

static struct slice frame_key(struct buf *key, const struct compile *compile) {
    key->len = 0;
    buf_addf(key, "%zu %" PRId64 " %" PRIu32, (size_t)compile->process, (int64_t)compile->frame_id, compile->epoch);
    return buf_slice(key);
}

/* A frame in which the break is the outermost of its frames. */
static struct slice frame_of(struct buf *key, uint32_t index, const struct compile *compile) {
    key->len = 0;
    buf_addf(key, "%" PRIu32 " %zu %" PRId64, index, (size_t)compile->process, (int64_t)compile->frame_id);
    return buf_slice(key);
}

static uint32_t way_at(const struct gains *gains, uint64_t line, struct slice file, struct slice function) {
    AUTO_BUF key = {0};
    uint32_t found = map_get(&gains->ways, key_of(&key, line, file, function));
    return found;
}

/* Whether its frames continue after the line, so a fix leaves them whole. */
static bool splits(const struct gains *gains, uint32_t index) {
    const struct finding *finding = &gains->findings[index];
    return finding->kind == FINDING_GRAPH_BREAK && finding->splits &&
           gains->model->breaks.items[index]->compiles.count && graph_break_counts(gains->model->breaks.items[index]);
}

/* Notes the lines of the break in the functions that it splits, and which of its compiles other ones of them call. */
static void note_break(struct gains *gains, uint32_t index) {
    const struct graph_break *found = gains->model->breaks.items[index];
    AUTO_MAP depths = {0};
    AUTO_BUF key = {0};
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < found->stack.count; i++) { /* the innermost frame of a function that calls itself */
        const struct frame *frame = &found->stack.items[i];
        *map_put(&depths, key_of(&key, 0, frame->file, frame->function), i, NULL) = i;
    }
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < found->compiles.count; c++) {
            const struct compile *compile = gains->model->compiles.items[found->compiles.items[c]];
            uint32_t depth = map_get(&depths, key_of(&key, 0, compile->frame.file, compile->frame.function));
            if (pass == 0 && depth < first)
                first = depth;
            if (pass == 1 && depth != MAP_NONE && depth > first)
                gains->inlined[compile->index] = index;
        }
    for (uint32_t i = first; i < found->stack.count; i++) {
        const struct frame *frame = &found->stack.items[i];
        map_put_in(gains->arena, &gains->ways, key_of(&key, frame->line, frame->file, frame->function), index, NULL);
    }
    if (!found->stack.count) { /* the log only has the line */
        const struct place *frame = &gains->model->compiles.items[found->compiles.items[0]]->frame;
        if (slice_eq(frame->file, found->place.file))
            map_put_in(gains->arena, &gains->ways, key_of(&key, found->place.line, frame->file, frame->function), index,
                       NULL);
    }
    for (size_t c = 0; c < found->compiles.count; c++) { /* two functions of a file may have one name */
        const struct compile *compile = gains->model->compiles.items[found->compiles.items[c]];
        if (map_get(&depths, key_of(&key, 0, compile->frame.file, compile->frame.function)) == first)
            map_put_in(gains->arena, &gains->outermost, frame_of(&key, index, compile), 0, NULL);
        if (found->stack.count && compile->breaks.count == 1 &&
            map_get(&depths, key_of(&key, 0, compile->frame.file, compile->frame.function)) == MAP_NONE)
            map_put_in(gains->arena, &gains->ways, key_of(&key, 0, compile->frame.file, compile->frame.function), index,
                       NULL);
    }
}

/* The break whose line the node, or its nearest caller with one, is on. Each node is looked up once. */
static int64_t break_above(struct gains *gains, const struct stack_node *node) {
    const struct stack_node *path[DEPTH_MAX];
    size_t depth = 0;
    int64_t found = NO_BREAK;
    for (; node && depth < DEPTH_MAX; node = node->parent) {
        if (gains->below[node->index] != UNKNOWN) {
            found = gains->below[node->index];
            break;
        }
        uint32_t way = way_at(gains, node->frame->line, node->frame->file, node->frame->function);
        path[depth++] = node;
        if (way != MAP_NONE) {
            found = way;
            break;
        }
    }
    while (depth)
        gains->below[path[--depth]->index] = found;
    return found;
}

/* Notes frames whose stacks do not show their caller and that were compiled during the call of a frame that the break
 * splits. The innermost break comes last. */
static void note_between(struct gains *gains, uint32_t index) {
    const struct graph_break *found = gains->model->breaks.items[index];
    const struct compile *rest = failure_first_rest(gains->model, found);
    AUTO_BUF key = {0};
    for (size_t i = rest ? (size_t)found->compiles.items[0] + 1 : SIZE_MAX; rest && i < rest->index; i++) {
        const struct compile *compile = gains->model->compiles.items[i];
        if (compile->frame_compile_id == 0 && failure_is_between(gains->model, found, rest, compile))
            *map_put_in(gains->arena, &gains->between, frame_key(&key, compile), index, NULL) = index;
    }
}

static int64_t break_within(const struct gains *gains, const struct compile *compile) {
    AUTO_BUF key = {0};
    uint32_t found = map_get(&gains->between, frame_key(&key, compile));
    return found == MAP_NONE ? NO_BREAK : (int64_t)found;
}

/* Whether the line of the function is one that leads to the break. */
static bool is_on_the_way(const struct graph_break *found, uint64_t line, struct slice file, struct slice function) {
    uint64_t unused;
    for (size_t i = 0; i < found->stack.count; i++) {
        const struct frame *frame = &found->stack.items[i];
        if (frame->line == line && slice_eq(frame->file, file) &&
            slice_eq(resumed_function(frame->function, &unused), function))
            return true;
    }
    return false;
}

/* The break on the line where the function is resumed, from the nearest earlier compiles of that function: a line may
 * break more than once, and its resume functions share a name. NO_BREAK: none of them has it. */
static int64_t break_before(const struct gains *gains, const struct compile *rest, uint64_t line) {
    enum { EARLIER_MAX = 64 };
    const struct model *model = gains->model;
    uint64_t unused;
    struct slice file = rest->frame.file, function = resumed_function(rest->frame.function, &unused);
    size_t least = rest->index > EARLIER_MAX ? rest->index - EARLIER_MAX : 0;
    for (size_t i = rest->index; i-- > least;) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->process != rest->process || !slice_eq(compile->frame.file, file) ||
            !slice_eq(resumed_function(compile->frame.function, &unused), function))
            continue;
        for (size_t b = 0; b < compile->breaks.count; b++) {
            uint32_t index = compile->breaks.items[b];
            if (splits(gains, index) && is_on_the_way(model->breaks.items[index], line, file, function))
                return index;
        }
    }
    return NO_BREAK;
}

/* The break before a resume function, which its first compile determines; NO_BREAK: unknown. */
static int64_t break_of_rest(struct gains *gains, const struct compile *rest, uint64_t line) {
    AUTO_BUF key = {0};
    int64_t found = map_get(&gains->rests, frame_key(&key, rest));
    if (found == MAP_NONE) {
        found = break_before(gains, rest, line);
        if (found == NO_BREAK) {
            uint32_t way = way_at(gains, line, rest->frame.file, rest->frame.function);
            way = way == MAP_NONE ? way_at(gains, 0, rest->frame.file, rest->frame.function) : way;
            found = way == MAP_NONE ? NO_BREAK : (int64_t)way;
        }
        if (found != NO_BREAK)
            map_put_in(gains->arena, &gains->rests, frame_key(&key, rest), (uint32_t)found, NULL);
    }
    return found;
}

/* The break without which the frame would not exist; NO_BREAK: unknown. */
static int64_t break_of(struct gains *gains, const struct compile *compile) {
    uint64_t line;
    AUTO_BUF key = {0};
    int64_t index = gains->inlined[compile->index];
    resumed_function(compile->frame.function, &line);
    int64_t before = line ? break_of_rest(gains, compile, line) : NO_BREAK;
    if (before != NO_BREAK)
        return before;
    if (index == NO_BREAK && !line && compile->stack)
        index = break_above(gains, compile->stack->parent);
    if (index == NO_BREAK && !line)
        index = break_within(gains, compile);
    if (index == NO_BREAK || compile->index <= gains->model->breaks.items[index]->compiles.items[0])
        return NO_BREAK;
    bool first = map_get(&gains->outermost, frame_of(&key, (uint32_t)index, compile)) != MAP_NONE;
    return first ? NO_BREAK : index;
}

/* The compiles that would match a version except for values from before the break. Other changes, such as an argument
 * or a size, would make a version of the whole function even without the break. */
static bool *find_of_stack(const struct gains *gains, const struct chains *chains) {
    bool *of_stack = arena_zalloc(gains->arena, gains->model->compiles.count + 1);
    for (size_t c = 0; c < chains->list.count; c++) {
        const struct chain *chain = &chains->list.items[c];
        for (size_t s = 0; s < chain->steps.count && s < STEPS_COMPARED_MAX; s++) {
            const struct step *step = &chain->steps.items[s];
            of_stack[step->compile] = step_is_of_stack(step) && step->change_count == step->changes.count;
        }
    }
    return of_stack;
}

/* The time without traces that the frame's own graph breaks discarded, which are counted with those. */
static int64_t own_us(const struct compile *compile) {
    return compile->time_us - (compile->restart_us > 0 && compile->breaks.count ? compile->restart_us : 0);
}

/* Whether a fix moves code out of the compiled function, so its operators are in no graph. */
static bool moves_out(const struct finding *finding) {
    return slice_find(finding->advice, SLICE("utside of the compiled function")) != SIZE_MAX ||
           slice_find(finding->advice, SLICE("out of the compiled function")) != SIZE_MAX;
}

static void add_frame(struct findings *findings, struct gains *gains, const struct compile *compile) {
    int64_t index = compile->framed && compile->has_metrics && !compile->failed && compile->frame.function.len
                      ? break_of(gains, compile)
                      : NO_BREAK;
    if (index == NO_BREAK || compile->time_us <= 0)
        return;
    struct gain *gain = &gains->of[index];
    failure_add_place(findings, &gain->frames, compile->index);
    bool empty = compile_status(compile) == STATUS_EMPTY && !compile_ops_unknown(compile);
    int64_t us = own_us(compile);
    if (empty || gains->of_stack[compile->index]) {
        gain->us += us;
        gain->spared++;
        return;
    }
    gain->parts_us += us;
}

/* "Because of it, `f` and 2 more are frames of their own: 7 compiles, at least 3 of them without operators or … (2.4 s). The
 * others took 1.2 s." A frame may count as being for such a value even if something else differs, too. */
static void add_gain(struct findings *findings, struct gains *gains, uint32_t index) {
    struct finding *finding = &gains->findings[index];
    const struct gain *gain = &gains->of[index];
    struct buf why = {0};
    int64_t us = gain->us + gain->parts_us;
    if (!splits(gains, index) || finding->expected || finding->stays || us < GAIN_MIN_US)
        return;
    finding->unsaved_us = finding->unsaved ? finding->unsaved_us + us : 0;
    finding->fix_us = finding->unsaved ? 0 : finding->fix_us + us;
    buf_add(&why, finding->why);
    failure_add_sentence(&why, "Because of it, ");
    size_t names = finding_add_functions(&why, gains->model, gain->frames.items, gain->frames.count);
    buf_addf(&why, " %s: %zu compile%s", names == 1 ? "is a frame of its own" : "are frames of their own",
             gain->frames.count, gain->frames.count == 1 ? "" : "s");
    if (gain->spared) {
        buf_add_str(&why, ", ");
        if (gain->spared < gain->frames.count)
            buf_addf(&why, "at least %zu of them ", gain->spared);
        buf_add_lit(&why, "without operators or for values from before the break (");
        finding_add_duration(&why, gain->us);
        buf_add_byte(&why, ')');
    } else {
        buf_add_lit(&why, " (");
        finding_add_duration(&why, gain->parts_us);
        buf_add_byte(&why, ')');
    }
    buf_add_byte(&why, '.');
    if (gain->parts_us > 0 && gain->spared) {
        buf_add_str(&why, gain->frames.count - gain->spared == 1 ? " The other took " : " The others took ");
        finding_add_duration(&why, gain->parts_us);
        buf_add_byte(&why, '.');
    }
    if (gain->parts_us > 0 && !moves_out(finding))
        buf_addf(&why, " A fix makes %s a part of the graph before the break, which saves some of that.",
                 gain->frames.count - gain->spared == 1 ? "it" : "them");
    finding->why = finding_keep(findings, &why);
}

/* Whether the text leads to advice to set it. Other advice mentions a setting that does not help, or one that is also
 * needed: "PyTorch's hint, `torch._dynamo.config.…". */
static bool is_to_set(struct slice before) {
    return slice_starts(before, SLICE("Set ")) || slice_starts(before, SLICE("Enable ")) ||
           slice_ends(before, SLICE("try setting "));
}

/* The part of the advice that several breaks share if one change removes them all: the setting, or how DDP or Lightning
 * is used. Empty: none. */
static struct slice common_fix(const struct finding *finding) {
    static const struct slice config = SLICE_INIT("`torch._dynamo.config.");
    size_t at = slice_find(finding->advice, config);
    if (finding->fix_us <= 0)
        return (struct slice){0};
    if (slice_starts(finding->advice, SLICE("Compile the module itself, `DDP(")))
        return SLICE("DDP");
    if (slice_starts(finding->advice, SLICE(ADVICE_LIGHTNING)))
        return SLICE("LightningModule");
    if (at == SIZE_MAX || !is_to_set(slice_first(finding->advice, at)))
        return (struct slice){0};
    struct slice name = slice_from(finding->advice, at + config.len);
    name = slice_first(name, word_length(name));
    struct slice set = slice_from(finding->advice, at + config.len + name.len);
    return slice_starts(set, SLICE(" = ")) ? name : (struct slice){0}; /* or a list to which each break adds */
}

/* Whether the advice is to move the user's call of the library: "Call `step` at a.py:16 outside …". */
static bool moves_call(const struct finding *finding) {
    size_t out = slice_find(finding->advice, SLICE(" outside of the compiled function"));
    return finding->library && slice_starts(finding->advice, SLICE("Call `")) && out != SIZE_MAX &&
           slice_find(slice_first(finding->advice, out), SLICE("` at ")) != SIZE_MAX;
}

/* The library function that the user's line calls; ptr NULL: none. If it is a separate frame, the stack may end at the
 * user's line. */
static struct slice called_by(const struct gains *gains, const struct graph_break *found, const struct frame **user) {
    const struct frame *last = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
    if (!last || is_library_file(last->file)) {
        const struct frame *called = failure_library_called(found, user);
        return called ? called->function : (struct slice){0};
    }
    *user = last;
    const struct compile *compile =
        found->compiles.count ? gains->model->compiles.items[found->compiles.items[0]] : NULL;
    return compile && is_library_file(compile->frame.file) ? compile->frame.function : (struct slice){0};
}

/* Finds the fixes of all breaks. A fix that moves a call also removes the other breaks in that call. */
static void find_fixes(struct gains *gains) {
    struct map calls = {0};
    AUTO_BUF key = {0};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < gains->model->breaks.count; i++) {
            const struct finding *finding = &gains->findings[i];
            const struct frame *user = NULL;
            struct slice called =
                finding->library ? called_by(gains, gains->model->breaks.items[i], &user) : (struct slice){0};
            if (finding->kind != FINDING_GRAPH_BREAK || finding->expected || finding->stays)
                continue;
            if (called.len) {
                key.len = 0;
                buf_addf(&key, "%.*s:%" PRIu64 " %.*s", SLICE_ARG(user->file), user->line, SLICE_ARG(called));
            }
            if (pass == 0 && called.len && moves_call(finding))
                map_put_in(gains->arena, &calls, buf_slice(&key), i, NULL);
            else if (pass == 1 && called.len && map_get(&calls, buf_slice(&key)) != MAP_NONE)
                gains->fixes[i] = arena_slice(gains->arena, buf_slice(&key));
            else if (pass == 1)
                gains->fixes[i] = common_fix(finding);
        }
}

static void add_place(struct buf *out, const struct finding *finding) {
    buf_addf(out, "%.*s:%" PRIu64, SLICE_ARG(path_last(finding->place.file)), finding->place.line);
}

/* `library`: number of the others that are on a library's line, which may test the captured result. */
static void say_common(struct findings *findings, struct finding *finding, const struct finding *most, size_t more,
                       size_t library) {
    struct buf why = {0};
    buf_add(&why, finding->why);
    if (finding != most) {
        buf_add_lit(&why, " The fix of the graph break at ");
        add_place(&why, most);
        buf_addf(&why, " %s, too: what it saves is counted there.",
                 moves_call(most) ? "removes this one" : "applies here");
        finding->fix_us = 0;
        if (moves_call(most) && finding->severity == SEVERITY_ERROR) /* it may be the one that is read first */
            finding->advice = most->advice;
    } else if (moves_call(most)) {
        buf_addf(&why, " The fix also removes %zu other graph break%s in this call.", more, more == 1 ? "" : "s");
    } else {
        buf_addf(&why, " The same fix applies to %zu other graph break%s.", more, more == 1 ? "" : "s");
        if (library && slice_find(finding->advice, SLICE("config.capture_")) != SIZE_MAX)
            buf_add_lit(&why, " A library's line may need more: see there.");
    }
    finding->why = finding_keep(findings, &why);
}

/* The part of the savings of the break's fix that an earlier break with the same fix already has: discarded traces of a
 * compile that both restarted. */
static int64_t shared_before(const struct gains *gains, struct map *seen, uint32_t fix, const struct finding *finding) {
    int64_t us = 0;
    for (size_t i = 0; i < finding->shared.count; i++) {
        uint32_t key[2] = {fix, finding->shared.items[i]};
        bool added;
        map_put_in(gains->arena, seen, slice_make((const char *)key, sizeof key), 0, &added);
        us += added ? 0 : gains->model->compiles.items[finding->shared.items[i]]->restart_us;
    }
    return us;
}

/* Gives the most expensive break the savings of all breaks that its fix removes. */
static void join_fixes(struct findings *findings, struct gains *gains) {
    struct map fixes = {0}, shared = {0};
    size_t count = gains->model->breaks.count;
    uint32_t *most = arena_alloc(gains->arena, (count + 1) * sizeof *most);
    size_t *others = arena_zalloc(gains->arena, (count + 1) * sizeof *others);
    size_t *library = arena_zalloc(gains->arena, (count + 1) * sizeof *library);
    int64_t *sums = arena_zalloc(gains->arena, (count + 1) * sizeof *sums);
    const struct slice *names = gains->fixes;
    for (uint32_t i = 0; i < count; i++) {
        bool added;
        if (!names[i].len)
            continue;
        uint32_t at = *map_put_in(gains->arena, &fixes, names[i], i, &added);
        bool moves = moves_call(&gains->findings[i]);
        if (added || moves > moves_call(&gains->findings[most[at]]) ||
            (moves == moves_call(&gains->findings[most[at]]) &&
             gains->findings[most[at]].fix_us < gains->findings[i].fix_us))
            most[at] = i;
        others[at] += !added;
        library[at] += gains->findings[i].library;
        sums[at] += gains->findings[i].fix_us - shared_before(gains, &shared, at, &gains->findings[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = names[i].len ? map_get(&fixes, names[i]) : MAP_NONE;
        if (at == MAP_NONE || !others[at])
            continue;
        const struct finding *first = &gains->findings[most[at]];
        say_common(findings, &gains->findings[i], first, others[at], library[at] - first->library);
        if (most[at] == i)
            gains->findings[i].fix_us = sums[at];
    }
}

/* The line after which the frame with the break resumes the function of the break; 0: the break is in another frame. */
static uint64_t resumed_at(const struct gains *gains, uint32_t index) {
    const struct graph_break *found = gains->model->breaks.items[index];
    const struct place *frame = &gains->model->compiles.items[found->compiles.items[0]]->frame;
    uint64_t line, unused;
    struct slice function = resumed_function(frame->function, &line);
    bool own = slice_eq(frame->file, found->place.file) &&
               slice_eq(function, resumed_function(found->place.function, &unused));
    return own ? line : 0;
}

/* "More graph breaks follow in `encode`, at prog.py:33 and prog.py:34: without them, too, …" */
static void say_following(struct findings *findings, struct gains *gains) {
    struct map functions = {0};
    struct buf key = {0};
    size_t count = gains->model->breaks.count;
    uint32_t *next = arena_alloc(gains->arena, (count + 1) * sizeof *next);
    for (uint32_t i = (uint32_t)count; i-- > 0;) { /* next: the break that was met after it in this function */
        const struct finding *finding = &gains->findings[i];
        bool added, known = splits(gains, i) && finding->place.function.len && finding->place.file.len;
        next[i] = MAP_NONE;
        if (!known)
            continue;
        uint32_t *slot = map_put_in(gains->arena, &functions,
                                    key_of(&key, 0, finding->place.file, finding->place.function), i, &added);
        if (!added && gains->findings[*slot].place.line > finding->place.line &&
            resumed_at(gains, *slot) >= finding->place.line)
            next[i] = *slot;
        *slot = i;
    }
    buf_free(&key);
    for (uint32_t i = 0; i < count; i++) {
        struct finding *finding = &gains->findings[i];
        struct buf why = {0};
        size_t lines = 0;
        uint64_t unused;
        if (next[i] == MAP_NONE || !finding->advice.len || finding->expected || finding->fix_us <= 0)
            continue;
        if (moves_call(finding) && slice_eq(gains->fixes[i], gains->fixes[next[i]])) /* it is removed, too */
            continue;
        struct slice function = resumed_function(finding->place.function, &unused);
        BUF_ADD(&why, finding->why, " ",
                next[next[i]] == MAP_NONE ? "Another graph break follows" : "More graph breaks follow", " in `",
                function, "`, at ");
        for (uint32_t n = next[i]; n != MAP_NONE && lines < LINES_MAX; n = next[n], lines++) {
            buf_add_str(&why, lines ? " and " : "");
            add_place(&why, &gains->findings[n]);
        }
        buf_addf(&why, ": %s would split it without this one.", next[next[i]] == MAP_NONE ? "it" : "they");
        finding->why = finding_keep(findings, &why);
    }
}

/* "<listcomp>": Dynamo traces it as part of its function, and as a separate frame only if that function runs eagerly.
 */
static bool is_comprehension(struct slice function) {
    return slice_starts(function, SLICE("<")) &&
           (slice_ends(function, SLICE("comp>")) || slice_ends(function, SLICE("genexpr>")));
}

/* The break that made the function around the comprehension run eagerly; NO_BREAK: none. */
static int64_t break_around(const struct gains *gains, const struct graph_break *found) {
    enum { BREAKS_MAX = 256 };
    const struct frame *around = found->stack.count > 1 ? &found->stack.items[found->stack.count - 2] : NULL;
    for (size_t i = 0; around && i < gains->model->breaks.count && i < BREAKS_MAX; i++) {
        const struct graph_break *other = gains->model->breaks.items[i];
        for (size_t c = 0; other != found && c < other->compiles.count && c < BREAKS_MAX; c++) {
            const struct compile *compile = gains->model->compiles.items[other->compiles.items[c]];
            if (compile->failed && slice_eq(compile->frame.file, around->file) &&
                slice_eq(compile->frame.function, around->function))
                return (int64_t)i;
        }
    }
    return NO_BREAK;
}

/* Explains a comprehension that runs eagerly because it is a separate frame, after another break. */
static void say_behind(struct findings *findings, struct gains *gains, uint32_t index) {
    const struct graph_break *found = gains->model->breaks.items[index];
    struct finding *finding = &gains->findings[index];
    int64_t before = NO_BREAK;
    if (finding->kind != FINDING_GRAPH_BREAK || finding->severity != SEVERITY_ERROR || finding->advice.len)
        return;
    for (size_t c = 0; c < found->compiles.count; c++) {
        const struct compile *compile = gains->model->compiles.items[found->compiles.items[c]];
        bool behind = compile->failed && is_comprehension(compile->frame.function);
        before = behind ? break_of(gains, compile) : NO_BREAK;
        if (behind && before == NO_BREAK)
            before = break_around(gains, found);
        if (before == NO_BREAK || before == index)
            return;
    }
    if (before == NO_BREAK)
        return;
    struct buf advice = {0};
    buf_add_lit(&advice, "Fix the graph break at ");
    add_place(&advice, &gains->findings[before]);
    buf_add_lit(&advice, " first: without it, this is no frame of its own.");
    finding->advice = finding_keep(findings, &advice);
    finding->handled = true; /* it is not the first one to change */
}

void failure_add_gains(struct findings *findings, const struct model *model, const struct chains *chains,
                       uint32_t first) {
    struct arena *arena = &findings->scratch;
    if (!model->breaks.count)
        return;
    struct gains gains = {.arena = arena,
                          .model = model,
                          .findings = findings->list.items + first,
                          .inlined = arena_alloc(arena, (model->compiles.count + 1) * sizeof *gains.inlined),
                          .below = arena_alloc(arena, (model->starts.nodes.count + 1) * sizeof *gains.below),
                          .of = arena_zalloc(arena, (model->breaks.count + 1) * sizeof *gains.of),
                          .fixes = arena_zalloc(arena, (model->breaks.count + 1) * sizeof *gains.fixes)};
    for (size_t i = 0; i < model->compiles.count; i++)
        gains.inlined[i] = NO_BREAK;
    gains.of_stack = find_of_stack(&gains, chains);
    for (size_t i = 0; i < model->starts.nodes.count; i++)
        gains.below[i] = UNKNOWN;
    for (uint32_t i = 0; i < model->breaks.count; i++)
        if (splits(&gains, i)) {
            note_break(&gains, i);
            note_between(&gains, i);
        }
    for (size_t i = 0; i < model->compiles.count; i++)
        add_frame(findings, &gains, model->compiles.items[i]);
    for (uint32_t i = 0; i < model->breaks.count; i++)
        add_gain(findings, &gains, i);
    for (uint32_t i = 0; i < model->breaks.count; i++)
        say_behind(findings, &gains, i);
    find_fixes(&gains);
    say_following(findings, &gains);
    join_fixes(findings, &gains);
}
