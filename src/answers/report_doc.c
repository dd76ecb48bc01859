
#include "answers/report_doc.h"

enum { VERSION = 2 };

static bool kind_of(struct slice name, enum doc_kind *kind) {
    static const char *const names[] = {[DOC_RUN] = "run", [DOC_RANKS] = "ranks", [DOC_RUNS] = "runs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i])) {
            *kind = (enum doc_kind)i;
            return true;
        }
    return false;
}

bool report_doc_parse(struct report_doc *doc, struct slice json, const char *name, struct err *err) {
    yyjson_read_err why;
    *doc = (struct report_doc){0};
    yyjson_doc *parsed = yyjson_read_opts((char *)json.ptr, json.len, YYJSON_READ_NOFLAG, &json_allocator, &why);
    if (!parsed)
        return err_set(err, ERR_INPUT, "cannot read %s: invalid JSON at byte %zu: %s", name, why.pos, why.msg);
    yyjson_val *root = yyjson_doc_get_root(parsed);
    uint64_t version;
    bool good = true;
    if (!slice_is(json_get_text(root, "format"), "tlparse-report") ||
        !json_to_u64(json_get(root, "version"), &version) || !kind_of(json_get_text(root, "kind"), &doc->kind))
        good = err_set(err, ERR_INPUT, "cannot read %s: not a report.json of tlparse", name);
    else if (version != VERSION)
        good = err_set(err, ERR_INPUT,
                       "cannot read %s: its format has version %" PRIu64 ", but this tlparse reads version %d", name,
                       version, VERSION) ||
               err_hint(err, "make the report again with this tlparse");
    if (!good) {
        yyjson_doc_free(parsed);
        return false;
    }
    doc->doc = parsed;
    doc->root = root;
    return true;
}

void report_doc_finish(struct report_doc *doc) {
    yyjson_doc_free(doc->doc);
    *doc = (struct report_doc){0};
}

uint64_t report_count(yyjson_val *object, const char *key) {
    uint64_t number = 0;
    return json_to_u64(json_get(object, key), &number) ? number : 0;
}

bool report_number(yyjson_val *object, const char *key, int64_t *number) {
    yyjson_val *value = json_get(object, key);
    if (!yyjson_is_int(value))
        return false;
    *number = yyjson_is_sint(value) ? yyjson_get_sint(value) : (int64_t)yyjson_get_uint(value);
    return yyjson_is_sint(value) || yyjson_get_uint(value) <= INT64_MAX;
}
