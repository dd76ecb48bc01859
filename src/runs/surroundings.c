#include "runs/surroundings.h"

#include <unistd.h>

#include "base/child.h"
#include "base/compat.h"
#include "runs/run_file.h"
#include "runs/secret.h"

enum { VALUE_BYTES = 4096, VARIABLES_MAX = 500 };

static bool is_wanted(struct slice name) {
    static const char *const prefixes[] = {"TORCH", "PYTORCH_", "TRITON", "CUDA_",    "NCCL_",   "GLOO_",  "HIP_",
                                           "ROCR_", "HSA_",     "XLA_",   "INDUCTOR", "CUBLAS_", "CUDNN_", "VLLM_",
                                           "XPU_",  "ZE_",      "AOTI_",  "AOT_",     "ASCEND_"};
    static const char *const names[] = {"PYTHONPATH",   "PYTHONHASHSEED",  "VIRTUAL_ENV",
                                        "CONDA_PREFIX", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
                                        "LD_PRELOAD",   "LD_LIBRARY_PATH", "CC",
                                        "CXX",          "MAX_JOBS",        "WORLD_SIZE",
                                        "MASTER_ADDR",  "MASTER_PORT",     "LOCAL_WORLD_SIZE"};
    if (slice_starts(name, SLICE("TORCHELASTIC_")))
        return false; /* set by the launcher, and different for each rank */
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (slice_starts(name, slice_str(prefixes[i])))
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

yyjson_mut_val *surroundings_environment(yyjson_mut_doc *doc) {
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = environ[i];
    if (count)
        qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 0; i < count && kept < VARIABLES_MAX; i++) {
        struct slice variable = slice_str(sorted[i]);
        size_t equals = slice_find(variable, SLICE("="));
        if (equals == SIZE_MAX)
            continue;
        struct slice name = slice_first(variable, equals), value = slice_from(variable, equals + 1);
        if (!is_wanted(name) || secret_is_variable(name, value))
            continue;
        yyjson_mut_obj_add(object, run_text(doc, name), run_text(doc, utf8_first(value, VALUE_BYTES)));
        kept++;
    }
    mem_free(sorted);
    return object;
}

/* ---- git */

/* Runs git with everything disabled that a repository could configure to be run. */
static bool git(const char *const *arguments, size_t out_max, struct buf *out, struct child_end *end) {
    static const char *const fixed[] = {"git", "-c", "core.fsmonitor=false"};
    const char *argv[16];
    size_t count = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        argv[count++] = fixed[i];
    for (size_t i = 0; arguments[i]; i++)
        argv[count++] = arguments[i];
    argv[count] = NULL;
    const struct child_request request = {.argv = argv,
                                          .env = (const char *const[]){"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
                                                                       NULL}, /* never locks the user's index */
                                          .in = CHILD_NULL,
                                          .out = CHILD_PIPE,
                                          .errs = CHILD_NULL,
                                          .out_max = out_max,
                                          .limit_ms = GIT_LIMIT_MS,
                                          .group = true};
    struct child child;
    struct err err;
    return child_start(&child, &request, &err) && child_finish(&child, out, end);
}

void git_state_read(struct git_state *state) {
    AUTO_BUF out = {0};
    struct child_end end = {0};
    *state = (struct git_state){0};
    if (git((const char *const[]){"rev-parse", "--verify", "HEAD", NULL}, sizeof state->commit, &out, &end)) {
        struct slice commit = slice_trim(buf_slice(&out));
        if (commit.len == 40 || commit.len == 64)
            memcpy(state->commit, commit.ptr, commit.len);
    }
    out.len = 0;
    end = (struct child_end){0};
    if (state->commit[0]) {
        bool ok = git((const char *const[]){"status", "--porcelain", "--untracked-files=no", NULL}, 1, &out, &end);
        state->known = ok || end.cut == CHILD_BIG; /* one byte is enough */
        state->dirty = out.len > 0;
    }
}
