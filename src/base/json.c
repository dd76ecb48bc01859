#include "base/json.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/mem.h"

enum { PRETTY_DEPTH = 64, PRETTY_GROWTH = 4, PRETTY_BYTES = 64 * 1024 };

static void *heap_malloc(void *ctx, size_t size) {
    (void)ctx;
    return mem_alloc(size);
}

static void *heap_realloc(void *ctx, void *ptr, size_t old_size, size_t size) {
    (void)ctx, (void)old_size;
    return mem_realloc(ptr, size, 1);
}

static void heap_free(void *ctx, void *ptr) {
    (void)ctx;
    mem_free(ptr);
}

const yyjson_alc json_allocator = {heap_malloc, heap_realloc, heap_free, NULL};

/* An allocator for yyjson in an arena. Memory is freed only with the arena. */
static void *arena_malloc(void *ctx, size_t size) {
    return arena_alloc(ctx, size);
}

static void *arena_realloc(void *ctx, void *ptr, size_t old_size, size_t size) {
    if (size <= old_size)
        return ptr;
    return memcpy(arena_alloc(ctx, size), ptr, old_size);
}

static void arena_ignore(void *ctx, void *ptr) {
    (void)ctx, (void)ptr;
}

/* Sets *count to the number of values, if there are any. */
static yyjson_val *parse(struct slice text, enum json_numbers numbers, struct arena *arena, size_t *count) {
    yyjson_alc alc = {arena_malloc, arena_realloc, arena_ignore, arena};
    yyjson_read_flag flags =
        YYJSON_READ_INSITU | (numbers == JSON_NUMBERS_RAW ? YYJSON_READ_NUMBER_AS_RAW : YYJSON_READ_BIGNUM_AS_RAW);
    *count = 0;
    if (!text.len) /* text.ptr may be NULL */
        return NULL;
    char *copy = arena_alloc(arena, text.len + YYJSON_PADDING_SIZE);
    memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, YYJSON_PADDING_SIZE);
    yyjson_doc *doc = yyjson_read_opts(copy, text.len, flags, &alc, NULL);
    yyjson_val *root = yyjson_doc_get_root(doc);
    *count = yyjson_doc_get_val_count(doc);
    if (root) /* yyjson takes memory for the most values that a text of this length can have, and these come last */
        arena_trim(arena, root + *count);
    return root;
}

static int hex4(const char *p) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9' ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Copies the string that begins at s[i] (a quote). Unpaired surrogates become U+FFFD. */
static size_t repair_string(struct buf *out, struct slice s, size_t i) {
    buf_add_byte(out, s.ptr[i++]);
    while (i < s.len && s.ptr[i] != '"') {
        if (s.ptr[i] != '\\' || i + 1 >= s.len) {
            buf_add_byte(out, s.ptr[i++]);
            continue;
        }
        int unit = s.ptr[i + 1] == 'u' && i + 6 <= s.len ? hex4(s.ptr + i + 2) : -1;
        if (unit < 0xd800 || unit > 0xdfff) {
            buf_add(out, slice_make(s.ptr + i, 2));
            i += 2;
            continue;
        }
        bool pair = unit < 0xdc00 && i + 12 <= s.len && s.ptr[i + 6] == '\\' && s.ptr[i + 7] == 'u';
        int low = pair ? hex4(s.ptr + i + 8) : -1;
        pair = low >= 0xdc00 && low <= 0xdfff;
        if (pair)
            buf_add(out, slice_make(s.ptr + i, 12));
        else
            buf_add_lit(out, "\\ufffd");
        i += pair ? 12 : 6;
    }
    return i;
}

/* Replaces constructs that Python's json.dumps writes but strict JSON forbids. */
static void repair(struct buf *out, struct slice s) {
    static const struct slice words[] = {SLICE_INIT("-Infinity"), SLICE_INIT("Infinity"), SLICE_INIT("NaN")};
    for (size_t i = 0; i < s.len;) {
        size_t word = 0;
        if (s.ptr[i] == '"') {
            i = repair_string(out, s, i);
            if (i < s.len)
                buf_add_byte(out, s.ptr[i++]);
            continue;
        }
        if (s.ptr[i] == '-' || s.ptr[i] == 'I' || s.ptr[i] == 'N')
            while (word < 3 && !slice_starts(slice_from(s, i), words[word]))
                word++;
        else
            word = 3;
        if (word < 3) {
            buf_add_lit(out, "null");
            i += words[word].len;
        } else {
            buf_add_byte(out, s.ptr[i++]);
        }
    }
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* The end of the string that begins at s[i] (a quote), after its closing quote. */
static size_t string_end(struct slice s, size_t i) {
    for (i++; i < s.len && s.ptr[i] != '"'; i++)
        i += s.ptr[i] == '\\';
    return i < s.len ? i + 1 : s.len;
}

bool json_has_too_many_values(struct slice s) {
    size_t marks = 0;
    if (s.len <= 2 * (size_t)JSON_VALUES_MAX) /* a value and its separator take two bytes */
        return false;
    for (size_t i = 0; i < s.len && marks <= JSON_VALUES_MAX;) {
        char c = s.ptr[i];
        marks += c == ',' || c == ':' || c == '[' || c == '{';
        i = c == '"' ? string_end(s, i) : i + 1;
    }
    return marks > JSON_VALUES_MAX;
}

static bool opens(char c) {
    return c == '[' || c == '{';
}

static bool closes(char c) {
    return c == ']' || c == '}';
}

/* The end of the container that begins at s[i], after its bracket, or s.len. */
static size_t container_end(struct slice s, size_t i) {
    size_t depth = 0;
    while (i < s.len) {
        char c = s.ptr[i];
        depth += opens(c);
        depth -= closes(c);
        i = c == '"' ? string_end(s, i) : i + 1;
        if (!depth)
            break;
    }
    return i;
}

/* Whether containers are nested too deep. yyjson stores the values of a document in sequence: a container before what it
 * contains. */
static bool is_deep(yyjson_val *root, size_t count) {
    const yyjson_val *ends[JSON_DEPTH_MAX]; /* behind each open container */
    size_t depth = 0;
    for (size_t i = 0; i < count && count > JSON_DEPTH_MAX; i++) {
        while (depth && root + i >= ends[depth - 1])
            depth--;
        if (!yyjson_is_ctn(root + i))
            continue;
        if (depth == JSON_DEPTH_MAX)
            return true;
        ends[depth++] = unsafe_yyjson_get_next(root + i);
    }
    return false;
}

/* Replaces containers that are nested too deep with their text. */
static struct slice limit_depth(struct slice s, struct arena *arena) {
    struct buf out = {0};
    size_t depth = 0;
    for (size_t i = 0, next; i < s.len; i = next) {
        char c = s.ptr[i];
        bool deep = opens(c) && depth == JSON_DEPTH_MAX;
        next = deep ? container_end(s, i) : c == '"' ? string_end(s, i) : i + 1;
        if (deep) {
            json_add_string(&out, slice_make(s.ptr + i, next - i));
            continue;
        }
        depth += opens(c);
        depth -= closes(c) && depth;
        buf_add(&out, slice_make(s.ptr + i, next - i));
    }
    return arena_keep(arena, &out);
}

static enum json_state read_any(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root,
                                size_t *count) {
    *root = parse(*text, numbers, arena, count);
    if (*root)
        return JSON_STRICT;
    struct buf valid = {0}, repaired = {0};
    utf8_add_clean(&valid, *text);
    repair(&repaired, buf_slice(&valid));
    buf_free(&valid);
    if (!slice_eq(buf_slice(&repaired), *text) && (*root = parse(buf_slice(&repaired), numbers, arena, count)))
        *text = arena_slice(arena, buf_slice(&repaired));
    buf_free(&repaired);
    return *root ? JSON_REPAIRED : JSON_BAD;
}

enum json_state json_read(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root) {
    size_t count;
    *root = NULL;
    if (json_has_too_many_values(*text))
        return JSON_BAD;
    enum json_state state = read_any(text, numbers, arena, root, &count);
    if (state == JSON_BAD || !is_deep(*root, count))
        return state;
    *text = limit_depth(*text, arena);
    return read_any(text, numbers, arena, root, &count) == JSON_BAD ? JSON_BAD : JSON_REPAIRED;
}

enum json_state json_read_own(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root) {
    size_t count;
    return read_any(text, numbers, arena, root, &count);
}

static inline lanes json_class(lanes v) {
    return (lanes)(v < 0x20) | (lanes)(v == '"') | (lanes)(v == '\\') | (lanes)(v == 0x7f);
}

static inline size_t json_put(char *to, unsigned char c, void *state) {
    static const char hex[] = "0123456789abcdef", escape[4] = {'\\', 'u', '0', '0'};
    char letter = c == '"' || c == '\\' ? (char)c : c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : 'u';
    (void)state;
    memcpy(to, escape, sizeof escape);
    to[1] = letter;
    if (letter != 'u')
        return 2;
    to[4] = hex[c >> 4];
    to[5] = hex[c & 15];
    return 6;
}

void json_add_string(struct buf *out, struct slice text) {
    buf_add_byte(out, '"');
    if (text.len && !escape_add(out, text, json_class, json_put, NULL)) {
        AUTO_BUF clean = {0};
        utf8_add_clean(&clean, text);
        escape_add(out, buf_slice(&clean), json_class, json_put, NULL);
    }
    buf_add_byte(out, '"');
}

void json_add_string_or_null(struct buf *out, struct slice text) {
    if (text.ptr)
        json_add_string(out, text);
    else
        buf_add_lit(out, "null");
}

static void add_written(struct buf *out, yyjson_val *value, yyjson_write_flag flags) {
    size_t len = 0;
    char *text = yyjson_val_write_opts(value, flags | YYJSON_WRITE_INF_AND_NAN_AS_NULL, &json_allocator, &len, NULL);
    if (!text) /* the value cannot be written; parsed values always can */
        mem_exhausted();
    buf_add(out, slice_make(text, len));
    mem_free(text);
}

void json_add_value(struct buf *out, yyjson_val *value) {
    if (!value || yyjson_is_null(value))
        buf_add_lit(out, "null");
    else if (yyjson_is_str(value))
        json_add_string(out, json_text(value));
    else if (yyjson_is_uint(value))
        buf_add_u64(out, yyjson_get_uint(value));
    else if (yyjson_is_bool(value))
        buf_add_str(out, yyjson_get_bool(value) ? "true" : "false");
    else
        add_written(out, value, YYJSON_WRITE_NOFLAG);
}

/* A writer of indented JSON. It stops if indentation makes the text too long. */
struct pretty {
    struct buf *out;
    size_t most; /* maximum length of out */
};

static void break_line(struct pretty *p, int level) {
    size_t len = 1 + 2 * (size_t)level;
    char *to = buf_reserve(p->out, len);
    to[0] = '\n';
    memset(to + 1, ' ', len - 1);
    p->out->len += len;
}

static bool add_level(struct pretty *p, yyjson_val *value, int level) {
    size_t i, max;
    yyjson_val *key, *item;
    bool array = yyjson_is_arr(value);
    if (!yyjson_is_ctn(value) || yyjson_get_len(value) == 0) {
        if (yyjson_is_raw(value))
            buf_add(p->out, slice_make(yyjson_get_raw(value), yyjson_get_len(value)));
        else
            json_add_value(p->out, value);
        return p->out->len <= p->most;
    }
    if (level == PRETTY_DEPTH)
        return false;
    buf_add_byte(p->out, array ? '[' : '{');
    if (array) {
        yyjson_arr_foreach(value, i, max, item) {
            if (i)
                buf_add_byte(p->out, ',');
            break_line(p, level + 1);
            if (!add_level(p, item, level + 1))
                return false;
        }
    } else {
        yyjson_obj_foreach(value, i, max, key, item) {
            if (i)
                buf_add_byte(p->out, ',');
            break_line(p, level + 1);
            json_add_string(p->out, json_text(key));
            buf_add_lit(p->out, ": ");
            if (!add_level(p, item, level + 1))
                return false;
        }
    }
    break_line(p, level);
    buf_add_byte(p->out, array ? ']' : '}');
    return true;
}

void json_add_pretty(struct buf *out, yyjson_val *value, struct slice text) {
    size_t start = out->len;
    struct pretty pretty = {out, start + text.len * PRETTY_GROWTH + PRETTY_BYTES};
    if (add_level(&pretty, value, 0))
        return;
    out->len = start;
    add_written(out, value, YYJSON_WRITE_NOFLAG);
}

yyjson_val *json_get(yyjson_val *object, const char *key) {
    return yyjson_obj_get(object, key);
}

struct slice json_text(yyjson_val *value) {
    if (!yyjson_is_str(value))
        return (struct slice){0};
    return slice_make(yyjson_get_str(value), yyjson_get_len(value));
}

struct slice json_get_text(yyjson_val *object, const char *key) {
    return json_text(yyjson_obj_get(object, key));
}

bool json_to_u64(yyjson_val *value, uint64_t *number) {
    if (yyjson_is_uint(value)) {
        *number = yyjson_get_uint(value);
        return true;
    }
    double real = yyjson_is_real(value) ? yyjson_get_real(value) : -1;
    if (!(real >= 0 && real < 9e15) || (double)(uint64_t)real != real)
        return false;
    *number = (uint64_t)real;
    return true;
}

bool json_to_double(yyjson_val *value, double *number) {
    if (!yyjson_is_num(value))
        return false;
    *number = yyjson_get_num(value);
    return true;
}

bool json_truthy(yyjson_val *value) {
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_BOOL:
        return yyjson_get_bool(value);
    case YYJSON_TYPE_NUM:
        return yyjson_get_num(value) != 0;
    case YYJSON_TYPE_STR:
    case YYJSON_TYPE_ARR:
    case YYJSON_TYPE_OBJ:
        return yyjson_get_len(value) != 0;
    case YYJSON_TYPE_RAW:
        return true;
    default:
        return false;
    }
}
