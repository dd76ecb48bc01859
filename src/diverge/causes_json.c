#include "base/jsonw.h"
#include "diverge/cause.h"
#include "facts/rank_parts.h"
#include "pages/page_parts.h"

static void write_numbers(struct jsonw *w, const char *key, const struct rank_facts *const *facts,
                          const uint32_t *places, size_t count) {
    JSON_LIST(w, key, i, count, facts[places[i]]->rank);
}

/* Writes the ranks that differ from the majority. */
static void write_outliers(struct jsonw *w, const struct root_cause *cause, const struct rank_facts *const *facts) {
    jsonw_array(w, "ranks");
    for (size_t r = 0, s; cause->usual >= 0 && r < cause->rank_count; r++)
        if ((s = cause->side_of[r]) != UINT32_MAX && (int64_t)s != cause->usual)
            jsonw_u64(w, NULL, facts[r]->rank);
    jsonw_end_array(w);
}

static void write_place(struct jsonw *w, const struct place *place) {
    if (place->file.ptr)
        place_json_write(w, "place", place);
    else
        jsonw_null(w, "place");
}

/* Whether all ranks of the side have the same compile under this key. */
static bool is_same_key(const struct cause_side *side, const struct rank_facts *const *facts) {
    struct slice first = rank_slot_by_id(facts[side->ranks.items[0]], side->compile);
    for (size_t i = 1; i < side->ranks.count && first.ptr; i++)
        if (!slice_eq(rank_slot_by_id(facts[side->ranks.items[i]], side->compile), first))
            return false;
    return true;
}

/* Whether a log that was read completely ends within a compile. */
static bool ends_in_whole_log(const struct root_cause *cause, const struct rank_facts *const *facts) {
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct rank_facts *first = facts[cause->sides.items[s].ranks.items[0]];
        if (rank_end(first) && rank_is_read_whole(first))
            return true;
    }
    return false;
}

/* Whether ranks may wait for each other in different collectives, or for one that never comes: their collectives differ
 * and no log shows that they continued, or a log ends within a compile. */
static bool may_hang(const struct root_cause *cause, const struct rank_facts *const *facts) {
    return (cause->calls && !cause->went_on) || (cause->kind == CAUSE_UNFINISHED && ends_in_whole_log(cause, facts));
}

static void write_cause(struct jsonw *w, const struct root_cause *cause, const struct rank_facts *const *facts) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", root_cause_kind_name(cause->kind), "title", cause->title);
    write_outliers(w, cause, facts);
    jsonw_str(w, "aspect", aspect_name(cause->aspect));
    write_place(w, &cause->place);
    jsonw_text(w, "compile", cause->compile);
    jsonw_array(w, "evidence");
    for (size_t s = 0; s < cause->sides.count && s < SIDES_MAX; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        jsonw_object(w, NULL);
        write_numbers(w, "ranks", facts, side->ranks.items, side->ranks.count);
        jsonw_text(w, "compile", side->compile);
        jsonw_bool(w, "same_key", !side->compile.ptr || !side->ranks.count || is_same_key(side, facts));
        write_place(w, &side->place);
        jsonw_text(w, "text", side->text);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_evidence", cause->sides.count > SIDES_MAX ? cause->sides.count - SIDES_MAX : 0);
    jsonw_array(w, "consequences");
    for (size_t i = 0; i < cause->consequences.count; i++) {
        const struct consequence *consequence = &cause->consequences.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "aspect", aspect_name(consequence->aspect));
        JSON_MEMBERS(w, consequence, compile, first);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_consequences", cause->more);
    jsonw_bool(w, "may_hang", may_hang(cause, facts));
    jsonw_end_object(w);
}

void causes_json_write(struct jsonw *w, const struct rank_facts *const *facts, const struct root_causes *causes) {
    jsonw_array(w, "root_causes");
    for (size_t i = 0; i < causes->list.count; i++)
        write_cause(w, causes->list.items[i], facts);
    jsonw_end_array(w);
    jsonw_u64(w, "more_root_causes", causes->more);
}
