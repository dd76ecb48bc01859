#include "cmd/follow_end.h"

#include "answers/summary.h"
#include "cmd/answer.h"
#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/notes.h"
#include "cmd/options.h"
#include "cmd/parse_command.h"
#include "cmd/user_hooks.h"
#include "pipeline/result.h"
#include "sink/outdir.h"
#include "trace/choose.h"

/* ---- the report ------------------------------------------------------------------------------------------------- */

/* Writes the report on the current content of the path, as a call of tlparse would. */
static bool write_report(const struct options *options, struct err *err) {
    struct choice choice;
    struct outdir outdir;
    struct pipeline_result result = {0};
    if (!user_hooks_report(options->hooks, options, err) || !input_choose(options, &choice, err))
        return false;
    bool ok = parse_write(options, &choice, &outdir, &result, err);
    options->hooks->reported |= ok;
    if (ok)
        notes_leftover(options->out, &outdir);
    outdir_finish(&outdir);
    pipeline_result_finish(&result);
    choice_finish(&choice);
    return ok;
}

/* ---- the totals ------------------------------------------------------------------------------------------------- */

static void add_totals(const struct follow_end_request *request, const struct report_doc *report) {
    const struct summary_request summary = {.name = request->path, .top = (size_t)request->options->top.value};
    struct buf *out = request->term->out;
    if (request->options->format == FORMAT_JSON) {
        buf_add_lit(out, "{\"event\":\"totals\",\"kind\":");
        json_add_value(out, json_get(report->root, "kind"));
        buf_add_lit(out, ",\"totals\":");
        json_add_value(out, json_get(report->root, "totals"));
        buf_add_lit(out, "}\n");
        return;
    }
    term_newline(request->term);
    summary_add_text(request->term, report, &summary);
}

/* Adds the totals of a report on the path: of the report just written; or of the one in memory; or else, the logs are
 * read again, together. */
static bool add_totals_of(const struct follow_end_request *request, bool written, struct err *err) {
    struct answer_input input = {0};
    struct options read = *request->options;
    const char *paths[] = {read.out, NULL};
    if (written) {
        read.paths = (struct option_list){paths, 1};
        read.rank = (struct option_number){0}; /* the whole report is about that rank */
    }
    bool ok = request->json.ptr && !written ? report_doc_parse(&input.report, request->json, request->path, err)
                                            : answer_input_read(&input, &read, err);
    if (ok)
        add_totals(request, &input.report);
    answer_input_finish(&input);
    return ok;
}

bool follow_end(const struct follow_end_request *request, bool *written, struct err *err) {
    const char *out = request->options->out;
    struct err why = {0};
    *written = false;
    if (!request->any)
        return !out || err_set(err, ERR_INPUT, "no report was written: there are no records in %s", request->path);
    *written = out && write_report(request->options, &why);
    if (!add_totals_of(request, *written, err))
        return false;
    if (out && !*written)
        *err = why;
    return !out || *written;
}
