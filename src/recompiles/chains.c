#include "recompiles/chains.h"

#include "analysis/setting_values.h"
#include "modules/module_instances.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"
#include "scan/library.h"

static struct slice until(struct slice text, struct slice mark) {
    size_t at = slice_find(text, mark);
    return at == SIZE_MAX ? text : slice_first(text, at);
}

static bool is_literal(struct slice text) {
    return text.len && (is_digit(text.ptr[0]) || text.ptr[0] == '-' || text.ptr[0] == '\'' || text.ptr[0] == '"' ||
                        slice_is(text, "True") || slice_is(text, "False") || slice_is(text, "None"));
}

/* The user's line behind the guard: the last frame after "User stack trace:" that is not in a library, which may be a
 * caller of the line in the guard's comment. If there is none, the last frame. */
static void take_place(struct cause *cause, struct slice reason) {
    size_t at = slice_find(reason, SLICE("User stack trace:"));
    struct slice trace = at == SIZE_MAX ? (struct slice){0} : slice_from(reason, at);
    struct frame frame, user;
    if (!traceback_last_frame(trace, &frame))
        return;
    if (is_library_file(frame.file) && traceback_user_frame(trace, &user)) {
        frame = user;
        cause->code = user.code;
    }
    cause->place = (struct place){.file = frame.file, .function = frame.function, .line = frame.line};
}

/* The guard without the parts that differ each time: "k == …", and the numbers in "___check_metadata_1405_c1/1". */
static struct slice general(struct chains *chains, struct slice guard) {
    static const struct slice numbered[] = {SLICE_INIT("___check_metadata_"), SLICE_INIT("__dtensor_spec_")};
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (slice_starts(guard, numbered[i]))
            return slice_first(guard, numbered[i].len);
    size_t equal = guard_code_find(guard, SLICE(" == "));
    guard = until(guard, SLICE(". expected "));
    if (equal == SIZE_MAX || !is_literal(slice_from(guard, equal + 4)))
        return guard;
    struct buf text = {0};
    BUF_ADD(&text, slice_first(guard, equal + 4), "…");
    return arena_keep(&chains->arena, &text);
}

/* The cause of the step: its first change, with the place from the log's reason. */
static struct cause cause_of(struct chains *chains, const struct step *step) {
    const struct guard_change *change = &step->changes.items[0];
    struct cause cause = {.type = change->type, .subject = change->source, .had = change->had, .has = change->has};
    cause.first = change->guard;
    cause.guard = general(chains, change->guard);
    cause.source = change->source;
    cause.compile = step->compile;
    if (!step->reason.ptr)
        return cause;
    struct slice text = slice_trim(step->reason);
    struct guard_failure failure = guard_failure_read(step->reason);
    guard_reason_take_id(&text);
    cause.example = text;
    if (!step->reason_leads)
        return cause;
    if (failure.source.ptr)
        cause.source = failure.source;
    cause.code = guard_reason_code(step->reason);
    take_place(&cause, text);
    return cause;
}

/* Whether the change can be described in a few words. Strides follow from sizes, and conditions from values. */
static bool is_plain(const struct guard_change *change) {
    return change->source.ptr && change->had.ptr && change->has.ptr && !slice_eq(change->had, change->has) &&
           change->type != GUARD_STRIDE && change->type != GUARD_RELATION && change->type != GUARD_DIVISIBILITY &&
           change->type != GUARD_DISPATCH_KEY;
}

/* Whether the change is in a member of an object that an earlier change replaced, or whose type it changed. */
bool step_is_of_replaced(const struct step *step, size_t nth) {
    struct slice source = guard_key_read(step->changes.items[nth].key).source;
    for (size_t i = 0; i < nth && source.ptr; i++) {
        const struct guard_change *before = &step->changes.items[i];
        struct slice object = guard_key_read(before->key).source;
        bool other = before->whole || before->type == GUARD_IDENTITY || before->type == GUARD_TYPE;
        if (other && object.len && object.len < source.len && slice_starts(source, object))
            return true;
    }
    return false;
}

/* Notes the changes that occurred together with the cause. Each of them would be enough to recompile. */
static void add_beside(struct cause *cause, const struct step *step) {
    for (size_t i = 1; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (!is_plain(change) || step_is_of_replaced(step, i))
            continue;
        if (cause->beside_count < CAUSE_BESIDE_MAX)
            cause->beside[cause->beside_count++] = *change;
        else
            cause->beside_more++;
    }
}

static bool has_change(const struct step *step, const struct guard_change *other) {
    for (size_t i = 1; i < step->changes.count; i++)
        if (step->changes.items[i].type == other->type && slice_eq(step->changes.items[i].source, other->source))
            return true;
    return false;
}

/* Whether the last row contains the value. */
static bool has_value(const struct cause *cause, struct slice value) {
    for (size_t i = cause->value_count; i > 0; i--) {
        if (cause->values[i - 1].text.ptr && slice_eq(cause->values[i - 1].text, value))
            return true;
        if (cause->values[i - 1].starts)
            break;
    }
    return false;
}

static void add_value(struct cause *cause, struct slice text, bool starts) {
    bool fits = cause->value_count < CAUSE_VALUES_MAX - (size_t)starts; /* a row with one value is meaningless */
    cause->values_end |= !fits;
    if (!cause->values_end)
        cause->values[cause->value_count++] = (struct cause_value){text, starts};
}

/* Adds the values of a step of the cause. They continue the last row if the row ends with the step's old value: the
 * texts are equal, or the step's nearest version is that of the row's end. 3 → 5 right after 3 → 4 continues it, too:
 * the calls had 3, 4 and 5. */
static void add_values(struct cause *cause, const struct step *step, uint32_t previous) {
    const struct guard_change *change = &step->changes.items[0];
    bool any = cause->value_count > 0, after = any && step->nearest == cause->last;
    struct slice last = any ? cause->values[cause->value_count - 1].text : (struct slice){0};
    bool same = change->had.ptr && slice_eq(last, change->had);
    bool goes_on = same || (after && !change->had.ptr && !cause->open) || (after && change->had.ptr && cause->open) ||
                   (any && change->had.ptr && cause->last == previous && !cause->open && has_value(cause, change->had));
    if (!change->had.ptr && !change->has.ptr)
        return;
    if (!goes_on)
        add_value(cause, change->had, true);
    else if (after && cause->open && !same)
        add_value(cause, change->had, false);
    cause->open = !change->has.ptr;
    bool stays = cause->value_count && slice_eq(cause->values[cause->value_count - 1].text, change->has);
    if (change->has.ptr && !stays)
        add_value(cause, change->has, false);
}

const struct failure *recompile_limit_failure(const struct model *model, const struct compile *compile) {
    int64_t failures[] = {compile->failure, compile->backward_failure};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (failures[i] >= 0 && is_limit_hit(&model->failures.items[failures[i]]))
            return &model->failures.items[failures[i]];
    return NULL;
}

static bool is_refused(const struct model *model, uint32_t compile) {
    return recompile_limit_failure(model, model->compiles.items[compile]) != NULL;
}

/* torch._dynamo.config.error_on_recompile: PyTorch raised an error instead. */
static bool is_forbidden(const struct model *model, uint32_t compile) {
    int64_t failure = model->compiles.items[compile]->failure;
    return failure >= 0 && slice_is(model->failures.items[failure].type, "RecompileError");
}

bool recompile_is_refused(const struct model *model, uint32_t compile) {
    return is_refused(model, compile) || is_forbidden(model, compile);
}

bool recompile_failed(const struct model *model, uint32_t compile) {
    return model->compiles.items[compile]->failure >= 0 && !recompile_is_refused(model, compile);
}

/* previous: the compile before that of the step; NO_VERSION: none. */
static void add_cause(struct chains *chains, struct chain *chain, const struct model *model, const struct step *step,
                      uint32_t previous) {
    if (!step->changes.count)
        return;
    struct cause cause = cause_of(chains, step);
    size_t i = 0;
    while (i < chain->causes.count && !(chain->causes.items[i].type == cause.type &&
                                        (cause.subject.ptr ? slice_eq(chain->causes.items[i].subject, cause.subject)
                                                           : slice_eq(chain->causes.items[i].guard, cause.guard))))
        i++;
    if (i == CAUSES_MAX)
        return;
    if (i == chain->causes.count) {
        ARENA_GROW(&chains->arena, &chain->causes);
        add_beside(&cause, step);
        chain->causes.items[chain->causes.count++] = cause;
    }
    struct cause *found = &chain->causes.items[i];
    for (size_t b = 0; found->count && b < found->beside_count; b++)
        found->beside_once[b] |= !has_change(step, &found->beside[b]);
    if (step->also_count && !found->near.change.source.ptr) {
        found->near = step->also[0];
        found->near_step = step->compile;
    }
    add_values(found, step, previous);
    found->last = step->compile;
    found->others += step->change_count > 1;
    found->refused += recompile_is_refused(model, step->compile);
    found->count++;
}

/* Identifies changes with the same cause. */
static struct slice change_key(struct buf *key, enum guard_type type, struct slice subject) {
    key->len = 0;
    buf_addf(key, "%d ", (int)type);
    buf_add(key, subject);
    return buf_slice(key);
}

/* Counts the changes of a step other than its cause, by subject. */
static void count_beside(struct map *beside, const struct step *step) {
    AUTO_BUF key = {0};
    for (size_t i = 1; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->source.ptr)
            ++*map_put(beside, change_key(&key, change->type, change->source), 0, NULL);
    }
}

static void take_beside(struct chain *chain, const struct map *beside) {
    AUTO_BUF key = {0};
    for (size_t i = 0; i < chain->causes.count; i++) {
        struct cause *cause = &chain->causes.items[i];
        uint32_t count = cause->subject.ptr ? map_get(beside, change_key(&key, cause->type, cause->subject)) : MAP_NONE;
        cause->also = count == MAP_NONE ? 0 : count;
    }
}

struct ranked {
    struct cause cause;
    size_t nth;
};

static int most_first(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->cause.count != y->cause.count)
        return x->cause.count > y->cause.count ? -1 : 1;
    if (x->cause.also != y->cause.also)
        return x->cause.also > y->cause.also ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void sort_causes(struct chain *chain) {
    struct ranked *ranked = mem_alloc((chain->causes.count + 1) * sizeof *ranked);
    for (size_t i = 0; i < chain->causes.count; i++)
        ranked[i] = (struct ranked){chain->causes.items[i], i};
    if (chain->causes.count > 1)
        qsort(ranked, chain->causes.count, sizeof *ranked, most_first);
    for (size_t i = 0; i < chain->causes.count; i++)
        chain->causes.items[i] = ranked[i].cause;
    mem_free(ranked);
}

bool is_limit_hit(const struct failure *failure) {
    return slice_find(failure->type, SLICE("RecompileLimit")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("recompile limit exceeded")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("recompile_limit")) != SIZE_MAX ||
           slice_find(failure->reason, SLICE("cache_size_limit")) != SIZE_MAX;
}

const char *recompile_limit_name(enum recompile_limit limit) {
    static const char *const names[RECOMPILE_LIMITS] = {
        [LIMIT_RECOMPILE] = "recompile_limit",
        [LIMIT_CACHE_SIZE] = "cache_size_limit",
        [LIMIT_ACCUMULATED_RECOMPILE] = "accumulated_recompile_limit",
        [LIMIT_ACCUMULATED_CACHE_SIZE] = "accumulated_cache_size_limit",
    };
    return names[limit];
}

bool recompile_limit_is_accumulated(enum recompile_limit limit) {
    return limit == LIMIT_ACCUMULATED_RECOMPILE || limit == LIMIT_ACCUMULATED_CACHE_SIZE;
}

/* Finds the limit that was hit, per frame or over all frames: in the configuration of the compile that hit it, or else
 * of the last or first compile. The value is -1 if it is unknown. */
static void find_limit(const struct model *model, struct chain *chain) {
    const struct compile *hit = model->compiles.items[chain->limit_compile];
    const struct failure *failure = recompile_limit_failure(model, hit);
    assert(failure); /* see is_refused() */
    bool accumulated = slice_find(failure->reason, SLICE("accumulated_")) != SIZE_MAX;
    uint32_t compiles[] = {chain->limit_compile, chain->compiles.items[chain->compiles.count - 1],
                           chain->compiles.items[0]};
    for (size_t c = 0; c < sizeof compiles / sizeof *compiles && chain->limit < 0; c++)
        for (int limit = 0; limit < RECOMPILE_LIMITS && chain->limit < 0; limit++) {
            AUTO_BUF value = {0};
            uint64_t number = 0;
            if (recompile_limit_is_accumulated((enum recompile_limit)limit) != accumulated)
                continue;
            chain->which_limit = (enum recompile_limit)limit;
            if (compile_setting(&value, model, compiles[c], recompile_limit_name(chain->which_limit)) &&
                slice_to_u64(buf_slice(&value), &number) && number <= INT32_MAX)
                chain->limit = (int64_t)number;
        }
}

/* Whether one of the changes is that an attribute of `self` has another value. */
static bool changes_self(const guard_changes *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        enum guard_type type = changes->items[i].type;
        bool value = type == GUARD_VALUE || type == GUARD_FLOAT || type == GUARD_LENGTH || type == GUARD_TYPE ||
                     type == GUARD_IDENTITY || type == GUARD_ATTRIBUTE || type == GUARD_DICT;
        if (value && slice_starts(guard_key_read(changes->items[i].key).source, SLICE("L['self'].")))
            return true;
    }
    return false;
}

/* Whether the latest version with the same addresses had another value of an attribute of `self`: either the module
 * was changed, or it was gone and another one was created there. */
static bool is_doubtful(const struct model *model, const struct chain *chain, size_t place, const struct step *step,
                        struct arena *arena) {
    uint32_t own = NO_VERSION;
    for (size_t back = 1; back <= place && back <= NEAREST_MAX && own == NO_VERSION; back++)
        if (chain->modules[place] != MODULE_NONE && chain->modules[place - back] == chain->modules[place])
            own = chain->compiles.items[place - back];
    if (own == NO_VERSION)
        return false;
    guard_changes changes = {0};
    if (own != step->nearest)
        guard_changes_find(model, model->compiles.items[own], model->compiles.items[step->compile], arena, &changes);
    return changes_self(own == step->nearest ? &step->changes : &changes) &&
           !module_instances_surely(model, step->compile);
}

/* The step to the chain's compile at `place`, from a version for the same module if one is known. */
static struct step step_to(const struct model *model, struct chain *chain, size_t place, struct arena *arena) {
    struct step step = recompile_step(model, chain, place, arena);
    if (!is_doubtful(model, chain, place, &step, arena))
        return step;
    chain->modules[place] = MODULE_NONE;
    return chain->module_count > 1 ? recompile_step(model, chain, place, arena) : step;
}

static void find_modules(struct chains *chains, struct chain *chain, const struct model *model) {
    size_t count = chain->compiles.count;
    chain->modules = arena_alloc(&chains->arena, count * sizeof *chain->modules);
    chain->modules[0] = MODULE_NONE;
    if (count > 1 || model->compiles.items[chain->compiles.items[0]]->reasons.count) /* those in the list */
        chain->module_count = module_instances_find(model, chain->compiles.items, count, chain->modules);
}

static void fill(struct chains *chains, struct chain *chain, const struct model *model) {
    chain->limit = -1;
    chain->limit_compile = NO_VERSION;
    bool usable = false; /* there is an earlier version */
    AUTO_MAP beside = {0};
    find_modules(chains, chain, model);
    for (size_t i = 0; i < chain->compiles.count; i++) {
        uint32_t place = chain->compiles.items[i];
        const struct compile *compile = model->compiles.items[place];
        if (!chain->frame.file.ptr)
            chain->frame = compile->frame;
        bool refused = is_refused(model, place), forbidden = is_forbidden(model, place);
        if (usable || compile->reasons.count) {
            chain->recompiles += !refused && !forbidden;
            chain->time_us += compile->time_us > 0 ? compile->time_us : 0;
        }
        usable |= !compile->failed;
        if (refused) {
            chain->limit_compile = chain->limit_hit ? chain->limit_compile : place;
            chain->limit_hit = true;
            chain->refused++;
        }
        if (i == 0 && !compile->reasons.count)
            continue;
        struct step step = step_to(model, chain, i, &chains->arena);
        add_cause(chains, chain, model, &step, i ? chain->compiles.items[i - 1] : NO_VERSION);
        count_beside(&beside, &step);
        if (i == 0) /* the log begins late: the version that the reason refers to is missing */
            continue;
        ARENA_ADD(&chains->arena, &chain->steps, step);
    }
    take_beside(chain, &beside);
    sort_causes(chain);
    if (chain->limit_hit)
        find_limit(model, chain);
}

struct sorted {
    int64_t frame_compile_id;
    uint32_t nth, place;
};

static int by_frame_compile_id(const void *a, const void *b) {
    const struct sorted *x = a, *y = b;
    if (x->frame_compile_id != y->frame_compile_id)
        return x->frame_compile_id < y->frame_compile_id ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void sort_compiles(struct chain *chain, const struct model *model) {
    struct sorted *sorted = mem_alloc((chain->compiles.count + 1) * sizeof *sorted);
    for (size_t i = 0; i < chain->compiles.count; i++) {
        uint32_t place = chain->compiles.items[i];
        sorted[i] = (struct sorted){model->compiles.items[place]->frame_compile_id, (uint32_t)i, place};
    }
    if (chain->compiles.count > 1)
        qsort(sorted, chain->compiles.count, sizeof *sorted, by_frame_compile_id);
    for (size_t i = 0; i < chain->compiles.count; i++)
        chain->compiles.items[i] = sorted[i].place;
    mem_free(sorted);
}

/* Determines to which of the frame's caches the compile belongs: with isolate_recompiles=True, each torch.compile() has
 * its own. A compile without reasons whose cache has no version begins a new cache, unless every earlier compile
 * failed. A recompile belongs to the cache of the version that its first reason names. 0 is the cache of the frame's
 * first compile. */
static uint32_t cache_of(struct chains *chains, struct map *caches, const struct compile *compile) {
    int64_t id[4] = {(int64_t)compile->process, compile->epoch, compile->frame_id, compile->frame_compile_id};
    struct slice frame = slice_make((char *)id, 3 * sizeof *id), whole = slice_make((char *)id, sizeof id);
    uint32_t *usable = map_put_in(&chains->arena, caches, frame, 0, NULL), cache = 0;
    bool begins = *usable && compile->no_versions && !compile->reasons.count;
    *usable |= !compile->failed;
    if (begins)
        cache = compile->index + 1;
    if (compile->reasons.count) {
        struct slice against = guard_failure_read(compile->reasons.items[0]).against;
        size_t slash = slice_rfind_byte(against, '/');
        struct slice number = slash != SIZE_MAX ? slice_from(against, slash + 1) : (struct slice){0};
        uint64_t version;
        id[3] = slice_to_u64(slice_first(number, slice_find(number, SLICE("_"))), &version) ? (int64_t)version : -1;
        uint32_t found = map_get(caches, whole);
        cache = found == MAP_NONE ? 0 : found;
        id[3] = compile->frame_compile_id;
    }
    map_put_in(&chains->arena, caches, whole, cache, NULL);
    return cache;
}

void chains_find(struct chains *chains, const struct model *model) {
    struct map frames = {0}, caches = {0};
    LIST(struct chain) all = {0};
    uint32_t *order = model_order(model);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[order[i]];
        bool added;
        if (compile->frame_id == PART_MISSING || !(compile->framed || compile->reasons.count))
            continue;
        int64_t key[4] = {(int64_t)compile->process, compile->epoch, compile->frame_id,
                          cache_of(chains, &caches, compile)};
        uint32_t index =
            *map_put_in(&chains->arena, &frames, slice_make((char *)key, sizeof key), (uint32_t)all.count, &added);
        if (added)
            ARENA_ADD(&chains->arena, &all, (struct chain){0});
        assert(index < all.count);
        struct chain *chain = &all.items[index];
        ARENA_ADD(&chains->arena, &chain->compiles, order[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        sort_compiles(&all.items[i], model);
        fill(chains, &all.items[i], model);
        if (all.items[i].compiles.count > 1 || all.items[i].causes.count)
            ARENA_ADD(&chains->arena, &chains->list, all.items[i]);
    }
    mem_free(order);
}

void chains_finish(struct chains *chains) {
    arena_free(&chains->arena);
    *chains = (struct chains){0};
}
