#include "share/one.h"

#include <sha2.h>

#include "base/jsonw.h"
#include "pages/html.h"
#include "share/pack.h"
#include "share/redact.h"
#include "sink/assets.h"
#include "sink/manifest.h"
#include "sink/script.h"

/* ---- the front end ---------------------------------------------------------------------------------------------- */

/* Each bundle has its own block, which the page unpacks when it needs the bundle. */
static const char *const bundles[] = {"pages.js", "viewer.js", "worker.js", "help.js", "drawing.js", "parsers.js"};

static struct slice text_of(const char *name) {
    const struct asset *asset = asset_named(name);
    return slice_make((const char *)asset->bytes, asset->len);
}

static void add_asset(struct pack *pack, const char *name) {
    char *path = mem_printf("assets/%s", name);
    pack_add(pack, path, text_of(name));
    mem_free(path);
}

static void add_front_end(struct pack *pack) {
    add_asset(pack, "app.css");
    add_asset(pack, "app.js");
    pack_end_block(pack);
    for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++) {
        add_asset(pack, bundles[i]);
        pack_end_block(pack);
    }
    add_asset(pack, "notices.txt");
    pack_end_block(pack);
}

static void end_digest(struct buf *out, SHA2_CTX *state) {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, state);
    script_add_base64(out, slice_make((const char *)digest, sizeof digest));
}

/* "'sha256-<base64>'", as a Content-Security-Policy identifies a script or style sheet. */
static void add_hash(struct buf *out, const char *name) {
    SHA2_CTX state;
    struct slice text = text_of(name);
    SHA256Init(&state);
    SHA256Update(&state, (const uint8_t *)text.ptr, text.len);
    buf_add_str(out, out->len ? " 'sha256-" : "'sha256-");
    end_digest(out, &state);
    buf_add_byte(out, '\'');
}

/* ---- a report --------------------------------------------------------------------------------------------------- */

struct builder {
    const struct tree *tree;
    struct one_result *result;
    struct redact *redact;
    struct redact_places top; /* places of the texts of the top-level report */
    struct buf file;          /* the file being read */
};

static bool is_in(const char *path, const char *folder, const char *below) {
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && strncmp(path + len, below, strlen(below)) == 0;
}

/* The parts of the data of a report, in order. */
struct parts {
    const char *folder;
    bool texts;  /* the parts with texts, whose keys are "<folder of a compile>/<chunk>"; false: the others,
                  * which are small and needed first */
    size_t next; /* file */
    struct slice key;
    struct buf bytes;
};

/* Whole files of source, which are left out of a redacted report: only what the log quotes of them stays. */
#define SOURCES "sources/"

static bool is_source(struct slice key) {
    return slice_starts(key, SLICE(SOURCES));
}

static bool is_text(struct slice key) {
    static const char *const others[] = {"compiles/",      "shapes/",     "kernels/", "timeline/",
                                         "timeline_args/", "comparison/", SOURCES};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (slice_starts(key, slice_str(others[i])))
            return false;
    return memchr(key.ptr, '/', key.len) != NULL;
}

/* Reads the next part. Returns false at the end, and with *ok false if a file cannot be read. */
static bool next_part(struct builder *b, struct parts *parts, bool *ok, struct err *err) {
    while (*ok && parts->next < b->tree->files.count) {
        size_t i = parts->next++;
        const char *path = b->tree->files.items[i].path;
        if (!is_in(path, parts->folder, "data/") || slice_ends(slice_str(path), SLICE(MANIFEST_PATH)))
            continue;
        b->file.len = parts->bytes.len = 0;
        *ok = tree_read(b->tree, i, &b->file, err);
        if (*ok && !script_read(buf_slice(&b->file), &parts->key, &parts->bytes))
            *ok = err_set(err, ERR_INPUT, "cannot read %s/%s: it is not data of a report", b->tree->name, path);
        if (*ok && is_text(parts->key) == parts->texts)
            return true;
    }
    buf_free(&parts->bytes);
    return false;
}

/* Adds a part. Without a pack, only reads it. */
static void add_part(struct pack *pack, const char *folder, struct slice key, struct slice bytes) {
    if (!pack)
        return;
    char *path = mem_printf("%sdata/%.*s", folder, SLICE_ARG(key));
    pack_add(pack, path, bytes);
    mem_free(path);
}

static bool learn(struct builder *b, const char *folder, struct err *err) {
    struct parts parts = {.folder = folder};
    bool ok = true;
    while (next_part(b, &parts, &ok, err))
        if (!is_source(parts.key) && !redact_learn(b->redact, buf_slice(&parts.bytes)))
            ok = err_set(err, ERR_INPUT, "cannot redact %s: %sdata is malformed", b->tree->name, folder);
    return ok;
}

static bool add_facts(struct builder *b, struct pack *pack, const char *folder, struct err *err) {
    struct parts parts = {.folder = folder};
    AUTO_BUF clean = {0};
    bool ok = true;
    while (next_part(b, &parts, &ok, err)) {
        clean.len = 0;
        if (b->redact->what && is_source(parts.key))
            buf_add_lit(&clean, "null");
        else if (b->redact->what && !redact_json(b->redact, buf_slice(&parts.bytes), &clean))
            ok = err_set(err, ERR_INPUT, "cannot redact %s: %sdata is malformed", b->tree->name, folder);
        add_part(pack, folder, parts.key, buf_slice(b->redact->what ? &clean : &parts.bytes));
    }
    if (pack)
        pack_end_block(pack);
    return ok;
}

/* One folder's stream of texts. A text may begin in one chunk and end in another, so all chunks are redacted together.
 */
struct text_stream {
    char *dir;
    struct buf bytes, redacted;
};

static void end_stream(struct builder *b, struct pack *pack, const char *folder, struct text_stream *stream) {
    if (!stream->dir)
        return;
    redact_stream(b->redact, slice_str(stream->dir), buf_slice(&stream->bytes), &stream->redacted);
    struct slice rest = buf_slice(&stream->redacted);
    for (size_t k = 0; k == 0 || rest.len; k++) {
        char *key = mem_printf("%s/%zu", stream->dir, k);
        add_part(pack, folder, slice_str(key), slice_first(rest, REDACT_CHUNK_BYTES));
        rest = slice_from(rest, REDACT_CHUNK_BYTES);
        mem_free(key);
    }
    mem_free(stream->dir);
    stream->dir = NULL;
    stream->bytes.len = stream->redacted.len = 0;
}

static bool add_texts(struct builder *b, struct pack *pack, const char *folder, struct err *err) {
    struct parts parts = {.folder = folder, .texts = true};
    struct text_stream stream = {0};
    bool ok = true;
    while (next_part(b, &parts, &ok, err)) {
        struct slice dir = slice_first(parts.key, slice_rfind_byte(parts.key, '/'));
        if (!b->redact->what) {
            add_part(pack, folder, parts.key, buf_slice(&parts.bytes));
            continue;
        }
        if (stream.dir && !slice_is(dir, stream.dir))
            end_stream(b, pack, folder, &stream);
        if (!stream.dir)
            stream.dir = mem_printf("%.*s", SLICE_ARG(dir));
        buf_add(&stream.bytes, buf_slice(&parts.bytes));
    }
    end_stream(b, pack, folder, &stream);
    buf_free(&stream.bytes);
    buf_free(&stream.redacted);
    if (pack)
        pack_end_block(pack);
    return ok;
}

/* The data refers to offsets in the streams, so the streams are redacted first; but the page needs the data first. */
static bool add_data(struct builder *b, struct pack *pack, const char *folder, struct err *err) {
    struct pack texts = {0};
    redact_places_forget(&b->redact->places);
    bool ok = (!b->redact->what || learn(b, folder, err)) && add_texts(b, pack ? &texts : NULL, folder, err) &&
              add_facts(b, pack, folder, err);
    if (pack)
        pack_append(pack, &texts);
    pack_free(&texts);
    return ok;
}

/* The body of a standalone page, without the script, which is a file. Empty for pages whose content the report's page
 * shows: code, failures, lists. */
static struct slice standalone_body(struct slice page, const char *path) {
    static const char *const shown[] = {"report", "failures", "code"};
    static const struct slice mark = SLICE_INIT("\n<body data-tl-page=\""), script = SLICE_INIT("<script src=\"");
    size_t at = slice_find(page, mark);
    if (at == SIZE_MAX)
        return (struct slice){0};
    struct slice body = slice_from(page, at + 1), type = slice_from(body, mark.len - 1);
    bool is_dump = str_after(path, "dump_file/") || strstr(path, "/dump_file/");
    for (size_t i = 0; i < sizeof shown / sizeof *shown && !is_dump; i++)
        if (slice_starts(type, slice_str(shown[i])))
            return (struct slice){0};
    size_t end = SIZE_MAX;
    for (size_t from = 0, found; (found = slice_find(slice_from(body, from), script)) != SIZE_MAX; from = end + 1)
        end = from + found;
    return end != SIZE_MAX ? slice_first(body, end) : (struct slice){0};
}

/* Whether the path belongs to this report and not to a report inside it. */
static bool is_own(const char *path, const char *folder, const char *const *folders, size_t count) {
    if (strncmp(path, folder, strlen(folder)) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strlen(folders[i]) > strlen(folder) && strncmp(path, folders[i], strlen(folders[i])) == 0)
            return false;
    return true;
}

static bool add_pages(struct builder *b, struct pack *pack, const char *folder, const char *const *folders,
                      size_t count, struct err *err) {
    bool ok = true;
    for (size_t i = 0; i < b->tree->files.count && ok; i++) {
        const char *path = b->tree->files.items[i].path;
        if (!slice_ends(slice_str(path), SLICE(".html")) || !is_own(path, folder, folders, count))
            continue;
        b->file.len = 0;
        ok = tree_read(b->tree, i, &b->file, err);
        struct slice body = ok ? standalone_body(buf_slice(&b->file), path) : (struct slice){0};
        if (!body.len)
            continue;
        if (b->redact->what) {
            b->result->pages_left++;
            continue;
        }
        pack_add(pack, path, body);
        b->result->pages++;
    }
    pack_end_block(pack);
    return ok;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

struct folders {
    char **items;
    size_t count, cap;
};

/* The reports of the folder: "", "rank_0/", "run_1/", "run_1/rank_0/". */
static void find_folders(const struct tree *tree, struct folders *folders) {
    static const struct slice mark = SLICE_INIT("data/report.js");
    for (int below = 0; below < 2; below++)
        for (size_t i = 0; i < tree->files.count; i++) {
            struct slice path = slice_str(tree->files.items[i].path);
            bool is_top = slice_eq(path, mark);
            bool is_below = slice_ends(path, mark) && !is_top && path.ptr[path.len - mark.len - 1] == '/';
            if (below ? !is_below : !is_top)
                continue;
            LIST_ADD(folders, mem_printf("%.*s", (int)(path.len - mark.len), path.ptr));
        }
}

static void add_names(struct jsonw *w, const char *key, char *const *names, size_t count, const char *after) {
    AUTO_BUF name = {0};
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++) {
        name.len = 0;
        buf_addf(&name, "%s%s", names[i], after);
        jsonw_text(w, NULL, buf_slice(&name));
    }
    jsonw_end_array(w);
}

/* For style sheets that the editor creates. Text from a log cannot contain it, because it is a digest of all of the
 * data. */
static void add_nonce(struct buf *out, const struct pack *pack) {
    SHA2_CTX state;
    SHA256Init(&state);
    for (size_t i = 0; i < pack->blocks.count; i++)
        SHA256Update(&state, (const uint8_t *)pack->blocks.items[i].ptr, pack->blocks.items[i].len);
    end_digest(out, &state);
}

/* Adds the packed index. */
static void add_index(struct buf *out, const struct pack *pack, struct slice nonce, const struct folders *in,
                      const struct builder *b) {
    struct buf json = {0}, redacted = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    jsonw_text(&w, "nonce", nonce);
    add_names(&w, "reports", in->items, in->count, "");
    add_names(&w, "left", b->result->left.items, b->result->left.count, "/");
    redact_add_what(&redacted, b->redact->what);
    jsonw_text(&w, "redacted", buf_slice(&redacted));
    redacted.len = 0;
    if (b->redact->what)
        redact_add_left(&redacted, b->redact->what);
    jsonw_text(&w, "stays", buf_slice(&redacted));
    buf_free(&redacted);
    jsonw_object(&w, "files");
    for (size_t i = 0; i < pack->files.count; i++) {
        const struct pack_file *file = &pack->files.items[i];
        jsonw_key(&w, slice_str(file->path));
        jsonw_array(&w, NULL);
        jsonw_u64(&w, NULL, file->block + 1); /* block 0 is this one */
        jsonw_u64(&w, NULL, file->offset);
        jsonw_u64(&w, NULL, file->bytes);
        jsonw_end_array(&w);
    }
    jsonw_end_object(&w);
    jsonw_end_object(&w);
    pack_bytes(out, buf_slice(&json));
    buf_free(&json);
}

/* The text between two marks, or an empty slice. */
static struct slice between(struct slice text, struct slice from, struct slice to) {
    size_t at = slice_find(text, from);
    struct slice rest = at != SIZE_MAX ? slice_from(text, at + from.len) : (struct slice){0};
    size_t end = slice_find(rest, to);
    return end != SIZE_MAX ? slice_first(rest, end) : (struct slice){0};
}

static bool is_lower(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < 'a' || text.ptr[i] > 'z')
            return false;
    return true;
}

static void add_page(struct buf *out, const struct pack *pack, struct slice index_html, struct slice index,
                     struct slice nonce, bool redacted) {
    AUTO_BUF scripts = {0}, styles = {0};
    add_hash(&scripts, ASSET_LOADER);
    add_hash(&scripts, "app.js");
    for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++)
        add_hash(&scripts, bundles[i]);
    add_hash(&styles, "app.css");
    buf_addf(&styles, " 'nonce-%.*s'", SLICE_ARG(nonce));
    struct slice body = between(index_html, SLICE("\n<body "), SLICE(">"));
    struct slice start = between(body, SLICE(" data-tl-start=\""), SLICE("\""));
    const struct html_one page = {.title_html = redacted ? SLICE("Redacted report · tlparse")
                                                         : between(index_html, SLICE("<title>"), SLICE("</title>")),
                                  .start = is_lower(start) ? start : (struct slice){0},
                                  .scripts = buf_slice(&scripts),
                                  .styles = buf_slice(&styles)};
    html_one_begin(out, &page);
    html_one_block(out, index);
    for (size_t i = 0; i < pack->blocks.count; i++)
        html_one_block(out, buf_slice(&pack->blocks.items[i]));
    html_one_end(out, text_of(ASSET_LOADER));
}

/* The front end of the report must be that of this version, because the data of another version may differ. */
static bool check_version(struct builder *b, struct err *err) {
    size_t app = tree_find(b->tree, "assets/app.js"), data = tree_find(b->tree, "data/report.js");
    if (app == SIZE_MAX || data == SIZE_MAX)
        return err_set(err, ERR_INPUT, "%s is not a report", b->tree->name);
    b->file.len = 0;
    if (!tree_read(b->tree, app, &b->file, err))
        return false;
    if (slice_eq(buf_slice(&b->file), text_of("app.js")))
        return true;
    err_set(err, ERR_INPUT, "%s is a report of another version of tlparse", b->tree->name);
    return err_hint(err, "share its log instead, or use -o NAME.zip");
}

/* Adds the reports in order, and moves the folders of those that do not fit to the result. */
static bool add_reports(struct builder *b, struct pack *pack, struct folders *folders, uint64_t max_bytes,
                        struct err *err) {
    struct folders in = {0};
    bool ok = true;
    for (size_t i = 0; i < folders->count && ok && b->redact->what; i++)
        ok = learn(b, folders->items[i], err); /* learns functions: reports mention each other's functions */
    for (size_t i = 0; i < folders->count && ok && redact_needs_names(b->redact); i++)
        ok = add_data(b, NULL, folders->items[i], err);
    for (size_t i = 0; i < folders->count && ok; i++) {
        const char *folder = folders->items[i];
        struct pack one = {0};
        size_t pages = b->result->pages;
        ok = add_data(b, &one, folder, err);
        if (i == 0) { /* report.json needs them, too */
            b->top = b->redact->places;
            b->redact->places = (struct redact_places){0};
        }
        ok = ok && add_pages(b, &one, folder, (const char *const *)folders->items, folders->count, err);
        if (ok && i > 0 && pack->bytes + one.bytes > max_bytes) {
            LIST_ADD(&b->result->left, mem_printf("%.*s", (int)strlen(folder) - 1, folder));
            b->result->pages = pages;
            pack_free(&one);
            continue;
        }
        pack_append(pack, &one);
        LIST_ADD(&in, mem_strdup(folder));
    }
    redact_places_forget(&b->redact->places);
    b->redact->places = b->top;
    for (size_t i = 0; i < folders->count; i++)
        mem_free(folders->items[i]);
    mem_free(folders->items);
    *folders = in;
    b->result->reports = in.count;
    return ok;
}

bool one_write(const struct tree *tree, uint64_t max_bytes, struct redact *redact, struct buf *out,
               struct one_result *result, struct err *err) {
    struct builder b = {.tree = tree, .result = result, .redact = redact};
    struct pack pack = {0};
    struct folders folders = {0};
    AUTO_BUF index = {0}, nonce = {0};
    *result = (struct one_result){0};
    find_folders(tree, &folders);
    bool ok = check_version(&b, err);
    if (ok) {
        add_front_end(&pack);
        ok = add_reports(&b, &pack, &folders, max_bytes, err);
    }
    size_t page = tree_find(tree, "index.html");
    b.file.len = 0;
    if (ok && page != SIZE_MAX)
        ok = tree_read(tree, page, &b.file, err);
    if (ok) {
        add_nonce(&nonce, &pack);
        add_index(&index, &pack, buf_slice(&nonce), &folders, &b);
        add_page(out, &pack, buf_slice(&b.file), buf_slice(&index), buf_slice(&nonce), redact->what != 0);
    }
    for (size_t i = 0; i < folders.count; i++)
        mem_free(folders.items[i]);
    mem_free(folders.items);
    pack_free(&pack);
    buf_free(&b.file);
    return ok;
}

void one_result_finish(struct one_result *result) {
    for (size_t i = 0; i < result->left.count; i++)
        mem_free(result->left.items[i]);
    mem_free(result->left.items);
    *result = (struct one_result){0};
}
