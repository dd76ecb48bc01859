#include "report/members.h"

#include "model/extras.h"
#include "model/log_info.h"
#include "pages/page_parts.h"

static void write_compile(struct jsonw *w, const struct model *model, uint32_t compile) {
    jsonw_text(w, "compile", model->compiles.items[compile]->key);
}

static void write_notices(struct jsonw *w, const struct model *model) {
    const struct extras *extras = model->extras;
    if (!extras->notices.count)
        return;
    jsonw_object(w, "notices");
    jsonw_array(w, "list");
    for (size_t i = 0; i < extras->notices.count; i++) {
        const struct notice *notice = &extras->notices.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "kind", notice_name(notice->kind));
        write_compile(w, model, notice->compile);
        JSON_MEMBERS(w, notice, message, detail, subject);
        place_json_write(w, "place", &notice->place);
        if (notice->kind == NOTICE_DUPLICATE)
            jsonw_known(w, "variants", notice->variants);
        JSON_MEMBERS(w, notice, line, count);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more", extras->more_notices);
    jsonw_end_object(w);
}

static void write_changes(struct jsonw *w, const struct pgo *pgo, const struct pgo_record *record) {
    jsonw_array(w, "changes");
    for (size_t i = record->first_change; i < record->first_change + record->changes; i++) {
        const struct pgo_change *change = &pgo->changes.items[i];
        jsonw_object(w, NULL);
        place_json_write(w, "frame", &change->frame);
        JSON_MEMBERS(w, change, source, had, has);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_pgo(struct jsonw *w, const struct model *model) {
    const struct pgo *pgo = &model->extras->pgo;
    if (!pgo->records.count)
        return;
    jsonw_object(w, "pgo");
    jsonw_array(w, "records");
    for (size_t i = 0; i < pgo->records.count; i++) {
        const struct pgo_record *record = &pgo->records.items[i];
        jsonw_object(w, NULL);
        write_compile(w, model, record->compile);
        jsonw_str(w, "action", record->written ? "write" : "read");
        JSON_MEMBERS(w, record, store, line, frames, sources, dynamic);
        write_changes(w, pgo, record);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_MEMBERS(w, pgo, more_records, more_changes);
    jsonw_text(w, "suggested_dynamic_sources", pgo->suggested);
    jsonw_end_object(w);
}

static void write_jobs(struct jsonw *w, const struct model *model) {
    const struct extras *extras = model->extras;
    if (!extras->jobs.count)
        return;
    jsonw_object(w, "compile_workers");
    jsonw_array(w, "jobs");
    for (size_t i = 0; i < extras->jobs.count; i++) {
        const struct worker_job *job = &extras->jobs.items[i];
        jsonw_object(w, NULL);
        write_compile(w, model, job->compile);
        JSON_ADD(w, "process", model_process(model, job->process).number, "job", job->job, "worker_pid", job->pid);
        JSON_MEMBERS(w, job, phase, elapsed_us, phase_elapsed_us, reports, line);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more", extras->more_jobs);
    jsonw_end_object(w);
}

static void write_natives(struct jsonw *w, const struct model *model) {
    const struct extras *extras = model->extras;
    if (!extras->natives.count)
        return;
    jsonw_object(w, "native_kernels");
    jsonw_array(w, "list");
    for (size_t i = 0; i < extras->natives.count; i++) {
        const struct native_kernel *kernel = &extras->natives.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, kernel, op, dsl, calls, compiled, compile_us, line);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more", extras->more_natives);
    jsonw_end_object(w);
}

static void write_side(struct jsonw *w, const char *key, const struct bucket_side *side, int kind) {
    if (!side->known) {
        jsonw_null(w, key);
        return;
    }
    jsonw_object(w, key);
    jsonw_u64(w, "count", side->count[kind]);
    jsonw_double(w, "mib", side->mib[kind]);
    jsonw_end_object(w);
}

static void write_bucketings(struct jsonw *w, const struct model *model) {
    static const char *const kinds[] = {"all_gather", "reduce_scatter", "all_reduce", "other"};
    const struct extras *extras = model->extras;
    if (!extras->bucketings.count)
        return;
    jsonw_object(w, "bucketing");
    jsonw_array(w, "list");
    for (size_t i = 0; i < extras->bucketings.count; i++) {
        const struct bucketing *one = &extras->bucketings.items[i];
        jsonw_object(w, NULL);
        write_compile(w, model, one->compile);
        jsonw_u64(w, "line", one->before.known ? one->before.line : one->after.line);
        jsonw_array(w, "kinds");
        for (int kind = 0; kind < BUCKET_KINDS; kind++) {
            if (!one->before.count[kind] && !one->after.count[kind])
                continue;
            jsonw_object(w, NULL);
            jsonw_str(w, "kind", kinds[kind]);
            write_side(w, "before", &one->before, kind);
            write_side(w, "after", &one->after, kind);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more", extras->more_bucketings);
    jsonw_end_object(w);
}

void extras_json_write(struct jsonw *w, const struct model *model) {
    if (!model->extras)
        return;
    write_notices(w, model);
    write_pgo(w, model);
    write_jobs(w, model);
    write_natives(w, model);
    write_bucketings(w, model);
}

void runtime_parts_write(struct jsonw *w, const struct compile *compile) {
    static const char *const names[RUNTIME_PARTS] = {"autotune", "cudagraphs", "compile", "other"};
    bool any = false;
    for (int part = 0; part < RUNTIME_PARTS; part++) {
        if (compile->runtime_parts_us[part] <= 0)
            continue;
        if (!any)
            jsonw_object(w, "runtime_parts_us");
        any = true;
        jsonw_i64(w, names[part], compile->runtime_parts_us[part]);
    }
    if (any)
        jsonw_end_object(w);
}

void record_tables_write(struct jsonw *w, const struct model *model, const struct compile *compile) {
    const struct extras *extras = model->extras;
    if (!extras || compile->index >= extras->table_chains.count)
        return;
    const struct table_chain *chain = &extras->table_chains.items[compile->index];
    if (chain->head == UINT32_MAX && !chain->more)
        return;
    jsonw_array(w, "record_tables");
    for (uint32_t i = chain->head; i != UINT32_MAX; i = extras->tables.items[i].next)
        jsonw_raw(w, NULL, extras->tables.items[i].json);
    jsonw_end_array(w);
    jsonw_u64(w, "more_record_tables", chain->more);
}
