#include "ranks/together.h"

#include "diverge/diverge.h"
#include "diverge/jobs.h"
#include "ranks/landing.h"

static const struct rank_facts *const *all_of(const struct together *together) {
    return (const struct rank_facts *const *)together->facts;
}

/* Among several logs of a rank, the newest readable one represents it. */
static void mark_older(struct together *together) {
    for (size_t i = 0; i < together->count; i++) {
        struct rank_facts *facts = together->facts[i];
        const struct rank_facts *newer = i ? together->facts[i - 1] : NULL;
        facts->older =
            newer && facts->has_rank && newer->has_rank && newer->rank == facts->rank && (!newer->bad || newer->older);
    }
}

void together_find(struct together *together) {
    mark_older(together);
    rank_jobs_find(together->facts, together->count);
    rank_slots_find(together->facts, together->count);
    rank_settings_compare(together->settings, together->facts, together->count, &together->config_differences);
    divergences_find(&together->divergences, all_of(together), together->count);
    cache_misses_find(&together->misses, together->keys, all_of(together), together->count);
    together->divergences.misses = &together->misses;
}

/* The files about all ranks grow with the operations of each. If a report is made from the facts of very many ranks,
 * these files only cover the ranks that have their own report. */
static bool is_in_files(const struct together *together, const struct rank_facts *facts) {
    enum { MANY = 1000 };
    return rank_is_taken(facts) && (!facts->no_report || together->count <= MANY);
}

static void write_files(const struct together *together, struct files *files) {
    const struct rank_facts **taken = mem_alloc(together->count * sizeof *taken);
    const struct spooled **events = mem_alloc(together->count * sizeof *events);
    size_t count = 0, with_events = 0;
    for (size_t i = 0; i < together->count; i++) {
        const struct rank_facts *facts = together->facts[i];
        if (!facts->bad && !facts->no_report)
            rank_parity_write(facts, files);
        if (!is_in_files(together, facts))
            continue;
        if (together->events && together->events[i])
            events[with_events++] = together->events[i];
        taken[count++] = facts;
    }
    rank_files_write(taken, count, files);
    rank_events_write(events, with_events, files);
    mem_free(taken);
    mem_free(events);
}

void together_write(const struct together *together, struct files *files) {
    write_files(together, files);
    rank_places_write(all_of(together), together->count, &together->divergences, files);
    landing_write(all_of(together), together->count, together->base_count, together->total, together->options,
                  &together->divergences, buf_slice(&together->config_differences), together->inner, files);
}

void together_finish(struct together *together) {
    divergences_finish(&together->divergences);
    cache_misses_finish(&together->misses);
    buf_free(&together->config_differences);
}
