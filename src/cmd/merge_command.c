#include "cmd/commands.h"

#include "cmd/facts_output.h"
#include "cmd/interrupt.h"
#include "cmd/messages.h"
#include "cmd/notes.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/serve_command.h"
#include "cmd/user_hooks.h"
#include "cmd/whole_file.h"
#include "cmd/write_logs.h"
#include "facts/facts_file.h"
#include "ranks/merge_facts.h"
#include "sink/outdir.h"
#include "sink/sinks.h"

/* "representatives", "none", or numbers of ranks: "0,17,300". */
static bool parse_full(const struct options *options, struct merge_request *request, struct err *err) {
    struct slice rest = slice_str(options->full ? options->full : "representatives");
    if (slice_is(rest, "representatives") || slice_is(rest, "none")) {
        request->full = slice_is(rest, "none") ? MERGE_FULL_NONE : MERGE_FULL_REPRESENTATIVES;
        return true;
    }
    uint64_t *ranks = mem_alloc((rest.len + 1) * sizeof *ranks);
    request->full = MERGE_FULL_LISTED;
    request->ranks = ranks;
    do {
        size_t comma = slice_find(rest, SLICE(","));
        if (!slice_to_u64(slice_first(rest, comma), &ranks[request->rank_count++]))
            return err_set(err, ERR_USAGE,
                           "invalid value '%s' for --full: expected representatives, none, or ranks such as 0,17",
                           options->full);
        rest = slice_from(rest, comma == SIZE_MAX ? rest.len : comma + 1);
    } while (rest.len);
    return true;
}

static bool check_strict(const struct options *options, const struct merge_result *result, struct err *err) {
    if (options->strict && result->unknown)
        return err_set(err, ERR_LIMIT, "--strict: --full names a rank without facts");
    return !options->strict || !result->total.missing_inputs ||
           err_set(err, ERR_LIMIT, "--strict: missing_inputs: %" PRIu64, result->total.missing_inputs);
}

static void say(struct buf *line) {
    buf_add_byte(line, 0);
    messages_print(stderr, line->ptr);
    line->len = 0;
}

static void say_merged(const struct merge_result *result) {
    AUTO_BUF line = {0};
    messages_add_count(&line, result->logs);
    buf_add_str(&line, result->logs == 1 ? " log from " : " logs from ");
    messages_add_count(&line, result->files);
    buf_add_str(&line, result->files == 1 ? " facts file" : " facts files");
    say(&line);
    if (result->repeated) {
        messages_add_count(&line, result->repeated);
        BUF_ADD(&line, result->repeated == 1 ? " log has facts in several files" : " logs have facts in several files",
                ": those taken last count (", result->repeated > 1 ? "for example " : "", result->first_repeated, ")");
        say(&line);
    }
    if (result->unknown) {
        buf_addf(&line, "no log of rank %" PRIu64, result->first_unknown);
        if (result->unknown > 1)
            buf_addf(&line, " and of %" PRIu64 " other rank%s", result->unknown - 1, result->unknown > 2 ? "s" : "");
        buf_addf(&line, " has facts: --full names %s", result->unknown > 1 ? "them" : "it");
        say(&line);
    }
    if (result->trouble.code != ERR_NONE)
        messages_print(stderr, result->trouble.text);
    if (result->reports_missing) {
        messages_add_count(&line, result->reports_missing);
        BUF_ADD(&line, result->reports_missing == 1 ? " log is" : " logs are",
                " not here, so there is no report on each: the page says which to fetch");
        say(&line);
        if (!result->reports)
            messages_hint(stderr,
                          "--logs DIR names a folder with copies of the logs, --full none asks for no such report");
    }
}

static bool keep(void *context, struct slice bytes) {
    buf_add(context, bytes);
    return true;
}

static bool merge_to_file(const struct options *options, const struct merge_request *request, struct err *err) {
    struct merge_result result = {0};
    AUTO_BUF bytes = {0};
    char *host = facts_host(), *path = facts_path(options->out, host);
    const struct ranks_facts_out out = {{slice_str(host), facts_now(), NULL}, keep, &bytes};
    bool ok = whole_file_check(path, options->overwrite, err) && merge_facts_files(request, NULL, &out, &result, err) &&
              whole_file_save(path, options->overwrite, buf_slice(&bytes), err);
    if (ok) {
        AUTO_BUF line = {0};
        say_merged(&result);
        buf_addf(&line, "%s (", strcmp(path, "-") == 0 ? "standard output" : path);
        progress_add_bytes(&line, bytes.len);
        buf_add(&line, slice_make(")", 2));
        messages_report(stderr, line.ptr);
        ok = check_strict(options, &result, err);
    }
    pipeline_result_finish(&result.total);
    mem_free(host);
    mem_free(path);
    return ok;
}

static bool write_report(const struct merge_request *request, struct outdir *outdir, struct merge_result *result,
                         struct err *err) {
    struct sink *sink = directory_sink_create(outdir_fd(outdir));
    bool ok = merge_facts_files(request, sink, NULL, result, err);
    sink_destroy(sink);
    return ok;
}

static bool merge_to_report(const struct options *options, const struct merge_request *request, struct err *err) {
    struct merge_result result = {0};
    struct outdir outdir;
    struct interrupt interrupt;
    const struct outdir_request place = {.path = options->out,
                                         .overwrite = options->overwrite,
                                         .inputs = request->paths,
                                         .input_count = request->count};
    outdir_init(&outdir);
    bool ok = interrupt_begin(&interrupt, &outdir, err);
    if (ok) {
        ok = outdir_begin(&outdir, &place, err) && write_report(request, &outdir, &result, err);
        interrupt_hold(&interrupt);
        ok = ok && outdir_commit(&outdir, err);
        interrupt_end(&interrupt);
    }
    if (ok) {
        say_merged(&result);
        notes_report(options, &outdir, false);
        ok = check_strict(options, &result, err);
    }
    outdir_finish(&outdir);
    pipeline_result_finish(&result.total);
    return ok;
}

bool merge_run(const struct options *options, struct err *err) {
    struct merge_request request = {.paths = options->paths.items,
                                    .count = options->paths.count,
                                    .options = write_logs_options(options),
                                    .logs = options->logs.items,
                                    .log_count = options->logs.count};
    if (!options->paths.count)
        return err_set(err, ERR_USAGE, "no facts file given; 'tlparse facts' makes them");
    bool to_file = slice_ends(slice_str(options->out), SLICE(".facts")) || strcmp(options->out, "-") == 0;
    bool ok = parse_full(options, &request, err) &&
              (to_file ? merge_to_file(options, &request, err) : merge_to_report(options, &request, err));
    mem_free((void *)(uintptr_t)request.ranks);
    return ok && (to_file || !options->serve || serve_report(options, err));
}
