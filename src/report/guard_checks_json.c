/* What each call pays for guards: the checks of the latest guard tree of each compile. */
#include "base/jsonw.h"
#include "model/model.h"
#include "report/members.h"
#include "scan/guard_checks.h"

enum { ROWS_MAX = 2000 };

struct row {
    const struct compile *compile;
    size_t order;
};

static int most_first(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    uint32_t left = x->compile->checks->checks, right = y->compile->checks->checks;
    if (left != right)
        return left > right ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void write_kinds(struct jsonw *w, const struct guard_checks *checks) {
    jsonw_array(w, "by_kind");
    for (size_t i = 0; i < checks->kinds.count; i++) {
        const struct check_kind *kind = &checks->kinds.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, kind, kind, checks);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_MEMBERS(w, checks, more_kinds);
}

static void write_modules(struct jsonw *w, const struct guard_checks *checks) {
    JSON_MEMBERS(w, checks, in_modules);
    jsonw_array(w, "by_module");
    for (size_t i = 0; i < checks->modules.count; i++) {
        const struct check_module *module = &checks->modules.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, module, source);
        jsonw_text(w, "class", module->type);
        JSON_MEMBERS(w, module, checks);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_MEMBERS(w, checks, more_modules);
}

static void write_lines(struct jsonw *w, const struct guard_checks *checks) {
    jsonw_array(w, "by_line");
    for (size_t i = 0; i < checks->lines.count; i++) {
        const struct check_line *line = &checks->lines.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, line, file, line);
        jsonw_text(w, "text", line->code);
        JSON_MEMBERS(w, line, checks);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_MEMBERS(w, checks, more_lines);
}

static void write_filters(struct jsonw *w, const struct compile *compile) {
    jsonw_array(w, "filters");
    for (int i = 0; i < GUARD_FILTERS; i++) {
        enum guard_filter filter = (enum guard_filter)i;
        bool modules = filter == FILTER_SKIP_NN_MODULES || filter == FILTER_SKIP_INBUILT_NN_MODULES;
        jsonw_object(w, NULL);
        jsonw_str(w, "name", guard_filter_name(filter));
        jsonw_known(w, "checks", modules && compile->modules_not_inlined ? -1 : compile->checks->filters[i]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_row(struct jsonw *w, const struct compile *compile) {
    jsonw_object(w, NULL);
    jsonw_text(w, "compile", compile->key);
    JSON_MEMBERS(w, compile->checks, checks);
    jsonw_known(w, "counted", compile->guard_count);
    write_kinds(w, compile->checks);
    write_modules(w, compile->checks);
    write_lines(w, compile->checks);
    write_filters(w, compile);
    jsonw_end_object(w);
}

void guard_checks_json_write(struct jsonw *w, const struct report_view *view) {
    LIST(struct row) rows = {0};
    for (size_t i = 0; i < view->model->compiles.count; i++) {
        const struct compile *compile = view->model->compiles.items[view->order[i]];
        if (compile->checks)
            LIST_ADD(&rows, (struct row){compile, i});
    }
    LIST_SORT(&rows, most_first);
    jsonw_array(w, "guard_checks");
    for (size_t i = 0; i < rows.count && i < ROWS_MAX; i++)
        write_row(w, rows.items[i].compile);
    jsonw_end_array(w);
    jsonw_u64(w, "more_guard_checks", rows.count > ROWS_MAX ? rows.count - ROWS_MAX : 0);
    mem_free(rows.items);
}
