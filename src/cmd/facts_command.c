
#include "cmd/commands.h"

#include "cmd/facts_output.h"
#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/whole_file.h"
#include "cmd/write_logs.h"
#include "facts/facts_file.h"

static bool keep(void *context, struct slice bytes) {
    buf_add(context, bytes);
    return true;
}

static void say(const char *path, uint64_t logs, const struct pipeline_result *result, size_t bytes) {
    AUTO_BUF line = {0};
    messages_add_count(&line, logs);
    buf_add_str(&line, logs == 1 ? " log" : " logs");
    if (result->missing_inputs)
        buf_addf(&line, "; %" PRIu64 " could not be read completely", result->missing_inputs);
    buf_add_byte(&line, 0);
    messages_print(stderr, line.ptr);
    line.len = 0;
    buf_addf(&line, "%s (", strcmp(path, "-") == 0 ? "standard output" : path);
    progress_add_bytes(&line, bytes);
    buf_add(&line, slice_make(")", 2));
    messages_report(stderr, line.ptr);
}

bool facts_run(const struct options *options, struct err *err) {
    struct choice choice;
    struct pipeline_result result = {0};
    AUTO_BUF bytes = {0};
    char *host = facts_host(), *path = facts_path(options->out, host);
    size_t logs = 0;
    bool ok = whole_file_check(path, options->overwrite, err) && input_choose(options, &choice, err);
    if (ok) {
        const struct ranks_facts_out out = {{slice_str(host), facts_now(), &choice.unread}, keep, &bytes};
        ok = write_facts(options, &choice, &out, &logs, &result, err) &&
             whole_file_save(path, options->overwrite, buf_slice(&bytes), err);
        if (ok)
            say(path, logs, &result, bytes.len);
        choice_finish(&choice);
    }
    ok = ok && (!options->strict || !result.missing_inputs ||
                err_set(err, ERR_LIMIT, "--strict: missing_inputs: %" PRIu64, result.missing_inputs));
    pipeline_result_finish(&result);
    mem_free(host);
    mem_free(path);
    return ok;
}
