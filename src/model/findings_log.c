/* What the log itself lacks: compiles that have no end in it, parts that cannot be read. */
#include <inttypes.h>

#include "model/findings_make.h"
#include "model/log_facts.h"

static const struct artifact *last_artifact(const struct report *report, const struct compile *compile) {
    return compile->artifacts.count ? &report->artifacts.items[compile->artifacts.items[compile->artifacts.count - 1]]
                                    : NULL;
}

static void add_missing(struct findings *findings, const struct report *report) {
    struct finding *finding = NULL;
    const struct compile *last = NULL;
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        if (!compile->framed || compile->has_metrics)
            continue;
        if (!finding)
            finding = finding_add(findings, "missing_metrics", SEVERITY_WARNING, IMPACT_INFORMATION);
        if (!last || compile->order > last->order)
            last = compile;
        finding_add_compile(findings, finding, report, (uint32_t)i);
    }
    if (!finding)
        return;
    const struct artifact *artifact = last_artifact(report, last);
    struct slice function = finding_function(last);
    finding->title = finding_say(findings, "%zu %s not finish", finding->compiles.count,
                                 finding->compiles.count == 1 ? "compile did" : "compiles did");
    finding->why = artifact
                     ? finding_say(findings,
                                   "%.*s (%.*s) began, and the log holds no metrics of it; its last artifact is %.*s. "
                                   "The program ended, or "
                                   "the log was cut, in between; some ways of compiling ahead of time write none.",
                                   SLICE_ARG(function), SLICE_ARG(last->key), SLICE_ARG(artifact->name))
                     : finding_say(findings,
                                   "%.*s (%.*s) began, and the log holds nothing more of it. The program ended, or the "
                                   "log was cut, in between; "
                                   "some ways of compiling ahead of time write no metrics.",
                                   SLICE_ARG(function), SLICE_ARG(last->key));
    finding->advice = SLICE("If the program was killed (out of memory, a time limit), this is what it was compiling. "
                            "The last artifact tells how far it came.");
    finding->place = finding_place(last->frame, last->stack);
    finding->link = finding_link(findings, last);
}

static uint64_t unread(const struct report *report) {
    return report->counters[COUNT_FAIL_JSON] + report->counters[COUNT_FAIL_PAYLOAD_MD5] +
           report->counters[COUNT_FAIL_PARSER] + report->counters[COUNT_FAIL_DYNAMO_GUARDS_JSON];
}

/* Where the log is several files, the line is of one of them. */
static struct slice say_fault(struct findings *findings, const struct report *report, const struct fault *fault) {
    const struct log_file *file = report->files.count > 1 ? report_file_at(report, fault->line) : NULL;
    if (!file || !file->first_line)
        return finding_say(findings, "Line %" PRIu64 ": %s.", fault->line, fault->what);
    return finding_say(findings, "%.*s, line %" PRIu64 ": %s.", SLICE_ARG(file->name),
                       fault->line - file->first_line + 1, fault->what);
}

/* Text between the records is usual where a log is the output of a program; a payload or an envelope that cannot be read is not. */
static void add_faults(struct findings *findings, const struct report *report) {
    uint64_t bad = unread(report), strays = report->counters[COUNT_FAIL_GLOG];
    const struct fault *first = report->faults.count ? &report->faults.items[0] : NULL;
    if (report->empty || (!bad && !strays))
        return;
    bool output = report->counters[COUNT_FAIL_GLOG] > 1 && report->counters[COUNT_FAIL_PAYLOAD_MD5] == 0 && bad > 1;
    bool begins_late = first && first->line == 1 && !bad;
    struct finding *finding =
        finding_add(findings, "log_fault", (bad && !output) || begins_late ? SEVERITY_WARNING : SEVERITY_INFO,
                    IMPACT_INFORMATION);
    if (begins_late)
        finding->title = SLICE("The log begins in the middle of a record");
    else if (output)
        finding->title = finding_say(findings, "%" PRIu64 " lines of the log are no records", bad + strays);
    else if (bad)
        finding->title = finding_say(findings, "%" PRIu64 " %s of the log cannot be read as written", bad,
                                     bad == 1 ? "record" : "records");
    else
        finding->title = finding_say(findings, "%" PRIu64 " lines of the log are no records", strays);
    finding->why = first ? say_fault(findings, report, first) : SLICE("See the counters of the log.");
    if (begins_late)
        finding->advice = SLICE("Its start is missing, perhaps after a rotation: names of files that only the start "
                                "tells are not known, and compiles may be missing.");
    else if (output)
        finding->advice = SLICE("The log is the output of a program, with other text between. Each rank's own file in "
                                "TORCH_TRACE's folder is whole.");
    else if (bad)
        finding->advice = SLICE("A record at the end was cut when the disk was full or the program was killed; one in "
                                "the middle was changed after it was "
                                "written. What could be read of it is kept.");
    else
        finding->advice = SLICE("They are text that the program wrote into the same file.");
    finding->link = SLICE("#/log");
}

static void add_empty(struct findings *findings, const struct report *report) {
    if (!report->empty)
        return;
    struct finding *finding = finding_add(findings, "no_records", SEVERITY_WARNING, IMPACT_INFORMATION);
    finding->title = SLICE("The log holds no trace records");
    finding->why = SLICE("Nothing in the input is a record that PyTorch writes with TORCH_TRACE, so the report says "
                         "nothing about a run.");
    finding->advice = SLICE("Set TORCH_TRACE=DIR when the program runs, and call tlparse DIR.");
    finding->link = SLICE("#/log");
}

/* Logs that were pasted together, or forks. Of several files the user knows. */
static void add_processes(struct findings *findings, const struct report *report) {
    enum { SHOWN = 8 };
    if (report->process_count < 2 || report->files.count > 1)
        return;
    struct finding *finding = finding_add(findings, "several_processes", SEVERITY_INFO, IMPACT_INFORMATION);
    struct buf names = {0};
    uint64_t shown = 0;
    for (size_t i = 0; i < report->processes.count && shown < SHOWN; i++)
        if (report->processes.items[i].compiles)
            buf_addf(&names, "%s%" PRIu64, shown++ ? ", " : "", report->processes.items[i].process);
    if (shown < report->process_count)
        buf_addf(&names, " and %" PRIu64 " more", report->process_count - shown);
    finding->title = finding_say(findings, "%" PRIu64 " processes wrote compiles into this log", report->process_count);
    finding->why = finding_say(findings,
                               "Their process IDs are %.*s. Compile ids are counted per process, so each compile is "
                               "shown with its process ID.",
                               SLICE_ARG(buf_slice(&names)));
    finding->link = SLICE("#/log");
    buf_free(&names);
}

void findings_add_log(struct findings *findings, const struct report *report) {
    add_empty(findings, report);
    add_processes(findings, report);
    add_missing(findings, report);
    add_faults(findings, report);
}
