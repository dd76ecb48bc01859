/* Ranks that compute different parts of a program, like the stages of a pipeline: each group compiles functions that
 * no other group does. */

#include "diverge/cause_finder.h"
#include "facts/rank_parts.h"

/* Functions that the same ranks compile. */
struct part {
    uint32_t ranks, functions;
    uint32_t at; /* position of the first one in the order of slots */
};
typedef LIST(struct part) part_list;

static const struct slot *slot_of(const struct finder *f, const struct part *part) {
    return &f->slots.items[f->order[part->at]];
}

static int by_ranks(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return x->ranks != y->ranks ? (x->ranks > y->ranks ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

/* Functions that at most half of the ranks compile, starting with those of the most ranks. */
static void find_parts(struct finder *f, part_list *parts) {
    struct map known = {0};
    for (uint32_t at = 0; at < f->slots.count; at++) {
        const struct slot *slot = &f->slots.items[f->order[at]];
        size_t rank = 0;
        uint64_t hash = 1;
        bool added;
        if (slot->have * 2 > f->compared || slot_any(f, slot, &rank)->number != 0)
            continue;
        for (size_t r = 0; r < f->count; r++)
            hash = slot_at(slot, r) ? hash_mix(hash, r + 1) : hash;
        uint32_t place = *map_put_in(&f->scratch, &known, slice_make((const char *)&hash, sizeof hash),
                                     (uint32_t)parts->count, &added);
        if (added)
            ARENA_ADD(&f->scratch, parts, (struct part){slot->have, 0, at});
        assert(place < parts->count && parts->items);
        parts->items[place].functions++;
    }
    if (parts->count)
        qsort(parts->items, parts->count, sizeof *parts->items, by_ranks);
}

/* Assigns to each rank the part that it computes, as 1 + index. A part that shares a rank with an earlier one is
 * dropped. */
static uint32_t share_out(const struct finder *f, const part_list *parts, uint64_t *values) {
    uint32_t groups = 0;
    for (size_t p = 0; p < parts->count; p++) {
        const struct slot *slot = slot_of(f, &parts->items[p]);
        bool apart = true;
        for (size_t r = 0; r < f->count && apart; r++)
            apart = !slot_at(slot, r) || !values[r];
        for (size_t r = 0; r < f->count && apart; r++)
            values[r] = slot_at(slot, r) ? p + 1 : values[r];
        groups += apart;
    }
    return groups;
}

/* Whether each rank computes a part. Unknown for a rank whose log ends early. */
static bool all_have_parts(const struct finder *f, const uint64_t *values) {
    for (size_t r = 0; r < f->count; r++)
        if (rank_is_compared(f->facts[r]) && !values[r] && !f->facts[r]->unfinished.count && !f->stopped[r])
            return false;
    return true;
}

static void fill_parts(struct finder *f, struct root_cause *cause, const part_list *parts, const uint64_t *values) {
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        uint32_t rank = side->ranks.items[0];
        const struct part *part = &parts->items[values[rank] - 1];
        const struct rank_compile *c = slot_at(slot_of(f, part), rank);
        struct buf text = {0};
        side->compile = c->id;
        side->place = c->place;
        if (part->functions > 1) {
            function_add(&text, c);
            buf_addf(&text, " and %u more function%s", part->functions - 1, part->functions > 2 ? "s" : "");
            side->text = text_keep(f, &text);
        }
    }
    cause->compile = cause->sides.items[0].compile;
}

void look_at_parts(struct finder *f) {
    enum { GROUPS_MIN = 3 }; /* with two groups, the title lists the functions of each */
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    part_list parts = {0};
    find_parts(f, &parts);
    if (share_out(f, &parts, values) >= GROUPS_MIN && all_have_parts(f, values) &&
        split(f, values, side_of) >= GROUPS_MIN)
        f->parts = cause_add(f, CAUSE_PARTS, ASPECT_COMPILE_IDS, side_of);
    if (f->parts)
        fill_parts(f, f->parts, &parts, values);
}

/* "ranks 0 and 1 compile `block`" */
static void note_shared(struct finder *f, const struct slot *slot, const struct rank_compile *c) {
    uint32_t *ranks = arena_alloc(&f->scratch, (f->count + 1) * sizeof *ranks);
    struct buf text = {0};
    size_t count = 0;
    for (size_t r = 0; r < f->count; r++)
        if (slot_at(slot, r))
            ranks[count++] = (uint32_t)r;
    rank_words_add(&text, f->facts, ranks, count);
    buf_add_lit(&text, " compile ");
    function_add_code(&text, c);
    cause_add_consequence(f, f->parts, ASPECT_COMPILE_IDS, c->id, &text);
}

bool parts_narrow(struct finder *f, const struct slot *slot, const struct rank_compile *c, uint64_t *values) {
    size_t sides = f->parts->sides.count, shared = 0;
    uint32_t *have = arena_zalloc(&f->scratch, (sides + 1) * sizeof *have),
             *lack = arena_zalloc(&f->scratch, (sides + 1) * sizeof *lack);
    bool left = false;
    for (size_t r = 0; r < f->count; r++) {
        uint32_t side = f->parts->side_of[r];
        if (side != NO_SIDE && values[r])
            (slot_at(slot, r) ? have : lack)[side]++;
    }
    for (size_t r = 0; r < f->count; r++) {
        uint32_t side = f->parts->side_of[r];
        if (side == NO_SIDE || !have[side] || !lack[side])
            values[r] = 0;
        left |= values[r] != 0;
    }
    for (size_t s = 0; s < sides; s++)
        shared += have[s] > 0;
    if (!left && shared > 1 && c->number == 0)
        note_shared(f, slot, c);
    return left;
}

/* The module whose weights the operations use: "l_self_modules_layers_modules_2_parameters_weight_". */
static struct slice module_of(struct slice text) {
    static const struct slice heads[] = {SLICE_INIT("l_self_modules_"), SLICE_INIT("L__self___"),
                                         SLICE_INIT("self_modules_")};
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        size_t at = slice_find(text, heads[h]), end = at;
        if (at == SIZE_MAX)
            continue;
        while (end < text.len && (is_digit(text.ptr[end]) || text.ptr[end] == '_' ||
                                  ((text.ptr[end] | 32) >= 'a' && (text.ptr[end] | 32) <= 'z')))
            end++;
        return slice_make(text.ptr + at, end - at);
    }
    return (struct slice){0};
}

bool are_parts(const struct root_cause *draft, const struct slice *texts) {
    if (draft->usual >= 0 || draft->sides.count < 3 || draft->sides.count > SIDES_MAX)
        return false;
    for (size_t s = 0; s < draft->sides.count; s++) {
        struct slice module = module_of(texts[s]);
        if (!module.len)
            return false;
        for (size_t other = 0; other < s; other++)
            if (slice_eq(module, module_of(texts[other])))
                return false;
    }
    return true;
}
