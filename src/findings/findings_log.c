/* Malformed parts of the log. */

#include "findings/findings_make.h"
#include "model/log_info.h"

static bool has_unfinished(const struct findings *findings) {
    for (size_t i = 0; i < findings->list.count; i++)
        if (findings->list.items[i].kind == FINDING_UNFINISHED)
            return true;
    return false;
}

/* If the log has several files, the line number is within one of them. */
static struct slice say_fault(struct findings *findings, const struct model *model, const struct fault *fault) {
    const struct log_file *file = model->files.count > 1 ? model_file_at(model, fault->line) : NULL;
    if (!file || !file->first_line)
        return finding_say(findings, "Line %" PRIu64 ": %s.", fault->line, fault->what);
    return finding_say(findings, "%.*s, line %" PRIu64 ": %s.", SLICE_ARG(file->name),
                       fault->line - file->first_line + 1, fault->what);
}

/* Text between records is normal if a log is the output of a program. A malformed payload or envelope is not. */
static void add_faults(struct findings *findings, const struct model *model) {
    struct unread unread = counters_unread(model->counters);
    uint64_t bad = unread.malformed + unread.skipped - model->counters[COUNT_FAIL_GLOG];
    const struct fault *first = model->faults.count ? &model->faults.items[0] : NULL;
    if (model->empty || (!unread.malformed && !unread.skipped))
        return;
    uint64_t mismatched = model->counters[COUNT_FAIL_PAYLOAD_MD5];
    bool begins_late = first && first->line == 1 && !bad;
    bool cut = bad == 1 && first && model->faults.items[model->faults.count - 1].line >= model->last_line;
    if (cut && has_unfinished(findings)) /* which reports that the log ends there */
        return;
    struct finding *finding =
        finding_add(findings, FINDING_LOG_FAULT, unread.malformed || begins_late ? SEVERITY_WARNING : SEVERITY_INFO,
                    IMPACT_INFORMATION);
    if (begins_late)
        finding->title = SLICE("The log does not begin with a record");
    else if (cut)
        finding->title = SLICE("The last record of the log is cut off or damaged");
    else if (unread.malformed)
        finding->title = finding_say(findings, "%" PRIu64 " malformed %s", unread.malformed,
                                     unread.malformed == 1 ? "record" : "records");
    else
        finding->title = finding_say(findings, "%" PRIu64 " %s of the log %s skipped", unread.skipped,
                                     unread.skipped == 1 ? "line" : "lines", unread.skipped == 1 ? "is" : "are");
    struct slice where = first ? say_fault(findings, model, first) : SLICE("See the counters of the log.");
    struct slice more = {0}; /* what it means; the program has nothing to fix */
    if (begins_late)
        more =
            SLICE(" If the start was cut off, as by log rotation, file names that are defined there are unknown, and "
                  "compiles may be missing.");
    else if (unread.malformed && !cut && mismatched == unread.malformed)
        more = SLICE(" The payload does not match its MD5: it was changed or damaged after it was written. The report "
                     "uses it as it is.");
    else if (!unread.malformed)
        more =
            SLICE(" Lines that are not log records are other output, such as prints and warnings, in the same file.");
    finding->why = finding_say(findings, "%.*s%.*s", SLICE_ARG(where), SLICE_ARG(more));
    finding->link = SLICE("#/log");
}

/* Adds files that were not read completely, and folders that were not searched. */
static void add_missing(struct findings *findings, const struct model *model) {
    const struct log_file *first = NULL;
    uint64_t files = 0, folders = model->unread_folders.count;
    for (size_t i = 0; i < model->files.count; i++) {
        const struct log_file *file = &model->files.items[i];
        if (file->damage.ptr && files++ == 0)
            first = file;
    }
    if (!files && !folders)
        return;
    struct finding *finding = finding_add(findings, FINDING_LOG_FAULT, SEVERITY_WARNING, IMPACT_INFORMATION);
    if (files == 1 && model->files.count == 1)
        finding->title = SLICE("The log could not be read to its end");
    else if (files)
        finding->title = finding_say(findings, "%" PRIu64 " %s could not be read to %s end", files,
                                     files == 1 ? "file" : "files", files == 1 ? "its" : "their");
    else
        finding->title = finding_say(findings, "%" PRIu64 " %s could not be searched for logs", folders,
                                     folders == 1 ? "folder" : "folders");
    struct slice why = SLICE("");
    if (files)
        why = finding_say(findings, "`%.*s`: %.*s.", SLICE_ARG(first->name), SLICE_ARG(first->damage));
    if (folders) {
        struct slice folder = model->unread_folders.items[0];
        why = finding_say(findings, "%.*s%sNot searched: %.*s.", SLICE_ARG(why), files ? " " : "", SLICE_ARG(folder));
    }
    finding->why = finding_say(findings, "%.*s What is missing there is missing in this report.", SLICE_ARG(why));
    finding->link = SLICE("#/log");
}

/* Adds records of other ranks that get no report, for example if such a log is compared as a run. */
static void add_other_ranks(struct findings *findings, const struct model *model) {
    uint64_t left = model->counters[COUNT_OTHER_RANK];
    if (!left)
        return;
    struct finding *finding = finding_add(findings, FINDING_LOG_FAULT, SEVERITY_WARNING, IMPACT_INFORMATION);
    finding->title = finding_say(findings, "%" PRIu64 " %s of other ranks %s left out", left,
                                 left == 1 ? "record" : "records", left == 1 ? "is" : "are");
    finding->why = finding_say(findings, "Several ranks wrote into this log; this report is of rank %" PRIu64 " only.",
                               model->rank);
    finding->advice = SLICE("Call tlparse with this log alone: each rank then gets a report.");
    finding->link = SLICE("#/log");
}

static void add_empty(struct findings *findings, const struct model *model) {
    if (!model->empty)
        return;
    struct finding *finding = finding_add(findings, FINDING_NO_RECORDS, SEVERITY_WARNING, IMPACT_INFORMATION);
    finding->title = SLICE("The log holds no trace records");
    finding->why = SLICE("Nothing in the input is a record that PyTorch writes with `TORCH_TRACE`, so the report says "
                         "nothing about a run.");
    finding->advice = SLICE("Set `TORCH_TRACE=DIR` when the program runs, then run `tlparse DIR`.");
    finding->link = SLICE("#/log");
}

/* Adds concatenated logs, or forks. If there are several files, the user knows. */
static void add_processes(struct findings *findings, const struct model *model) {
    enum { SHOWN = 8 };
    if (model->process_count < 2 || model->files.count > 1)
        return;
    struct finding *finding = finding_add(findings, FINDING_SEVERAL_PROCESSES, SEVERITY_INFO, IMPACT_INFORMATION);
    AUTO_BUF names = {0};
    uint64_t shown = 0;
    for (size_t i = 0; i < model->processes.count && shown < SHOWN; i++)
        if (model->processes.items[i].compiles) {
            buf_add_str(&names, shown++ ? ", " : "");
            model_add_process_name(&names, model, model->processes.items[i].id);
        }
    if (shown < model->process_count)
        buf_addf(&names, " and %" PRIu64 " more", model->process_count - shown);
    finding->title = finding_say(findings, "%" PRIu64 " processes wrote compiles into this log", model->process_count);
    finding->why = finding_say(findings,
                               "Their process ids are %.*s. Compile ids are counted per process, so each compile is "
                               "shown with its process id.%s",
                               SLICE_ARG(buf_slice(&names)),
                               model->shared_numbers ? " Processes with the same id, as in containers, are numbered: "
                                                       "7.2 is the second process 7."
                                                     : "");
    finding->link = SLICE("#/log");
}

void findings_add_log(struct findings *findings, const struct model *model) {
    add_empty(findings, model);
    add_processes(findings, model);
    add_missing(findings, model);
    add_other_ranks(findings, model);
    add_faults(findings, model);
}
