#include "answers/diff_lists.h"

#include "answers/sentences.h"

/* Adds an issue or a graph break: its first line, its place, and its ranks. */
static void add_item(struct diff_lists *lists, struct diff_list *list, yyjson_val *item, const char *member,
                     const struct diff_entry *entry) {
    struct diff_item of = {0};
    struct slice all = json_get_text(item, member);
    struct buf place = {0}, ranks = {0};
    if (!slice_next_line(&all, &of.text))
        of.text = (struct slice){0};
    facts_add_place(&place, json_get(item, "place"));
    of.place = arena_keep(&lists->arena, &place);
    if (entry)
        facts_add_rank_list(&ranks, entry->ranks.items, entry->ranks.count);
    of.ranks = arena_keep(&lists->arena, &ranks);
    LIST_ADD(&list->items, of);
}

/* Adds issues of only one run. */
static void add_issues(struct diff_lists *lists, struct diff_list *list, yyjson_val *issues, size_t top) {
    size_t i, max;
    yyjson_val *item;
    list->count = yyjson_arr_size(issues);
    yyjson_arr_foreach(issues, i, max, item) {
        if (i < top)
            add_item(lists, list, item, "title", NULL);
    }
}

static void add_breaks(struct diff_lists *lists, struct diff_list *list, yyjson_val *logs, const char *side,
                       size_t top) {
    struct diff_entries breaks;
    diff_breaks_find(&breaks, logs, side);
    list->count = breaks.count;
    for (size_t i = 0; i < breaks.count && i < top; i++)
        add_item(lists, list, breaks.items[i].item, "reason", &breaks.items[i]);
    diff_entries_finish(&breaks);
}

/* Adds why caches missed in the second run. */
static void add_misses(struct diff_list *list, yyjson_val *pair, const struct diff_request *request) {
    size_t at = 0;
    for (yyjson_val *cause; (cause = diff_next_misses(request, pair, &at)); list->count++)
        if (list->count < request->top)
            LIST_ADD(&list->items,
                     (struct diff_item){.text = json_get_text(cause, "title"), .why = json_get_text(cause, "why")});
}

static void
add_settings(struct diff_lists *lists, struct diff_list *list, const struct diff_entries *settings, size_t top,
             void (*add)(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry)) {
    list->settings = true;
    list->count = settings->count;
    for (size_t i = 0; i < settings->count && i < top; i++) {
        struct buf text = {0};
        add(&text, settings, &settings->items[i]);
        LIST_ADD(&list->items, (struct diff_item){.text = arena_keep(&lists->arena, &text)});
    }
}

void diff_lists_find(struct diff_lists *lists, yyjson_val *pair, const struct diff_request *request) {
    static const char *const titles[DIFF_LISTS] = {"New issues",        "Resolved issues",   "Cache misses",
                                                   "New graph breaks",  "Gone graph breaks", "Configuration",
                                                   "Settings in effect"};
    yyjson_val *logs = json_get(pair, "logs"), *findings = json_get(pair, "findings");
    struct diff_entries settings;
    struct diff_list *list = lists->of;
    *lists = (struct diff_lists){0};
    for (int i = 0; i < DIFF_LISTS; i++)
        list[i].title = titles[i];
    add_issues(lists, &list[0], json_get(findings, "new"), request->top);
    add_issues(lists, &list[1], json_get(findings, "gone"), request->top);
    add_misses(&list[2], pair, request);
    add_breaks(lists, &list[3], logs, "new", request->top);
    add_breaks(lists, &list[4], logs, "gone", request->top);
    diff_settings_find(&settings, logs);
    add_settings(lists, &list[5], &settings, request->top, setting_add);
    diff_entries_finish(&settings);
    diff_effects_find(&settings, logs);
    add_settings(lists, &list[6], &settings, request->top, effect_add);
    diff_entries_finish(&settings);
}

void diff_lists_finish(struct diff_lists *lists) {
    for (int i = 0; i < DIFF_LISTS; i++)
        mem_free(lists->of[i].items.items);
    arena_free(&lists->arena);
}
