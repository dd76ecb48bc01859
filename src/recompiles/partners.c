#include "recompiles/partners.h"

#include "lowering/passes.h"
#include "lowering/stages.h"

struct walk {
    struct partners *partners;
    const struct model *model;
    const struct compile *compile;
};

static const struct artifact *artifact_at(const struct walk *walk, size_t place) {
    return &walk->model->artifacts.items[walk->compile->artifacts.items[place]];
}

static int64_t attempt_at(const struct walk *walk, size_t place) {
    return walk->model->folders.items[artifact_at(walk, place)->folder].attempt;
}

/* "dynamo_output_graph_4.txt" and "dynamo_output_graph" have the same stem; output code is named after a hash. */
static struct slice stem_of(const struct artifact *artifact) {
    static const struct slice endings[] = {SLICE_INIT(".txt"), SLICE_INIT(".json"), SLICE_INIT(".html"),
                                           SLICE_INIT(".py"), SLICE_INIT(".log")};
    struct slice name = artifact->name;
    char number[24];
    if (slice_is(artifact->kind, "inductor_output_code"))
        return artifact->kind;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (slice_ends(name, endings[i])) {
            name = slice_first(name, name.len - endings[i].len);
            break;
        }
    if (artifact->number == NUMBER_NONE)
        return name;
    snprintf(number, sizeof number, "_%" PRId64, artifact->number);
    return slice_ends(name, slice_str(number)) ? slice_first(name, name.len - slice_str(number).len) : name;
}

/* "stem (qualifier · subgraph) #2" */
static struct slice slot_of(struct walk *walk, struct map *seen, struct slice stem, const char *qualifier,
                            struct slice subgraph) {
    struct buf text = {0};
    bool fresh;
    buf_add(&text, stem);
    if (*qualifier || subgraph.len)
        BUF_ADD(&text, " (", qualifier, *qualifier && subgraph.len ? " · " : "", subgraph, ")");
    uint32_t *count = map_put(seen, buf_slice(&text), 1, &fresh);
    if (!fresh)
        buf_addf(&text, " #%" PRIu32, ++*count);
    return arena_keep(&walk->partners->arena, &text);
}

static int64_t last_attempt(const struct walk *walk) {
    int64_t last = -1;
    for (size_t i = 0; i < walk->partners->count; i++)
        if (artifact_at(walk, i)->has_text && attempt_at(walk, i) > last)
            last = attempt_at(walk, i);
    return last;
}

/* The first artifact with a stem and subgraph in each attempt, the latest attempt first. */
struct same {
    uint32_t places[PARTNER_ATTEMPTS_MAX + 1];
    uint32_t count;
};

static void note_same(const struct walk *walk, struct same *same, uint32_t place) {
    uint32_t room = sizeof same->places / sizeof *same->places;
    for (uint32_t i = 0; i < same->count; i++)
        if (attempt_at(walk, same->places[i]) == attempt_at(walk, place))
            return;
    same->count += same->count < room;
    for (uint32_t i = same->count - 1; i > 0; i--)
        same->places[i] = same->places[i - 1];
    same->places[0] = place;
}

static void take_attempts(struct walk *walk, struct partner *partner, uint32_t place, const struct same *same) {
    for (uint32_t i = 0; i < same->count && partner->attempt_count < PARTNER_ATTEMPTS_MAX; i++)
        if (attempt_at(walk, same->places[i]) != attempt_at(walk, place))
            partner->attempts[partner->attempt_count++] = same->places[i];
}

static void take_slots(struct walk *walk) {
    int64_t last = last_attempt(walk);
    AUTO_MAP slots = {0}, groups = {0};
    AUTO_BUF key = {0};
    uint32_t *group_of = mem_alloc((walk->partners->count + 1) * sizeof *group_of), groups_found = 0;
    struct same *sames = mem_zalloc(walk->partners->count + 1, sizeof *sames); /* by group */
    for (uint32_t i = 0; i < walk->partners->count; i++) {
        const struct artifact *artifact = artifact_at(walk, i);
        struct partner *partner = &walk->partners->items[i];
        char qualifier[40] = "";
        bool fresh;
        if (!artifact->has_text)
            continue;
        if (attempt_at(walk, i) >= 0 && attempt_at(walk, i) != last)
            snprintf(qualifier, sizeof qualifier, "attempt %" PRId64, attempt_at(walk, i));
        partner->slot = slot_of(walk, &slots, partner->stem, qualifier, artifact->subgraph);
        key.len = 0;
        buf_add(&key, partner->stem);
        buf_add_byte(&key, '\0');
        buf_add(&key, artifact->subgraph);
        group_of[i] = *map_put(&groups, buf_slice(&key), groups_found, &fresh);
        groups_found += fresh;
        note_same(walk, &sames[group_of[i]], i);
    }
    for (uint32_t i = 0; i < walk->partners->count; i++)
        if (artifact_at(walk, i)->has_text)
            take_attempts(walk, &walk->partners->items[i], i, &sames[group_of[i]]);
    mem_free(sames);
    mem_free(group_of);
}

static void note_earlier(struct walk *walk, uint32_t place, uint32_t earlier) {
    const struct artifact *artifact = artifact_at(walk, place), *before = artifact_at(walk, earlier);
    struct partner *partner = &walk->partners->items[place];
    if (partner->earlier == PARTNER_NONE && artifact->has_text && before->has_text && artifact->lang == before->lang)
        partner->earlier = earlier;
}

static void take_passes(struct walk *walk, const struct passes *passes, bool steps) {
    for (size_t i = passes->list.count; i--;)
        if (passes->list.items[i].step == steps)
            note_earlier(walk, passes->list.items[i].after, passes->list.items[i].before);
}

static void take_bytecode(struct walk *walk) {
    uint32_t original = PARTNER_NONE;
    for (uint32_t i = 0; i < walk->partners->count; i++) {
        struct slice name = artifact_at(walk, i)->name;
        if (slice_ends(name, SLICE("_ORIGINAL_BYTECODE")))
            original = i;
        else if (slice_ends(name, SLICE("_MODIFIED_BYTECODE")) && original != PARTNER_NONE)
            note_earlier(walk, i, original);
    }
}

/* Links the graphs of a way in log order, because the joint passes of an inference graph run after AOTAutograd. For a
 * graph that was split, it is unknown which part continues it. */
static void follow(struct walk *walk, const struct stages *stages, const enum stage *way, size_t count) {
    enum { NOT_OF_IT, WHOLE, SPLIT };
    unsigned char *kinds = mem_zalloc(walk->partners->count + 1, 1);
    uint32_t last = PARTNER_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct stage_row *row = &stages->rows[way[i]];
        for (size_t k = 0; k < row->artifacts.count; k++)
            kinds[row->artifacts.items[k]] = row->parts > 1 ? SPLIT : WHOLE;
    }
    for (uint32_t i = 0; i < walk->partners->count; i++) {
        if (kinds[i] == WHOLE && last != PARTNER_NONE)
            note_earlier(walk, i, last);
        if (kinds[i] != NOT_OF_IT)
            last = kinds[i] == WHOLE ? i : PARTNER_NONE;
    }
    mem_free(kinds);
}

static void take_stages(struct walk *walk) {
    static const enum stage forward[] = {STAGE_DYNAMO, STAGE_PRE_GRAD, STAGE_JOINT, STAGE_FORWARD, STAGE_POST_GRAD},
                            backward[] = {STAGE_JOINT, STAGE_BACKWARD, STAGE_BACKWARD_POST_GRAD};
    struct stages stages = {0};
    stages_of(&stages, walk->model, walk->compile);
    follow(walk, &stages, forward, sizeof forward / sizeof *forward);
    if (stages.rows[STAGE_BACKWARD].artifacts.count)
        follow(walk, &stages, backward, sizeof backward / sizeof *backward);
    stages_free(&stages);
}

void partners_of(struct partners *partners, const struct model *model, const struct compile *compile) {
    struct walk walk = {.partners = partners, .model = model, .compile = compile};
    struct passes passes = {0};
    *partners = (struct partners){.count = compile->artifacts.count};
    partners->items = mem_zalloc(partners->count + 1, sizeof *partners->items);
    for (size_t i = 0; i < partners->count; i++) {
        partners->items[i].earlier = PARTNER_NONE;
        partners->items[i].stem = stem_of(artifact_at(&walk, i));
    }
    take_slots(&walk);
    passes_of(&passes, model, compile);
    take_passes(&walk, &passes, false);
    take_bytecode(&walk);
    take_stages(&walk);
    take_passes(&walk, &passes, true);
    passes_free(&passes);
}

void partners_free(struct partners *partners) {
    mem_free(partners->items);
    arena_free(&partners->arena);
    *partners = (struct partners){0};
}
