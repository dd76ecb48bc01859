/* sink/null_sink: nothing is written or rendered, but the model is the same. */
#define _GNU_SOURCE
#include "sink_run.h"

#include <inttypes.h>

#include "base/mem.h"
#include "model/model.h"
#include "sink/output.h"
#include "sink/script.h"
#include "sink/sinks.h"

static void add_artifact(struct buf *out, const struct artifact *artifact) {
    buf_addf(out, "%.*s|%.*s|%.*s|%.*s|%.*s|", SLICE_ARG(artifact->name), SLICE_ARG(artifact->kind),
             SLICE_ARG(artifact->url), SLICE_ARG(artifact->payload_url), SLICE_ARG(artifact->readable_url));
    buf_addf(out, "%s %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu32 " %" PRIu32 " %d %d\n", lang_name(artifact->lang),
             artifact->bytes, artifact->has_text ? artifact->text_offset : 0, artifact->number, artifact->folder,
             artifact->compile, artifact->has_text, artifact->listed);
}

/* The content of a report, as far as it could depend on files. */
static void describe(void *context, struct model *model, const char *dir, struct view_together *together) {
    struct buf *out = context;
    (void)together;
    buf_addf(out, "lane %s: %" PRIu64 " records, %" PRIu64 " events, %zu faults, next %" PRIu64 "\n", dir,
             model->records, model->events, model->faults.count, (uint64_t)model->next_number);
    for (int i = 0; i < COUNTERS; i++)
        buf_addf(out, "%" PRIu64 " ", model->counters[i]);
    for (size_t i = 0; i < model->compiles.count; i++)
        buf_addf(out, "%.*s %" PRIu64 "\n", SLICE_ARG(model->compiles.items[i]->key),
                 (uint64_t)model->compiles.items[i]->artifacts.count);
    for (size_t i = 0; i < model->artifacts.count; i++)
        add_artifact(out, &model->artifacts.items[i]);
    for (size_t i = 0; i < model->folders.count; i++) {
        const struct folder *folder = &model->folders.items[i];
        buf_addf(out, "%.*s %" PRIu64 ":", SLICE_ARG(folder->name), folder->text_bytes);
        for (size_t k = 0; k < folder->chunks.count; k++)
            buf_addf(out, " %" PRIu64, folder->chunks.items[k]);
        buf_add_byte(out, '\n');
    }
}

static void fills_the_same_model(void **state) {
    static const char *const logs[] = {"simple", "provenance_aot", "errors", "procs", "gpt2"};
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        for (unsigned workers = 0; workers < 3; workers += 2) {
            const struct reading_options options = {.workers = workers, .split = true};
            struct buf written = {0}, discarded = {0};
            int dirfd = fresh_folder("report");
            struct sink *directory = directory_sink_create(dirfd), *nowhere = null_sink_create();
            run_into(directory, data_log(logs[i]), &options,
                     &(struct reading_watcher){.context = &written, .whole = describe});
            run_into(nowhere, data_log(logs[i]), &options,
                     &(struct reading_watcher){.context = &discarded, .whole = describe});
            if (written.len < 500)
                fail_msg("%s: only this of the model: %.*s", logs[i], (int)written.len, written.ptr);
            assert_slices(buf_slice(&discarded), buf_slice(&written));
            buf_free(&written);
            buf_free(&discarded);
            sink_destroy(nowhere);
            sink_destroy(directory);
            close(dirfd);
        }
}

static void never_render(struct buf *out, struct slice text, const void *data) {
    (void)out, (void)text, (void)data;
    fail_msg("a file that nobody wants was rendered");
}

static void renders_nothing(void **state) {
    (void)state;
    struct sink *sink = null_sink_create(), *lower = sink_below(sink, "rank_1");
    struct files files;
    struct outputs outputs;
    struct arena arena = {0};
    struct stream stream;
    struct err err = {0};
    assert_non_null(lower);
    assert_int_equal(lower->keeps, SINK_NOTHING);
    files_init(&files, lower);
    assert_false(files_wanted(&files));
    outputs_init(&outputs);
    outputs_add(&outputs, &arena, &(struct output){.files = &files, .path = SLICE("a"), .render = never_render});
    assert_null(outputs.first);
    outputs_write(&outputs);
    files_folder(&files, SLICE("a/b"));
    files_write(&files, SLICE("a/b"), SLICE("x"));
    script_write_part(&files, "kernels", 1, SLICE("[1]"));
    stream_open(&stream, &files, "stream");
    stream_add(&stream, SLICE("some"));
    assert_int_equal(stream.bytes, 4);
    assert_int_equal(stream.buf.len, 0);
    for (int i = 0; i < 100000; i++) { /* data added directly to the buffer does not accumulate */
        buf_add_lit(&stream.buf, "some text\n");
        stream_flush_if_full(&stream);
        assert_true(stream.buf.len < 1 << 20);
    }
    stream_close(&stream);
    assert_true(files_good(&files, &err));
    files_finish(&files);
    arena_free(&arena);
    sink_destroy(lower);
    sink_destroy(sink);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_the_same_model),
        cmocka_unit_test(renders_nothing),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
