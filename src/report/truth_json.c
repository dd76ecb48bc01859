#include "report/members.h"

#include "analysis/timeline.h"
#include "report/stack_table.h"

static void write_checks(struct jsonw *w, const struct checks *checks) {
    jsonw_array(w, "checks");
    for (size_t i = 0; i < checks->list.count; i++) {
        const struct check *check = &checks->list.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", check->name, "compile", check->about);
        jsonw_i64(w, "expected", check->expected);
        jsonw_i64(w, "found", check->found);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    if (checks->more)
        jsonw_u64(w, "more_checks", checks->more);
}

static const struct compile *compile_by_key(const struct model *model, struct slice key) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (slice_eq(model->compiles.items[i]->key, key))
            return model->compiles.items[i];
    return NULL;
}

/* Spans without an end event, outermost first. */
static void write_unfinished(struct jsonw *w, const struct model *model) {
    const struct timeline *timeline = model->timeline;
    jsonw_array(w, "unfinished");
    for (size_t i = 0; timeline && i < timeline->unfinished.count; i++) {
        const struct unfinished_span *span = &timeline->unfinished.items[i];
        const struct timeline_track *track = &timeline->tracks.items[span->track];
        struct slice key = span->id != UINT32_MAX ? timeline->ids.items[span->id] : (struct slice){0};
        const struct compile *compile = key.ptr ? compile_by_key(model, key) : NULL;
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", timeline->totals.items[span->name].name, "compile", key);
        jsonw_i64(w, "started_us", timeline->base_us + span->start_us);
        jsonw_i64(w, "before_end_us", timeline->last_us - span->start_us);
        jsonw_raw(w, "process", track->whose);
        jsonw_raw(w, "thread", track->tid);
        jsonw_known(w, "stack", compile && compile->stack ? (int64_t)compile->stack->index : -1);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_frame(struct jsonw *w, const struct stack_node *node) {
    if (node->parent)
        write_frame(w, node->parent);
    jsonw_object(w, NULL);
    stack_frame_write(w, node->frame);
    jsonw_end_object(w);
}

/* The index of an artifact in the list of its compile, which is in the order of model->artifacts. */
static size_t place_in_compile(const struct model *model, uint32_t artifact) {
    const struct compile *compile = model->compiles.items[model->artifacts.items[artifact].compile];
    size_t from = 0;
    SEARCH(from, compile->artifacts.count, middle, compile->artifacts.items[middle] < artifact);
    return from;
}

/* Records with a stack but without a compile id, by stack. */
static void write_unattributed(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "unattributed");
    for (size_t i = 0; i < model->unattributed.count; i++) {
        const struct unattributed *group = &model->unattributed.items[i];
        jsonw_object(w, NULL);
        jsonw_array(w, "stack");
        write_frame(w, group->stack);
        jsonw_end_array(w);
        jsonw_u64(w, "records", group->records);
        jsonw_array(w, "artifacts");
        for (size_t a = 0; a < group->artifacts.count; a++) {
            const struct artifact *artifact = &model->artifacts.items[group->artifacts.items[a]];
            jsonw_object(w, NULL);
            JSON_MEMBERS(w, artifact, name, url);
            JSON_ADD(w, "compile", model->compiles.items[artifact->compile]->key, "index",
                     place_in_compile(model, group->artifacts.items[a]), "line", artifact->line);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    if (model->unattributed_more)
        jsonw_u64(w, "more_unattributed", model->unattributed_more);
}

void truth_json_write(struct jsonw *w, const struct report_view *view) {
    write_checks(w, view->checks);
    if (view->unfinished.ptr)
        jsonw_raw(w, "unfinished", view->unfinished);
    else
        write_unfinished(w, view->model);
    write_unattributed(w, view->model);
}
