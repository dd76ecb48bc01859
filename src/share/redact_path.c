#include "share/redact_path.h"

#include "share/redact_word.h"

enum { SPACED_PARENTS = 32, QUOTED_MAX = 4096 };

static const char delimiters[] = " \t\r\n\"'`,;()<>|=[]{}";

/* `models`: no message shows such a file as an example. `attributes`: source code often has attributes with these
 * names. */
static const char *const sources[] = {"py", "pyc", "pyx", "cpp", "cuh", "hpp", "ipynb", "pth", "ckpt",
                                      "so", "cu",  "sh",  "c",   "cc",  "h",   "pt",    "bin"};
static const char *const data[] = {"txt", "jsonl", "zst", "yaml", "yml", "toml", "csv", "safetensors",
                                   "svg", "png",   "gz",  "pkl",  "log", "json", "html"};
static const char *const models[] = {"safetensors", "onnx",    "npz",      "npy",     "parquet", "gguf",    "ckpt",
                                     "h5",          "hdf5",    "arrow",    "feather", "pt2",     "pte",     "pkl",
                                     "pickle",      "tar",     "tgz",      "zip",     "npk",     "mlmodel", "tflite",
                                     "engine",      "msgpack", "tfrecord", "sqlite",  "whl",     "pem",     "jpg",
                                     "jpeg",        "mp4",     "wav",      "pdf",     "cfg",     "ini"};
static const char *const attributes[] = {"c",  "cc",  "cu",   "h",    "pt",  "bin", "sh",
                                         "so", "log", "json", "html", "txt", "csv"};

static bool is_one_of(struct slice text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count && text.len; i++)
        if (*list[i] == *text.ptr && slice_is(text, list[i]))
            return true;
    return false;
}

#define HAS(list, text) is_one_of((text), (list), sizeof(list) / sizeof *(list))

static bool is_extension(struct slice extension) {
    return HAS(sources, extension) || HAS(data, extension) || HAS(models, extension);
}

bool redact_ends_path(char c) {
    return redact_is_in(c, delimiters);
}

static char at_of(struct slice text, size_t i) {
    return i < text.len ? text.ptr[i] : '\0';
}

/* The extension, without the dot, or an empty slice. */
static struct slice extension_of(struct slice path) {
    size_t dot = slice_rfind_byte(path, '.');
    return dot != SIZE_MAX && dot > 0 ? slice_from(path, dot + 1) : (struct slice){0};
}

static struct slice base_of(struct slice path) {
    size_t slash = slice_rfind_byte(path, '/'), back = slice_rfind_byte(path, '\\');
    size_t last = slash == SIZE_MAX || (back != SIZE_MAX && back > slash) ? back : slash;
    return last == SIZE_MAX ? path : slice_from(path, last + 1);
}

/* Where the path within PyTorch begins: after "site-packages/", or at 0. SIZE_MAX: not a file of PyTorch. */
static size_t torch_at(struct slice path) {
    static const struct slice owner = SLICE_INIT("-packages/torch/");
    static const struct slice first[] = {SLICE_INIT("_dynamo/"), SLICE_INIT("_functorch/"), SLICE_INIT("_inductor/"),
                                         SLICE_INIT("torch/_")};
    size_t at = slice_find(path, owner);
    if (at != SIZE_MAX && at >= 4 &&
        (slice_ends(slice_first(path, at), SLICE("site")) || slice_ends(slice_first(path, at), SLICE("dist"))))
        return at + owner.len - SLICE("torch/").len;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (slice_starts(path, first[i]))
            return 0;
    return SIZE_MAX;
}

bool redact_is_torch(struct slice path) {
    return torch_at(path) != SIZE_MAX;
}

/* The end of the known folders and file name within PyTorch, and whether nothing unknown follows. */
static size_t torch_end(struct slice path, size_t at, bool *whole) {
    size_t end = at;
    for (;;) {
        size_t from = end, stop;
        while (end < path.len && path.ptr[end] != '/' && path.ptr[end] != ':' && !redact_ends_path(path.ptr[end]))
            end++;
        stop = end;
        if (end > from + 3 && slice_is(slice_make(path.ptr + end - 3, 3), ".py"))
            stop -= 3;
        for (size_t i = from; i < stop; i++)
            if (!redact_is_word_byte(path.ptr[i])) /* ".." */
                stop = from;
        *whole = stop > from && redact_is_torch_word(slice_make(path.ptr + from, stop - from));
        if (!*whole)
            return from;
        if (end >= path.len || path.ptr[end] != '/')
            return end;
        end++;
    }
}

/* A link to a host of PyTorch. */
static bool is_public_host(struct slice url) {
    static const struct slice hosts[] = {SLICE_INIT("https://meta-pytorch.github.io/"),
                                         SLICE_INIT("https://pytorch.org/"), SLICE_INIT("https://docs.pytorch.org/"),
                                         SLICE_INIT("https://github.com/pytorch/")};
    for (size_t i = 0; i < url.len; i++)
        if (redact_is_in(url.ptr[i], "?%@\\"))
            return false; /* its arguments may be anything */
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (slice_starts(url, hosts[i]))
            return true;
    return false;
}

static bool is_documentation(struct slice url) {
    return is_public_host(url) && redact_is_torch_text(url);
}

/* ---- where a path begins ---------------------------------------------------------------------------------------- */

/* "C:\", "C:/", "\\host\share", also with each backslash escaped */
static bool is_windows(struct slice run) {
    if (run.len > 2 && redact_is_letter(run.ptr[0]) && run.ptr[1] == ':' && (run.ptr[2] == '\\' || run.ptr[2] == '/'))
        return true;
    if (at_of(run, 0) != '\\' || at_of(run, 1) != '\\')
        return false;
    size_t from = 2;
    while (at_of(run, from) == '\\')
        from++;
    size_t end = from;
    while (redact_word_end(run, end) > end || redact_is_in(at_of(run, end), ".-"))
        end = redact_word_end(run, end) > end ? redact_word_end(run, end) : end + 1;
    return end > from + 1 && at_of(run, end) == '\\' && at_of(run, end + 1) != '"';
}

/* The length of a slash: "/", "\/", "%2F". */
static size_t slash_at(struct slice text, size_t at) {
    char c = text.ptr[at], next = at_of(text, at + 1), third = at_of(text, at + 2);
    if (c == '/')
        return 1;
    if (c == '\\' && next == '/')
        return 2;
    return c == '%' && next == '2' && (third == 'F' || third == 'f') ? 3 : 0;
}

static bool is_scheme(struct slice run) {
    size_t at = slice_find(run, SLICE("://"));
    return at != SIZE_MAX && at > 0 && redact_word_end(run, at - 1) == at;
}

/* Whether the text begins as only a path does: "/home", "~/", "C:\". */
static bool is_absolute(struct slice run) {
    size_t slash = run.len ? slash_at(run, 0) : 0;
    if (is_windows(run) || (at_of(run, 0) == '~' && at_of(run, redact_word_end(run, 1)) == '/'))
        return true;
    while (slash && slash < run.len && slash_at(run, slash))
        slash += slash_at(run, slash);
    return slash && slash < run.len && (redact_word_end(run, slash) > slash || redact_is_in(run.ptr[slash], ".-+@$"));
}

/* The end of the run of bytes that may be a path. An escaped line break ends it, but a terminal control sequence does
 * not. */
static size_t run_end(struct slice text, size_t from) {
    bool windows = is_windows(slice_from(text, from)), whole = is_absolute(slice_from(text, from));
    size_t end = from;
    while (end < text.len) {
        char c = text.ptr[end];
        if (c == ':' && end > from && slice_starts(slice_from(text, end), SLICE("://")))
            whole = true;
        if (c == '=' ? !whole : redact_ends_path(c))
            break; /* "/runs/lr=0.1/x" and "?a=b" continue */
        size_t control = c == 0x1b || c == '\\' ? redact_control_at(text, end) : 0;
        size_t word = control ? 0 : redact_word_end(text, end) - end;
        if (!control && !word && !windows && c == '\\' && redact_is_in(at_of(text, end + 1), "nrt\\\"'"))
            break;
        end += control ? control : word ? word : 1;
    }
    return end;
}

/* The end of the quoted text that begins with a path: it may have spaces. */
static size_t quoted_end(struct slice text, size_t from, size_t end) {
    char quote = from ? text.ptr[from - 1] : '\0';
    if (!redact_is_in(quote, "\"'`"))
        return end;
    for (size_t i = from; i < text.len && i - from < QUOTED_MAX && text.ptr[i] != '\n'; i++)
        if (text.ptr[i] == quote)
            return i > end ? i : end;
    return end;
}

/* The end of a path in "# File: /My Model/x.py:12 in f, code: …". */
static size_t commented_end(struct slice text, size_t from, size_t end) {
    static const struct slice before = SLICE_INIT("File: "), after = SLICE_INIT(" in ");
    if (from < before.len || !slice_eq(slice_make(text.ptr + from - before.len, before.len), before))
        return end;
    struct slice rest = slice_first(slice_from(text, from), QUOTED_MAX), line = rest;
    slice_next_line(&rest, &line);
    size_t at = slice_find(line, after);
    while (at != SIZE_MAX && at && !redact_is_digit(line.ptr[at - 1])) {
        size_t more = slice_find(slice_from(line, at + 1), after);
        at = more == SIZE_MAX ? SIZE_MAX : at + 1 + more;
    }
    return at != SIZE_MAX && from + at > end ? from + at : end;
}

/* The end of a known path with spaces, or of a path below a known folder with spaces. */
static size_t spaced_end(struct redact *r, struct slice text, size_t from, size_t end) {
    size_t len = redact_known_at(&r->spaced, slice_from(text, from), false);
    return len && from + len > end ? run_end(text, from + len) : end;
}

/* The run without text that follows a path in sentences: ":74", "#L12", "." */
static struct slice trimmed(struct slice run) {
    for (;;) {
        while (run.len && redact_is_in(run.ptr[run.len - 1], ".:!?\\"))
            run.len--;
        size_t digits = run.len;
        while (digits && redact_is_digit(run.ptr[digits - 1]))
            digits--;
        if (digits < run.len && digits && run.ptr[digits - 1] == ':')
            run.len = digits - 1;
        else if (digits < run.len && digits > 1 && run.ptr[digits - 1] == 'L' && run.ptr[digits - 2] == '#')
            run.len = digits - 2;
        else
            return run;
    }
}

/* ---- what is a path --------------------------------------------------------------------------------------------- */

/* Words with a letter between slashes. `between`: one slash has a word on either side, and is not the operator //. */
static size_t count_parts(struct slice run, bool *between) {
    size_t parts = 0;
    bool word = false, before = false;
    *between = false;
    for (size_t i = 0; i < run.len;) {
        size_t slash = slash_at(run, i), end = slash ? i : redact_word_end(run, i);
        if (slash) {
            bool doubled = i + slash < run.len && slash_at(run, i + slash);
            before = word && !doubled;
            word = false;
            i += slash * (doubled ? 2 : 1);
            continue;
        }
        if (!word && end > i && redact_has_letter(slice_make(run.ptr + i, end - i))) {
            parts++;
            word = true;
            *between |= before;
        }
        i = end > i ? end : i + 1;
    }
    return parts;
}

/* "src\model": backslashes between words that are not escapes. */
static bool has_backslashes(struct slice run) {
    for (size_t i = 2; i + 2 < run.len; i++)
        if (run.ptr[i] == '\\' && !redact_is_in(run.ptr[i + 1], "nrtxuU'\"\\/0abfvdwsWDSBzZ") &&
            redact_is_letter(run.ptr[i - 1]) && redact_is_letter(run.ptr[i - 2]) && redact_is_letter(run.ptr[i + 1]) &&
            redact_is_letter(run.ptr[i + 2]))
            return true;
    return false;
}

/* A name with an extension, which may be an attribute: "x.log". */
static bool is_file_name(const struct redact *r, struct slice text, size_t at, struct slice run,
                         enum redact_style style) {
    struct slice extension = extension_of(run);
    char before = at ? text.ptr[at - 1] : '\0', after = at_of(text, at + run.len);
    bool is_source = HAS(sources, extension);
    if (run.len == extension.len + 1)
        return false;
    if (HAS(models, extension))
        return true;
    if (!is_source && !HAS(data, extension))
        return false;
    bool is_attribute = HAS(attributes, extension);
    if ((!is_source || is_attribute) && redact_is_plain(run))
        return false;
    if (!is_attribute || map_get(&r->files, run) != MAP_NONE)
        return true;
    if (after == '(' || after == '[' || slice_starts(run, SLICE("self.")))
        return false;
    if (redact_is_in(before, "\"'`<") && redact_is_in(after, "\"'`>:"))
        return true;
    return style != REDACT_SOURCE && (!before || redact_is_in(before, " \t\n(=,"));
}

/* Whether the text may be a path. */
static bool may_be_path(const struct redact *r, struct slice text, size_t at, struct slice run,
                        enum redact_style style) {
    bool between;
    size_t parts = count_parts(run, &between);
    if (is_scheme(run))
        return !is_documentation(run);
    if (is_absolute(run)) {
        bool is_tag = at && text.ptr[at - 1] == '<' && at_of(text, at + run.len) == '>';
        bool is_comment = run.ptr[0] == '/' && at_of(run, 1) == '/';
        return redact_has_letter(run) && (parts > 1 || (!is_tag && !is_comment));
    }
    bool is_relative = slice_starts(run, SLICE("./")) || slice_starts(run, SLICE("../"));
    return ((between || (is_relative && parts)) && !redact_is_plain(run)) || has_backslashes(run) ||
           is_file_name(r, text, at, run, style) || (slice_find(run, SLICE("%2")) != SIZE_MAX && parts > 1);
}

/* Whether the text can only be a path. */
static bool must_be_path(const struct redact *r, struct slice text, size_t at, struct slice run) {
    static const char *const sure[] = {"py", "pyc", "cpp", "ipynb"};
    bool between;
    if (is_scheme(run))
        return !is_public_host(run);
    if (is_absolute(run))
        return (is_windows(run) || count_parts(run, &between) > 1) && !(at && redact_is_in(text.ptr[at - 1], ")]}"));
    return map_get(&r->files, run) != MAP_NONE && HAS(sure, extension_of(run));
}

size_t redact_path_at(struct redact *r, struct slice text, size_t at, enum redact_style style,
                      struct redact_seen *seen) {
    bool removes = r->what & REDACT_PATHS, whole;
    if (at < seen->absolute || (at < seen->relative && !is_absolute(slice_from(text, at))))
        return 0;
    size_t end = run_end(text, at), torch;
    struct slice run = trimmed(slice_make(text.ptr + at, end - at));
    if (!run.len)
        return 0;
    if ((torch = torch_at(run)) != SIZE_MAX) {
        torch = torch_end(run, torch, &whole);
        if (whole)
            return torch;
    }
    if (is_absolute(run) || is_scheme(run)) {
        end = spaced_end(r, text, at, end);
        if (removes)
            end = commented_end(text, at, quoted_end(text, at, end));
        run = trimmed(slice_make(text.ptr + at, end - at));
    } else if (r->spaced.count) {
        size_t longer = spaced_end(r, text, at, 0);
        if (longer > end)
            return trimmed(slice_make(text.ptr + at, longer - at)).len;
    }
    if (!removes && !is_scheme(run) && !is_windows(run)) { /* "x.py:name": only the part before the colon stays */
        const char *colon = memchr(run.ptr, ':', run.len);
        run.len = colon ? (size_t)(colon - run.ptr) : run.len;
    }
    if (run.len && (removes ? may_be_path(r, text, at, run, style) : must_be_path(r, text, at, run)))
        return run.len;
    if (!redact_has_letter(slice_make(text.ptr + at, end - at)))
        seen->absolute = end;
    else if (!is_absolute(run))
        seen->relative = end;
    return 0;
}

bool redact_is_whole_path(struct slice value) {
    struct slice extension = extension_of(value);
    return value.len && value.ptr[0] != '<' && !redact_is_torch(value) &&
           (is_absolute(value) || memchr(value.ptr, '/', value.len) || is_extension(extension));
}

/* ---- names of paths --------------------------------------------------------------------------------------------- */

static void learn_user(struct redact *r, struct slice user) {
    bool added;
    if (user.len < 2 || redact_is_kept(user))
        return;
    map_put(&r->users, user, r->user_count + 1, &added);
    r->user_count += added;
}

/* Adds the path with plain slashes, and without control sequences, which may be inside a name. */
static void add_plain(struct slice path, struct buf *out) {
    for (size_t i = 0; i < path.len;) {
        size_t control = redact_control_at(path, i), slash = control ? 0 : slash_at(path, i);
        bool is_back = path.ptr[i] == '\\' && redact_word_end(path, i) == i;
        if (slash || (is_back && !control))
            buf_add_byte(out, '/');
        else if (!control)
            buf_add_byte(out, path.ptr[i]);
        i += control ? control : slash ? slash : 1;
    }
}

/* The user in "/home/<user>/…", "C:\Users\<user>", "/tmp/torchinductor_<user>/…": each word of "jane.doe". */
static void learn_users(struct redact *r, struct slice path) {
    static const struct slice cache = SLICE_INIT("torchinductor_");
    static const char *const homes[] = {"home", "Home", "homes", "Users", "users"};
    AUTO_BUF plain = {0};
    struct slice folder = {0};
    add_plain(path, &plain);
    struct slice rest = buf_slice(&plain);
    while (rest.len) {
        const char *slash = memchr(rest.ptr, '/', rest.len);
        struct slice part = slice_first(rest, slash ? (size_t)(slash - rest.ptr) : rest.len);
        bool is_user = HAS(homes, folder);
        for (size_t at = 0, from; redact_next_word(part, &at, &from);) {
            struct slice word = slice_make(part.ptr + from, at - from);
            if (slice_starts(word, cache))
                learn_user(r, slice_from(word, cache.len));
            else if (is_user)
                learn_user(r, word);
        }
        folder = part.len ? part : folder;
        rest = slice_from(rest, part.len + (slash != NULL));
    }
}

static bool has_delimiter(struct slice path) {
    for (size_t i = 0; i < path.len; i++)
        if (redact_ends_path(path.ptr[i]))
            return true;
    return false;
}

static uint32_t number_of(struct redact *r, struct slice path) {
    bool added, named;
    uint32_t number = *map_put(&r->paths, path, r->path_count + 1, &added);
    r->path_count += added;
    if (added)
        map_put(&r->files, base_of(path), number, &named);
    return number;
}

void redact_learn_path(struct redact *r, struct slice path) {
    learn_users(r, path);
    number_of(r, path);
    for (int i = 0; i < SPACED_PARENTS && has_delimiter(path) && redact_known_add(&r->spaced, path); i++) {
        size_t slash = slice_rfind_byte(path, '/');
        path = slice_first(path, slash == SIZE_MAX ? 0 : slash);
    }
}

void redact_add_path(struct redact *r, struct slice path, struct buf *out) {
    static const struct slice dumps = SLICE_INIT("dump_file/");
    size_t torch = torch_at(path);
    if (torch != SIZE_MAX) {
        static const struct slice owner = SLICE_INIT("site-packages/");
        bool whole;
        size_t end = torch_end(path, torch, &whole);
        BUF_ADD(out, torch ? owner : (struct slice){0}, slice_make(path.ptr + torch, end - torch));
        if (whole && end == path.len)
            return;
    }
    if (slice_starts(path, dumps)) { /* a folder of the report */
        buf_add(out, dumps);
        path = slice_from(path, dumps.len);
    }
    learn_users(r, path);
    struct slice extension = extension_of(path), base = base_of(path);
    bool is_cut = extension.len && !is_absolute(path);
    uint32_t known = is_cut ? map_get(&r->files, base) : MAP_NONE; /* the end of a path, or a name only */
    uint32_t number = known == MAP_NONE ? number_of(r, path) : known;
    buf_addf(out, "path%u", number);
    if (is_extension(extension))
        buf_addf(out, ".%.*s", SLICE_ARG(extension));
}
