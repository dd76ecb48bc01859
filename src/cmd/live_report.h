/* live_report.h - the report on growing logs: remade as a whole from time to time, in its own process.
 *
 * A report is made in a staging folder and moved into place when it is complete, so readers always see a complete
 * report. The process has a low priority. A new report begins when the logs have grown, and
 *   - the reports have used at most a quarter of one core since the last one began, or
 *   - the logs have been quiet for at least LIVE_QUIET_MS and for as long as the last report took.
 *
 * The report is in a temporary folder, which is removed at the end.
 *
 * Life cycle: live_report_init, live_report_tick…, live_report_finish. One thread, and no other thread when a report begins (fork). */
#pragma once

#include "base/base.h"
#include <sys/types.h>

struct options;

enum { LIVE_QUIET_MS = 1000, LIVE_SHARE = 4 };

struct live_report {
    const struct options *options;
    char *above;                /* the temporary folder */
    char *folder;               /* the report */
    pid_t child;                /* the process that makes a report; 0: none */
    int said;                   /* its messages, in a file without a name */
    uint64_t made, begun;       /* number of completed reports; number of the report that the child is making */
    uint64_t bytes, made_bytes; /* size of the logs when the child began, and in the current report */
    int64_t began_ms, took_ms, cpu_ms;
    bool failed; /* the last report failed; the next one begins when the logs have grown */
};

/* The state of the logs. */
struct live_state {
    int64_t now_ms, quiet_ms;
    uint64_t bytes;
};

bool live_report_init(struct live_report *live, const struct options *options, struct err *err);
/* Begins or ends a report. *news: a new report is in place. A failed report causes a message, not an error. */
bool live_report_tick(struct live_report *live, const struct live_state *state, bool *news, struct err *err);
/* Stops a report in progress, and removes the temporary folder. */
void live_report_finish(struct live_report *live);
