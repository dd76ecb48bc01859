#include "share/redact_text.h"

#include <stdio.h>

#include "share/vocabulary.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_in(char c, const char *set) {
    return c && strchr(set, c);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* The length of a sign that is not ASCII and no letter, such as "→", "…", "×" or an emoji; else 0. Everything else outside of ASCII may be part of a
 * name. */
static size_t sign_at(struct slice text, size_t at) {
    const unsigned char *c = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    if (left >= 2 && ((c[0] == 0xc2 && c[1] != 0xaa && c[1] != 0xb5 && c[1] != 0xba) || (c[0] == 0xc3 && c[1] == 0x97)))
        return 2;
    if (left >= 3 && c[0] == 0xe2)
        return 3;
    if (left >= 3 && c[0] == 0xef && c[1] == 0xb8 && c[2] == 0x8f)
        return 3;
    return left >= 4 && c[0] == 0xf0 && c[1] == 0x9f ? 4 : 0;
}

static bool is_word_byte(struct slice text, size_t at) {
    char c = text.ptr[at];
    return is_letter(c) || is_digit(c) || c == '_' || (c & 0x80 && !sign_at(text, at));
}

static size_t word_end(struct slice text, size_t from) {
    while (from < text.len && is_word_byte(text, from))
        from++;
    return from;
}

bool redact_next_word(struct slice text, size_t *at, size_t *from) {
    for (size_t i = *at, end; i < text.len; i = end) {
        size_t sign = sign_at(text, i);
        end = sign ? i + sign : word_end(text, i);
        if (end == i)
            end++;
        for (size_t k = i; k < end && !sign; k++)
            if (is_letter(text.ptr[k]) || text.ptr[k] & 0x80) {
                *from = i;
                *at = end;
                return true;
            }
    }
    *at = text.len;
    return false;
}

/* Number-like: "0x7f", "1e", "21T00", "05Z". */
static bool is_number(struct slice word) {
    size_t letters = 0;
    for (size_t i = 0; i < word.len; i++)
        letters += !is_digit(word.ptr[i]) && word.ptr[i] != '_';
    return is_digit(word.ptr[0]) && letters <= 2;
}

/* The word without the number that the compiler adds: mul_3, arg0_1, dynamo_output_graph_2. */
static struct slice without_number(struct slice word) {
    while (word.len && (is_digit(word.ptr[word.len - 1]) || word.ptr[word.len - 1] == '_'))
        word.len--;
    return word;
}

static bool is_listed(struct slice word) {
    struct slice stem = without_number(word);
    return stem.len <= 1 || vocabulary_has(word) || vocabulary_has(stem);
}

/* Names that Inductor makes of operators: triton_poi_fused_add_relu_0. Operators have underscores, so the longest ones are tried first. */
static bool is_fused(struct slice word) {
    static const struct slice prefixes[] = {SLICE_INIT("triton_"), SLICE_INIT("cpp_fused_")};
    bool made = slice_starts(word, prefixes[0]) || slice_starts(word, prefixes[1]);
    for (size_t at = 0; made && at < word.len;) {
        size_t end = word.len;
        while (end > at &&
               !((end == word.len || word.ptr[end] == '_') && is_listed(slice_make(word.ptr + at, end - at))))
            end--;
        if (end == at && word.ptr[at] != '_')
            return false;
        at = end == at ? at + 1 : end + 1;
    }
    return made;
}

static bool is_kept(struct slice word) {
    return is_number(word) || is_listed(word) || is_fused(word);
}

bool redact_is_plain(struct slice text) {
    for (size_t at = 0, from; redact_next_word(text, &at, &from);)
        if (!is_kept(slice_make(text.ptr + from, at - from)))
            return false;
    return true;
}

void redact_shape(char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i];
        bytes[i] = is_letter(c) || c & 0x80 ? 'x' : is_digit(c) ? '0' : c;
    }
}

static void add_shape(struct buf *out, struct slice text) {
    size_t at = out->len;
    buf_add(out, text);
    redact_shape(out->ptr + at, text.len);
}

static void add_numbered(struct buf *out, const char *stem, struct map *map, uint32_t *count, struct slice text) {
    bool added;
    uint32_t number = *map_put(map, text, *count + 1, &added);
    *count += added;
    buf_addf(out, "%s%u", stem, number);
}

static void add_name(struct redact *r, struct slice word, struct buf *out) {
    /* The rest of a function after a graph break has the name of the function in its own. */
    static const struct slice resume = SLICE_INIT("torch_dynamo_resume_in_"), at = SLICE_INIT("_at_");
    size_t end = slice_starts(word, resume) ? slice_find(word, at) : SIZE_MAX;
    if (end != SIZE_MAX && end > resume.len) {
        buf_add(out, resume);
        add_name(r, slice_make(word.ptr + resume.len, end - resume.len), out);
        buf_add(out, at);
        redact_add_text(r, slice_from(word, end + at.len), false, out);
        return;
    }
    if (r->what & REDACT_NAMES)
        add_numbered(out, "name", &r->names, &r->name_count, word);
    else
        add_shape(out, word);
}

static void add_word(struct redact *r, struct slice word, bool strict, struct buf *out) {
    bool is_function = word.len > 1 && map_get(&r->functions, word) != MAP_NONE;
    bool keep = is_function ? !(r->what & REDACT_NAMES) || (is_kept(word) && !strict) : is_kept(word);
    if (keep)
        buf_add(out, word);
    else
        add_name(r, word, out);
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

static const char *const sources[] = {"py", "pyc", "pyx",   "so", "c",  "cc",  "cpp",  "cu", "cuh",
                                      "h",  "hpp", "ipynb", "sh", "pt", "pth", "ckpt", "bin"};
static const char *const data[] = {"txt",  "json", "jsonl", "html", "log",         "gz",  "zst",
                                   "yaml", "yml",  "toml",  "csv",  "safetensors", "svg", "png"};

static bool is_one_of(struct slice text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_is(text, list[i]))
            return true;
    return false;
}

/* The extension, without the dot, or an empty slice. */
static struct slice extension_of(struct slice path) {
    size_t dot = slice_rfind_byte(path, '.');
    return dot == SIZE_MAX || dot == 0 ? (struct slice){0} : slice_from(path, dot + 1);
}

static bool has_letter(struct slice text) {
    size_t at = 0, from;
    return redact_next_word(text, &at, &from);
}

bool redact_is_torch(struct slice path) {
    static const struct slice anywhere[] = {SLICE_INIT("site-packages/torch/"), SLICE_INIT("dist-packages/torch/")};
    static const struct slice first[] = {SLICE_INIT("_dynamo/"), SLICE_INIT("_functorch/"), SLICE_INIT("_inductor/"),
                                         SLICE_INIT("torch/_")};
    for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
        if (slice_find(path, anywhere[i]) != SIZE_MAX)
            return true;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (slice_starts(path, first[i]))
            return true;
    return false;
}

static bool is_documentation(struct slice url) {
    static const struct slice hosts[] = {SLICE_INIT("https://meta-pytorch.github.io/"),
                                         SLICE_INIT("https://pytorch.org/"), SLICE_INIT("https://docs.pytorch.org/"),
                                         SLICE_INIT("https://github.com/pytorch/")};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (slice_starts(url, hosts[i]))
            return true;
    return false;
}

/* Whether a run of bytes without spaces and brackets is a path, a file name or a URL that has to be redacted. Artifacts have paths of known words. */
static bool is_path(struct slice run) {
    struct slice extension = extension_of(run);
    bool is_source = is_one_of(extension, sources, sizeof sources / sizeof *sources);
    bool is_data = is_one_of(extension, data, sizeof data / sizeof *data);
    bool has_slash = memchr(run.ptr, '/', run.len) != NULL;
    if (!has_letter(run))
        return false;
    if (slice_find(run, SLICE("://")) != SIZE_MAX)
        return !is_documentation(run);
    if (run.ptr[0] == '/' || slice_starts(run, SLICE("~/")) || memchr(run.ptr, '\\', run.len) ||
        (run.len > 2 && run.ptr[1] == ':' && is_letter(run.ptr[0]) && run.ptr[2] == '/'))
        return true;
    return is_source ? run.len > extension.len + 1 : (is_data || (has_slash && extension.len)) && !redact_is_plain(run);
}

static void add_path(struct redact *r, struct slice path, struct buf *out) {
    struct slice extension = extension_of(path), base = slice_from(path, slice_rfind_byte(path, '/') + 1);
    if (redact_is_torch(path)) {
        size_t at = slice_find(path, SLICE("-packages/torch/"));
        buf_add_str(out, at == SIZE_MAX ? "" : "site");
        buf_add(out, at == SIZE_MAX ? path : slice_from(path, at));
        return;
    }
    bool is_whole = path.ptr[0] == '/', added;
    uint32_t known = is_whole ? MAP_NONE : map_get(&r->files, base); /* a name or the end of a path: the same file */
    if (known == MAP_NONE) {
        known = *map_put(&r->paths, path, r->path_count + 1, &added);
        r->path_count += added;
        map_put(&r->files, base, known, &added);
    }
    buf_addf(out, "path%u", known);
    if (is_one_of(extension, sources, sizeof sources / sizeof *sources) ||
        is_one_of(extension, data, sizeof data / sizeof *data))
        buf_addf(out, ".%.*s", SLICE_ARG(extension));
}

/* The run that begins at `from`, without what follows a path in sentences: ":74", "." */
static struct slice run_at(struct slice text, size_t from) {
    size_t end = from;
    while (end < text.len && !is_in(text.ptr[end], " \t\r\n\"'`,;()<>|=[]{}"))
        end++;
    struct slice run = slice_make(text.ptr + from, end - from);
    while (run.len && is_in(run.ptr[run.len - 1], ".:!?"))
        run.len--;
    for (size_t colon; (colon = slice_rfind_byte(run, ':')) != SIZE_MAX;) {
        uint64_t line;
        if (!slice_to_u64(slice_from(run, colon + 1), &line))
            break;
        run.len = colon;
    }
    return run;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

void redact_add_text(struct redact *r, struct slice text, bool strict, struct buf *out) {
    bool quoted = false;
    for (size_t i = 0; i < text.len;) {
        struct slice run = run_at(text, i);
        bool begins = i == 0 || is_in(text.ptr[i - 1], " \t\r\n\"'`,;()<>|=[]{}");
        if (begins && run.len && is_path(run)) {
            if (r->what & REDACT_PATHS)
                add_path(r, run, out);
            else
                buf_add(out, run);
            i += run.len;
            continue;
        }
        size_t sign = sign_at(text, i), end = sign ? i + sign : word_end(text, i);
        struct slice word = slice_make(text.ptr + i, end - i);
        if (!sign && end > i && has_letter(word)) {
            add_word(r, word, strict || quoted, out);
        } else {
            end = end > i ? end : i + 1;
            quoted ^= text.ptr[i] == '`';
            buf_add(out, slice_make(text.ptr + i, end - i));
        }
        i = end;
    }
}
