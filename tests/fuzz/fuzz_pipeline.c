/* Any log: a complete report within one folder, whose JSON is valid and whose files exist. */
#define _GNU_SOURCE /* memfd_create, nftw */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

#include "base/json.h"
#include "fuzz.h"
#include "pipeline/pipeline.h"
#include "sink/directory_sink.h"
#include "trace/source.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static char scratch[256], out[sizeof scratch + 8];

static int drop(const char *path, const struct stat *stat, int type, struct FTW *ftw) {
    (void)stat, (void)type;
    return ftw->level == 0 ? 0 : remove(path);
}

/* Only folders and regular files, nothing hidden at the top. */
static int check_entry(const char *path, const struct stat *stat, int type, struct FTW *ftw) {
    (void)type;
    MUST(S_ISDIR(stat->st_mode) || S_ISREG(stat->st_mode));
    MUST(ftw->level != 1 || path[ftw->base] != '.');
    return 0;
}

static void remove_scratch(void) {
    nftw(scratch, drop, 16, FTW_DEPTH | FTW_PHYS);
    rmdir(scratch);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/fuzz-pipeline-XXXXXX", tmp ? tmp : "/tmp");
    MUST(mkdtemp(scratch));
    snprintf(out, sizeof out, "%s/out", scratch);
    MUST(mkdir(out, 0777) == 0);
    atexit(remove_scratch);
    return 0;
}

static yyjson_doc *read_json(int dirfd, const char *name) {
    int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
    struct stat stat;
    MUST(fd >= 0 && fstat(fd, &stat) == 0);
    char *text = malloc((size_t)stat.st_size + 1);
    MUST(text && read(fd, text, (size_t)stat.st_size) == stat.st_size);
    yyjson_doc *doc = yyjson_read(text, (size_t)stat.st_size, YYJSON_READ_BIGNUM_AS_RAW);
    MUST(doc);
    free(text);
    close(fd);
    return doc;
}

static void check_file(int dirfd, yyjson_val *url) {
    struct stat stat;
    if (yyjson_is_str(url) && yyjson_get_len(url) && !strstr(yyjson_get_str(url), "://"))
        MUST(fstatat(dirfd, yyjson_get_str(url), &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode));
}

static void check_artifacts(int dirfd, yyjson_val *list) {
    size_t i, max;
    yyjson_val *artifact;
    MUST(yyjson_is_arr(list));
    yyjson_arr_foreach(list, i, max, artifact) {
        yyjson_val *kind = yyjson_obj_get(artifact, "kind");
        if (!kind || !yyjson_equals_str(kind, "link"))
            check_file(dirfd, yyjson_obj_get(artifact, "url"));
        check_file(dirfd, yyjson_obj_get(artifact, "readable_url"));
    }
}

static void check_report(int dirfd, size_t size) {
    static const char *const names[] = {"index.html", "failures_and_restarts.html", "raw.jsonl", "raw.log",
                                        "data/report.js"};
    struct stat stat;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        MUST(fstatat(dirfd, names[i], &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode));
    MUST(fstatat(dirfd, "raw.log", &stat, 0) == 0 && (size_t)stat.st_size == size);
    yyjson_doc_free(read_json(dirfd, "chromium_events.json"));
    yyjson_doc_free(read_json(dirfd, "compile_directory.json"));
    yyjson_doc *doc = read_json(dirfd, "report.json");
    yyjson_val *compiles = yyjson_obj_get(yyjson_doc_get_root(doc), "compiles"), *compile;
    size_t i, max;
    yyjson_arr_foreach(compiles, i, max, compile) {
        check_artifacts(dirfd, yyjson_obj_get(compile, "artifacts"));
    }
    yyjson_doc_free(doc);
    MUST(nftw(out, check_entry, 16, FTW_PHYS) == 0);
}

/* The first byte selects the block size and the options. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice log = {(const char *)data + 1, size - 1};
    struct run_options options = {.plain_text = data[0] & 1, .block_bytes = (size_t)16 << (data[0] >> 4)};
    struct pipeline_result result;
    struct source source;
    struct err err = {0};
    char path[32];
    int fd = fuzz_file(log, path), dirfd = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    MUST(dirfd >= 0);
    if (source_open(&source, path, &err)) {
        bool plain = !source.unpacker; /* compressed ones are for fuzz_source, and may be bombs */
        if (plain) {
            struct sink *sink = directory_sink_create(dirfd);
            MUST(pipeline_run(&source, sink, &options, NULL, &result, &err));
            sink_destroy(sink);
            MUST(result.bytes == log.len);
            check_report(dirfd, log.len);
            pipeline_result_finish(&result);
            MUST(nftw(out, drop, 16, FTW_DEPTH | FTW_PHYS) == 0);
            MUST(rmdir(out) == 0 && rmdir(scratch) == 0); /* it was empty: nothing was written next to the report */
            MUST(mkdir(scratch, 0700) == 0 && mkdir(out, 0777) == 0);
        }
        source_close(&source);
    }
    close(fd);
    close(dirfd);
    return 0;
}
