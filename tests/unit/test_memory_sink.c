/* sink/memory_sink: writes the same files as a directory, and fails in the same cases. */
#define _GNU_SOURCE
#include "sink_run.h"

#include <errno.h>

#include "base/mem.h"
#include "sink/files.h"
#include "sink/sinks.h"

/* The result of memory_sink_list() in the format of read_tree(), without the front end, whose files are counted. */
static struct buf list_files(const struct sink *sink, size_t *assets) {
    struct buf tree = {0};
    struct memory_file *files;
    size_t count = memory_sink_list(sink, &files);
    *assets = 0;
    for (size_t i = 0; i < count; i++) {
        const struct memory_file *file = &files[i];
        if (slice_find(file->path, SLICE("assets/")) != SIZE_MAX) {
            ++*assets;
            assert_true(file->content.len > 0);
            continue;
        }
        buf_addf(&tree, "== %.*s %zu\n", SLICE_ARG(file->path), file->content.len);
        buf_add(&tree, file->content);
        buf_add_byte(&tree, '\n');
    }
    mem_free(files);
    return tree;
}

/* The next file of a tree, including its heading. */
static struct slice next_file(struct slice *tree) {
    size_t end = slice_find(slice_from(*tree, 1), SLICE("\n== "));
    struct slice file = end == SIZE_MAX ? *tree : slice_first(*tree, end + 2);
    *tree = slice_from(*tree, file.len);
    return file;
}

static int by_text(const void *a, const void *b) {
    return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

/* The files of a tree, sorted, so that the order does not depend on the file system. */
static struct buf sorted(struct buf *tree) {
    struct slice files[4000], rest = buf_slice(tree);
    struct buf text = {0};
    size_t count = 0;
    assert_true(rest.len > 0);
    do {
        assert_true(count < sizeof files / sizeof *files);
        files[count++] = next_file(&rest);
    } while (rest.len);
    qsort(files, count, sizeof *files, by_text);
    for (size_t i = 0; i < count; i++)
        buf_add(&text, files[i]);
    buf_free(tree);
    return text;
}

static void assert_same_report(struct sink *memory, const char *directory) {
    size_t assets;
    struct buf in_directory = read_tree(directory), in_memory = list_files(memory, &assets);
    in_directory = sorted(&in_directory);
    in_memory = sorted(&in_memory);
    assert_true(in_directory.len > 1000);
    assert_true(assets > 0);
    assert_slices(buf_slice(&in_memory), buf_slice(&in_directory));
    buf_free(&in_directory);
    buf_free(&in_memory);
}

/* Whole reports of real logs: with provenance pages, which need a spool, and with guessed years. */
static void holds_the_same_report(void **state) {
    static const char *const logs[] = {"simple", "provenance_aot", "rare", "procs"};
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        for (unsigned workers = 0; workers < 3; workers += 2) {
            const struct reading_options options = {.workers = workers, .provenance = true, .split = true};
            const char *log = data_log(logs[i]);
            int dirfd = fresh_folder("report");
            struct sink *directory = directory_sink_create(dirfd), *memory = memory_sink_create();
            run_into(directory, log, &options, NULL);
            run_into(memory, log, &options, NULL);
            assert_same_report(memory, "report");
            sink_destroy(memory);
            sink_destroy(directory);
            close(dirfd);
        }
}

/* Ranks: each has a sink below, and their events are joined. */
static void holds_the_same_report_of_ranks(void **state) {
    (void)state;
    struct ranks_log logs[] = {{.path = NULL, .has_rank = true, .rank = 0},
                               {.path = NULL, .has_rank = true, .rank = 1}};
    logs[0].path = data_log("simple");
    logs[1].path = data_log("provenance_aot");
    const struct ranks_request request = {logs, 2, {.workers = 2}, 0};
    const struct ranks_watcher watcher = {0};
    int dirfd = fresh_folder("report");
    struct sink *sinks[] = {directory_sink_create(dirfd), memory_sink_create()};
    for (int i = 0; i < 2; i++) {
        struct pipeline_result result = {0};
        struct err err = {0};
        if (!ranks_run(&request, sinks[i], &watcher, &result, &err))
            fail_msg("%s", err.text);
        pipeline_result_finish(&result);
    }
    assert_same_report(sinks[1], "report");
    sink_destroy(sinks[0]);
    sink_destroy(sinks[1]);
    close(dirfd);
}

static void refuses_what_a_directory_refuses(void **state) {
    (void)state;
    struct sink *memory = memory_sink_create();
    struct sink_file file;
    assert_false(memory->ops->create(memory, "none/file", &file));
    assert_int_equal(errno, ENOENT);
    assert_false(memory->ops->make_directory(memory, "none/below"));
    assert_true(memory->ops->make_directory(memory, "a"));
    assert_true(memory->ops->make_directory(memory, "a")); /* it exists */
    assert_false(memory->ops->create(memory, "a", &file));
    assert_int_equal(errno, EISDIR);
    assert_true(memory->ops->create(memory, "a/file", &file));
    assert_false(memory->ops->make_directory(memory, "a/file"));
    assert_int_equal(errno, ENOTDIR);
    assert_false(memory->ops->create(memory, "a/file/below", &file));
    assert_int_equal(errno, ENOTDIR);
    assert_null(sink_below(memory, "a"));
    assert_int_equal(errno, EEXIST);
    sink_destroy(memory);
}

static void replaces_and_shares(void **state) {
    (void)state;
    struct sink *memory = memory_sink_create(), *lower = sink_below(memory, "rank_1"), *other = memory_sink_create();
    struct files files, inner;
    struct err err = {0};
    size_t assets;
    assert_non_null(lower);
    files_init(&files, memory);
    files_init(&inner, lower);
    files_write(&files, SLICE("b"), SLICE("old"));
    files_write(&files, SLICE("b"), SLICE("nul\0 new"));
    files_write(&inner, SLICE("c"), SLICE("lower"));
    assert_false(lower->ops->share(lower, memory, "c"));
    assert_false(lower->ops->share(lower, memory, "none"));
    assert_false(lower->ops->share(lower, other, "b"));
    assert_true(lower->ops->share(lower, memory, "b"));
    assert_true(files_good(&files, &err) && files_good(&inner, &err));
    struct buf tree = list_files(memory, &assets);
    assert_slices(buf_slice(&tree), SLICE("== b 8\nnul\0 new\n== rank_1/b 8\nnul\0 new\n== rank_1/c 5\nlower\n"));
    buf_free(&tree);
    files_finish(&inner);
    files_finish(&files);
    sink_destroy(lower);
    sink_destroy(memory);
    sink_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_same_report),
        cmocka_unit_test(holds_the_same_report_of_ranks),
        cmocka_unit_test(refuses_what_a_directory_refuses),
        cmocka_unit_test(replaces_and_shares),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
