/* Parts of the log that cannot be read. */
#include <inttypes.h>

#include "model/findings_make.h"

static uint64_t unread(const struct report *report) {
    return report->counters[COUNT_FAIL_JSON] + report->counters[COUNT_FAIL_PAYLOAD_MD5] +
           report->counters[COUNT_FAIL_PARSER] + report->counters[COUNT_FAIL_DYNAMO_GUARDS_JSON];
}

static bool has_unfinished(const struct findings *findings) {
    for (size_t i = 0; i < findings->list.count; i++)
        if (strcmp(findings->list.items[i].kind, "unfinished") == 0)
            return true;
    return false;
}

/* Text between the records is usual where a log is the output of a program; a payload or an envelope that cannot be read is not. */
static void add_faults(struct findings *findings, const struct report *report) {
    uint64_t bad = unread(report), strays = report->counters[COUNT_FAIL_GLOG];
    const struct fault *first = report->faults.count ? &report->faults.items[0] : NULL;
    if (!bad && !strays)
        return;
    uint64_t mismatched = report->counters[COUNT_FAIL_PAYLOAD_MD5];
    bool output = strays > 1 && !mismatched && bad > 1; /* lines of a program that look like records */
    bool begins_late = first && first->line == 1 && !bad;
    bool cut = bad == 1 && first && report->faults.items[report->faults.count - 1].line >= report->last_line;
    if (cut && has_unfinished(findings)) /* which says it: the log ends there */
        return;
    struct finding *finding =
        finding_add(findings, "log_fault", (bad && !output) || begins_late ? SEVERITY_WARNING : SEVERITY_INFO,
                    IMPACT_INFORMATION);
    if (begins_late)
        finding->title = SLICE("The log does not begin with a record");
    else if (cut)
        finding->title = SLICE("The last record of the log is cut off or damaged");
    else if (bad && !output)
        finding->title = finding_say(findings, "%" PRIu64 " malformed %s", bad, bad == 1 ? "record" : "records");
    else
        finding->title = finding_say(findings, "%" PRIu64 " %s of the log %s skipped", bad + strays,
                                     bad + strays == 1 ? "line" : "lines", bad + strays == 1 ? "is" : "are");
    finding->why = first ? finding_say(findings, "Line %" PRIu64 ": %s.", first->line, first->what)
                         : SLICE("See the counters of the log.");
    if (begins_late)
        finding->advice = SLICE("If its start was cut off, as by a rotation of logs, file names that are defined there "
                                "are unknown, and compiles may be missing.");
    else if (bad && !output && !cut && mismatched == bad)
        finding->advice = SLICE("The payload does not match its MD5: it was changed or damaged after it was written. "
                                "The report uses it as it is.");
    else if (!bad || output)
        finding->advice = SLICE("They are not log records: other output, such as prints and warnings, is in the same "
                                "file.");
    finding->link = SLICE("#/log");
}

void findings_add_log(struct findings *findings, const struct report *report) {
    add_faults(findings, report);
}
