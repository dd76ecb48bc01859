#include "report/members.h"

#include "analysis/identity.h"
#include "analysis/phases.h"
#include "lowering/passes.h"
#include "lowering/stages.h"
#include "model/log_info.h"
#include "pages/page_parts.h"
#include "recompiles/chains.h"
#include "recompiles/partners.h"
#include "scan/error_text.h"

static void write_failure(struct jsonw *w, const char *key, const struct model *model, int64_t index) {
    if (index < 0) {
        jsonw_null(w, key);
        return;
    }
    const struct failure *failure = &model->failures.items[index];
    jsonw_object(w, key);
    JSON_MEMBERS(w, failure, type, reason);
    jsonw_text(w, "file", failure->place.file);
    jsonw_known(w, "line", failure->place.file.ptr ? (int64_t)failure->place.line : -1);
    jsonw_bool(w, "refused", is_limit_hit(failure));
    jsonw_end_object(w);
}

static void write_text_facts(struct jsonw *w, const struct text_counts *facts) {
    if (facts->graph.graphs) {
        jsonw_object(w, "graph");
        JSON_MEMBERS(w, &facts->graph, graphs, inputs, ops, nodes);
        if (facts->graph.inner_ops)
            jsonw_u64(w, "inner_ops", facts->graph.inner_ops);
        jsonw_end_object(w);
    }
    if (facts->kernels)
        jsonw_u64(w, "kernels", facts->kernels);
    if (facts->kernel_line)
        jsonw_u64(w, "kernel_line", facts->kernel_line);
    if (facts->instructions)
        jsonw_u64(w, "instructions", facts->instructions);
    if (facts->guards) {
        jsonw_object(w, "guards");
        JSON_ADD(w, "count", facts->guards, "more", facts->more_guards);
        jsonw_array(w, "list");
        jsonw_u64(w, NULL, facts->list_offset);
        jsonw_u64(w, NULL, facts->list_bytes);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
}

static void write_partners(struct jsonw *w, const struct partner *partner) {
    jsonw_text(w, "stem", partner->stem);
    if (partner->slot.ptr)
        jsonw_text(w, "slot", partner->slot);
    if (partner->earlier != PARTNER_NONE)
        jsonw_u64(w, "earlier", partner->earlier);
    if (!partner->attempt_count)
        return;
    JSON_LIST(w, "other_attempts", i, partner->attempt_count, partner->attempts[i]);
}

static void write_artifacts(struct jsonw *w, const struct model *model, const struct compile *compile) {
    struct partners partners;
    partners_of(&partners, model, compile);
    jsonw_array(w, "artifacts");
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        const struct artifact *artifact = &model->artifacts.items[compile->artifacts.items[i]];
        const struct folder *folder = &model->folders.items[artifact->folder];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, artifact, name, kind, url, bytes, line, number);
        JSON_ADD(w, "attempt", folder->attempt, "suffix", artifact_suffix(artifact), "readable_url",
                 artifact->readable_url.len ? artifact->readable_url : (struct slice){0}, "dir", folder->name);
        if (artifact->has_text) {
            jsonw_array(w, "text");
            jsonw_u64(w, NULL, artifact->text_offset);
            jsonw_u64(w, NULL, artifact->bytes);
            jsonw_end_array(w);
        } else {
            jsonw_null(w, "text");
        }
        JSON_ADD(w, "lang", lang_name(artifact->lang), "subgraph", artifact->subgraph);
        if (artifact->payload_url.ptr)
            jsonw_text(w, "payload_url", artifact->payload_url);
        if (artifact->counts)
            write_text_facts(w, artifact->counts);
        write_partners(w, &partners.items[i]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    partners_free(&partners);
}

/* Writes JSON that is in the spool. */
static void write_spooled(struct jsonw *w, const char *key, const struct report_view *view, struct spooled_text text) {
    AUTO_BUF json = {0};
    if (text.len && spool_read(view->spool, text.offset, text.len, &json)) /* it remembers a failure */
        jsonw_raw(w, key, buf_slice(&json));
    else
        jsonw_null(w, key);
}

void compile_details_write(struct jsonw *w, const struct report_view *view, const struct compile *compile) {
    const struct model *model = view->model;
    write_artifacts(w, model, compile);
    stages_write(w, "stages", model, compile);
    passes_write(w, model, compile);
    record_tables_write(w, model, compile);
    write_spooled(w, "metrics", view, compile->metrics);
    write_spooled(w, "backward_metrics", view, compile->backward_metrics);
}

/* Self time of each phase. Together with "other", their sum is at least the compile time. */
static void write_own(struct jsonw *w, const struct compile *compile) {
    int64_t own[PHASES], other = phases_split(compile, own);
    bool has[PHASES];
    for (int phase = 0; phase < PHASES; phase++)
        has[phase] = phases_has(compile, (enum phase)phase);
    own_times_json_write(w, own, has, other);
}

/* The metrics of a failed compile lack the size of its graph. Writes the size of the graph in the log instead, if the
 * last attempt produced one. */
static void write_graph(struct jsonw *w, const struct compile *compile) {
    size_t attempts = compile->attempts.count;
    bool traced = compile->ops < 0 && compile->graph.graphs &&
                  (!attempts || compile->attempts.items[attempts - 1] == compile->graph_attempt);
    JSON_ADD(w, "ops", traced ? (int64_t)compile->graph.ops : compile->ops, "nodes",
             traced ? (int64_t)compile->graph.nodes : compile->nodes, "inputs",
             traced ? (int64_t)compile->graph.inputs : compile->inputs);
}

static void write_numbers(struct jsonw *w, const struct compile *compile) {
    JSON_MEMBERS(w, compile, time_us, forward_us, backward_us, runtime_us);
    runtime_parts_write(w, compile);
    jsonw_known(w, "restart_us", compile_lost_us(compile));
    jsonw_object(w, "phases_us");
    for (int phase = 0; phase < PHASES; phase++)
        if (compile->phases_us[phase] >= 0)
            jsonw_known(w, phase_name(phase), compile->phases_us[phase]);
    jsonw_end_object(w);
    write_own(w, compile);
    jsonw_object(w, "graph");
    write_graph(w, compile);
    if (compile->parameters >= 0) {
        jsonw_known(w, "parameters", compile->parameters);
        jsonw_known(w, "parameter_bytes", compile->wraps_parameters ? -1 : compile->parameter_bytes);
    }
    jsonw_end_object(w);
    JSON_ADD(w, "guards", compile_guards(compile), "guard_count", compile->guard_count);
}

/* The caller that its stack in dynamo_start lacks, and the record that has it. Absent if no record has it. */
static void write_caller(struct jsonw *w, const struct compile *compile) {
    struct place caller = compile_caller(compile);
    if (!compile->caller_from)
        return;
    place_json_write(w, "caller", &caller);
    jsonw_str(w, "caller_from", compile->caller_from);
}

/* Writes the pages of its attempts. The member is absent if there are none. */
static void write_provenance(struct jsonw *w, const struct model *model, const struct compile *compile) {
    bool any = false;
    for (size_t i = 0; i < compile->folders.count; i++) {
        uint32_t entry = model->folders.items[compile->folders.items[i]].entry;
        struct slice page = model->entries.items[entry].provenance;
        if (!page.ptr || (i && model->folders.items[compile->folders.items[i - 1]].entry == entry))
            continue;
        if (!any)
            jsonw_array(w, "provenance");
        any = true;
        jsonw_text(w, NULL, page);
    }
    if (any)
        jsonw_end_array(w);
}

void compile_json_write(struct jsonw *w, const struct report_view *view, const struct compile *compile,
                        struct stack_table *stacks) {
    const struct model *model = view->model;
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, compile, id, key, generation, resets);
    jsonw_text(w, "earlier",
               compile->earlier != NO_EARLIER ? model->compiles.items[compile->earlier]->key : (struct slice){0});
    struct log_process process = model_process(model, compile->process);
    jsonw_u64(w, "process", process.number);
    if (process.nth > 1)
        jsonw_u64(w, "process_nth", process.nth);
    struct slice file = model_process_file(model, compile->process);
    if (file.ptr)
        jsonw_text(w, "process_file", file);
    JSON_ADD(w, "is_compile", compile->framed, "frame_id", compile->frame_id);
    JSON_LIST(w, "attempts", i, compile->attempts.count, compile->attempts.items[i]);
    JSON_LIST(w, "dirs", i, compile->folders.count, model->folders.items[compile->folders.items[i]].name);
    jsonw_str(w, "status", status_name(compile_status(compile)));
    if (compile_is_interrupted(model, compile))
        jsonw_bool(w, "interrupted", true);
    if (compile_ops_unknown(compile))
        jsonw_bool(w, "ops_unknown", true);
    frame_json_write(w, "frame", &compile->frame, compile->label);
    if (compile_what(model, compile))
        jsonw_str(w, "what", compile_what(model, compile));
    JSON_ADD(w, "subgraph", compile->subgraph, "stack", compile->stack ? (int64_t)compile->stack->index : -1);
    write_caller(w, compile);
    jsonw_bool(w, "exported", compile->exported);
    write_numbers(w, compile);
    jsonw_texts(w, "recompile_reasons", compile->reasons.items, compile->reasons.count);
    JSON_LIST(w, "restarts", i, compile->restarts.count, restart_reason(compile->restarts.items[i]));
    write_failure(w, "failure", model, compile->failure);
    write_failure(w, "backward_failure", model, compile->backward_failure);
    jsonw_array(w, "graph_breaks");
    for (size_t i = 0; i < compile->breaks.count; i++)
        if (graph_break_counts(model->breaks.items[compile->breaks.items[i]]))
            jsonw_u64(w, NULL, compile->breaks.items[i]);
    jsonw_end_array(w);
    write_provenance(w, model, compile);
    compile_caches_write(w, model, compile);
    JSON_ADD(w, "artifact_count", compile->artifacts.count, "bytes", compile->bytes);
    if (shapes_any(compile))
        shapes_write_counts(w, "shape_counts", compile);
    passes_write_counts(w, model, compile);
    if (stacks) {
        compile_details_write(w, view, compile);
        if (shapes_any(compile))
            shapes_write(w, "shapes", model, compile, stacks);
    }
    jsonw_end_object(w);
}

void compile_json_write_short(struct jsonw *w, const struct model *model, const struct compile *compile) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "key", compile->key, "status", status_name(compile_status(compile)));
    frame_json_write(w, "frame", &compile->frame, compile->label);
    if (compile_what(model, compile))
        jsonw_str(w, "what", compile_what(model, compile));
    jsonw_known(w, "time_us", compile->time_us);
    write_own(w, compile);
    jsonw_end_object(w);
}
