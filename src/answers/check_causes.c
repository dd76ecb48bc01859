
#include "answers/check_parts.h"
#include "base/match.h"

void functions_init(struct log_functions *functions, yyjson_val *root) {
    size_t i, max;
    yyjson_val *compile;
    AUTO_BUF key = {0};
    *functions = (struct log_functions){0};
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile) {
        yyjson_val *frame = json_get(compile, "frame");
        struct slice label = json_get_text(frame, "label"), name = json_get_text(frame, "function"),
                     file = json_get_text(frame, "file");
        uint64_t line = report_count(frame, "line");
        bool added;
        bool is_compile = json_truthy(json_get(compile, "is_compile"));
        if (!yyjson_is_obj(frame))
            continue;
        key.len = 0;
        BUF_ADD(&key, label.len ? label : name, "\n", line, "\n", file);
        uint32_t at = *map_put(&functions->by_frame, buf_slice(&key), (uint32_t)functions->count, &added);
        if (added)
            LIST_ADD(functions, (struct log_function){.frame = frame,
                                                      .name = label.len ? label : name,
                                                      .file = file,
                                                      .line = line});
        map_put(&functions->by_key, json_get_text(compile, "key"), at, &added);
        struct log_function *function = &functions->items[at];
        function->compiles += is_compile;
        function->ops += report_count(json_get(compile, "graph"), "ops");
        function->untimed += is_compile && !yyjson_is_int(json_get(compile, "time_us"));
        function->lookups += yyjson_arr_size(json_get(compile, "cache"));
    }
}

struct log_function *functions_find(const struct log_functions *functions, yyjson_val *key) {
    uint32_t at = yyjson_is_str(key) ? map_get(&functions->by_key, json_text(key)) : MAP_NONE;
    return at == MAP_NONE ? NULL : &functions->items[at];
}

void functions_finish(struct log_functions *functions) {
    map_free(&functions->by_frame);
    map_free(&functions->by_key);
    mem_free(functions->items);
    *functions = (struct log_functions){0};
}

static struct match_item *items_of(const struct log_functions *functions, struct arena *arena) {
    struct match_item *items = mem_zalloc(functions->count + 1, sizeof *items);
    for (size_t i = 0; i < functions->count; i++) {
        const struct log_function *function = &functions->items[i];
        struct slice name = json_get_text(function->frame, "function");
        struct buf key = {0};
        match_key_add(&key, name, function->file);
        items[i] = (struct match_item){.key = check_words(arena, &key),
                                       .line = function->line ? function->line : UINT64_MAX,
                                       .name = name,
                                       .file = function->file,
                                       .weight = function->ops};
    }
    return items;
}

void functions_add_renames(const struct log_functions *before, const struct log_functions *now,
                           struct renames *renames) {
    AUTO_ARENA arena = {0};
    struct match_item *a = items_of(before, &arena), *b = items_of(now, &arena);
    struct matches matches;
    matches_find(&matches, a, before->count, b, now->count);
    matches_join_renamed(&matches, a, before->count, b, now->count);
    matches_add_renames(&matches, a, before->count, b, now->count, renames);
    matches_finish(&matches);
    mem_free(a);
    mem_free(b);
}

void causes_init(struct causes *causes, struct check_results *results, struct check_result *result) {
    *causes = (struct causes){.results = results, .result = result};
}

static void key_start(struct causes *causes, struct slice file, struct slice function, uint64_t line, int64_t number) {
    causes->key.len = 0;
    buf_addf(&causes->key, "%" PRIu64 "\n%" PRId64 "\n", line, number);
    BUF_ADD(&causes->key, file, "\n", function, "\n");
}

/* Appends to a list in the arena of the results. */
#define ADD_LOG(causes, list, log)                                                                                     \
    do {                                                                                                               \
        if ((list)->count && (list)->items[(list)->count - 1] == (log))                                                \
            break;                                                                                                     \
        ARENA_GROW(&(causes)->results->arena, list);                                                                   \
        (list)->items[(list)->count++] = (log);                                                                        \
    } while (0)

struct check_group *causes_group(struct causes *causes, size_t log, const struct log_function *function,
                                 int64_t value) {
    static const struct log_function whole;
    const struct log_function *of = function ? function : &whole;
    struct check_result *result = causes->result;
    bool added;
    key_start(causes, of->file, of->name, of->line, value);
    uint32_t at = *map_put(&causes->groups, buf_slice(&causes->key), (uint32_t)result->groups.count, &added);
    if (added) {
        ARENA_GROW(&causes->results->arena, &result->groups);
        result->groups.items[result->groups.count] = (struct check_group){.function = of->name,
                                                                          .file = of->file,
                                                                          .line = of->line,
                                                                          .value = value,
                                                                          .place = result->groups.count};
        result->groups.count++;
    }
    struct check_group *group = &result->groups.items[at];
    if (function)
        ADD_LOG(causes, &group->logs, log);
    return group;
}

/* "label: text" */
static struct slice item_text(struct arena *arena, const struct check_item *item) {
    struct buf text = {0};
    if (!item->label.len)
        return item->text;
    BUF_ADD(&text, item->label, item->text.len ? ": " : "", item->text);
    return check_words(arena, &text);
}

void causes_add(struct causes *causes, struct check_group *group, size_t log, const struct check_item *item,
                const struct log_functions *functions) {
    yyjson_val *key = yyjson_is_arr(item->compiles) ? yyjson_arr_get_first(item->compiles) : item->compiles;
    const struct log_function *compiled = functions_find(functions, key);
    struct check_cause cause = {.text = item->text, .code = item->code, .amount = item->amount};
    bool added;
    if (item->place) {
        cause.file = json_get_text(item->place, "file");
        cause.line = report_count(item->place, "line");
        cause.function = json_get_text(item->place, "function");
    } else if (compiled) {
        cause.file = compiled->file;
        cause.line = compiled->line;
        cause.function = compiled->name;
    }
    key_start(causes, cause.file, cause.function, cause.line, (int64_t)group->place);
    BUF_ADD(&causes->key, item->label, "\n", item->text);
    uint32_t at = *map_put(&causes->causes, buf_slice(&causes->key), (uint32_t)group->causes.count, &added);
    if (added) {
        cause.text = item_text(&causes->results->arena, item);
        cause.place = group->causes.count;
        cause.amount = 0;
        ARENA_ADD(&causes->results->arena, &group->causes, cause);
    }
    struct check_cause *into = &group->causes.items[at];
    into->amount += item->amount;
    ADD_LOG(causes, &into->logs, log);
}

static int by_amount(const void *a, const void *b) {
    const struct check_cause *x = a, *y = b;
    return x->amount != y->amount ? (x->amount > y->amount ? -1 : 1) : x->place < y->place ? -1 : 1;
}

static int by_value(const void *a, const void *b) {
    const struct check_group *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value ? -1 : 1) : x->place < y->place ? -1 : 1;
}

void causes_finish(struct causes *causes) {
    struct check_result *result = causes->result;
    for (size_t i = 0; i < result->groups.count; i++) {
        struct check_group *group = &result->groups.items[i];
        if (group->causes.count)
            qsort(group->causes.items, group->causes.count, sizeof *group->causes.items, by_amount);
    }
    if (result->groups.count)
        qsort(result->groups.items, result->groups.count, sizeof *result->groups.items, by_value);
    map_free(&causes->groups);
    map_free(&causes->causes);
    buf_free(&causes->key);
}
