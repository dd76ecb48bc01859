/* share/tree, share/pack, and what the one HTML relies on. */
#define _GNU_SOURCE
#include "support.h"

#include "share/pack.h"
#include "share/tree.h"
#include "sink/assets.h"

static void put(int dirfd, const char *path, const char *text) {
    int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void lists_regular_files_in_order(void **state) {
    static const char *const expected[] = {"a", "b/07", "b/7", "rank_2/x", "rank_10/x"};
    int dirfd = fresh_folder("tree");
    struct tree tree;
    struct err err = {0};
    struct buf content = {0};
    (void)state;
    assert_int_equal(mkdirat(dirfd, "b", 0777) | mkdirat(dirfd, "rank_2", 0777) | mkdirat(dirfd, "rank_10", 0777), 0);
    put(dirfd, "rank_10/x", "ten");
    put(dirfd, "rank_2/x", "two");
    put(dirfd, "a", "");
    put(dirfd, "b/7", "7");
    put(dirfd, "b/07", "07");
    assert_int_equal(symlinkat("/etc/passwd", dirfd, "link") | symlinkat("..", dirfd, "b/up") |
                         mkfifoat(dirfd, "pipe", 0666),
                     0);
    assert_true(tree_open(&tree, dirfd, "tree", &err));
    assert_int_equal(tree.files.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(tree.files.items[i].path, expected[i]);
        assert_int_equal(tree_find(&tree, expected[i]), i);
    }
    assert_true(tree_find(&tree, "b/8") == SIZE_MAX && tree_find(&tree, "") == SIZE_MAX);
    assert_true(tree_read(&tree, 4, &content, &err));
    assert_buf(&content, "ten");
    unlinkat(dirfd, "a", 0);
    assert_false(tree_read(&tree, 0, &content, &err));
    assert_has(slice_str(err.text), "cannot read tree/a: ");
    tree_close(&tree);
    buf_free(&content);
    close(dirfd);
}

/* Files are in blocks; one that is larger than a block has its own. */
static void packs_files_into_blocks(void **state) {
    struct pack pack = {0}, more = {0};
    struct buf large = {0};
    (void)state;
    memset(buf_reserve(&large, PACK_BLOCK_BYTES + 1), 'x', PACK_BLOCK_BYTES + 1);
    large.len = PACK_BLOCK_BYTES + 1;
    pack_add(&pack, "a", SLICE("one"));
    pack_add(&pack, "b", SLICE("two"));
    pack_add(&pack, "large", buf_slice(&large));
    pack_add(&pack, "c", SLICE("three"));
    pack_end_block(&pack);
    pack_end_block(&pack);
    assert_int_equal(pack.blocks.count, 3);
    assert_int_equal(pack.files.items[1].block, 0);
    assert_int_equal(pack.files.items[1].offset, 3);
    assert_int_equal(pack.files.items[2].block, 1);
    assert_int_equal(pack.files.items[3].offset, 0);
    uint64_t before = pack.bytes;
    pack_add(&more, "d", SLICE("four"));
    pack_end_block(&more);
    uint64_t added = more.bytes;
    pack_append(&pack, &more);
    assert_int_equal(pack.files.items[4].block, 3);
    assert_int_equal(pack.bytes, before + added);
    pack_free(&pack);
    buf_free(&large);
}

/* The loader is in the page, and the others are in a frame's markup: nothing in them may end their element. */
static void front_end_can_be_inlined(void **state) {
    (void)state;
    size_t count;
    const struct asset *all = assets_all(&count);
    for (size_t i = 0; i < count; i++) {
        struct slice text = slice_make((const char *)all[i].bytes, all[i].len);
        bool is_style = slice_ends(slice_str(all[i].name), SLICE(".css"));
        if (!is_style && !slice_ends(slice_str(all[i].name), SLICE(".js")))
            continue;
        assert_true(slice_find(text, is_style ? SLICE("</style") : SLICE("</script")) == SIZE_MAX);
        assert_true(slice_find(text, SLICE("<!--")) == SIZE_MAX && memchr(text.ptr, '\r', text.len) == NULL);
    }
    assert_true(asset_named(ASSET_LOADER)->len < 8192);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_regular_files_in_order),
        cmocka_unit_test(packs_files_into_blocks),
        cmocka_unit_test(front_end_can_be_inlined),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
