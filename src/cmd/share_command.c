#include "cmd/commands.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "base/fd.h"
#include "cmd/interrupt.h"
#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/user_hooks.h"
#include "cmd/write_logs.h"
#include "share/one.h"
#include "share/zip.h"
#include "sink/outdir.h"
#include "sink/sinks.h"

/* The default of --max-size: fits a mail with a limit of 25 MB. */
enum { MAIL_BYTES = 18 << 20 };

/* Names in the hidden folder next to the output: the file until it is complete, and the report on logs. */
static const char file_name[] = "file", report_name[] = "report";

struct share {
    const struct options *options;
    bool zip, to_stdout;
    struct outdir outdir; /* only its hidden folder is used, which is removed at the end and on a signal */
    struct tree tree;     /* the report */
    struct one_result result;
    struct redact redact;
    uint64_t bytes; /* written */
    uint64_t max_size;
};

/* ---- the call --------------------------------------------------------------------------------------------------- */

static bool check_output(struct share *share, struct err *err) {
    struct slice out = slice_str(share->options->out);
    struct stat st;
    share->to_stdout = slice_is(out, "-");
    share->zip = slice_ends(out, SLICE(".zip"));
    if (!share->zip && !share->to_stdout && !slice_ends(out, SLICE(".html")) && !slice_ends(out, SLICE(".htm")))
        return err_set(err, ERR_USAGE, "cannot write %s: the name of the file must end in .html or .zip", out.ptr);
    if (share->to_stdout || lstat(out.ptr, &st) != 0)
        return true;
    if (S_ISDIR(st.st_mode))
        return err_set(err, ERR_SYSTEM, "cannot write %s: it is a folder", out.ptr);
    if (!share->options->overwrite)
        return err_set(err, ERR_SYSTEM, "%s already exists; pass --overwrite to replace it or use -o FILE", out.ptr);
    return true;
}

/* Determines whether the file exists. Returns false with errno if that is unknown. */
static bool look_for(const char *path, bool *there) {
    *there = access(path, F_OK) == 0;
    return *there || errno == ENOENT || errno == ENOTDIR;
}

/* Sets *found to the folder of a finished report that the call names; NULL: the paths are logs. */
static bool report_folder(const struct options *options, char **found, struct err *err) {
    *found = NULL;
    if (options->paths.count != 1)
        return true;
    struct slice path = slice_str(options->paths.items[0]), last = path_last(path);
    bool is_part = slice_is(last, "report.json") || slice_is(last, "index.html");
    char *folder = is_part ? mem_printf("%.*s.", (int)(path.len - last.len), path.ptr) : mem_strdup(path.ptr);
    char *json = mem_printf("%s/report.json", folder), *page = mem_printf("%s/index.html", folder);
    bool is_report = false;
    bool ok = (look_for(json, &is_report) && (!is_report || look_for(page, &is_report))) ||
              err_errno(err, "cannot read %s", folder);
    mem_free(json);
    mem_free(page);
    if (ok && is_report)
        *found = folder;
    else
        mem_free(folder);
    return ok;
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static bool open_tree(struct share *share, int parent, const char *folder, const char *name, struct err *err) {
    int fd = openat(parent, folder, DIR_OPEN);
    if (fd < 0)
        return err_errno(err, "cannot read folder %s", name);
    bool ok = tree_open(&share->tree, fd, name, err);
    close(fd);
    return ok;
}

static bool write_report(struct share *share, const struct choice *choice, struct err *err) {
    struct pipeline_result result = {0};
    int staging = outdir_fd(&share->outdir), fd = -1;
    if (mkdirat(staging, report_name, 0777) == 0)
        fd = openat(staging, report_name, DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return err_errno(err, "cannot create a folder next to %s", share->options->out);
    struct sink *sink = directory_sink_create(fd);
    bool ok = write_logs(share->options, choice, sink, &result, err);
    sink_destroy(sink);
    close(fd);
    pipeline_result_finish(&result);
    return ok && open_tree(share, staging, report_name, "the report", err);
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static bool write_html(struct share *share, FILE *to, struct err *err) {
    AUTO_BUF page = {0};
    bool ok = one_write(&share->tree, share->max_size, &share->redact, &page, &share->result, err);
    if (ok && fwrite(page.ptr, 1, page.len, to) != page.len)
        ok = err_errno(err, "cannot write %s", share->options->out);
    share->bytes = page.len;
    return ok;
}

/* Adds report.json with the names of the page. For several reports, only the top-level one, which covers all. */
static bool redact_report(struct share *share, struct buf *out, struct err *err) {
    AUTO_BUF json = {0};
    size_t file = tree_find(&share->tree, "report.json");
    bool ok = file != SIZE_MAX ? tree_read(&share->tree, file, &json, err)
                               : err_set(err, ERR_INPUT, "cannot redact %s: it has no report.json", share->tree.name);
    for (int pass = redact_needs_names(&share->redact) ? 0 : 1; pass < 2 && ok; pass++) {
        out->len = 0;
        if (!redact_json(&share->redact, buf_slice(&json), out))
            ok = err_set(err, ERR_INPUT, "cannot redact %s: report.json is malformed", share->tree.name);
    }
    buf_add_byte(out, '\n');
    return ok;
}

/* Writes the archive of a redacted report: only the parts that can be redacted. */
static bool write_redacted_zip(struct share *share, FILE *to, struct err *err) {
    AUTO_BUF page = {0}, json = {0};
    bool ok = one_write(&share->tree, share->max_size, &share->redact, &page, &share->result, err) &&
              redact_report(share, &json, err);
    const struct zip_member members[] = {{"index.html", buf_slice(&page)}, {"report.json", buf_slice(&json)}};
    ok = ok && zip_write_members(members, sizeof members / sizeof *members, to, err);
    return ok;
}

static bool write_zip(struct share *share, FILE *to, struct err *err) {
    bool ok = share->redact.what ? write_redacted_zip(share, to, err) : zip_write(&share->tree, to, err);
    off_t end = ok ? ftello(to) : 0;
    share->bytes = end > 0 ? (uint64_t)end : 0;
    return ok;
}

/* Moves the file to its place if nothing is there. If the system cannot do both in one call, as on NFS, it uses a hard
 * link; without hard links, another file may appear between the check and the move. */
static int move_new(int staging, const char *out) {
    struct stat st;
    int failed = compat_rename_new(staging, file_name, AT_FDCWD, out);
    if (!failed || (errno != ENOSYS && errno != EINVAL && errno != EOPNOTSUPP))
        return failed;
    failed = linkat(staging, file_name, AT_FDCWD, out, 0);
    if (!failed || errno == EEXIST)
        return failed;
    if (lstat(out, &st) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(staging, file_name, AT_FDCWD, out);
}

/* Gives the file the mode of the one that it replaces. */
static void take_mode(int staging, const char *out) {
    struct stat old;
    int fd = lstat(out, &old) == 0 && S_ISREG(old.st_mode) ? openat(staging, file_name, O_WRONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fd_take_mode(fd, &old);
        close(fd);
    }
}

/* Moves the complete file to its place. */
static bool move(const struct share *share, struct err *err) {
    const char *out = share->options->out;
    int staging = outdir_fd(&share->outdir);
    bool overwrite = share->options->overwrite;
    if (overwrite)
        take_mode(staging, out);
    int failed = overwrite ? renameat(staging, file_name, AT_FDCWD, out) : move_new(staging, out);
    if (failed && !overwrite && errno == EEXIST)
        return err_set(err, ERR_SYSTEM, "%s already exists; pass --overwrite to replace it or use -o FILE", out);
    return !failed || err_errno(err, "cannot write %s", out);
}

/* Writes the file to the staging folder. */
static bool write_file(struct share *share, struct err *err) {
    int fd = openat(outdir_fd(&share->outdir), file_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!to)
        return err_errno(err, "cannot write %s", share->options->out);
    bool ok = share->zip ? write_zip(share, to, err) : write_html(share, to, err);
    if (fclose(to) != 0 && ok)
        ok = err_errno(err, "cannot write %s", share->options->out);
    return ok;
}

static bool write_stdout(struct share *share, struct err *err) {
    return write_html(share, stdout, err) && (fflush(stdout) == 0 || err_errno(err, "cannot write to standard output"));
}

/* ---- what is said ----------------------------------------------------------------------------------------------- */

static void say(struct buf *line) {
    buf_add_byte(line, '\0');
    messages_print(stderr, line->ptr);
    line->len = 0;
}

static void say_left_out(const struct one_result *result, struct buf *line) {
    enum { SHOWN = 8 };
    size_t count = result->left.count, shown = count < SHOWN ? count : SHOWN;
    buf_addf(line, "left out %zu of %zu reports to stay below --max-size:", count, count + result->reports);
    for (size_t i = 0; i < shown; i++)
        buf_addf(line, "%s %s", i ? "," : "", result->left.items[i]);
    if (shown < count)
        buf_addf(line, ", and %zu more", count - shown);
    say(line);
}

static void say_redacted(const struct redact *redact, struct buf *line) {
    buf_add_lit(line, "redacted: ");
    redact_add_what(line, redact->what);
    if (redact->path_count && redact->what & REDACT_PATHS)
        buf_addf(line, "; %u paths", redact->path_count);
    if (redact->name_count)
        buf_addf(line, "%s %u names", redact->what & REDACT_PATHS && redact->path_count ? "," : ";",
                 redact->name_count);
    say(line);
    buf_add_lit(line, "what is left: ");
    redact_add_left(line, redact->what);
    say(line);
}

static void say_result(const struct share *share) {
    AUTO_BUF line = {0};
    if (share->zip && share->redact.what) {
        buf_addf(&line, "2 files: the page and report.json, without the log: %zu %s", share->result.reports,
                 share->result.reports == 1 ? "report" : "reports");
    } else if (share->zip) {
        buf_addf(&line, "%zu files: all of the report, with the log", share->tree.files.count);
    } else {
        buf_addf(&line, "one page without the log: %zu %s", share->result.reports,
                 share->result.reports == 1 ? "report" : "reports");
        if (share->result.pages)
            buf_addf(&line, ", %zu standalone %s", share->result.pages, share->result.pages == 1 ? "page" : "pages");
    }
    say(&line);
    if (share->zip && share->redact.what) {
        buf_add_lit(&line, "left out the log and the files of artifacts, whose texts are in the page");
        if (share->result.reports + share->result.left.count > 1)
            buf_add_lit(&line, ", and report.json of each log: that of all logs is there");
        say(&line);
    }
    if (share->result.pages_left) {
        buf_addf(&line, "left out %zu standalone %s: provenance, metrics and kernel stacks are not redacted",
                 share->result.pages_left, share->result.pages_left == 1 ? "page" : "pages");
        say(&line);
    }
    if (share->redact.what)
        say_redacted(&share->redact, &line);
    if (share->result.left.count)
        say_left_out(&share->result, &line);
    buf_addf(&line, "%s (", share->to_stdout ? "standard output" : share->options->out);
    progress_add_bytes(&line, share->bytes);
    buf_add_lit(&line, ")");
    buf_add_byte(&line, '\0');
    messages_report(stderr, line.ptr);
    if (share->outdir.leftover) {
        messages_print(stderr, "cannot remove all temporary files");
        messages_hint(stderr, "delete the folders .*.share.tlparse-* next to the file, or in $TMPDIR");
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* A place for the hidden folder: next to the file, on its file system; with -o -, the folder for temporary files. */
static char *staging_place(const struct share *share) {
    const char *out = share->options->out, *temporary = getenv("TMPDIR");
    struct slice last = path_last(slice_str(out));
    if (share->to_stdout)
        return mem_printf("%s/tlparse-share", temporary && temporary[0] ? temporary : "/tmp");
    return mem_printf("%.*s.%.*s.share", (int)(last.ptr - out), out, SLICE_ARG(last));
}

/* choice: the logs; NULL: the report is in `folder`. */
static bool make(struct share *share, const struct choice *choice, const char *folder, struct err *err) {
    struct interrupt interrupt;
    char *place = staging_place(share);
    const struct outdir_request request = {.path = place};
    outdir_init(&share->outdir);
    bool ok = interrupt_begin(&interrupt, &share->outdir, err);
    if (ok) {
        ok = outdir_begin(&share->outdir, &request, err) &&
             (choice ? write_report(share, choice, err) : open_tree(share, AT_FDCWD, folder, folder, err)) &&
             (share->to_stdout ? write_stdout(share, err) : write_file(share, err));
        interrupt_hold(&interrupt);
        ok = ok && (share->to_stdout || move(share, err));
        outdir_discard(&share->outdir);
        interrupt_end(&interrupt);
    }
    outdir_finish(&share->outdir);
    mem_free(place);
    return ok;
}

bool share_run(const struct options *options, struct err *err) {
    struct share share = {.options = options, .tree = {.fd = -1}};
    unsigned what = 0;
    share.max_size = options->max_size.given ? options->max_size.value : MAIL_BYTES;
    if ((options->redact && !redact_parse(options->redact, &what, err)) || !check_output(&share, err))
        return false;
    if (options->upload && share.to_stdout)
        return err_set(err, ERR_USAGE, "--upload needs a file: -o - writes to standard output");
    if (!user_hooks_report(options->hooks, options, err))
        return false;
    redact_init(&share.redact, what);
    char *folder;
    struct choice choice;
    bool ok = report_folder(options, &folder, err) && (folder || input_choose(options, &choice, err));
    if (!ok)
        return false;
    if (folder && options->profile.count) {
        err_set(err, ERR_USAGE, "--profile is for logs, but %s is a report", folder);
        mem_free(folder);
        return false;
    }
    ok = make(&share, folder ? NULL : &choice, folder, err);
    if (!folder)
        choice_finish(&choice);
    if (ok) {
        say_result(&share);
        ok = !options->upload || user_hooks_upload(options->hooks, options->out, err);
    }
    one_result_finish(&share.result);
    redact_finish(&share.redact);
    tree_close(&share.tree);
    mem_free(folder);
    return ok;
}
