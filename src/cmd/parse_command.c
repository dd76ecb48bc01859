
#include "cmd/parse_command.h"

#include "cmd/browser.h"
#include "cmd/interrupt.h"
#include "cmd/log_paths.h"
#include "cmd/notes.h"
#include "cmd/options.h"
#include "cmd/serve_command.h"
#include "cmd/user_hooks.h"
#include "cmd/write_logs.h"
#include "sink/outdir.h"
#include "sink/sinks.h"

static bool check_strict(const struct options *options, const struct pipeline_result *result, struct err *err) {
    static const enum counter faults[] =
        {COUNT_OTHER_RANK,  COUNT_FAIL_GLOG, COUNT_FAIL_JSON, COUNT_FAIL_PAYLOAD_MD5, COUNT_FAIL_DYNAMO_GUARDS_JSON,
         COUNT_FAIL_PARSER, COUNT_TOO_LARGE};
    AUTO_BUF what = {0};
    for (size_t i = 0; options->strict && i < sizeof faults / sizeof *faults; i++)
        if (result->counters[faults[i]])
            buf_addf(&what, "%s%s: %" PRIu64, what.len ? ", " : "--strict: ", counter_name(faults[i]),
                     result->counters[faults[i]]);
    if (options->strict && result->missing_inputs)
        buf_addf(&what, "%smissing_inputs: %" PRIu64, what.len ? ", " : "--strict: ", result->missing_inputs);
    if (options->strict_compile_id && result->no_compile_id)
        buf_addf(&what, "%s--strict-compile-id: %" PRIu64 " %s a stack but no compile id, first at %s:%" PRIu64,
                 what.len ? "; " : "", result->no_compile_id,
                 result->no_compile_id == 1 ? "record has" : "records have", result->no_compile_id_file,
                 result->no_compile_id_line);
    bool ok = what.len == 0 || err_set(err, ERR_INPUT, "%.*s", (int)what.len, what.ptr);
    return ok;
}

static bool show(const struct options *options) {
    if (options->no_browser || options->serve || !browser_is_there())
        return false;
    char *page = mem_printf("%s/index.html", options->out);
    bool opened = browser_open(page);
    mem_free(page);
    return opened;
}

static bool write_report(const struct options *options, const struct choice *choice, struct outdir *outdir,
                         struct pipeline_result *result, struct err *err) {
    struct sink *sink = directory_sink_create(outdir_fd(outdir));
    bool ok = write_logs(options, choice, sink, result, err);
    sink_destroy(sink);
    return ok;
}

bool parse_check_out(const struct options *options, const char *path, struct err *err) {
    struct outdir outdir;
    const struct outdir_request request = {.path = path, .overwrite = options->overwrite};
    outdir_init(&outdir);
    bool ok = outdir_begin(&outdir, &request, err);
    outdir_finish(&outdir);
    return ok;
}

bool parse_write(const struct options *options, const struct choice *choice, struct outdir *outdir,
                 struct pipeline_result *result, struct err *err) {
    struct interrupt interrupt;
    const char **inputs = choice_paths(choice);
    for (size_t i = 0; i < choice->count; i++)
        if (strcmp(inputs[i], "-") == 0)
            inputs[i] = "/dev/stdin"; /* allows outdir to identify the file behind standard input */
    const struct outdir_request request = {.path = options->out,
                                           .overwrite = options->overwrite,
                                           .inputs = inputs,
                                           .input_count = choice->count};
    outdir_init(outdir);
    bool ok = interrupt_begin(&interrupt, outdir, err);
    if (ok) {
        ok = outdir_begin(outdir, &request, err) && write_report(options, choice, outdir, result, err);
        interrupt_hold(&interrupt);
        ok = ok && outdir_commit(outdir, err);
        interrupt_end(&interrupt);
    }
    mem_free(inputs);
    return ok;
}

static bool report_logs(const struct options *options, const struct choice *choice, struct err *err) {
    struct outdir outdir;
    struct pipeline_result result = {0};
    bool ok = parse_write(options, choice, &outdir, &result, err);
    if (ok) {
        if (options->verbose)
            notes_summary(&result);
        notes_unknown_fields(&result);
        notes_report(options, &outdir, show(options));
        notes_stats(&result);
        options->hooks->reported = true;
        ok = (!options->upload || user_hooks_upload(options->hooks, options->out, err)) &&
             check_strict(options, &result, err);
    }
    outdir_finish(&outdir);
    pipeline_result_finish(&result);
    return ok;
}

bool parse_run(const struct options *options, struct err *err) {
    struct choice choice;
    if (!user_hooks_report(options->hooks, options, err) || !input_choose(options, &choice, err))
        return false;
    bool ok = report_logs(options, &choice, err);
    choice_finish(&choice);
    return ok && (!options->serve || serve_report(options, err));
}
