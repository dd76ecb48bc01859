/* choose.h - from the arguments of a call to the logs to read.
 *
 * A file or "-" is taken as it is. Of a folder, what is hidden is never looked at, and
 *   - with `latest` the file last written is taken, of those that are logs by name (*.log, *.txt, also with .gz or
 *     .zst), or, when no name says log, of all files;
 *   - else the last run: PyTorch's own logs (dedicated_log_torch_trace_*.log) when there are any, else all logs by name. Unless
 *     the folder itself holds logs of ranks, the folders below it are searched, too (log_dir.h).
 *     Ranks: where logs of ranks (…_rank_<N>_….log) were still written to when the newest log began, the run is all logs that
 *     were: those last written no more than CHOOSE_SLACK_S before the time of the newest
 *     log's first record. (Ranks of one run write at the same time, those of the run before had ended by then; a rank that
 *     was started anew at once has two logs.) Logs of other ranks that were written up to CHOOSE_LATE_S before that are of the run, too, if
 *     none of them is of a rank that the run has: a log is made when its rank compiles first. Besides, the logs without a rank that a process of the run wrote before it
 *     had one. Where the first record has no time, or one that lies behind the last write (another time zone),
 *     CHOOSE_WINDOW_S before the newest log's last write stands for it.
 *     Otherwise each log is of a process, and the run is all logs (that have a record at their start) between whose first and
 *     last records no pause is longer than CHOOSE_PAUSE_S, up to the last one: what was written before such a pause is an earlier
 *     run. A program starts its processes one after the other, but hardly rests for so long.
 * "Newest" is the time of the last write to the nanosecond, then the greater name: never the order of the file system.
 *
 * Files that logrotate and its like leave (x.log.1, x.log.2.gz) are logs, too. Of a rank they are one log with the file whose name they have.
 *
 * A file that is given twice, by whatever name, is taken once.
 *
 * Without a path the fallback ($TORCH_TRACE) is taken as one. Nothing here holds a file open.
 * Life cycle: choose_logs .. choice_finish; choose_logs that fails leaves nothing to finish. Any thread
 * (localtime_r). */
#ifndef TLPARSE_TRACE_CHOOSE_H
#define TLPARSE_TRACE_CHOOSE_H

#include "base/err.h"
#include "trace/choice.h"
#include "trace/log_dir.h"

enum { CHOOSE_SLACK_S = 120, CHOOSE_WINDOW_S = 3600, CHOOSE_PAUSE_S = 3600, CHOOSE_LATE_S = 18 * 3600 };

bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err);
void choice_finish(struct choice *choice);

#endif
