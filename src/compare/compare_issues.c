#include "compare/comparison_parts.h"

#include "base/match.h"
#include "pages/page_parts.h"

/* The keys of the older side, and those of the newer side in terms of the older one. A key has a text and a place,
 * with a 0 byte between them. */
struct keys {
    const struct renames *renames;
    struct map old, new;
    struct buf key;
};

static void add_old(struct keys *keys, struct slice key) {
    map_put(&keys->old, key, 0, NULL);
}

/* The key of the older side for this key of the newer side: the same key, or one with the old names of renamed
 * functions, either only in the place or also in the text. If there is none, the key itself. Valid until the next call.
 */
static struct slice old_key(struct keys *keys, struct slice key) {
    size_t text = slice_find(key, slice_make("", 1));
    if (map_get(&keys->old, key) != MAP_NONE || text == SIZE_MAX)
        return key;
    for (int all = 0; all < 2; all++) {
        keys->key.len = 0;
        if (all)
            renames_apply(keys->renames, slice_first(key, text), &keys->key);
        else
            buf_add(&keys->key, slice_first(key, text));
        renames_apply(keys->renames, slice_from(key, text), &keys->key);
        if (map_get(&keys->old, buf_slice(&keys->key)) != MAP_NONE)
            return buf_slice(&keys->key);
    }
    return key;
}

static void add_new(struct keys *keys, struct slice key) {
    map_put(&keys->new, old_key(keys, key), 0, NULL);
}

static void keys_finish(struct keys *keys) {
    map_free(&keys->old);
    map_free(&keys->new);
    buf_free(&keys->key);
}

static void write_finding(struct jsonw *w, const struct run_finding *finding, size_t index) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "index", index, "kind", finding_kind_name(finding->kind), "severity", severity_name(finding->severity),
             "title", finding->title);
    place_json_write(w, "place", &finding->place);
    jsonw_known(w, "time_us", finding->time_us);
    jsonw_end_object(w);
}

/* Whether the other side shows whether it has a finding of this kind. */
static bool is_comparable(enum finding_kind kind, const struct run_side *other) {
    return !finding_is_measured(kind) &&
           (!finding_needs_profile(kind) || other->shown->ran || other->shown->inside.step_ns);
}

/* Two findings are the same if their kind, place and title (without numbers) are. A finding that any other run of the
 * other side has is in neither list, nor is one that is measured: the comparison of run times says what has changed. */
void findings_compare(struct jsonw *w, const struct run_side *a, const struct run_side *b,
                      const struct renames *renames) {
    struct keys keys = {.renames = renames};
    const struct run_facts *before = a->shown->run, *after = b->shown->run;
    uint64_t same = 0;
    for (size_t run = 0; run < a->count; run++)
        for (size_t i = 0; i < a->runs[run]->run->findings.count; i++)
            add_old(&keys, a->runs[run]->run->findings.items[i].key);
    for (size_t run = 0; run < b->count; run++)
        for (size_t i = 0; i < b->runs[run]->run->findings.count; i++)
            add_new(&keys, b->runs[run]->run->findings.items[i].key);
    jsonw_object(w, "findings");
    jsonw_array(w, "new");
    for (size_t i = 0; i < after->findings.count; i++) {
        bool known = map_get(&keys.old, old_key(&keys, after->findings.items[i].key)) != MAP_NONE;
        same += known;
        if (!known && is_comparable(after->findings.items[i].kind, a))
            write_finding(w, &after->findings.items[i], i);
    }
    jsonw_end_array(w);
    jsonw_array(w, "gone");
    for (size_t i = 0; i < before->findings.count; i++)
        if (map_get(&keys.new, before->findings.items[i].key) == MAP_NONE &&
            is_comparable(before->findings.items[i].kind, b))
            write_finding(w, &before->findings.items[i], i);
    jsonw_end_array(w);
    jsonw_u64(w, "same", same);
    jsonw_end_object(w);
    keys_finish(&keys);
}

/* Breaks of the newer side with old keys, which are copied into the arena. */
static struct match_item *break_items(const struct run_facts *facts, struct keys *keys, bool newer,
                                      struct arena *arena) {
    struct match_item *items = mem_alloc((facts->breaks.count + 1) * sizeof *items);
    for (size_t i = 0; i < facts->breaks.count; i++) {
        const struct run_break *one = &facts->breaks.items[i];
        items[i] = (struct match_item){.key = newer ? arena_slice(arena, old_key(keys, one->key)) : one->key,
                                       .line = one->place.line};
    }
    return items;
}

/* Writes the breaks that have no match and that no further run of the other side has. */
static void write_breaks(struct jsonw *w, const char *name, const struct matches *matches, bool new,
                         const struct run_facts *of, const struct match_item *items, const struct map *others) {
    jsonw_array(w, name);
    for (size_t i = 0; i < matches->count; i++) {
        const struct match *match = &matches->items[i];
        uint32_t at = new ? match->b : match->a;
        if ((new ? match->a : match->b) != NO_MATCH || map_get(others, items[at].key) != MAP_NONE)
            continue;
        const struct run_break *found = &of->breaks.items[at];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, found, id, reason);
        place_json_write(w, "place", &found->place);
        jsonw_u64(w, "count", found->count);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Adds the keys of the side's runs that are not shown. */
static void add_others(struct map *others, struct keys *keys, const struct side_logs *side, bool newer) {
    for (size_t run = 0; run < side->all.count; run++) {
        const struct run_facts *facts = side->all.items[run];
        for (size_t i = 0; facts != side->shown && i < facts->breaks.count; i++)
            map_put(others, newer ? old_key(keys, facts->breaks.items[i].key) : facts->breaks.items[i].key, 0, NULL);
    }
}

void breaks_compare(struct jsonw *w, const struct side_logs *one, const struct side_logs *other,
                    const struct renames *renames) {
    const struct run_facts *a = one->shown, *b = other->shown;
    struct keys keys = {.renames = renames};
    AUTO_ARENA arena = {0};
    struct map others[SIDES] = {{0}};
    struct matches matches;
    uint64_t same = 0;
    for (size_t run = 0; run < one->all.count; run++)
        for (size_t i = 0; i < one->all.items[run]->breaks.count; i++)
            add_old(&keys, one->all.items[run]->breaks.items[i].key);
    struct match_item *left = break_items(a, &keys, false, &arena), *right = break_items(b, &keys, true, &arena);
    add_others(&others[0], &keys, one, false);
    add_others(&others[1], &keys, other, true);
    matches_find(&matches, left, a->breaks.count, right, b->breaks.count);
    for (size_t i = 0; i < matches.count; i++)
        same += matches.items[i].a != NO_MATCH && matches.items[i].b != NO_MATCH;
    jsonw_object(w, "graph_breaks");
    write_breaks(w, "new", &matches, true, b, right, &others[0]);
    write_breaks(w, "gone", &matches, false, a, left, &others[1]);
    jsonw_u64(w, "same", same);
    jsonw_end_object(w);
    matches_finish(&matches);
    mem_free(left);
    mem_free(right);
    for (size_t side = 0; side < SIDES; side++)
        map_free(&others[side]);
    keys_finish(&keys);
}
