#include "cmd/report_site.h"

#include <unistd.h>

#include "answers/report_doc.h"
#include "answers/term.h"
#include "base/dir.h"
#include "pages/pages.h"
#include "sink/assets.h"

enum { JSON_BYTES_MAX = 256 << 20 };

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static bool has_file(int folder, const char *path, const char *name) {
    struct stat st;
    char *whole = mem_printf("%s%s%s", path, path[0] ? "/" : "", name);
    bool found = fstatat(folder, whole, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
    mem_free(whole);
    return found;
}

/* Whether a folder is a report of this program or of the reference. */
static bool report_site_is_report(int folder, const char *path) {
    return has_file(folder, path, "index.html") &&
           (has_file(folder, path, "report.json") || has_file(folder, path, "compile_directory.json"));
}

struct search {
    struct report_site *site;
    struct report_place *place;
    size_t folders;
    LIST(char *) found; /* paths in the place */
    bool one;           /* one is enough */
};

/* Whether an address can contain the name: see target.h. */
static bool is_addressable(const char *name) {
    return name[0] != '.' && utf8_is_valid(slice_str(name));
}

/* Adds the reports below a folder, but none inside a report. Does not follow links. */
static void search_folder(struct search *search, const char *path, unsigned depth) {
    int root = search->place->root.fd;
    struct names names = {0};
    if (++search->folders > REPORT_SITE_FOLDERS)
        return;
    int fd = openat(root, path[0] ? path : ".", DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return;
    bool listed = names_list(fd, &names);
    for (size_t i = 0; listed && i < names.count && !(search->one && search->found.count); i++) {
        struct stat st;
        if (!is_addressable(names.items[i]) || fstatat(fd, names.items[i], &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(st.st_mode))
            continue;
        char *below = mem_printf("%s%s%s", path, path[0] ? "/" : "", names.items[i]);
        if (report_site_is_report(root, below)) {
            LIST_ADD(&search->found, below);
            continue;
        }
        if (depth < REPORT_SITE_DEPTH)
            search_folder(search, below, depth + 1);
        mem_free(below);
    }
    names_free(&names);
    close(fd);
}

static void search_finish(struct search *search) {
    for (size_t i = 0; i < search->found.count; i++)
        mem_free(search->found.items[i]);
    mem_free(search->found.items);
}

/* ---- facts ------------------------------------------------------------------------------------------------------ */

static char *text_of(struct buf *text) {
    buf_add_byte(text, '\0');
    char *kept = mem_strdup(text->ptr);
    buf_free(text);
    return kept;
}

static char *count_of(yyjson_val *totals, const char *key) {
    struct buf text = {0};
    unit_add_count(&text, report_count(totals, key));
    return text_of(&text);
}

static char *kind_of(const struct report_doc *doc) {
    struct buf text = {0};
    uint64_t logs = yyjson_arr_size(json_get(doc->root, "ranks"));
    if (doc->kind == DOC_RUN)
        buf_add_lit(&text, "run");
    else
        unit_add_plural(&text, logs, doc->kind == DOC_RANKS ? "rank" : "run", NULL);
    return text_of(&text);
}

static char *time_of(yyjson_val *totals) {
    struct buf text = {0};
    int64_t us;
    if (report_number(totals, "time_us", &us))
        unit_add_time(&text, us);
    else
        buf_add_lit(&text, "–");
    return text_of(&text);
}

static void read_doc(struct report_facts *facts, const struct report_doc *doc) {
    static const char *const counts[] = {"recompiles", "graph_breaks", "failures", "findings"};
    yyjson_val *totals = json_get(doc->root, "totals");
    facts->cells[0] = kind_of(doc);
    facts->cells[1] = count_of(totals, "compiles");
    facts->cells[2] = time_of(totals);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        facts->cells[3 + i] = count_of(totals, counts[i]);
}

/* Reads all of a file. */
static bool read_all(int fd, uint64_t bytes, struct buf *out) {
    if (bytes > JSON_BYTES_MAX)
        return false;
    while (bytes) {
        ssize_t got = read(fd, buf_reserve(out, bytes), bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        out->len += (size_t)got;
        bytes -= (uint64_t)got;
    }
    return true;
}

static void forget_facts(struct report_facts *facts) {
    for (size_t i = 0; i < sizeof facts->cells / sizeof *facts->cells; i++)
        mem_free(facts->cells[i]);
    mem_free(facts->trouble);
    facts->trouble = NULL;
    memset(facts->cells, 0, sizeof facts->cells);
}

/* Reads report.json again if it has changed. */
static void refresh(struct report_facts *facts, struct report_place *place, const char *below) {
    struct static_file file;
    AUTO_BUF text = {0};
    struct report_doc doc;
    struct err why = {0};
    char *json = mem_printf("%s%sreport.json", below, below[0] ? "/" : "");
    enum static_result found = static_file_open(&place->root, slice_str(json), false, &file);
    mem_free(json);
    if (found == STATIC_FILE && strcmp(file.validator.etag, facts->etag) == 0) {
        close(file.fd);
        return;
    }
    forget_facts(facts);
    facts->etag[0] = '\0';
    if (found != STATIC_FILE) {
        facts->trouble = mem_strdup("no report.json: a report of another program, or one that is being replaced");
        return;
    }
    memcpy(facts->etag, file.validator.etag, sizeof facts->etag);
    facts->made = file.validator.mtime_s;
    if (!read_all(file.fd, file.bytes, &text))
        facts->trouble = mem_strdup("report.json could not be read");
    else if (!report_doc_parse(&doc, buf_slice(&text), "report.json", &why))
        facts->trouble = mem_strdup(why.text);
    else {
        read_doc(facts, &doc);
        report_doc_finish(&doc);
    }
    close(file.fd);
}

static struct report_facts *facts_of(struct report_site *site, const char *path) {
    for (size_t i = 0; i < site->facts.count; i++)
        if (strcmp(site->facts.items[i]->path, path) == 0)
            return site->facts.items[i];
    MEM_GROW(&site->facts);
    struct report_facts *facts = mem_zalloc(1, sizeof *facts);
    facts->path = mem_strdup(path);
    return site->facts.items[site->facts.count++] = facts;
}

static void facts_destroy(struct report_facts *facts) {
    forget_facts(facts);
    mem_free(facts->path);
    mem_free(facts);
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static void note_report(struct report_site *site, struct report_place *place, const char *below) {
    const char *between = place->name[0] && below[0] ? "/" : "";
    char *path = mem_printf("%s%s%s", place->name, between, below);
    struct report_facts *facts = facts_of(site, path);
    facts->seen = site->lists;
    refresh(facts, place, below);
    mem_free(path);
}

static void look(struct report_site *site) {
    site->lists++;
    for (size_t i = 0; i < site->places.count; i++) {
        struct report_place *place = &site->places.items[i];
        struct search search = {.site = site, .place = place};
        static_root_follow(&place->root);
        if (place->name[0] && report_site_is_report(place->root.fd, ""))
            note_report(site, place, "");
        else if (!place->report)
            search_folder(&search, "", 1);
        for (size_t r = 0; r < search.found.count; r++)
            note_report(site, place, search.found.items[r]);
        search_finish(&search);
    }
    size_t kept = 0;
    for (size_t i = 0; i < site->facts.count; i++) {
        struct report_facts *facts = site->facts.items[i];
        if (facts->seen == site->lists)
            site->facts.items[kept++] = facts;
        else
            facts_destroy(facts);
    }
    site->facts.count = kept;
}

static int newest_first(const void *a, const void *b) {
    const struct report_facts *x = *(struct report_facts *const *)a, *y = *(struct report_facts *const *)b;
    return x->made != y->made ? (x->made < y->made ? 1 : -1) : strcmp(x->path, y->path);
}

static void add_list(struct report_site *site, struct buf *out) {
    look(site);
    if (site->facts.count)
        qsort(site->facts.items, site->facts.count, sizeof *site->facts.items, newest_first);
    size_t count = site->facts.count < REPORT_SITE_LISTED ? site->facts.count : REPORT_SITE_LISTED;
    struct reports_row *rows = mem_zalloc(count + 1, sizeof *rows);
    char(*made)[32] = mem_zalloc(count + 1, sizeof *made);
    for (size_t i = 0; i < count; i++) {
        const struct report_facts *facts = site->facts.items[i];
        struct tm tm;
        if (facts->made && gmtime_r(&facts->made, &tm))
            strftime(made[i], sizeof made[i], "%Y-%m-%d %H:%M:%S UTC", &tm);
        rows[i] = (struct reports_row){.path = slice_str(facts->path), .cells = {slice_str(made[i])}};
        if (facts->trouble)
            rows[i].trouble = slice_str(facts->trouble);
        for (size_t c = 1; c < REPORTS_CELLS && !facts->trouble; c++)
            rows[i].cells[c] = slice_str(facts->cells[c - 1]);
    }
    reports_page_add(out, slice_str(site->title), rows, count, site->facts.count - count);
    mem_free(rows);
    mem_free(made);
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

bool report_site_add_asset(struct slice path, struct site_answer *answer) {
    static const struct slice folder = {"assets/", sizeof "assets/" - 1};
    struct slice name = slice_from(path, folder.len < path.len ? folder.len : path.len);
    size_t count;
    const struct asset *all = assets_all(&count);
    for (size_t i = 0; i < count && slice_starts(path, folder); i++)
        if (slice_is(name, all[i].name)) {
            answer->kind = SITE_BODY;
            answer->type = static_file_type(name);
            buf_add(&answer->body, slice_make((const char *)all[i].bytes, all[i].len));
            return true;
        }
    return false;
}

/* Whether the path is a report, or inside one. */
static bool is_in_report(const struct report_place *place, struct slice path) {
    for (size_t end = 0; end <= path.len; end++) {
        if (end != path.len && path.ptr[end] != '/')
            continue;
        char *prefix = mem_printf("%.*s", (int)end, path.ptr);
        bool report = report_site_is_report(place->root.fd, prefix);
        mem_free(prefix);
        if (report)
            return true;
    }
    return report_site_is_report(place->root.fd, "");
}

/* Whether the path begins with the name of the place. Sets *rest to the remainder. */
static bool is_at_place(const struct report_place *place, struct slice path, struct slice *rest) {
    size_t len = strlen(place->name);
    *rest = path;
    if (!len)
        return true;
    if (!slice_starts(path, slice_str(place->name)) || (path.len > len && path.ptr[len] != '/'))
        return false;
    *rest = slice_from(path, path.len > len ? len + 1 : len);
    return true;
}

static void find(void *context, struct slice path, bool folder, struct site_answer *answer) {
    struct report_site *site = context;
    struct slice rest;
    if (!path.len) {
        answer->kind = SITE_BODY;
        answer->type = "text/html; charset=utf-8";
        add_list(site, &answer->body);
        return;
    }
    if (report_site_add_asset(path, answer))
        return;
    for (size_t i = 0; i < site->places.count; i++) {
        struct report_place *place = &site->places.items[i];
        if (!is_at_place(place, path, &rest))
            continue;
        static_root_follow(&place->root);
        if (!is_in_report(place, rest))
            continue;
        if (!rest.len && !folder) /* a folder requested without its '/' */
            answer->kind = SITE_FOLDER;
        else
            *answer = (struct site_answer){.kind = SITE_FILE, .root = &place->root, .path = rest};
        return;
    }
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* The last part of a path on disk, with a number if another place has the same name. */
static char *name_place(const struct report_site *site, const char *path) {
    char *real = realpath(path, NULL);
    struct slice last = path_last(slice_str(real ? real : path));
    char *base = mem_printf("%.*s", (int)last.len, last.ptr);
    if (!is_addressable(base) || !base[0] || strcmp(base, "assets") == 0) {
        mem_free(base);
        base = mem_strdup("report");
    }
    char *name = mem_strdup(base);
    for (size_t i = 0, nth = 1; i < site->places.count;) {
        if (strcmp(site->places.items[i].name, name) != 0) {
            i++;
            continue;
        }
        mem_free(name);
        name = mem_printf("%s-%zu", base, ++nth);
        i = 0;
    }
    mem_free(base);
    mem_free(real);
    return name;
}

static bool check_place(struct report_site *site, struct report_place *place, const char *path, struct err *err) {
    struct search search = {.site = site, .place = place, .one = true};
    place->report = report_site_is_report(place->root.fd, "");
    if (!place->report)
        search_folder(&search, "", 1);
    bool good = place->report || search.found.count;
    search_finish(&search);
    if (good)
        return true;
    return err_set(err, ERR_INPUT, "cannot serve %s: it is not a report and contains none", path) ||
           err_hint(err, "to serve a report of a log, run: tlparse LOG --serve");
}

static bool open_place(struct report_site *site, const char *path, bool named, struct err *err) {
    struct report_place place = {.name = named ? name_place(site, path) : mem_strdup("")};
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        mem_free(place.name);
        return err_set(err, ERR_INPUT, "cannot serve %s: it is a file, not the folder of a report", path) ||
               err_hint(err, "to serve a report of a log, run: tlparse LOG --serve");
    }
    if (!static_root_open(&place.root, path, err)) {
        mem_free(place.name);
        return false;
    }
    LIST_ADD(&site->places, place);
    return check_place(site, &site->places.items[site->places.count - 1], path, err);
}

bool report_site_open(struct report_site *site, const char *const *paths, size_t count, struct err *err) {
    *site = (struct report_site){.site = {.context = site, .find = find}};
    for (size_t i = 0; i < count; i++)
        if (!open_place(site, paths[i], count > 1, err))
            return false;
    site->title = count > 1 ? mem_strdup("Reports") : mem_printf("Reports in %s", paths[0]);
    return true;
}

void report_site_finish(struct report_site *site) {
    for (size_t i = 0; i < site->places.count; i++) {
        static_root_close(&site->places.items[i].root);
        mem_free(site->places.items[i].name);
    }
    for (size_t i = 0; i < site->facts.count; i++)
        facts_destroy(site->facts.items[i]);
    mem_free(site->places.items);
    mem_free(site->facts.items);
    mem_free(site->title);
}
