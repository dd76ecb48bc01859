
#include "runs/job.h"

#include <fcntl.h>
#include <md5.h>
#include <sys/file.h>
#include <unistd.h>

#define FOLDER "jobs"
#define LOCK_NAME ".lock"

enum { ANCESTORS_MAX = 64, FILE_BYTES_MAX = 4 << 20, READ_BYTES = 1 << 14, STARTTIME_FIELD = 22 };

/* The variables that launchers set in the environment of each rank. torchrun comes first, because another launcher may
 * start it. */
static const struct launcher {
    const char *name;
    const char *rank, *size;
    const char *local_size; /* ranks on this machine; NULL: slurm_local_size() */
} launchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"},                                   /* and scripts */
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"}, /* Open MPI */
    {"mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},                                   /* MPICH, Intel MPI */
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL},
};
enum { SCRIPT, MPIRUN, MPIEXEC, SRUN, LAUNCHERS };

/* ---- The launcher */

/* Reads a file of /proc. */
static bool read_proc(struct buf *text, pid_t pid, const char *file) {
    char path[64];
    text->len = 0;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 && text->len < FILE_BYTES_MAX) {
        n = read(fd, buf_reserve(text, READ_BYTES), READ_BYTES);
        if (n > 0)
            text->len += (size_t)n;
        else if (n < 0 && errno == EINTR)
            n = 1;
    }
    if (fd >= 0)
        close(fd);
    return n == 0;
}

/* The field of /proc/<pid>/stat, counted from 1 as in proc(5). The second is in parentheses and may contain anything. */
static int64_t stat_field(struct buf *text, pid_t pid, int field) {
    if (!read_proc(text, pid, "stat"))
        return -1;
    struct slice rest = buf_slice(text);
    size_t end = slice_rfind_byte(rest, ')');
    if (end == SIZE_MAX)
        return -1;
    rest = slice_from(rest, end + 2); /* the third field */
    for (int i = 3; i < field; i++) {
        size_t space = slice_find(rest, SLICE(" "));
        if (space == SIZE_MAX)
            return -1;
        rest = slice_from(rest, space + 1);
    }
    uint64_t number;
    bool ok = slice_to_u64(slice_first(rest, slice_find(rest, SLICE(" "))), &number) && number <= INT64_MAX;
    return ok ? (int64_t)number : -1;
}

/* Whether the program was started with a rank in its environment. */
static bool was_started_as_rank(struct buf *text, pid_t pid) {
    if (!read_proc(text, pid, "environ"))
        return false;
    buf_add_byte(text, '\0');
    for (size_t at = 0; at < text->len; at += strlen(text->ptr + at) + 1)
        for (size_t i = 0; i < LAUNCHERS; i++) {
            size_t len = strlen(launchers[i].rank);
            if (strncmp(text->ptr + at, launchers[i].rank, len) == 0 && text->ptr[at + len] == '=')
                return true;
        }
    return false;
}

/* Adds what identifies the launcher: its process id and start time, because process ids are reused. */
static void add_launcher(struct buf *out) {
    AUTO_BUF text = {0};
    pid_t pid = getppid();
    for (int i = 0; i < ANCESTORS_MAX && pid > 1 && was_started_as_rank(&text, pid); i++) {
        int64_t parent = stat_field(&text, pid, 4);
        if (parent <= 0)
            break;
        pid = (pid_t)parent;
    }
    buf_addf(out, "%ld %" PRId64 " ", (long)pid, stat_field(&text, pid, STARTTIME_FIELD));
}

/* ---- The environment */

static int64_t number_of(const char *variable) {
    const char *value = getenv(variable);
    uint64_t number;
    return value && slice_to_u64(slice_str(value), &number) && number <= INT32_MAX ? (int64_t)number : -1;
}

static void add_variable(struct buf *out, const char *variable) {
    const char *value = getenv(variable);
    buf_addf(out, "%s=%s\n", variable, value ? value : "");
}

static char *key_of(void) {
    AUTO_BUF text = {0};
    char host[256] = "", digest[MD5_DIGEST_STRING_LENGTH];
    gethostname(host, sizeof host - 1); /* machines may share a home folder */
    buf_addf(&text, "%s\n", host);
    add_variable(&text, "TORCHELASTIC_RUN_ID");
    add_variable(&text, "MASTER_ADDR");
    add_variable(&text, "MASTER_PORT");
    add_variable(&text, "PMIX_NAMESPACE");
    add_variable(&text, "SLURM_JOB_ID");
    add_variable(&text, "SLURM_STEP_ID");
    add_launcher(&text);
    MD5Data((const uint8_t *)text.ptr, text.len, digest);
    return mem_strdup(digest);
}

static int64_t size_of(const struct launcher *launcher) {
    int64_t size = number_of(launcher->size);
    return size < 0 && launcher == &launchers[SRUN] ? number_of("SLURM_NTASKS") : size;
}

/* Whether the variables of a launcher are set and it started this program. */
static bool is_started_by(const struct launcher *launcher) {
    bool set = number_of(launcher->rank) >= 0 && size_of(launcher) >= 1;
    bool slurm = number_of(launchers[SRUN].rank) >= 0 && number_of("SLURM_STEP_ID") >= 0;
    if (launcher == &launchers[SRUN])
        return set &&
               slurm; /* the script of sbatch is task 0, but of no step; salloc numbers its shell with 2^32 - 6 */
    if (launcher == &launchers[MPIEXEC] && set && slurm) /* srun sets both; mpiexec under srun starts its own ranks */
        return number_of(launcher->rank) != number_of(launchers[SRUN].rank) ||
               size_of(launcher) != size_of(&launchers[SRUN]);
    return set;
}

/* SLURM_STEP_TASKS_PER_NODE is "4(x2),3": two nodes with four tasks, one with three. -1: unknown. */
static int64_t slurm_local_size(void) {
    const char *text = getenv("SLURM_STEP_TASKS_PER_NODE");
    int64_t node = number_of("SLURM_NODEID");
    struct slice rest = slice_str(text);
    while (rest.len && node >= 0) {
        struct slice part = slice_first(rest, slice_find(rest, SLICE(",")));
        size_t times = slice_find(part, SLICE("(x"));
        uint64_t tasks, nodes = 1;
        rest = slice_from(rest, part.len < rest.len ? part.len + 1 : part.len);
        if (!slice_to_u64(slice_first(part, times), &tasks) || tasks > INT32_MAX)
            return -1;
        if (times != SIZE_MAX &&
            (!slice_ends(part, SLICE(")")) ||
             !slice_to_u64(slice_first(slice_from(part, times + 2), part.len - times - 3), &nodes) ||
             nodes > INT32_MAX))
            return -1;
        if (node < (int64_t)nodes)
            return (int64_t)tasks;
        node -= (int64_t)nodes;
    }
    return -1;
}

/* The launcher's own name for the job; NULL: none. The caller frees it. */
static char *run_id_of(const struct launcher *launcher) {
    const char *elastic = getenv("TORCHELASTIC_RUN_ID"), *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    if (launcher == &launchers[SRUN])
        return job && step ? mem_printf("%s.%s", job, step) : NULL;
    return launcher == &launchers[SCRIPT] && elastic ? mem_strdup(elastic) : NULL;
}

void job_of_environment(struct job *job) {
    size_t i = 0;
    *job = (struct job){.rank = -1, .world_size = -1, .local_size = -1};
    while (i < LAUNCHERS && !is_started_by(&launchers[i]))
        i++;
    if (i == LAUNCHERS)
        return;
    const struct launcher *launcher = &launchers[i];
    job->rank = number_of(launcher->rank);
    job->world_size = size_of(launcher);
    job->local_size = launcher->local_size ? number_of(launcher->local_size) : slurm_local_size();
    job->run_id = run_id_of(launcher);
    job->elastic = i == SCRIPT && job->run_id;
    job->launcher = i != SCRIPT || job->elastic ? launcher->name : NULL;
    job->restart = job->elastic ? number_of("TORCHELASTIC_RESTART_COUNT") : 0;
    job->restart = job->restart < 0 ? 0 : job->restart;
    job->key = key_of();
}

void job_finish(struct job *job) {
    mem_free(job->key);
    mem_free(job->run_id);
    *job = (struct job){0};
}

/* ---- The store */

static int open_folder(const struct store *store) {
    if (mkdirat(store->fd, FOLDER, 0700) != 0 && errno != EEXIST)
        return -1;
    return openat(store->fd, FOLDER, DIR_OPEN | O_NOFOLLOW);
}

int job_lock(const struct store *store) {
    int folder = open_folder(store), failed = 0;
    if (folder < 0)
        return -1;
    int fd = openat(folder, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    close(folder);
    if (fd < 0)
        return -1;
    do
        failed = flock(fd, LOCK_EX);
    while (failed && errno == EINTR);
    return fd;
}

bool job_find(const struct store *store, const struct job *job, char *id) {
    int folder = open_folder(store);
    ssize_t len = folder < 0 ? -1 : readlinkat(folder, job->key, id, RUN_ID_LEN + 1);
    if (folder >= 0)
        close(folder);
    if (len != RUN_ID_LEN)
        return false;
    id[len] = '\0';
    return store_is_id(slice_str(id));
}

bool job_set(const struct store *store, const struct job *job, const char *id) {
    int folder = open_folder(store);
    if (folder < 0)
        return false;
    bool ok = (unlinkat(folder, job->key, 0) == 0 || errno == ENOENT) && symlinkat(id, folder, job->key) == 0;
    int why = errno;
    close(folder);
    errno = why;
    return ok;
}

static int64_t member(yyjson_val *process, const char *key) {
    uint64_t number;
    return json_to_u64(json_get(process, key), &number) && number <= INT64_MAX ? (int64_t)number : -1;
}

bool job_joins(const struct job *job, int run, yyjson_val *processes) {
    bool living = false;
    int64_t last = 0;
    size_t i, count;
    yyjson_val *process;
    yyjson_arr_foreach(processes, i, count, process) {
        int64_t restart = member(process, "restart");
        if (restart == job->restart && member(process, "rank") == job->rank)
            return false;
        last = restart > last ? restart : last;
        living |= store_is_held(run, i);
    }
    return living || (job->elastic && job->restart > last);
}

void job_sweep(const struct store *store) {
    struct names links = {0};
    int folder = openat(store->fd, FOLDER, DIR_OPEN | O_NOFOLLOW);
    if (folder < 0)
        return;
    names_list(folder, &links);
    for (size_t i = 0; i < links.count; i++) {
        char id[RUN_ID_LEN + 1];
        ssize_t len = readlinkat(folder, links.items[i], id, sizeof id);
        if (len < 0)
            continue; /* the lock */
        id[len == RUN_ID_LEN ? RUN_ID_LEN : 0] = '\0';
        if (!id[0] || faccessat(store->fd, id, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            unlinkat(folder, links.items[i], 0);
    }
    names_free(&links);
    close(folder);
}
