#include "report/report_json.h"

#include "base/jsonw.h"
#include "report/members.h"
#include "report/source_texts.h"
#include "sink/script.h"

enum { PART_COMPILES = 32 };

/* Writes the details of the compiles, several per script. */
static void write_parts(const struct report_view *view, struct files *files) {
    size_t count = view->model->compiles.count;
    AUTO_BUF json = {0};
    for (size_t part = 0; part * PART_COMPILES < count; part++) {
        struct jsonw w = {.out = &json};
        json.len = 0;
        jsonw_array(&w, NULL);
        for (size_t i = part * PART_COMPILES; i < count && i < (part + 1) * PART_COMPILES; i++) {
            jsonw_object(&w, NULL);
            compile_details_write(&w, view, view->model->compiles.items[view->order[i]]);
            jsonw_end_object(&w);
        }
        jsonw_end_array(&w);
        script_write_part(files, "compiles", part, buf_slice(&json));
    }
}

/* Writes the symbols of the compiles, split like the details. A part without symbols is not written. */
static void write_shapes(const struct report_view *view, struct files *files) {
    size_t count = view->model->compiles.count;
    struct stack_table stacks;
    AUTO_BUF json = {0};
    stack_table_init(&stacks, view->model);
    for (size_t part = 0; part * PART_COMPILES < count; part++) {
        bool any = false;
        struct jsonw w = {.out = &json};
        json.len = 0;
        jsonw_object(&w, NULL);
        jsonw_array(&w, "compiles");
        for (size_t i = part * PART_COMPILES; i < count && i < (part + 1) * PART_COMPILES; i++) {
            const struct compile *compile = view->model->compiles.items[view->order[i]];
            any |= shapes_any(compile);
            shapes_write(&w, NULL, view->model, compile, &stacks);
        }
        jsonw_end_array(&w);
        stack_table_write(&w, "stacks", &stacks);
        stack_table_clear(&stacks);
        jsonw_end_object(&w);
        if (any)
            script_write_part(files, "shapes", part, buf_slice(&json));
    }
    stack_table_free(&stacks);
}

static void write_part_table(struct jsonw *w, const struct model *model, const struct source_texts *sources) {
    jsonw_object(w, "parts");
    jsonw_u64(w, "compiles", PART_COMPILES);
    jsonw_bool(w, "configs", model->configs.count > 0);
    jsonw_u64(w, "kernels", kernels_parts(model));
    source_texts_add(w, "sources", sources);
    jsonw_object(w, "texts");
    for (size_t i = 0; i < model->folders.count; i++) {
        const struct folder *folder = &model->folders.items[i];
        if (!folder->text_bytes)
            continue;
        jsonw_key(w, folder->name);
        jsonw_array(w, NULL);
        for (size_t c = 0; c < folder->chunks.count; c++)
            jsonw_u64(w, NULL, folder->chunks.items[c]);
        jsonw_u64(w, NULL, folder->text_bytes);
        jsonw_end_array(w);
    }
    jsonw_end_object(w);
    jsonw_end_object(w);
}

static void write_head(struct jsonw *w, const struct report_view *view) {
    report_json_head(w, view, false);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < view->model->compiles.count; i++)
        compile_json_write(w, view, view->model->compiles.items[view->order[i]], NULL);
    jsonw_end_array(w);
    report_json_rest(w, view, false);
}

static void to_script(void *context, struct buf *out) {
    script_stream_add(context, buf_slice(out));
    out->len = 0;
}

/* The same as without long members, but written in pieces. */
static void write_long(const struct report_view *view, struct files *files, const struct source_texts *sources) {
    struct script_stream script;
    AUTO_BUF json = {0};
    struct jsonw w = {.out = &json, .take = to_script, .context = &script};
    script_stream_open(&script, files, "data/report.js", SLICE("report"));
    write_head(&w, view);
    for (size_t i = 0; i < view->long_extra->pieces.count; i++) {
        if (!spooled_read(view->long_extra, i, &json))
            files_fail(files, "write", SLICE("data/report.js"));
        to_script(&script, &json);
    }
    buf_add(&json, view->extra);
    write_part_table(&w, view->model, sources);
    jsonw_end_object(&w);
    to_script(&script, &json);
    script_stream_close(&script);
}

void page_data_write(const struct report_view *view, struct files *files) {
    AUTO_BUF json = {0};
    struct jsonw w = {.out = &json};
    struct source_texts sources = {0};
    files_folder(files, SLICE("data/"));
    source_texts_write(&sources, view, files);
    if (view->long_extra) {
        write_long(view, files, &sources);
    } else {
        write_head(&w, view);
        buf_add(&json, view->extra);
        write_part_table(&w, view->model, &sources);
        jsonw_end_object(&w);
        script_write(files, SLICE("data/report.js"), SLICE("report"), buf_slice(&json));
    }
    source_texts_free(&sources);
    write_parts(view, files);
    kernels_parts_write(view->model, files);
    write_shapes(view, files);
    json.len = 0;
    w = (struct jsonw){.out = &json};
    log_shares_add(&w, view);
    script_write(files, SLICE("data/log.js"), SLICE("log"), buf_slice(&json));
    if (view->model->configs.count) {
        json.len = 0;
        w = (struct jsonw){.out = &json};
        configs_json_write(&w, NULL, view->model);
        script_write(files, SLICE("data/configs.js"), SLICE("configs"), buf_slice(&json));
    }
    if (exports_shown(view->model)) {
        json.len = 0;
        w = (struct jsonw){.out = &json};
        export_json_write(&w, NULL, view->model, true);
        script_write(files, SLICE("data/export.js"), SLICE("export"), buf_slice(&json));
    }
}
