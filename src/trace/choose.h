/* choose.h - finds the logs to read from the arguments of a call.
 *
 * A file or "-" is read as given. In a folder, hidden files are ignored, and
 *   - with `latest`, the most recently modified file is read, among files with the name of a log (*.log, *.txt, also
 *     with .gz or .zst), or among all files if none has such a name;
 *   - otherwise the last run is read: PyTorch's own logs (dedicated_log_torch_trace_*.log) if there are any, or else
 *     all files with the name of a log. Unless the folder itself contains logs of ranks, its subfolders are searched,
 *     too (log_dir.h).
 *     Ranks: if logs of ranks (…_rank_<N>_….log) were still written when the newest log began, the run is all of
 *     these: those last modified at most CHOOSE_SLACK_S before the newest log's first record. (Ranks of a run write at
 *     the same time, and those of the previous run have ended by then. A rank that was restarted immediately has two
 *     logs.) Logs of further ranks that were modified up to CHOOSE_LATE_S earlier belong to the run, too, unless one
 *     of them is of a rank that the run has: a log is created at the first compile of its rank. So do logs without a
 *     rank that a process of the run wrote before it had one. If the first record has no time, or a time after the
 *     last modification (another time zone), it is assumed to be CHOOSE_WINDOW_S before the last modification.
 *     Otherwise each log is of a process, and the run consists of the last log and all logs (with a record at their
 *     start) that precede it without a pause longer than CHOOSE_PAUSE_S between records. What was written before such
 *     a pause belongs to an earlier run: a program starts its processes one after the other, but rarely pauses that
 *     long.
 * The newest log is the one with the latest modification time in nanoseconds, then with the greater name. The order of
 * the file system never matters.
 *
 * Files left by logrotate and similar programs (x.log.1, x.log.2.gz) are logs, too. For a rank, they form one log with
 * the current file.
 *
 * A file that is given twice, even under different names, is read once.
 *
 * Without a path, the fallback ($TORCH_TRACE) is used as one. No file stays open. Life cycle: choose_logs ..
 * choice_finish; if choose_logs fails, there is nothing to finish. Any thread (localtime_r). */
#pragma once

#include "trace/choice.h"
#include "trace/log_dir.h"

enum { CHOOSE_SLACK_S = 120, CHOOSE_WINDOW_S = 3600, CHOOSE_PAUSE_S = 3600, CHOOSE_LATE_S = 18 * 3600 };

bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err);
void choice_finish(struct choice *choice);

/* Returns the paths of the chosen logs. The caller frees the list, but not the strings. */
const char **choice_paths(const struct choice *choice);
/* Whether the name of any chosen log has a rank. */
bool choice_has_rank(const struct choice *choice);
