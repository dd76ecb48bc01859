#include "answers/sarif.h"

#include "base/path.h"

const char sarif_schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

struct slice source_roots_path(const struct source_roots *roots, struct slice file) {
    for (size_t i = 0; i < sizeof roots->items / sizeof *roots->items; i++) {
        struct slice root = roots->items[i], rest = slice_from(file, root.len);
        if (root.len && slice_starts(file, root) && rest.len > 1 && rest.ptr[0] == '/')
            return slice_from(rest, 1);
    }
    return file;
}

void sarif_add_message(struct jsonw *w, const char *key, struct slice text) {
    jsonw_object(w, key);
    jsonw_text(w, "text", text);
    jsonw_end_object(w);
}

void sarif_add_place(struct jsonw *w, const struct source_roots *roots, struct slice file, uint64_t line) {
    struct slice path = source_roots_path(roots, file);
    bool absolute = path.len && path.ptr[0] == '/';
    AUTO_BUF uri = {0};
    buf_add_str(&uri, absolute ? "file://" : "");
    path_add_url(&uri, path);
    jsonw_object(w, "physicalLocation");
    jsonw_object(w, "artifactLocation");
    jsonw_text(w, "uri", buf_slice(&uri));
    if (!absolute)
        jsonw_str(w, "uriBaseId", "%SRCROOT%");
    jsonw_end_object(w);
    if (line) {
        jsonw_object(w, "region");
        jsonw_u64(w, "startLine", line);
        jsonw_end_object(w);
    }
    jsonw_end_object(w);
}

void sarif_add_function(struct jsonw *w, struct slice function) {
    jsonw_array(w, "logicalLocations");
    jsonw_object(w, NULL);
    JSON_ADD(w, "fullyQualifiedName", function, "kind", "function");
    jsonw_end_object(w);
    jsonw_end_array(w);
}
