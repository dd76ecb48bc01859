#include "share/redact.h"

#include "runs/secret.h"
#include "share/redact_parts.h"
#include "share/redact_path.h"
#include "share/redact_word.h"

static const struct {
    const char *name;
    unsigned what;
} kinds[] = {{"paths", REDACT_PATHS}, {"code", REDACT_CODE}, {"config", REDACT_CONFIG}, {"names", REDACT_NAMES}};

enum { KINDS = sizeof kinds / sizeof *kinds, VERSION_MAX = 40, COMMIT_LEAST = 7, COMMIT_MOST = 10 };

static const struct slice removed = SLICE_INIT("(removed)");

bool redact_parse(const char *list, unsigned *what, struct err *err) {
    struct slice rest = slice_str(list);
    *what = 0;
    do {
        const char *comma = memchr(rest.ptr, ',', rest.len);
        struct slice one = slice_first(rest, comma ? (size_t)(comma - rest.ptr) : rest.len);
        unsigned found = 0;
        for (size_t i = 0; i < KINDS; i++)
            if (slice_is(one, kinds[i].name))
                found = kinds[i].what;
        if (!found)
            return err_set(err, ERR_USAGE, "invalid value '%.*s' for --redact: expected paths, code, config or names",
                           SLICE_ARG(one));
        *what |= found;
        rest = slice_from(rest, comma ? one.len + 1 : rest.len);
        if (comma && !rest.len)
            return err_set(err, ERR_USAGE, "invalid value '%s' for --redact: it ends with a comma", list);
    } while (rest.len);
    return true;
}

void redact_add_what(struct buf *out, unsigned what) {
    const char *between = "";
    for (size_t i = 0; i < KINDS; i++)
        if (what & kinds[i].what) {
            buf_addf(out, "%s%s", between, kinds[i].name);
            between = ", ";
        }
}

void redact_add_left(struct buf *out, unsigned what) {
    static const struct {
        unsigned what;
        const char *removed, *stays;
    } parts[] = {
        {REDACT_PATHS, "", "paths"},
        {REDACT_CODE, "the shape of texts", "source lines and the texts of artifacts"},
        {REDACT_CONFIG, "names of settings", "settings"},
        {REDACT_NAMES, "", "names of functions"},
    };
    buf_add_lit(out, "numbers (sizes, line numbers, times), versions, compile ids, words of PyTorch and tlparse");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = what & parts[i].what ? parts[i].removed : parts[i].stays;
        if (text[0])
            buf_addf(out, ", %s", text);
    }
    if (!(what & (REDACT_CODE | REDACT_NAMES)))
        buf_add_lit(out, ", all other names and sentences");
}

bool redact_needs_names(const struct redact *r) {
    bool has_all_words = r->what & (REDACT_CODE | REDACT_NAMES);
    return (r->what & REDACT_NAMES && !(r->what & REDACT_PATHS)) || (r->what & REDACT_PATHS && !has_all_words);
}

void redact_init(struct redact *r, unsigned what) {
    *r = (struct redact){.what = what};
}

void redact_finish(struct redact *r) {
    redact_places_forget(&r->places);
    redact_known_free(&r->spaced);
    redact_known_free(&r->values);
    struct map *maps[] = {&r->names, &r->paths, &r->files, &r->users, &r->functions, &r->settings, &r->persons};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_free(maps[i]);
    *r = (struct redact){0};
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static bool is_one_of(struct slice key, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_is(key, list[i]))
            return true;
    return false;
}

#define ONE_OF(key, ...)                                                                                               \
    is_one_of((key), (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Whether this is "2.9.0a0+git5bb154e", "2.10.0.dev20251101+cu128", "2026-11-21T00:05:19.5Z": numbers, and the words of
 * versions and times. */
static bool is_version(struct slice text) {
    static const char *const words[] = {"a",   "b",  "rc",   "dev", "post", "T",  "Z",
                                        "cpu", "cu", "rocm", "xpu", "fb",   "git"};
    size_t at = 0;
    if (!text.len || text.len > VERSION_MAX || !redact_is_digit(text.ptr[0]))
        return false;
    while (at < text.len) {
        size_t from = at, word = SIZE_MAX;
        if (redact_is_digit(text.ptr[at]) || redact_is_in(text.ptr[at], ".+-: ")) {
            at++;
            continue;
        }
        while (at < text.len && redact_is_letter(text.ptr[at]))
            at++;
        struct slice found = slice_make(text.ptr + from, at - from);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            word = slice_is(found, words[i]) ? i : word;
        if (slice_starts(found, SLICE("git"))) { /* of a commit */
            for (at = from + 3;
                 at < text.len && (redact_is_digit(text.ptr[at]) || (text.ptr[at] >= 'a' && text.ptr[at] <= 'f'));)
                at++;
            if (at - from < 3 + COMMIT_LEAST || at - from > 3 + COMMIT_MOST)
                return false;
        } else if (word == SIZE_MAX) {
            return false;
        }
    }
    return true;
}

static bool is_versioned(struct slice key) {
    return ONE_OF(key, "torch", "python", "cuda", "triton", "version", "started", "pytorch_version", "python_version",
                  "cuda_version", "triton_version");
}

/* The full hash of a commit of PyTorch's public repository, which every copy of that PyTorch has. */
static bool is_torch_commit(struct slice key, struct slice text) {
    enum { HASH_DIGITS = 40 };
    bool hash = slice_is(key, "torch_commit") && text.len == HASH_DIGITS;
    for (size_t i = 0; i < text.len && hash; i++)
        hash = redact_is_digit(text.ptr[i]) || (text.ptr[i] >= 'a' && text.ptr[i] <= 'f');
    return hash;
}

static bool is_function(struct slice key) {
    return ONE_OF(key, "function", "functions", "co_name");
}

static bool is_code(struct slice key) {
    return ONE_OF(key, "code", "loc");
}

/* Whether the member's value is a path as a whole. */
static bool is_file(struct slice key) {
    return ONE_OF(key, "file", "filename", "co_filename", "path");
}

static bool names_config(struct slice text) {
    return slice_find(text, SLICE("config")) != SIZE_MAX;
}

/* The context of a value. */
struct around {
    struct slice key;
    struct slice dir; /* for an artifact: its text is in the stream of this folder */
    bool torch;       /* a frame in PyTorch's own code, which is public */
    bool setting;     /* a setting, or a component of a cache key that is a setting */
    bool config;      /* below a map of settings */
    bool frame;       /* a function, whose label and name identify it */
    bool logged;      /* below members that PyTorch logged as they are */
    bool file;        /* a log, whose name is a file name */
};

/* Whether a text is the name of a function of the program, even if it is a word of the vocabulary. */
static bool names_function(const struct around *at) {
    return is_function(at->key) || slice_is(at->key, "frames") || (at->frame && ONE_OF(at->key, "label", "name"));
}

static bool is_torch_frame(yyjson_val *object, bool before) {
    static const char *const files[] = {"file", "filename", "co_filename"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct slice file = json_get_text(object, files[i]);
        if (file.len)
            return redact_is_torch(file);
    }
    return before;
}

/* Numbers that are kept unchanged are raw. */
static bool to_number(yyjson_val *value, uint64_t *number) {
    return yyjson_is_raw(value) && slice_to_u64(slice_make(yyjson_get_raw(value), yyjson_get_len(value)), number);
}

/* Whether this has the settings of a graph, or a text if they were damaged. */
static bool has_settings(yyjson_val *object) {
    yyjson_val *values = json_get(object, "values");
    return yyjson_is_str(json_get(object, "kind")) && (yyjson_is_obj(values) || yyjson_is_str(values));
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static void add_value(struct redact *r, yyjson_val *value, const struct around *at, struct buf *out);

/* Whether a text is a file name as a whole; the names of logs need no extension. */
static bool is_path_value(struct slice key, bool file, struct slice text) {
    bool is_log = slice_is(key, "files") || (file && slice_is(key, "name"));
    return (is_log && !redact_is_plain(text)) || (is_file(key) && redact_is_whole_path(text));
}

/* Adds a path, possibly with a line: "/My Model/x.py:12". */
static void add_file(struct redact *r, struct slice text, struct buf *out) {
    struct slice path = text;
    while (path.len && redact_is_digit(path.ptr[path.len - 1]))
        path.len--;
    path.len = path.len > 1 && path.len < text.len && path.ptr[path.len - 1] == ':' ? path.len - 1 : text.len;
    redact_add_whole_path(r, path, out);
    buf_add(out, slice_from(text, path.len));
}

/* How to read the text. */
static enum redact_style style_of(const struct redact *r, const struct around *at) {
    bool has_words = r->what & (REDACT_NAMES | REDACT_CODE);
    if (at->torch && has_words && (is_code(at->key) || is_function(at->key)))
        return REDACT_TORCH;
    return is_code(at->key) ? REDACT_SOURCE : names_function(at) ? REDACT_FUNCTION : REDACT_SENTENCE;
}

/* Adds a text of one line or several. Values after the names of secrets count as settings. */
static void add_words(struct redact *r, struct slice text, enum redact_style style, struct buf *out) {
    AUTO_BUF safe = {0};
    if (r->what & REDACT_CONFIG && style == REDACT_SENTENCE) {
        secret_add_argument(&(struct secret_command){0}, &safe, text);
        text = buf_slice(&safe);
    }
    redact_add_text(r, text, style, out);
}

static void add_string(struct redact *r, struct slice text, const struct around *at, struct buf *out) {
    AUTO_BUF clean = {0};
    enum redact_style style = style_of(r, at);
    if ((is_versioned(at->key) && is_version(text)) || is_torch_commit(at->key, text)) {
        buf_add(&clean, text);
    } else if (style == REDACT_SOURCE && r->what & REDACT_CODE) {
        buf_add(&clean, text);
        redact_shape(clean.ptr, clean.len);
    } else if (style == REDACT_SOURCE) {
        redact_add_lines(r, text, &clean);
    } else if (is_path_value(at->key, at->file, text)) {
        add_file(r, text, &clean);
    } else {
        add_words(r, text, style, &clean);
    }
    json_add_string(out, buf_slice(&clean));
}

/* Whether the value belongs to a setting whose value is removed. */
static bool is_removed(const struct redact *r, yyjson_val *value, const struct around *at) {
    bool is_leaf = !yyjson_is_obj(value) && !yyjson_is_null(value);
    if (!(r->what & REDACT_CONFIG) || !is_leaf)
        return false;
    if (at->config)
        return true;
    if (at->setting && ONE_OF(at->key, "value", "had", "has"))
        return true;
    if (at->setting && slice_is(at->key, "values"))
        return !yyjson_is_arr(value);
    if (at->logged && redact_has_setting(r, at->key))
        return true;
    if (yyjson_is_arr(value))
        return false;
    return (names_config(at->key) && !ONE_OF(at->key, "config_differences", "configs")) ||
           (yyjson_is_str(value) && slice_find(json_text(value), SLICE("config[")) != SIZE_MAX);
}

/* Adds the offsets of the chunks of a redacted stream: their starts, and the end of the last one. */
static void add_chunks(const struct redact_moved *moved, struct buf *out) {
    size_t at = 0;
    do {
        buf_addf(out, "%s%zu", at ? "," : "[", at);
        at += moved->bytes - at < REDACT_CHUNK_BYTES ? moved->bytes - at : REDACT_CHUNK_BYTES;
    } while (at < moved->bytes);
    buf_addf(out, ",%zu]", at);
}

/* Adds a range of a stream that moved, or the chunks of a stream. Returns whether the value is one of these. */
static bool add_place(const struct redact *r, yyjson_val *value, const struct around *at, struct slice parent,
                      struct buf *out) {
    uint64_t offset, bytes;
    const struct redact_moved *moved = slice_is(parent, "texts") ? redact_places_of(&r->places, at->key) : NULL;
    if (moved && yyjson_is_arr(value)) {
        add_chunks(moved, out);
        return true;
    }
    if (!at->dir.len || yyjson_arr_size(value) != 2 || !ONE_OF(at->key, "text", "list") ||
        !to_number(yyjson_arr_get(value, 0), &offset) || !to_number(yyjson_arr_get(value, 1), &bytes) ||
        !redact_places_map(&r->places, at->dir, &offset, &bytes))
        return false;
    buf_addf(out, "[%" PRIu64 ",%" PRIu64 "]", offset, bytes);
    return true;
}

static void add_object(struct redact *r, yyjson_val *object, const struct around *at, struct buf *out) {
    yyjson_val *key, *value;
    size_t i, count;
    struct slice dir = json_get_text(object, "dir");
    struct around below = {.dir = dir.len ? dir : at->dir,
                           .torch = is_torch_frame(object, at->torch),
                           .setting = at->setting || json_get(object, "setting") != NULL ||
                                      names_config(json_get_text(object, "name")),
                           .config = at->config,
                           .logged = at->logged || ONE_OF(at->key, "metrics", "args"),
                           .file = slice_is(at->key, "files"),
                           .frame =
                               at->frame || slice_is(at->key, "functions") || json_get(object, "function") != NULL};
    bool is_config = has_settings(object);
    buf_add_byte(out, '{');
    yyjson_obj_foreach(object, i, count, key, value) {
        AUTO_BUF name = {0};
        below.key = json_text(key);
        below.config = at->config || ((is_config && slice_is(below.key, "values")) || slice_is(below.key, "config"));
        redact_add_text(r, below.key, REDACT_SENTENCE, &name);
        buf_add_str(out, i ? "," : "");
        json_add_string(out, buf_slice(&name));
        buf_add_byte(out, ':');
        if (!add_place(r, value, &below, at->key, out))
            add_value(r, value, &below, out);
    }
    buf_add_byte(out, '}');
}

static void add_array(struct redact *r, yyjson_val *array, const struct around *at, struct buf *out) {
    yyjson_val *value;
    size_t i, count;
    buf_add_byte(out, '[');
    yyjson_arr_foreach(array, i, count, value) {
        buf_add_str(out, i ? "," : "");
        add_value(r, value, at, out);
    }
    buf_add_byte(out, ']');
}

/* The writers of the parts limit their depth. */
static void add_value(struct redact *r, yyjson_val *value, const struct around *at, struct buf *out) {
    if (is_removed(r, value, at))
        json_add_string(out, removed);
    else if (yyjson_is_obj(value))
        add_object(r, value, at, out);
    else if (yyjson_is_arr(value))
        add_array(r, value, at, out);
    else if (yyjson_is_str(value))
        add_string(r, json_text(value), at, out);
    else
        json_add_value(out, value);
}

bool redact_json(struct redact *r, struct slice json, struct buf *out) {
    AUTO_ARENA arena = {0};
    yyjson_val *root;
    const struct around top = {.key = SLICE("")};
    bool good = json_read_own(&json, JSON_NUMBERS_RAW, &arena, &root) != JSON_BAD;
    if (good)
        add_value(r, root, &top, out);
    return good;
}

/* ---- what is known beforehand ----------------------------------------------------------------------------------- */

static void learn_function(struct redact *r, struct slice text) {
    bool added;
    for (size_t at = 0, from; redact_next_word(text, &at, &from);)
        map_put(&r->functions, slice_make(text.ptr + from, at - from), 1, &added);
}

static void learn_range(struct redact *r, struct slice folder, yyjson_val *range, enum redact_content content) {
    uint64_t offset, bytes;
    if (yyjson_arr_size(range) == 2 && json_to_u64(yyjson_arr_get(range, 0), &offset) &&
        json_to_u64(yyjson_arr_get(range, 1), &bytes))
        redact_places_add(&r->places, folder, (size_t)offset, (size_t)bytes, content);
}

/* Collects the text of an artifact, and its list of guards. */
static void learn_texts(struct redact *r, yyjson_val *artifact) {
    struct slice folder = json_get_text(artifact, "dir");
    bool is_config = names_config(json_get_text(artifact, "name")) || names_config(json_get_text(artifact, "kind"));
    if (!folder.len)
        return;
    learn_range(r, folder, json_get(artifact, "text"), is_config ? REDACT_SETTINGS : REDACT_TEXT);
    learn_range(r, folder, json_get(json_get(artifact, "guards"), "list"), REDACT_GUARDS);
}

struct learned {
    struct slice key;
    bool torch, config, file; /* as in struct around */
};

static void learn_text(struct redact *r, struct slice text, const struct learned *at) {
    if (is_function(at->key) && !at->torch)
        learn_function(r, text);
    if (!redact_is_torch(text) && is_path_value(at->key, at->file, text))
        redact_learn_path(r, text);
    if (at->config && r->what & REDACT_CONFIG)
        redact_learn_value(r, text);
}

static void learn_value(struct redact *r, yyjson_val *value, const struct learned *at) {
    yyjson_val *name, *member;
    size_t i, count;
    if (yyjson_is_str(value))
        learn_text(r, json_text(value), at);
    if (yyjson_is_arr(value))
        yyjson_arr_foreach(value, i, count, member) learn_value(r, member, at);
    if (!yyjson_is_obj(value))
        return;
    learn_texts(r, value);
    struct learned below = {.torch = is_torch_frame(value, at->torch), .file = slice_is(at->key, "files")};
    bool is_config = has_settings(value);
    yyjson_obj_foreach(value, i, count, name, member) {
        below.key = json_text(name);
        below.config = at->config || ((is_config && slice_is(below.key, "values")) || slice_is(below.key, "config"));
        if (at->config && r->what & REDACT_CONFIG)
            redact_learn_setting(r, below.key);
        learn_value(r, member, &below);
    }
}

bool redact_learn(struct redact *r, struct slice json) {
    AUTO_ARENA arena = {0};
    yyjson_val *root;
    bool good = json_read_own(&json, JSON_NUMBERS, &arena, &root) != JSON_BAD;
    if (good)
        learn_value(r, root, &(struct learned){.key = SLICE("")});
    return good;
}
