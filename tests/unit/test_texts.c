/* pages/texts: the texts of folders, split into chunks that are scripts. */
#define _GNU_SOURCE
#include "unpack.h"

#include "pages/texts.h"

enum { CHUNK_BYTES = 1 << 20, FOLDERS_MAX = 64 };

struct bench {
    int dirfd;
    unsigned workers;
    struct sink *sink;
    struct spool *spool;
    struct files files;
    struct model model;
    struct pool *pool;
    struct texts *texts;
    struct buf streams[FOLDERS_MAX]; /* the added texts */
};

static void begin(struct bench *bench, unsigned workers, int open) {
    struct err err = {0};
    *bench = (struct bench){.dirfd = fresh_folder("texts"), .workers = workers};
    bench->sink = directory_sink_create(bench->dirfd);
    bench->spool = spool_create(bench->sink);
    files_init(&bench->files, bench->sink);
    files_folder(&bench->files, SLICE("data/"));
    bench->pool = pool_create(workers, &err);
    assert_non_null(bench->pool);
    bench->texts = texts_create(&bench->model, &bench->files, bench->spool, bench->pool, open);
}

static uint32_t folder(struct bench *bench, int64_t frame) {
    struct compile_id id = {COMPILE_ID_GOOD, PART_MISSING, frame, 0, 0};
    return model_folder(&bench->model, 1, &id, 1);
}

/* Adds a text and checks its offset. */
static void add(struct bench *bench, int64_t frame, struct slice text) {
    uint32_t index = folder(bench, frame);
    assert_int_equal(texts_add(bench->texts, index, text, true), bench->streams[index].len);
    buf_add(&bench->streams[index], text);
}

static void add_bytes(struct bench *bench, int64_t frame, size_t bytes, char fill) {
    struct buf text = {0};
    memset(buf_reserve(&text, bytes + 1), fill, bytes);
    text.len = bytes;
    if (bytes)
        text.ptr[0] = '!';
    add(bench, frame, buf_slice(&text));
    buf_free(&text);
}

/* Ranges of the folder's stream are read back. */
static void assert_read(struct bench *bench, uint32_t index) {
    struct slice stream = buf_slice(&bench->streams[index]);
    for (size_t step = 1; step <= 8; step *= 2)
        for (size_t i = 0; i < step; i++) {
            size_t at = stream.len / step * i;
            struct artifact artifact = {.folder = index,
                                        .has_text = true,
                                        .text_offset = at,
                                        .bytes = (stream.len - at) / (i + 1)};
            struct buf text = {0};
            buf_add_lit(&text, "before ");
            assert_true(texts_read(bench->texts, &artifact, &text));
            assert_slices(slice_from(buf_slice(&text), sizeof "before " - 1),
                          slice_first(slice_from(stream, at), artifact.bytes));
            buf_free(&text);
        }
}

/* Writes everything, and reads every stream back from its scripts. The chunks match the table in the model. */
static void end(struct bench *bench) {
    struct err err = {0};
    texts_finish(bench->texts);
    pool_destroy(bench->pool);
    assert_true(files_good(&bench->files, &err));
    for (size_t f = 0; f < bench->model.folders.count; f++) {
        const struct folder *folder = &bench->model.folders.items[f];
        struct buf stream = {0};
        char path[100], key[100];
        assert_int_equal(folder->text_bytes, bench->streams[f].len);
        for (size_t k = 0; k < folder->chunks.count; k++) {
            assert_int_equal(folder->chunks.items[k], stream.len);
            snprintf(path, sizeof path, "data/%.*s.%zu.js", SLICE_ARG(folder->name), k);
            snprintf(key, sizeof key, "%.*s/%zu", SLICE_ARG(folder->name), k);
            struct buf chunk = unpack_file(bench->dirfd, path, key);
            assert_true(chunk.len > 0 && chunk.len <= CHUNK_BYTES);
            buf_add(&stream, buf_slice(&chunk));
            buf_free(&chunk);
        }
        assert_slices(buf_slice(&stream), buf_slice(&bench->streams[f]));
        assert_read(bench, (uint32_t)f);
        buf_free(&stream);
        buf_free(&bench->streams[f]);
    }
    texts_destroy(bench->texts);
    model_finish(&bench->model);
    files_finish(&bench->files);
    spool_destroy(bench->spool);
    sink_destroy(bench->sink);
    close(bench->dirfd);
}

static void keeps_small_texts_together(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, 0, TEXTS_OPEN_MAX);
    add(&bench, 0, SLICE("one"));
    add(&bench, 0, SLICE(""));
    add(&bench, 0, SLICE("two\0\xff"));
    add(&bench, 1, SLICE("other"));
    add(&bench, 2, SLICE("")); /* no chunk for an empty text */
    add(&bench, 0, SLICE("three"));
    assert_int_equal(bench.model.folders.items[0].chunks.count, 1);
    assert_int_equal(bench.model.folders.items[2].chunks.count, 0);
    end(&bench);
}

/* A text that fits into a chunk is not split. */
static void splits_between_texts(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, 0, TEXTS_OPEN_MAX);
    add_bytes(&bench, 0, CHUNK_BYTES / 2 + 1, 'a');
    add_bytes(&bench, 0, CHUNK_BYTES / 2, 'b'); /* one byte too many */
    add_bytes(&bench, 0, CHUNK_BYTES / 2, 'c'); /* fills the chunk to the last byte */
    add_bytes(&bench, 0, 1, 'd');
    add_bytes(&bench, 0, CHUNK_BYTES, 'e');
    add_bytes(&bench, 0, 1, 'f');
    const struct folder *first = &bench.model.folders.items[0];
    assert_int_equal(first->chunks.count, 5);
    assert_int_equal(first->chunks.items[1], CHUNK_BYTES / 2 + 1);
    assert_int_equal(first->chunks.items[2], CHUNK_BYTES + CHUNK_BYTES / 2 + 1);
    assert_int_equal(first->chunks.items[3] - first->chunks.items[2], 1);
    assert_int_equal(first->chunks.items[4] - first->chunks.items[3], CHUNK_BYTES);
    end(&bench);
}

static void splits_larger_texts(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, 2, TEXTS_OPEN_MAX);
    add_bytes(&bench, 0, 10, 'a');
    add_bytes(&bench, 0, 3 * CHUNK_BYTES + 5, 'b');
    add_bytes(&bench, 0, 7, 'c');
    assert_int_equal(bench.model.folders.items[0].chunks.count, 5);
    add_bytes(&bench, 1, 2 * CHUNK_BYTES, 'd');
    assert_int_equal(bench.model.folders.items[1].chunks.count, 2);
    end(&bench);
}

/* More folders than open chunks, one after the other and alternating. */
static void keeps_few_open(void **state) {
    (void)state;
    size_t chunks[2] = {0};
    for (int workers = 0; workers < 4; workers += 3)
        for (int open = 1; open <= TEXTS_OPEN_MAX; open += 3) {
            struct bench bench;
            begin(&bench, (unsigned)workers, open);
            for (int turn = 0; turn < 4; turn++)
                for (int frame = 0; frame < 40; frame++)
                    add_bytes(&bench, turn & 1 ? 39 - frame : frame, 100 * (size_t)frame + (size_t)turn, 'x');
            size_t sum = 0;
            for (size_t f = 0; f < bench.model.folders.count; f++)
                sum += bench.model.folders.items[f].chunks.count;
            assert_true(sum > 40 && sum <= 160);
            if (open == TEXTS_OPEN_MAX) /* which ones are closed does not depend on time */
                chunks[workers > 0] = sum;
            end(&bench);
        }
    assert_int_equal(chunks[0], chunks[1]);
}

/* The most recently extended one stays open. */
static void closes_the_oldest(void **state) {
    (void)state;
    struct bench bench;
    begin(&bench, 0, 2);
    add(&bench, 0, SLICE("a"));
    add(&bench, 1, SLICE("b"));
    add(&bench, 0, SLICE("c"));
    add(&bench, 2, SLICE("d")); /* closes that of folder 1 */
    add(&bench, 0, SLICE("e"));
    assert_int_equal(bench.model.folders.items[0].chunks.count, 1);
    add(&bench, 1, SLICE("f"));
    assert_int_equal(bench.model.folders.items[1].chunks.count, 2);
    end(&bench);
}

/* Only chunks with a text that is read again are kept. */
static void keeps_requested_texts(void **state) {
    (void)state;
    struct bench bench;
    struct buf large = {0}, text = {0};
    struct err err = {0};
    begin(&bench, 0, TEXTS_OPEN_MAX);
    memset(buf_reserve(&large, CHUNK_BYTES), 'x', CHUNK_BYTES);
    large.len = CHUNK_BYTES;
    uint32_t index = folder(&bench, 0);
    struct artifact wanted = {.folder = index, .has_text = true, .bytes = 6}, other = wanted, none = {.folder = index};
    other.text_offset = texts_add(bench.texts, index, buf_slice(&large), false);
    wanted.text_offset = texts_add(bench.texts, index, SLICE("wanted"), true);
    texts_finish(bench.texts);
    assert_true(texts_read(bench.texts, &wanted, &text));
    assert_slice(buf_slice(&text), "wanted");
    assert_false(texts_read(bench.texts, &other, &text));
    assert_false(texts_read(bench.texts, &none, &text)); /* it has no text */
    assert_slice(buf_slice(&text), "wanted");
    assert_true(files_good(&bench.files, &err)); /* none of these is a failure of the report */
    buf_free(&large);
    buf_free(&text);
    texts_destroy(bench.texts);
    pool_destroy(bench.pool);
    model_finish(&bench.model);
    files_finish(&bench.files);
    spool_destroy(bench.spool);
    sink_destroy(bench.sink);
    close(bench.dirfd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_requested_texts), cmocka_unit_test(keeps_small_texts_together),
        cmocka_unit_test(splits_between_texts),  cmocka_unit_test(splits_larger_texts),
        cmocka_unit_test(keeps_few_open),        cmocka_unit_test(closes_the_oldest),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
