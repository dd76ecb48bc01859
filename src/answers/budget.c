
#include "answers/budget.h"

#include <math.h>

static const double MOST = 1e15; /* largest limit; counts up to it are exact */

/* The text of a file, and its copy that was parsed in place: a string of the document points into it, at the same offset. */
struct budget_file {
    struct check_rules *rules;
    const char *name; /* the arena's */
    struct slice text;
    const char *copy;
    struct err *err;
};

/* A key or a text of the file, and where it is: "budgets[0].max". */
struct budget_place {
    struct budget_file *file;
    const char *path;
};

static uint64_t line_at(const struct budget_file *file, size_t offset) {
    uint64_t line = 1;
    for (size_t i = 0; i < offset && i < file->text.len; i++)
        line += file->text.ptr[i] == '\n';
    return line;
}

/* The line of a value; 0: it is not a text of the file. */
static uint64_t line_of(const struct budget_file *file, yyjson_val *text) {
    const char *at = yyjson_is_str(text) ? yyjson_get_str(text) : NULL;
    bool inside = at && at >= file->copy && at <= file->copy + file->text.len;
    return inside ? line_at(file, (size_t)(at - file->copy)) : 0;
}

/* "budget.json:3: budgets[0].max: why"; without the line if it is unknown. */
static bool refuse(const struct budget_place *at, yyjson_val *key, const char *why) {
    const struct budget_file *file = at->file;
    uint64_t line = line_of(file, key);
    struct slice name = json_text(key);
    AUTO_BUF path = {0};
    buf_add_str(&path, at->path);
    if (name.len)
        BUF_ADD(&path, path.len ? "." : "", slice_first(name, 100));
    if (line)
        err_set(file->err, ERR_USAGE, "invalid budget %s:%" PRIu64 ": %.*s: %s", file->name, line, (int)path.len,
                path.ptr, why);
    else if (path.len)
        err_set(file->err, ERR_USAGE, "invalid budget %s: %.*s: %s", file->name, (int)path.len, path.ptr, why);
    else
        err_set(file->err, ERR_USAGE, "invalid budget %s: %s", file->name, why);
    return err_hint(file->err, "doc/budget.schema.json and man tlparse describe budgets");
}

static bool refuse_key(const struct budget_place *at, yyjson_val *key, const char *nearest) {
    refuse(at, key, "unknown key");
    if (nearest)
        err_hint(at->file->err, "did you mean %s?", nearest);
    return false;
}

/* Checks that an object only has these keys, each once. */
static bool check_keys(const struct budget_place *at, yyjson_val *object, const char *const *known, size_t count) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || slice_is(json_text(key), known[k]);
        if (!found)
            return refuse_key(at, key, nearest_name(json_text(key), known, count));
        if (yyjson_obj_getn(object, yyjson_get_str(key), yyjson_get_len(key)) != value)
            return refuse(at, key, "the key is there twice");
    }
    return true;
}

/* Converts a limit to the unit of the metric. Returns NULL, or why it is invalid. */
static const char *limit_of(const struct check_metric *metric, double number, double *most) {
    if (!(number >= 0) || number > MOST)
        return metric->unit == UNIT_TIME    ? "expected seconds, 0 or more"
             : metric->unit == UNIT_PERCENT ? "expected percent, 0 or more"
                                            : "expected a whole number, 0 or more";
    if (metric->unit == UNIT_COUNT && number != floor(number))
        return "expected a whole number, 0 or more";
    *most = metric->unit == UNIT_TIME ? number * 1e6 : number;
    return NULL;
}

static struct check_rule *add_rule(struct check_rules *rules, const struct check_rule *rule) {
    MEM_GROW(rules);
    rules->items[rules->count] = *rule;
    return &rules->items[rules->count++];
}

/* Adds the limits of an object; they share `template`. */
static bool add_limits(const struct budget_place *at, yyjson_val *limits, const struct check_rule *template) {
    struct budget_file *file = at->file;
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(limits, i, max, key, value) {
        struct check_rule rule = *template;
        double number = -1;
        rule.metric = check_metric_find(json_text(key), rule.scope);
        rule.line = line_of(file, key);
        if (!rule.metric)
            return refuse_key(at, key, check_metric_nearest(json_text(key), rule.scope));
        if (yyjson_obj_getn(limits, yyjson_get_str(key), yyjson_get_len(key)) != value)
            return refuse(at, key, "the key is there twice");
        json_to_double(value, &number);
        const char *why = limit_of(rule.metric, yyjson_is_num(value) ? number : -1, &rule.most);
        if (why)
            return refuse(at, key, why);
        if (file->rules->count == BUDGET_RULES_MAX)
            return refuse(at, key, "too many limits: at most 1000");
        add_rule(file->rules, &rule);
    }
    return true;
}

/* Checks the type of a member, if it exists. */
static bool check_type(const struct budget_place *at, yyjson_val *object, const char *name, bool (*is)(yyjson_val *),
                       const char *expected) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        if (slice_is(json_text(key), name) && !is(value))
            return refuse(at, key, expected);
    }
    return true;
}

static yyjson_val *key_of(yyjson_val *object, const char *name) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        if (slice_is(json_text(key), name))
            return key;
    }
    return NULL;
}

static bool is_obj(yyjson_val *value) {
    return yyjson_is_obj(value);
}

static bool is_str(yyjson_val *value) {
    return yyjson_is_str(value);
}

static bool is_bool(yyjson_val *value) {
    return yyjson_is_bool(value);
}

static bool is_arr(yyjson_val *value) {
    return yyjson_is_arr(value);
}

static bool add_pattern(const struct budget_place *at, yyjson_val *budget, struct check_rule *rule) {
    struct check_rules *rules = at->file->rules;
    struct slice text = json_get_text(budget, "function");
    AUTO_BUF why = {0};
    rule->function = arena_slice(&rules->arena, text);
    rule->pattern = pattern_create(rule->function, &why);
    if (!rule->pattern) {
        char *message = mem_printf("invalid regular expression: %.*s", (int)why.len, why.ptr);
        refuse(at, key_of(budget, "function"), message);
        mem_free(message);
        return false;
    }
    LIST_ADD(&rules->patterns, rule->pattern);
    return true;
}

static bool add_budget(const struct budget_place *at, yyjson_val *budget) {
    static const char *const known[] = {"name", "function", "optional", "max", "new"};
    struct budget_file *file = at->file;
    struct arena *arena = &file->rules->arena;
    yyjson_val *max = json_get(budget, "max"), *new = json_get(budget, "new"), *function = json_get(budget, "function");
    struct check_rule rule = {.file = file->name, .optional = yyjson_is_true(json_get(budget, "optional"))};
    if (!yyjson_is_obj(budget))
        return refuse(at, NULL, "expected an object");
    if (!check_keys(at, budget, known, sizeof known / sizeof *known) ||
        !check_type(at, budget, "name", is_str, "expected a text") ||
        !check_type(at, budget, "function", is_str, "expected a regular expression") ||
        !check_type(at, budget, "optional", is_bool, "expected true or false") ||
        !check_type(at, budget, "max", is_obj, "expected an object with limits") ||
        !check_type(at, budget, "new", is_obj, "expected an object with limits"))
        return false;
    if (!yyjson_obj_size(max) && !yyjson_obj_size(new))
        return refuse(at, NULL, "it limits nothing: expected limits in max or new");
    if (function && new)
        return refuse(at, key_of(budget, "new"), "cannot be used with function");
    if (rule.optional && !function)
        return refuse(at, key_of(budget, "optional"), "needs function");
    rule.budget = arena_slice(arena, json_get_text(budget, "name"));
    rule.scope = function ? SCOPE_FUNCTION : SCOPE_TOTAL;
    if (function && !add_pattern(at, budget, &rule))
        return false;
    char *path = mem_printf("%s.max", at->path);
    bool ok = add_limits(&(struct budget_place){file, path}, max, &rule);
    mem_free(path);
    rule.scope = SCOPE_NEW;
    path = mem_printf("%s.new", at->path);
    ok = ok && add_limits(&(struct budget_place){file, path}, new, &rule);
    mem_free(path);
    return ok;
}

static bool add_budgets(struct budget_file *file, yyjson_val *root) {
    static const char *const known[] = {"$schema", "budgets", "source_commit", "source_link",
                                        "source_root"}; /* source_…: members of a .tlparse.json */
    const struct budget_place top = {file, ""};
    yyjson_val *budgets = json_get(root, "budgets"), *budget;
    size_t i, max;
    if (!yyjson_is_obj(root))
        return refuse(&top, NULL, "expected an object with the key budgets");
    if (!check_keys(&top, root, known, sizeof known / sizeof *known) ||
        !check_type(&top, root, "budgets", is_arr, "expected a list of budgets"))
        return false;
    yyjson_arr_foreach(budgets, i, max, budget) {
        char *path = mem_printf("budgets[%zu]", i);
        bool ok = add_budget(&(struct budget_place){file, path}, budget);
        mem_free(path);
        if (!ok)
            return false;
    }
    return true;
}

bool budgets_add_file(struct check_rules *rules, struct slice json, const char *name, struct err *err) {
    char *copy = mem_zalloc(json.len + YYJSON_PADDING_SIZE, 1);
    struct budget_file file = {rules, arena_str(&rules->arena, slice_str(name)), json, copy, err};
    yyjson_read_err why;
    memcpy(copy, json.ptr, json.len);
    yyjson_doc *doc = yyjson_read_opts(copy, json.len, YYJSON_READ_INSITU, &json_allocator, &why);
    bool ok = doc ? add_budgets(&file, yyjson_doc_get_root(doc))
                  : err_set(err, ERR_USAGE, "invalid budget %s:%" PRIu64 ": invalid JSON: %s", name,
                            line_at(&file, why.pos), why.msg);
    yyjson_doc_free(doc);
    mem_free(copy);
    return ok;
}

/* The metric of --max, whose name may begin with "new.". */
static bool find_metric(struct slice name, struct check_rule *rule, const char *text, struct err *err) {
    static const char prefix[] = "new.";
    bool new = slice_starts(name, SLICE(prefix));
    rule->scope = new ? SCOPE_NEW : SCOPE_TOTAL;
    name = slice_from(name, new ? sizeof prefix - 1 : 0);
    rule->metric = check_metric_find(name, rule->scope);
    if (rule->metric)
        return true;
    const char *nearest = check_metric_nearest(name, rule->scope);
    err_set(err, ERR_USAGE, "invalid value '%s' for --max: unknown metric %s%.*s", text, new ? prefix : "",
            SLICE_ARG(slice_first(name, 100)));
    if (nearest)
        err_hint(err, "did you mean %s%s?", new ? prefix : "", nearest);
    return false;
}

bool budgets_add_max(struct check_rules *rules, const char *text, struct err *err) {
    const char *equals = strchr(text, '=');
    struct check_rule rule = {0};
    char *end = NULL;
    if (!equals)
        return err_set(err, ERR_USAGE, "invalid value '%s' for --max: expected METRIC=NUMBER, for example recompiles=3",
                       text);
    if (!find_metric(slice_make(text, (size_t)(equals - text)), &rule, text, err))
        return false;
    double number = strtod(equals + 1, &end);
    bool whole = end != equals + 1 && *end == '\0' && strspn(equals + 1, "0123456789.eE+-") == strlen(equals + 1);
    const char *why = limit_of(rule.metric, whole ? number : -1, &rule.most);
    if (why)
        return err_set(err, ERR_USAGE, "invalid value '%s' for --max: %s", text, why);
    size_t kept = 0;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].metric != rule.metric || rules->items[i].scope != rule.scope)
            rules->items[kept++] = rules->items[i];
    rules->count = kept;
    add_rule(rules, &rule);
    return true;
}

void budgets_finish(struct check_rules *rules) {
    for (size_t i = 0; i < rules->patterns.count; i++)
        pattern_destroy(rules->patterns.items[i]);
    mem_free(rules->patterns.items);
    mem_free(rules->items);
    arena_free(&rules->arena);
    *rules = (struct check_rules){0};
}

void check_rule_add_title(struct buf *out, const struct check_rule *rule) {
    if (rule->scope == SCOPE_NEW && rule->metric->unit == UNIT_PERCENT)
        BUF_ADD(out, "growth of the ", rule->metric->one);
    else
        buf_addf(out, "%s%s", rule->scope == SCOPE_NEW ? "new " : "", rule->metric->many);
    if (rule->scope != SCOPE_FUNCTION)
        return;
    BUF_ADD(out, " of /", rule->function, "/");
}

void check_rule_add_id(struct buf *out, const struct check_rule *rule) {
    static const char *const prefixes[] = {[SCOPE_TOTAL] = "", [SCOPE_FUNCTION] = "function.", [SCOPE_NEW] = "new."};
    buf_addf(out, "%s%s", prefixes[rule->scope], rule->metric->name);
}
