#include "hooks/config.h"

#include "hooks/hooks.h"
#include "hooks/words.h"

/* The context for reading a key. */
struct reader {
    struct user_config *config;
    const struct config_file *file;
    struct err *err;
};

/* Adds a hint to an error about an unknown key: "did you mean 'fetch'?", or all known keys if none is similar. Returns
 * false. */
static bool config_hint_key(struct err *err, const char *unknown, const char *const *known, size_t count) {
    const char *nearest = nearest_name(slice_str(unknown), known, count);
    if (nearest)
        return err_hint(err, "did you mean '%s'?", nearest);
    AUTO_BUF all = {0};
    for (size_t i = 0; i < count; i++)
        buf_addf(&all, "%s%s", i ? ", " : "", known[i]);
    err_hint(err, "known keys: %.*s", SLICE_ARG(buf_slice(&all)));
    return false;
}

/* Parses a command, an array or a text, into *words. Sets *why if it fails. */
static bool read_words(yyjson_val *value, char ***words, const char **why) {
    size_t index, max;
    yyjson_val *item;
    *why = "expected a text or an array of texts";
    if (yyjson_is_str(value)) {
        if (strlen(yyjson_get_str(value)) != yyjson_get_len(value))
            return false;
        return (*words = words_split(json_text(value), why)) != NULL;
    }
    if (!yyjson_is_arr(value))
        return false;
    yyjson_arr_foreach(value, index, max, item) {
        if (!yyjson_is_str(item) || strlen(yyjson_get_str(item)) != yyjson_get_len(item))
            return false;
    }
    *why = "it names no program";
    if (yyjson_arr_size(value) == 0 || !yyjson_get_len(yyjson_arr_get_first(value)))
        return false;
    char **list = mem_zalloc(yyjson_arr_size(value) + 1, sizeof *list);
    yyjson_arr_foreach(value, index, max, item) list[index] = mem_strdup(yyjson_get_str(item));
    *words = list;
    return true;
}

static const char *key_text(yyjson_val *key) {
    const char *text = yyjson_get_str(key);
    assert(text); /* keys of an object are texts */
    return text;
}

/* Reads one command, which must contain "{hole}" unless that is NULL. */
static bool read_command(const struct reader *r, yyjson_val *key, yyjson_val *value, const char *hole, char ***words) {
    const char *why;
    if (!read_words(value, words, &why))
        return config_fail(r->file, key, r->err, "invalid command of '%s': %s", yyjson_get_str(key), why);
    if (hole && !words_have(*words, hole)) {
        words_free(*words);
        *words = NULL;
        return config_fail(r->file, key, r->err, "no argument of the command of '%s' has {%s}", yyjson_get_str(key),
                           hole);
    }
    return true;
}

static bool is_scheme(const char *name) {
    if (name[0] < 'a' || name[0] > 'z')
        return false;
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789+.-")] == '\0';
}

static bool read_commands(const struct reader *r, yyjson_val *key, yyjson_val *value, const char *hole,
                          struct config_commands *to) {
    size_t index, max;
    yyjson_val *name, *command;
    if (!yyjson_is_obj(value))
        return config_fail(r->file, key, r->err, "expected an object for '%s'", yyjson_get_str(key));
    yyjson_obj_foreach(value, index, max, name, command) {
        const char *text = key_text(name);
        char **words = NULL;
        if (hole && !is_scheme(text))
            return config_fail(r->file, name, r->err, "'%s' is not a scheme, as \"s3\" is that of s3://bucket/key",
                               text);
        if (config_command_of(to, text))
            return config_fail(r->file, name, r->err, "'%s' is given twice", text);
        if (!read_command(r, name, command, hole, &words))
            return false;
        LIST_ADD(to, (struct config_command){mem_strdup(text), words});
    }
    return true;
}

static bool read_fetch(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    return read_commands(r, key, value, "url", &r->config->fetch);
}

static bool read_parsers(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    return read_commands(r, key, value, NULL, &r->config->parsers);
}

static bool read_upload(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    return read_command(r, key, value, "path", &r->config->upload);
}

static bool read_notify(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    return read_command(r, key, value, NULL, &r->config->notify);
}

static bool read_timeouts(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    static const char *const names[] = {"fetch", "notify", "parsers", "upload"};
    struct config_timeouts *timeouts = &r->config->timeouts;
    uint64_t *const to[] = {&timeouts->fetch_ms, &timeouts->notify_ms, &timeouts->parsers_ms, &timeouts->upload_ms};
    size_t index, max, which;
    yyjson_val *name, *number;
    if (!yyjson_is_obj(value))
        return config_fail(r->file, key, r->err, "expected an object for 'timeouts_s'");
    yyjson_obj_foreach(value, index, max, name, number) {
        double seconds;
        for (which = 0; which < 4 && !yyjson_equals_str(name, names[which]); which++)
            ;
        if (which == 4) {
            config_fail(r->file, name, r->err, "unknown key '%s' in 'timeouts_s'", key_text(name));
            return config_hint_key(r->err, key_text(name), names, 4);
        }
        if (!json_to_double(number, &seconds) || !(seconds >= 0.001 && seconds <= 86400))
            return config_fail(r->file, name, r->err, "expected seconds for 'timeouts_s.%s', from 0.001 to 86400",
                               names[which]);
        *to[which] = (uint64_t)(seconds * 1000);
    }
    return true;
}

static bool read_text(const struct reader *r, yyjson_val *key, yyjson_val *value, char **to) {
    if (!yyjson_is_str(value) || !yyjson_get_len(value) || strlen(yyjson_get_str(value)) != yyjson_get_len(value))
        return config_fail(r->file, key, r->err, "expected a text for '%s'", yyjson_get_str(key));
    mem_free(*to);
    *to = mem_strdup(yyjson_get_str(value));
    return true;
}

static bool read_source_link(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    if (!read_text(r, key, value, &r->config->source_link))
        return false;
    const char *why = source_template_complaint(slice_str(r->config->source_link));
    return !why || config_fail(r->file, key, r->err, "invalid 'source_link': %s", why);
}

static bool read_source_commit(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    if (!read_text(r, key, value, &r->config->source_commit))
        return false;
    return source_commit_is_good(slice_str(r->config->source_commit)) ||
           config_fail(r->file, key, r->err, "'%s' is not a commit, tag or branch", r->config->source_commit);
}

/* Adds a root. A relative path is relative to the folder of the file. */
static bool add_root(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    char *text = NULL;
    if (!read_text(r, key, value, &text))
        return false;
    assert(text); /* read_text() sets it */
    if (text[0] != '/') {
        char *joined = mem_printf("%s/%s", r->file->folder, text), *real = realpath(joined, NULL);
        mem_free(text);
        text = real ? real : mem_strdup(joined);
        mem_free(joined);
    }
    LIST_ADD(&r->config->source_roots, text);
    return true;
}

static bool read_source_roots(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    size_t index, max;
    yyjson_val *item;
    while (r->config->source_roots.count)
        mem_free(r->config->source_roots.items[--r->config->source_roots.count]);
    r->config->roots_of_project = r->file == &r->config->project;
    if (!yyjson_is_arr(value))
        return add_root(r, key, value);
    yyjson_arr_foreach(value, index, max, item) {
        if (!add_root(r, key, item))
            return false;
    }
    return true;
}

static bool read_budgets(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    if (!yyjson_is_arr(value)) /* check reads the items (answers/budget.c) */
        return config_fail(r->file, key, r->err, "expected a list for 'budgets'");
    r->config->budgets = value;
    return true;
}

static bool skip_schema(const struct reader *r, yyjson_val *key, yyjson_val *value) {
    (void)r, (void)key, (void)value;
    return true;
}

enum place { ANYWHERE, USER_ONLY, PROJECT_ONLY };

/* Sorted by name. */
static const struct {
    const char *name;
    enum place place;
    bool (*read)(const struct reader *r, yyjson_val *key, yyjson_val *value);
} rows[] = {
    {"$schema", ANYWHERE, skip_schema},
    {"budgets", PROJECT_ONLY, read_budgets},
    {"fetch", USER_ONLY, read_fetch},
    {"notify", USER_ONLY, read_notify},
    {"parsers", USER_ONLY, read_parsers},
    {"source_commit", ANYWHERE, read_source_commit},
    {"source_link", ANYWHERE, read_source_link},
    {"source_root", ANYWHERE, read_source_roots},
    {"timeouts_s", USER_ONLY, read_timeouts},
    {"upload", USER_ONLY, read_upload},
};
enum { ROWS = sizeof rows / sizeof *rows };

static size_t row_of(yyjson_val *name) {
    size_t i = 0;
    while (i < ROWS && !yyjson_equals_str(name, rows[i].name))
        i++;
    return i;
}

static bool fail_unknown(const struct reader *r, yyjson_val *key, bool user) {
    const char *known[ROWS];
    size_t count = 0;
    for (size_t i = 1; i < ROWS; i++) /* without $schema */
        if (rows[i].place != (user ? PROJECT_ONLY : USER_ONLY))
            known[count++] = rows[i].name;
    config_fail(r->file, key, r->err, "unknown key '%s'", key_text(key));
    return config_hint_key(r->err, key_text(key), known, count);
}

static void warn_command(const struct reader *r, yyjson_val *key) {
    LIST_ADD(&r->config->warnings, mem_printf("%s:%zu: ignored '%s': a project may not run commands; they belong to "
                                              "~/.config/tlparse/config.json",
                                              r->file->path, config_line(r->file, key), yyjson_get_str(key)));
}

bool config_keys_read(struct user_config *config, const struct config_file *file, bool user, struct err *err) {
    const struct reader r = {config, file, err};
    bool seen[ROWS] = {false};
    size_t index, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(yyjson_doc_get_root(file->doc), index, max, key, value) {
        size_t row = row_of(key);
        if (row == ROWS)
            return fail_unknown(&r, key, user);
        if (seen[row])
            return config_fail(file, key, err, "'%s' is given twice", rows[row].name);
        seen[row] = true;
        if (rows[row].place == USER_ONLY && !user)
            warn_command(&r, key);
        else if (rows[row].place == PROJECT_ONLY && user)
            return config_fail(file, key, err, "'%s' belongs to .tlparse.json of a project", rows[row].name);
        else if (!rows[row].read(&r, key, value))
            return false;
    }
    return true;
}
