#include "runs/kept_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "runs/run_file.h"
#include "runs/secret.h"
#include "runs/surroundings.h"

#define RUN_VARIABLE "TLPARSE_RUN"

enum { LOOK_MS = 50 };

/* ---- Begin */

struct begin {
    struct process *process;
    const struct process_request *request;
    bool joins, refused;
};

static yyjson_mut_val *command_of(yyjson_mut_doc *doc, const char *const *command) {
    yyjson_mut_val *list = yyjson_mut_arr(doc);
    struct secret_command reading = {0};
    for (size_t i = 0; command[i]; i++) {
        AUTO_BUF text = {0};
        secret_add_argument(&reading, &text, slice_str(command[i]));
        yyjson_mut_arr_append(list, run_text(doc, buf_slice(&text)));
    }
    return list;
}

static void put_known(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t number) {
    if (number < 0)
        run_put(doc, object, key, yyjson_mut_null(doc));
    else
        run_put_number(doc, object, key, number);
}

static yyjson_mut_val *job_object(yyjson_mut_doc *doc, const struct job *job) {
    if (!job->key)
        return yyjson_mut_null(doc);
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    run_put_text(doc, object, "launcher", slice_str(job->launcher));
    run_put_text(doc, object, "run_id", slice_str(job->run_id));
    put_known(doc, object, "world_size", job->world_size);
    put_known(doc, object, "local_size", job->local_size);
    return object;
}

/* Paths in the folder of the run are relative to it. */
static void put_place(const struct process *process, yyjson_mut_doc *doc, yyjson_mut_val *root, const char *key,
                      const char *path) {
    char *own = mem_printf("%s/%s/", process->store->path, process->id);
    struct slice place = slice_str(path), folder = slice_str(own);
    run_put_text(doc, root, key, slice_starts(place, folder) ? slice_from(place, folder.len) : place);
    mem_free(own);
}

static void describe_run(const struct begin *begin, yyjson_mut_doc *doc, yyjson_mut_val *root) {
    struct process *process = begin->process;
    char host[256] = "", cwd[PATH_MAX];
    gethostname(host, sizeof host - 1);
    run_put(doc, root, "command", command_of(doc, begin->request->command));
    run_put_text(doc, root, "cwd", slice_str(getcwd(cwd, sizeof cwd)));
    run_put_text(doc, root, "host", slice_str(host));
    run_put_time(doc, root, "started", run_now_us());
    run_put(doc, root, "environment", surroundings_environment(doc));
    run_put(doc, root, "job", job_object(doc, &process->job));
    put_place(process, doc, root, "logs", process->logs);
}

static bool add_process(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context) {
    struct begin *begin = context;
    struct process *process = begin->process;
    yyjson_mut_val *processes = yyjson_mut_obj_get(root, "processes"), *self = yyjson_mut_obj(doc);
    if (begin->joins && !yyjson_mut_is_arr(processes)) {
        begin->refused = true; /* removed, or damaged */
        return false;
    }
    if (!begin->joins) {
        processes = yyjson_mut_arr(doc);
        describe_run(begin, doc, root);
        run_put(doc, root, "processes", processes);
    }
    process->n = yyjson_mut_arr_size(processes);
    process->alive = store_hold(process->run, process->n);
    put_known(doc, self, "rank", process->job.rank);
    run_put_number(doc, self, "restart", process->job.restart);
    run_put_number(doc, self, "pid", getpid());
    run_put_time(doc, self, "started", run_now_us());
    yyjson_mut_arr_append(processes, self);
    return true;
}

static bool create(struct process *process, const struct process_request *request, struct err *err) {
    struct begin begin = {.process = process, .request = request};
    process->run = store_create_run(process->store, process->id, err);
    if (process->run < 0)
        return false;
    if (request->trace)
        process->logs = mem_printf("%s/tlparse-%s", request->trace, process->id);
    else
        process->logs = mem_printf("%s/%s/logs", process->store->path, process->id);
    bool made = request->trace ? dir_make(request->trace, 0777) && mkdir(process->logs, 0700) == 0
                               : mkdirat(process->run, "logs", 0700) == 0;
    if (!made)
        return err_errno(err, "cannot create the folder for logs %s", process->logs);
    if (!run_file_change(process->run, add_process, &begin) || !store_publish_run(process->store, process->id))
        return err_errno(err, "cannot write to %s/%s", process->store->path, process->id);
    return true;
}

/* The folder of the run's logs, as recorded in the run. */
static bool find_logs(struct process *process, yyjson_val *root) {
    struct slice logs = json_get_text(root, "logs");
    if (!logs.len)
        return false;
    process->logs = logs.ptr[0] == '/' ? mem_printf("%.*s", SLICE_ARG(logs))
                                       : mem_printf("%s/%s/%.*s", process->store->path, process->id, SLICE_ARG(logs));
    return true;
}

/* Joins the run of the job, if there is one. */
static bool join_run(struct process *process, const struct process_request *request) {
    struct begin begin = {.process = process, .request = request, .joins = true};
    if (!job_find(process->store, &process->job, process->id))
        return false;
    process->run = store_open_run(process->store, process->id);
    yyjson_doc *doc = process->run < 0 ? NULL : run_file_read(process->run);
    yyjson_val *root = doc ? yyjson_doc_get_root(doc) : NULL;
    bool joined = doc && job_joins(&process->job, process->run, json_get(root, "processes")) &&
                  find_logs(process, root) && run_file_change(process->run, add_process, &begin) && !begin.refused;
    yyjson_doc_free(doc);
    if (!joined) {
        if (process->run >= 0)
            close(process->run);
        mem_free(process->logs);
        process->logs = NULL;
        process->run = -1;
    }
    return joined;
}

bool process_begin(struct process *process, const struct store *store, const struct process_request *request,
                   struct err *err) {
    *process = (struct process){.store = store, .run = -1, .alive = -1};
    job_of_environment(&process->job);
    int lock = process->job.key ? job_lock(store) : -1;
    bool ok = (process->job.key && join_run(process, request)) || create(process, request, err);
    if (ok && process->job.key)
        job_set(store, &process->job, process->id);
    if (lock >= 0)
        close(lock);
    if (!ok) {
        process_forget(process);
        return false;
    }
    process->report =
        request->report ? mem_strdup(request->report) : mem_printf("%s/%s/report", store->path, process->id);
    return true;
}

bool process_is_nested(const struct store *store) {
    const char *id = getenv(RUN_VARIABLE);
    int run = id ? store_open_run(store, id) : -1;
    yyjson_doc *doc = run < 0 ? NULL : run_file_read(run);
    size_t count = doc ? yyjson_arr_size(json_get(yyjson_doc_get_root(doc), "processes")) : 0;
    bool lives = false;
    for (size_t i = 0; i < count && !lives; i++)
        lives = store_is_held(run, i);
    yyjson_doc_free(doc);
    if (run >= 0)
        close(run);
    return lives;
}

/* ---- Surroundings */

struct found {
    struct git_state git;
    struct packages packages;
};

/* Keeps versions that an earlier report found in its logs. */
static void put_package(yyjson_mut_doc *doc, yyjson_mut_val *packages, const char *key, const char *version) {
    if (!yyjson_mut_is_str(yyjson_mut_obj_get(packages, key)))
        run_put_text(doc, packages, key, slice_str(version));
}

/* The member, which is created if it is missing. */
static yyjson_mut_val *object_at(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *key) {
    yyjson_mut_val *object = yyjson_mut_obj_get(root, key);
    if (!yyjson_mut_is_obj(object)) {
        object = yyjson_mut_obj(doc);
        run_put(doc, root, key, object);
    }
    return object;
}

static bool add_found(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context) {
    const struct found *found = context;
    yyjson_mut_val *packages = object_at(doc, root, "packages");
    put_package(doc, packages, "torch", found->packages.torch);
    put_package(doc, packages, "triton", found->packages.triton);
    put_package(doc, packages, "python", found->packages.python);
    if (found->git.commit[0]) {
        yyjson_mut_val *git = object_at(doc, root, "git");
        run_put_text(doc, git, "commit", slice_str(found->git.commit));
        run_put(doc, git, "dirty", found->git.known ? yyjson_mut_bool(doc, found->git.dirty) : yyjson_mut_null(doc));
    }
    return true;
}

void process_add_surroundings(struct process *process, const char *command) {
    struct found found = {0};
    if (process->n > 0)
        return; /* the first process of the run does this */
    packages_find(&found.packages, command);
    git_state_read(&found.git);
    run_file_change(process->run, add_found, &found);
    packages_finish(&found.packages);
}

/* ---- End */

struct ending {
    const struct process *process;
    const struct child_end *end; /* NULL: only look at the other processes */
    size_t known;                /* number of processes of the run when this process's command ended */
    bool last;                   /* no other process lives, and none has joined and ended since */
    int64_t joined;              /* number of processes since the last restart */
};

static int64_t number_of(yyjson_mut_val *object, const char *key) {
    yyjson_mut_val *value = yyjson_mut_obj_get(object, key);
    return yyjson_mut_is_uint(value) ? (int64_t)yyjson_mut_get_uint(value) : -1;
}

/* "SIGTERM", or "SIG34" for a signal without a name. */
static void add_signal_name(struct buf *out, int number) {
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGABRT, "ABRT"}, {SIGALRM, "ALRM"}, {SIGBUS, "BUS"},   {SIGFPE, "FPE"},   {SIGHUP, "HUP"},
                 {SIGILL, "ILL"},   {SIGINT, "INT"},   {SIGKILL, "KILL"}, {SIGPIPE, "PIPE"}, {SIGQUIT, "QUIT"},
                 {SIGSEGV, "SEGV"}, {SIGSYS, "SYS"},   {SIGTERM, "TERM"}, {SIGTRAP, "TRAP"}, {SIGUSR1, "USR1"},
                 {SIGUSR2, "USR2"}, {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number) {
            buf_addf(out, "SIG%s", names[i].name);
            return;
        }
    buf_addf(out, "SIG%d", number);
}

static void put_end(yyjson_mut_doc *doc, yyjson_mut_val *self, const struct child_end *end) {
    AUTO_BUF signal = {0};
    if (end->signaled)
        add_signal_name(&signal, end->number);
    run_put_time(doc, self, "ended", run_now_us());
    put_known(doc, self, "status", end->signaled ? -1 : end->number);
    run_put_text(doc, self, "signal", end->signaled ? buf_slice(&signal) : (struct slice){0});
}

static bool end_process(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context) {
    struct ending *ending = context;
    const struct process *process = ending->process;
    yyjson_mut_val *processes = yyjson_mut_obj_get(root, "processes"), *other;
    size_t i, count;
    ending->last = true;
    ending->joined = 0;
    if (ending->end)
        ending->known = yyjson_mut_arr_size(processes);
    yyjson_mut_arr_foreach(processes, i, count, other) {
        ending->joined += number_of(other, "restart") == process->job.restart;
        if (i == process->n && ending->end)
            put_end(doc, other, ending->end);
        else if (i != process->n && !yyjson_mut_is_str(yyjson_mut_obj_get(other, "ended")))
            ending->last &= !store_is_held(process->run, i);
        else if (i >= ending->known)
            ending->last = false; /* it ended after this one, possibly between two checks */
    }
    return ending->end != NULL;
}

static void pause_ms(int ms) {
    const struct timespec time = {.tv_nsec = ms * 1000000L};
    nanosleep(&time, NULL);
}

bool process_end(struct process *process, const struct child_end *end) {
    struct ending ending = {.process = process, .end = end};
    int64_t limit = child_clock_ms() + PROCESS_JOIN_MS;
    run_file_change(process->run, end_process, &ending);
    ending.end = NULL;
    /* Waits for ranks that the launcher has not started yet: while one is missing, no process is the last. */
    while (ending.last && ending.joined < process->job.local_size && child_clock_ms() < limit) {
        pause_ms(LOOK_MS);
        run_file_change(process->run, end_process, &ending);
    }
    return ending.last;
}

int process_lock_report(const struct process *process) {
    int64_t limit = child_clock_ms() + PROCESS_REPORT_MS;
    int fd = openat(process->run, "report.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fd; /* the file system has no locks */
        if (child_clock_ms() >= limit) {
            close(fd);
            return -1;
        }
        pause_ms(LOOK_MS);
    }
    return fd;
}

struct report {
    const struct process *process;
    yyjson_val *root;
};

/* A whole number of the report, or null. */
static void put_total(yyjson_mut_doc *doc, yyjson_mut_val *totals, const char *key, yyjson_val *from) {
    uint64_t number;
    bool known = json_to_u64(json_get(from, key), &number) && number <= INT64_MAX;
    put_known(doc, totals, key, known ? (int64_t)number : -1);
}

static bool add_report(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context) {
    static const char *const totals_keys[] = {"compiles", "time_us", "recompiles", "graph_breaks", "failures"};
    static const char *const versions[] = {"torch", "triton", "python"};
    const struct report *report = context;
    const struct process *process = report->process;
    run_put_number(doc, root, "bytes", (int64_t)store_run_bytes(process->store, process->id));
    if (!report->root)
        return true;
    yyjson_mut_val *totals = yyjson_mut_obj(doc), *packages = object_at(doc, root, "packages");
    for (size_t i = 0; i < sizeof totals_keys / sizeof *totals_keys; i++)
        put_total(doc, totals, totals_keys[i], json_get(report->root, "totals"));
    run_put(doc, root, "totals", totals);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct slice version = json_get_text(json_get(report->root, "run"), versions[i]);
        if (version.len)
            run_put_text(doc, packages, versions[i], version);
    }
    put_place(process, doc, root, "report", process->report);
    return true;
}

void process_add_report(struct process *process, yyjson_val *report_json) {
    struct report report = {process, report_json};
    run_file_change(process->run, add_report, &report);
}

void process_finish(struct process *process) {
    if (process->alive >= 0)
        close(process->alive);
    if (process->run >= 0)
        close(process->run);
    mem_free(process->logs);
    mem_free(process->report);
    job_finish(&process->job);
    *process = (struct process){.run = -1, .alive = -1};
}

void process_forget(struct process *process) {
    if (process->run >= 0) {
        if (process->logs)
            rmdir(process->logs); /* it may be in the user's folder */
        store_remove_run(process->store, process->id);
    }
    process_finish(process);
}
