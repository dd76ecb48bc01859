/* whole.h - for unit tests: inspects the complete model of a log. */
#pragma once

#include "support.h"

#include "model/model.h"
#include "report/view.h"

typedef void whole_look(const struct model *model);

static inline void on_whole(void *context, struct model *model, const char *dir, struct view_together *together) {
    (void)dir, (void)together;
    (*(whole_look **)context)(model);
}

/* Runs the log, frees it, and shows its model. */
static inline void look_at(struct buf *log, whole_look *look) {
    struct reading_watcher watcher = {.context = &look, .whole = on_whole};
    struct run run = run_with("out", buf_slice(log), &(struct reading_options){0}, &watcher);
    if (!run.good)
        fail_msg("%s", run.err.text);
    end_run(&run);
    buf_free(log);
}

static inline uint32_t place_of_compile(const struct model *model, const char *id) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (slice_is(model->compiles.items[i]->id, id))
            return (uint32_t)i;
    fail_msg("there is no compile %s", id);
    return 0;
}

/* A compilation_metrics of frame/compile with further fields. */
static inline void log_metrics(struct buf *log, int frame, int compile, const char *fields) {
    char all[1024];
    snprintf(all, sizeof all,
             "\"compilation_metrics\": {\"co_name\": \"f%d\", \"co_filename\": \"a.py\", \"co_firstlineno\": 3, "
             "\"graph_op_count\": 1%s%s}, "
             "\"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0",
             frame, *fields ? ", " : "", fields, frame, compile);
    log_record(log, all);
}

/* An artifact of frame/compile. */
static inline void log_artifact_of(struct buf *log, int frame, int compile, const char *name, const char *encoding,
                                   const char *payload) {
    char fields[300];
    snprintf(fields, sizeof fields,
             "\"artifact\": {\"name\": \"%s\", \"encoding\": \"%s\"}, \"frame_id\": %d, \"frame_compile_id\": %d, "
             "\"attempt\": 0",
             name, encoding, frame, compile);
    log_payload(log, fields, payload);
}

/* Ids of compiles: "0/0 0/1". */
static inline void assert_ids(const struct model *model, const uint32_t *items, size_t count, const char *expected) {
    struct buf ids = {0};
    for (size_t i = 0; i < count; i++)
        buf_addf(&ids, "%s%.*s", i ? " " : "", SLICE_ARG(model->compiles.items[items[i]]->key));
    assert_buf(&ids, expected);
    buf_free(&ids);
}
