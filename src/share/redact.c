#include "share/redact.h"

#include <assert.h>

#include "share/redact_text.h"

static const struct {
    const char *name;
    unsigned what;
} kinds[] = {{"paths", REDACT_PATHS}, {"code", REDACT_CODE}, {"config", REDACT_CONFIG}, {"names", REDACT_NAMES}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct slice removed = SLICE_INIT("(removed)");

bool redact_parse(const char *list, unsigned *what, struct err *err) {
    struct slice rest = slice_str(list);
    *what = REDACT_CODE;
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

void redact_init(struct redact *r, unsigned what) {
    *r = (struct redact){.what = what};
}

void redact_forget_lists(struct redact *r) {
    for (size_t i = 0; i < r->lists.count; i++)
        mem_free(r->lists.items[i].folder);
    r->lists.count = 0;
}

void redact_finish(struct redact *r) {
    redact_forget_lists(r);
    mem_free(r->lists.items);
    map_free(&r->names);
    map_free(&r->paths);
    map_free(&r->files);
    map_free(&r->functions);
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

/* Versions of programs and times: they identify no one, and have no words. */
static bool is_version(struct slice key) {
    return ONE_OF(key, "torch", "python", "cuda", "triton", "version", "started", "pytorch_version", "python_version",
                  "cuda_version", "triton_version");
}

static bool is_function(struct slice key) {
    return ONE_OF(key, "function", "functions", "co_name");
}

static bool is_code(struct slice key) {
    return ONE_OF(key, "code", "loc");
}

static bool names_config(struct slice text) {
    return slice_find(text, SLICE("config")) != SIZE_MAX;
}

/* What surrounds a value. */
struct around {
    struct slice key;
    bool torch;   /* of a frame in PyTorch's own code, which is public */
    bool setting; /* of a setting, or of a component of a cache key that is one */
    bool config;  /* below a map of settings */
    bool frame;   /* of a function: its label and name name it */
};

/* Whether a text names a function of the program, even if it is a word of the vocabulary. */
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

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static void add_value(struct redact *r, yyjson_val *value, const struct around *at, struct buf *out);

static void add_string(struct redact *r, struct slice text, const struct around *at, struct buf *out) {
    struct buf clean = {0};
    bool is_public = is_version(at->key) || (at->torch && (is_code(at->key) || is_function(at->key)));
    if (is_public) {
        buf_add(&clean, text);
    } else if (is_code(at->key)) {
        buf_add(&clean, text);
        redact_shape(clean.ptr, clean.len);
    } else {
        redact_add_text(r, text, names_function(at), &clean);
    }
    json_add_string(out, buf_slice(&clean));
    buf_free(&clean);
}

/* Whether the value belongs to a setting whose value has to go. */
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
    if (yyjson_is_arr(value))
        return false;
    return (names_config(at->key) && !ONE_OF(at->key, "config_differences", "configs")) ||
           (yyjson_is_str(value) && slice_find(json_text(value), SLICE("config[")) != SIZE_MAX);
}

static void add_object(struct redact *r, yyjson_val *object, const struct around *at, struct buf *out) {
    yyjson_val *key, *value;
    size_t i, count;
    struct around below = {.torch = is_torch_frame(object, at->torch),
                           .setting = at->setting || json_get(object, "setting") != NULL ||
                                      names_config(json_get_text(object, "name")),
                           .config = at->config,
                           .frame =
                               at->frame || slice_is(at->key, "functions") || json_get(object, "function") != NULL};
    bool is_config = yyjson_is_str(json_get(object, "kind")) && yyjson_is_obj(json_get(object, "values"));
    buf_add_byte(out, '{');
    yyjson_obj_foreach(object, i, count, key, value) {
        struct buf name = {0};
        below.key = json_text(key);
        below.config = at->config || ((is_config && slice_is(below.key, "values")) || slice_is(below.key, "config"));
        redact_add_text(r, below.key, false, &name);
        buf_add_str(out, i ? "," : "");
        json_add_string(out, buf_slice(&name));
        buf_add_byte(out, ':');
        add_value(r, value, &below, out);
        buf_free(&name);
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

/* The writers of the parts limit how deep they are. */
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
    struct arena arena = {0};
    yyjson_val *root;
    const struct around top = {.key = SLICE("")};
    bool good = json_read(&json, JSON_NUMBERS_RAW, &arena, &root) != JSON_BAD;
    if (good)
        add_value(r, root, &top, out);
    arena_free(&arena);
    return good;
}

/* ---- what is known beforehand ----------------------------------------------------------------------------------- */

static void learn_function(struct redact *r, struct slice text) {
    bool added;
    for (size_t at = 0, from; redact_next_word(text, &at, &from);)
        map_put(&r->functions, slice_make(text.ptr + from, at - from), 1, &added);
}

static void learn_list(struct redact *r, yyjson_val *artifact) {
    yyjson_val *list = json_get(json_get(artifact, "guards"), "list");
    struct slice folder = json_get_text(artifact, "dir");
    uint64_t offset, bytes;
    if (!folder.len || yyjson_arr_size(list) != 2 || !json_to_u64(yyjson_arr_get(list, 0), &offset) ||
        !json_to_u64(yyjson_arr_get(list, 1), &bytes))
        return;
    MEM_GROW(&r->lists);
    r->lists.items[r->lists.count++] =
        (struct redact_list){mem_printf("%.*s", SLICE_ARG(folder)), (size_t)offset, (size_t)bytes};
}

static void learn_value(struct redact *r, struct slice key, yyjson_val *value, bool torch) {
    yyjson_val *name, *member;
    size_t i, count;
    if (yyjson_is_str(value) && is_function(key) && !torch)
        learn_function(r, json_text(value));
    if (yyjson_is_arr(value))
        yyjson_arr_foreach(value, i, count, member) learn_value(r, key, member, torch);
    if (!yyjson_is_obj(value))
        return;
    learn_list(r, value);
    torch = is_torch_frame(value, torch);
    yyjson_obj_foreach(value, i, count, name, member) learn_value(r, json_text(name), member, torch);
}

bool redact_learn(struct redact *r, struct slice json) {
    struct arena arena = {0};
    yyjson_val *root;
    bool good = json_read(&json, JSON_NUMBERS, &arena, &root) != JSON_BAD;
    if (good)
        learn_value(r, SLICE(""), root, false);
    arena_free(&arena);
    return good;
}

/* ---- streams ---------------------------------------------------------------------------------------------------- */

/* The end of a JSON string that begins at `from`: the place of its closing quote, or len. */
static size_t string_end(const char *json, size_t from, size_t len) {
    while (from < len && json[from] != '"')
        from += json[from] == '\\' ? 2 : 1;
    return from < len ? from : len;
}

/* The shape of the content of a JSON string, in place. Escapes of one letter stay. */
static void shape_string(char *json, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (json[i] != '\\') {
            redact_shape(json + i, 1);
        } else if (i + 1 < to && json[i + 1] == 'u') {
            size_t end = i + 6 < to ? i + 6 : to;
            memset(json + i, 'x', end - i);
            i = end - 1;
        } else {
            i++;
        }
    }
}

/* A list of guards: names of members, numbers and types of guards stay, all other texts become their shape. */
static void shape_list(char *json, size_t len) {
    struct slice key = {0};
    for (size_t i = 0; i < len; i++) {
        if (json[i] != '"')
            continue;
        size_t end = string_end(json, i + 1, len);
        struct slice text = slice_make(json + i + 1, end - i - 1);
        if (end + 1 < len && json[end + 1] == ':')
            key = text;
        else if (!slice_is(key, "type") || !redact_is_plain(text))
            shape_string(json, i + 1, end);
        i = end;
    }
}

void redact_stream(const struct redact *r, struct slice folder, char *bytes, size_t len) {
    size_t at = 0;
    for (;;) { /* the lists in the order of their places; there are few in a folder */
        const struct redact_list *next = NULL;
        for (size_t i = 0; i < r->lists.count; i++) {
            const struct redact_list *one = &r->lists.items[i];
            if (slice_is(folder, one->folder) && one->offset >= at && one->offset <= len &&
                one->bytes <= len - one->offset && one->bytes && (!next || one->offset < next->offset))
                next = one;
        }
        size_t end = next ? next->offset : len;
        redact_shape(bytes + at, end - at);
        if (!next)
            return;
        shape_list(bytes + next->offset, next->bytes);
        at = next->offset + next->bytes;
    }
}
