#include "diverge/diverge.h"

#include "base/jsonw.h"
#include "diverge/cache_misses.h"
#include "diverge/cause.h"
#include "pages/page_parts.h"
#include "sink/script.h"

enum { ALIKE_MAX = 64, TEXT_MAX = 300 };

/* The group of the rank, or the number of groups. */
static size_t group_of(const struct divergence *found, size_t place) {
    for (size_t g = 0; g < found->groups.count; g++)
        for (size_t i = 0; i < found->groups.items[g].ranks.count; i++)
            if (found->groups.items[g].ranks.items[i] == place)
                return g;
    return found->groups.count;
}

static void write_parting(struct jsonw *w, const struct rank_facts *const *facts, const struct divergences *divergences,
                          enum aspect aspect, size_t place) {
    const struct divergence *found = &divergences->of[aspect];
    size_t g = group_of(found, place);
    if (found->groups.count < 2 || g == found->groups.count)
        return;
    const struct group *group = &found->groups.items[g];
    jsonw_object(w, NULL);
    JSON_ADD(w, "aspect", aspect_name(aspect), "title", aspect_title(aspect), "group", g, "groups",
             found->groups.count);
    jsonw_array(w, "alike");
    for (size_t i = 0, written = 0; i < group->ranks.count && written < ALIKE_MAX; i++)
        if (group->ranks.items[i] != place) {
            jsonw_u64(w, NULL, facts[group->ranks.items[i]]->rank);
            written++;
        }
    jsonw_end_array(w);
    JSON_ADD(w, "alike_count", group->ranks.count - 1, "key", !group->side.ended ? group->side.key : (struct slice){0},
             "value", !group->side.ended ? slice_first(group->side.value, TEXT_MAX) : (struct slice){0});
    jsonw_end_object(w);
}

/* The root causes in which this rank differs from the majority, or without a majority. */
static void write_causes(struct jsonw *w, const struct root_causes *causes, size_t place) {
    jsonw_array(w, "root_causes");
    for (size_t i = 0; i < causes->list.count; i++) {
        const struct root_cause *cause = causes->list.items[i];
        uint32_t side = cause->side_of[place];
        if (side == UINT32_MAX || (int64_t)side == cause->usual)
            continue;
        const struct cause_side *mine = &cause->sides.items[side];
        jsonw_object(w, NULL);
        JSON_ADD(w, "kind", root_cause_kind_name(cause->kind), "title", cause->title);
        if (cause->place.file.ptr)
            place_json_write(w, "place", &cause->place);
        else
            jsonw_null(w, "place");
        jsonw_bool(w, "outlier", cause->usual >= 0);
        jsonw_text(w, "compile", mine->ranks.items[0] == place ? mine->compile : (struct slice){0});
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Why a rank is not compared with the others; NULL: it is. */
static const char *left_out(const struct rank_facts *facts) {
    if (facts->older)
        return "older";
    if (facts->job)
        return "another_job";
    return !facts->has_rank || rank_is_compared(facts) ? NULL : "no_records";
}

static void write_place(const struct rank_facts *const *facts, size_t place, size_t compared,
                        const struct divergences *divergences, struct files *files) {
    const char *why = left_out(facts[place]);
    AUTO_BUF json = {0}, path = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "rank", facts[place]->has_rank ? (int64_t)facts[place]->rank : -1, "compared", compared, "left_out",
             why ? slice_str(why) : (struct slice){0});
    if (why) {
        jsonw_array(&w, "root_causes");
        jsonw_end_array(&w);
    } else {
        write_causes(&w, divergences->causes, place);
    }
    jsonw_array(&w, "divergences");
    for (int aspect = 0; !why && aspect < ASPECTS; aspect++)
        write_parting(&w, facts, divergences, aspect, place);
    jsonw_end_array(&w);
    cache_misses_write_log(&w, divergences->misses, facts, place);
    jsonw_end_object(&w);
    buf_addf(&path, "%s/data/ranks.js", facts[place]->dir);
    script_write(files, buf_slice(&path), SLICE("ranks"), buf_slice(&json));
}

void rank_places_write(const struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                       struct files *files) {
    size_t compared = 0;
    for (size_t i = 0; i < count; i++)
        compared += rank_is_compared(facts[i]);
    for (size_t i = 0; i < count; i++)
        if (!facts[i]->bad && !facts[i]->no_report && facts[i]->dir[0])
            write_place(facts, i, compared, divergences, files);
}
