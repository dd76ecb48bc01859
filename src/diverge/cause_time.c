/* A compile that takes much longer on some ranks. The other ranks wait for them at their next collective. */
#include "diverge/cause_finder.h"
#include "facts/rank_parts.h"
#include "findings/findings_make.h"

/* Ranks on one machine share its cores, so only a large difference counts. */
enum { SLOW_TIMES = 3 };
static const int64_t slow_us = 2000000;

/* Microseconds for each rank; -1: no compile, or one that failed, did not end, or has only its beginning. In the
 * scratch arena. */
static int64_t *times_of(struct finder *f, const struct slot *slot) {
    int64_t *times = arena_alloc(&f->scratch, (f->count + 1) * sizeof *times);
    const struct rank_compile *last = NULL, *const *list = NULL;
    size_t place = 0;
    for (size_t r = 0; r < f->count; r++)
        times[r] = -1;
    for (uint32_t i = 0; i < slot->have; i++) {
        const struct rank_compile *c = slot->compiles[i];
        size_t rank = slot_rank(slot, i);
        const struct rank_facts *facts = f->facts[rank];
        if (c->open || c->status == STATUS_ERROR || (f->begun && f->begun[rank]))
            continue;
        /* Ranks whose facts were merged share lists of compiles. */
        if (c != last || facts->compiles.items != list)
            place = slot_place(f, slot, rank);
        last = c;
        list = facts->compiles.items;
        times[rank] = facts->times_us[place];
    }
    return times;
}

static bool is_slow(int64_t time, int64_t median) {
    return time - median >= slow_us && time / SLOW_TIMES >= median;
}

/* Whether a time is slow relative to the lower median of all times. */
static bool is_slow_among(int64_t time, const int64_t *times, size_t count) {
    size_t below = 0;
    for (size_t i = 0; i < count; i++)
        below += is_slow(time, times[i]);
    return below > (count - 1) / 2;
}

/* The lower median of at least one time; reorders the times. Each iteration halves the range of values, so no input
 * order is slow. */
static int64_t lower_median(int64_t *times, size_t count) {
    size_t at = (count - 1) / 2;
    int64_t least = times[0], most = times[0];
    for (size_t i = 1; i < count; i++) {
        least = times[i] < least ? times[i] : least;
        most = times[i] > most ? times[i] : most;
    }
    while (least < most) {
        int64_t middle = least + (most - least) / 2;
        size_t below = 0;
        for (size_t i = 0; i < count; i++)
            if (times[i] <= middle) {
                int64_t time = times[i];
                times[i] = times[below];
                times[below++] = time;
            }
        if (at < below) {
            count = below;
            most = middle;
        } else {
            times += below;
            count -= below;
            at -= below;
            least = middle + 1;
        }
    }
    return least;
}

/* The longest time that is not slow relative to the lower median; -1: no rank is slow. */
static int64_t find_usual(struct finder *f, const int64_t *times) {
    int64_t *known = arena_alloc(&f->scratch, (f->count + 1) * sizeof *known), most = 0;
    size_t count = 0;
    for (size_t r = 0; r < f->count; r++)
        if (times[r] >= 0) {
            most = times[r] > most ? times[r] : most;
            known[count++] = times[r];
        }
    if (count < 2 || !is_slow_among(most, known, count))
        return -1;
    int64_t median = lower_median(known, count), usual = 0;
    for (size_t i = 0; i < count; i++)
        usual = known[i] > usual && !is_slow(known[i], median) ? known[i] : usual;
    return usual;
}

/* "4.2 s"; for several ranks, "4.1 s to 4.4 s"; for several others, "at most 0.3 s". */
static struct slice side_time(struct finder *f, const struct cause_side *side, const int64_t *times, bool slow) {
    int64_t least = INT64_MAX, most = 0;
    struct buf text = {0};
    for (size_t i = 0; i < side->ranks.count; i++) {
        int64_t time = times[side->ranks.items[i]];
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    if (!slow && side->ranks.count > 1)
        buf_add_lit(&text, "at most ");
    if (slow && side->ranks.count > 1) {
        finding_add_duration(&text, least);
        buf_add_lit(&text, " to ");
    }
    finding_add_duration(&text, most);
    return text_keep(f, &text);
}

/* "head takes 4.2 s on rank 1, at most 0.3 s on the others"; with one other rank, "0.3 s on rank 0" */
static void add_time_words(struct finder *f, struct buf *out, const struct slot *slot, const int64_t *times,
                           const struct root_cause *draft, size_t slow) {
    const struct cause_side *side = &draft->sides.items[slow], *fast = &draft->sides.items[1 - slow];
    function_add_code(out, slot_at(slot, side->ranks.items[0]));
    BUF_ADD(out, " takes ", side_time(f, side, times, true), " on ");
    rank_words_add(out, f->facts, side->ranks.items, side->ranks.count);
    BUF_ADD(out, ", ", side_time(f, fast, times, false));
    if (fast->ranks.count > 1) {
        buf_add_lit(out, " on the others");
        return;
    }
    buf_add_lit(out, " on ");
    rank_words_add(out, f->facts, fast->ranks.items, fast->ranks.count);
}

/* Whether the cause separates all slow ranks from all others. */
static bool is_of_cause(const struct finder *f, const struct root_cause *cause, const uint32_t *side_of, size_t slow) {
    uint32_t side = NO_SIDE;
    for (size_t r = 0; r < f->count; r++)
        if (side_of[r] == slow)
            side = side == NO_SIDE ? cause->side_of[r] : side;
    for (size_t r = 0; r < f->count; r++)
        if (side_of[r] != NO_SIDE && (cause->side_of[r] == side) != (side_of[r] == slow))
            return false;
    return side != NO_SIDE;
}

/* A cause that the slot belongs to, or the same cause in another function. Differences of guards take no time. */
static struct root_cause *cause_of_time(const struct finder *f, const uint32_t *side_of, size_t slow) {
    for (size_t i = 0; i < f->here.count; i++)
        if (f->here.items[i]->kind != CAUSE_GUARDS && is_of_cause(f, f->here.items[i], side_of, slow))
            return f->here.items[i];
    return cause_find(f, CAUSE_TIME, side_of, NULL);
}

void look_at_time(struct finder *f, const struct slot *slot) {
    const int64_t *times = times_of(f, slot);
    int64_t usual = find_usual(f, times);
    struct root_cause draft = {0}, *cause;
    if (usual < 0)
        return;
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    size_t slow = 0;
    for (size_t r = 0; r < f->count; r++)
        values[r] = times[r] < 0 ? 0 : times[r] > usual ? 2 : 1;
    split(f, values, side_of);
    for (size_t r = 0; r < f->count; r++)
        slow = values[r] == 2 ? side_of[r] : slow;
    if ((cause = cause_of_time(f, side_of, slow))) {
        struct buf text = {0};
        draft_fill_sides(f, &draft, side_of);
        add_time_words(f, &text, slot, times, &draft, slow);
        cause_add_consequence(f, cause, ASPECT_COMPILE_TIME, slot_at(slot, draft.sides.items[slow].ranks.items[0])->id,
                              &text);
    } else if ((cause = cause_add(f, CAUSE_TIME, ASPECT_COMPILE_TIME, side_of))) {
        cause_fill_compiles(cause, slot);
        cause->slow = slow;
        for (size_t s = 0; s < cause->sides.count; s++)
            cause->sides.items[s].text = side_time(f, &cause->sides.items[s], times, s == slow);
    }
}
