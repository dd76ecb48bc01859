/* base/: slice, buf, arena, map, utf8, pool, err, mem, scan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "base/text.h"
#include "base/word.h"

static void finds_calls_of_functions(void **state) {
    (void)state;
    assert_int_equal(call_of(SLICE("k = int(n)"), SLICE("int")), 8);
    assert_int_equal(call_of(SLICE("print(int(n))"), SLICE("int")), 10);
    assert_int_equal(call_of(SLICE("any(x)"), SLICE("any")), 4);
    assert_true(call_of(SLICE("x.any(0)"), SLICE("any")) == SIZE_MAX);
    assert_true(call_of(SLICE("point(1)"), SLICE("int")) == SIZE_MAX);
    assert_true(call_of(SLICE("n: int"), SLICE("int")) == SIZE_MAX);
    assert_true(call_of(SLICE(""), SLICE("int")) == SIZE_MAX);
}

static void assert_slice(struct slice got, const char *expected) {
    assert_int_equal(got.len, strlen(expected));
    if (got.len)
        assert_memory_equal(got.ptr, expected, got.len);
}

static void slice_compares(void **state) {
    (void)state;
    assert_true(slice_eq(SLICE("ab"), SLICE("ab")));
    assert_false(slice_eq(SLICE("ab"), SLICE("abc")));
    assert_false(slice_eq(SLICE("ab"), SLICE("aB")));
    assert_true(slice_eq((struct slice){0}, SLICE("")));
    assert_true(slice_eq(SLICE("a\0b"), SLICE("a\0b")));
    assert_false(slice_eq(SLICE("a\0b"), SLICE("a\0c")));
    assert_true(slice_is(SLICE("x"), "x"));
    assert_int_equal(slice_cmp(SLICE("a"), SLICE("a")), 0);
    assert_true(slice_cmp(SLICE("a"), SLICE("ab")) < 0);
    assert_true(slice_cmp(SLICE("b"), SLICE("ab")) > 0);
    assert_true(slice_cmp(SLICE("\xff"), SLICE("a")) > 0); /* bytes, not chars */
    assert_int_equal(slice_cmp((struct slice){0}, SLICE("")), 0);
    assert_true(slice_starts(SLICE("abc"), SLICE("ab")) && slice_starts(SLICE("abc"), SLICE("")));
    assert_false(slice_starts(SLICE("a"), SLICE("ab")));
    assert_true(slice_ends(SLICE("abc"), SLICE("bc")) && slice_ends(SLICE("abc"), SLICE("")));
    assert_false(slice_ends(SLICE("abc"), SLICE("ab")));
    assert_false(slice_ends(SLICE("c"), SLICE("bc")));
}

static void slice_cuts_and_finds(void **state) {
    (void)state;
    assert_slice(slice_from(SLICE("abc"), 1), "bc");
    assert_slice(slice_from(SLICE("abc"), 9), "");
    assert_slice(slice_first(SLICE("abc"), 2), "ab");
    assert_slice(slice_first(SLICE("abc"), 9), "abc");
    assert_slice(slice_trim(SLICE(" \t a b\r\n ")), "a b");
    assert_slice(slice_trim(SLICE(" \n")), "");
    assert_int_equal(slice_find(SLICE("abcabc"), SLICE("ca")), 2);
    assert_int_equal(slice_find(SLICE("abc"), SLICE("")), 0);
    assert_true(slice_find(SLICE("abc"), SLICE("cd")) == SIZE_MAX);
    assert_true(slice_find(SLICE("a"), SLICE("ab")) == SIZE_MAX);
    for (size_t at = 0; at < 300; at++)         /* at every position, in and between blocks of 16 and 64 bytes */
        for (size_t len = 1; len < 70; len++) { /* short needles, and what the system searches for */
            char text[400], needle[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
            memset(text, 'a', sizeof text);
            memcpy(text + at, needle, len);
            char *exact = memcpy(test_malloc(at + len), text, at + len); /* nothing behind it may be read */
            struct slice whole = slice_make(exact, at + len), wanted = slice_make(needle, len);
            assert_int_equal(slice_find(whole, wanted), len == 1 ? 0 : at);
            assert_true(len == 1 || slice_find(slice_first(whole, at + len - 1), wanted) == SIZE_MAX);
            test_free(exact);
            text[at] = '/';
            assert_int_equal(slice_rfind_byte(slice_make(text, sizeof text), '/'), at);
        }
    assert_int_equal(slice_rfind_byte(SLICE("a/b/c"), '/'), 3);
    assert_true(slice_rfind_byte(SLICE("abc"), '/') == SIZE_MAX);
    assert_true(slice_rfind_byte((struct slice){0}, '/') == SIZE_MAX);
}

static void slice_takes_lines(void **state) {
    struct slice rest = SLICE("one\n\ntwo"), line;
    (void)state;
    assert_true(slice_next_line(&rest, &line));
    assert_slice(line, "one");
    assert_true(slice_next_line(&rest, &line));
    assert_slice(line, "");
    assert_true(slice_next_line(&rest, &line));
    assert_slice(line, "two");
    assert_false(slice_next_line(&rest, &line));
    rest = SLICE("end\n");
    assert_true(slice_next_line(&rest, &line));
    assert_false(slice_next_line(&rest, &line)); /* no empty line after the last '\n' */
}

static void slice_reads_numbers(void **state) {
    uint64_t n = 7;
    (void)state;
    assert_true(slice_to_u64(SLICE("0"), &n) && n == 0);
    assert_true(slice_to_u64(SLICE("007"), &n) && n == 7);
    assert_true(slice_to_u64(SLICE("18446744073709551615"), &n) && n == UINT64_MAX);
    static const char *const bad[] =
        {"", "-1", "+1", " 1", "1 ", "1a", "0x1", "18446744073709551616", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(slice_to_u64(slice_str(bad[i]), &n));
    assert_true(n == UINT64_MAX); /* untouched */
}

static void buf_grows(void **state) {
    struct buf b = {0};
    (void)state;
    assert_slice(buf_slice(&b), "");
    buf_add(&b, (struct slice){0});
    buf_add_lit(&b, "x=");
    buf_add_u64(&b, UINT64_MAX);
    buf_add_byte(&b, ',');
    buf_add_i64(&b, INT64_MIN);
    buf_add_byte(&b, ',');
    buf_add_i64(&b, 0);
    buf_addf(&b, "%s%03d", ";", 5);
    buf_addf(&b, "%s", "");
    buf_add_str(&b, "!");
    assert_slice(buf_slice(&b), "x=18446744073709551615,-9223372036854775808,0;005!");
    for (size_t len = 0; len < 1000; len++) { /* whether the text fits or not */
        struct buf one = {0};
        buf_addf(&one, "%*s|%zu", (int)len, "", len);
        assert_int_equal(one.len, len + 1 + (len < 10 ? 1 : len < 100 ? 2 : 3));
        buf_addf(&one, "%s", "end");
        assert_true(slice_ends(buf_slice(&one), SLICE("end")) && one.ptr[len] == '|');
        buf_free(&one);
    }
    size_t before = b.len;
    for (int i = 0; i < 10000; i++)
        buf_add_byte(&b, (char)('a' + i % 26));
    assert_int_equal(b.len, before + 10000);
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(b.ptr[before + i], 'a' + i % 26);
    memset(buf_reserve(&b, 5000), 'r', 5000);
    assert_true(b.cap >= b.len + 5000);
    buf_free(&b);
    assert_null(b.ptr);
    assert_int_equal(b.len, 0);
}

static void arena_keeps_pieces(void **state) {
    enum { PIECES = 3000 };
    struct arena a = {0};
    char *pieces[PIECES];
    (void)state;
    for (size_t i = 0; i < PIECES; i++) {
        size_t bytes = i % 100 == 99 ? 100000 : i % 97; /* some larger than a chunk */
        pieces[i] = arena_zalloc(&a, bytes + 1);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t j = 0; j <= bytes; j += 7)
            assert_int_equal(pieces[i][j], 0);
        memset(pieces[i], (int)(i & 127), bytes + 1);
    }
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(pieces[i][i % 100 == 99 ? 100000 : i % 97], i & 127);
    char original[] = "text";
    struct slice copy = arena_slice(&a, slice_make(original, 4));
    char *text = arena_str(&a, slice_make(original, 2));
    original[0] = 'X';
    assert_slice(copy, "text");
    assert_string_equal(text, "te");
    arena_reset(&a);
    memset(arena_alloc(&a, 10), 1, 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(((char *)arena_zalloc(&a, 100))[99], 0); /* also in a chunk that was used before */
    arena_free(&a);
    arena_free(&a);
}

static void map_finds_keys(void **state) {
    struct map m = {0};
    bool added;
    char key[32];
    (void)state;
    assert_true(map_get(&m, SLICE("a")) == MAP_NONE);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key %u", i);
        assert_int_equal(*map_put(&m, slice_str(key), i, &added), i);
        assert_true(added);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key %u", i);
        assert_int_equal(map_get(&m, slice_str(key)), i);
    }
    assert_int_equal(*map_put(&m, SLICE("key 7"), 99, &added), 7);
    assert_false(added);
    *map_put(&m, SLICE("key 7"), 0, NULL) = 70;
    assert_int_equal(map_get(&m, SLICE("key 7")), 70);
    assert_true(map_get(&m, SLICE("key")) == MAP_NONE);
    /* Keys are bytes: empty ones and NUL count. */
    map_put(&m, SLICE(""), 1, NULL);
    map_put(&m, SLICE("a\0b"), 2, NULL);
    assert_int_equal(map_get(&m, (struct slice){0}), 1);
    assert_true(map_get(&m, SLICE("a\0c")) == MAP_NONE);
    assert_true(map_get(&m, SLICE("a")) == MAP_NONE);
    struct slice own = map_key(&m, SLICE("a\0b"));
    assert_true(slice_eq(own, SLICE("a\0b")));
    assert_int_equal(map_key(&m, SLICE("none")).len, 0);
    map_free(&m);
}

static void utf8_is_detected(void **state) {
    (void)state;
    static const char *const good[] = {"",
                                       "plain ASCII of some length, over eight",
                                       "\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf",
                                       "Grüße ✅ 😀"};
    static const char *const bad[] = {"\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2\x41",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xe2\x82",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xf0\x9f\x98",
                                      "\xff",
                                      "\xfe"};
    struct buf text = {0};
    for (size_t lead = 0; lead < 17; lead++) {
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            text.len = 0;
            buf_addf(&text, "%.*s%s", (int)lead, "12345678901234567", good[i]);
            assert_true(utf8_is_valid(buf_slice(&text)));
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            text.len = 0;
            buf_addf(&text, "%.*s%s behind it", (int)lead, "12345678901234567", bad[i]);
            assert_int_equal(utf8_valid_len(buf_slice(&text)), lead);
        }
    }
    buf_free(&text);
}

static void utf8_is_repaired(void **state) {
    struct buf out = {0};
    (void)state;
    utf8_add_clean(&out, SLICE("a\xff"
                               "b\xe2\x82"
                               "c\xed\xa0\x80ü"));
    assert_slice(buf_slice(&out), "a\xef\xbf\xbd"
                                  "b\xef\xbf\xbd\xef\xbf\xbd"
                                  "c"
                                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdü");
    assert_true(utf8_is_valid(buf_slice(&out)));
    buf_free(&out);
    utf8_add_clean(&out, SLICE(""));
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

struct counting_job {
    struct job job;
    pthread_mutex_t *lock;
    int *count, order;
};

static void count(struct job *job) {
    struct counting_job *self = (struct counting_job *)job;
    pthread_mutex_lock(self->lock);
    self->order = (*self->count)++;
    pthread_mutex_unlock(self->lock);
}

static void pool_runs_every_job(void **state) {
    enum { JOBS = 2000 };
    static const unsigned workers[] = {0, 1, 4};
    struct counting_job *jobs = mem_zalloc(JOBS, sizeof *jobs);
    (void)state;
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        struct err err;
        int done = 0;
        struct pool *pool = pool_create(workers[w], &err);
        assert_non_null(pool);
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = (struct counting_job){.job = {.run = count}, .lock = &lock, .count = &done};
            pool_run(pool, &jobs[i].job);
            if (workers[w] == 0)
                assert_int_equal(done, i + 1); /* immediately, on this thread */
        }
        pool_destroy(pool); /* waits */
        assert_int_equal(done, JOBS);
        for (int i = 0; i < JOBS && workers[w] == 1; i++)
            assert_int_equal(jobs[i].order, i); /* one worker: in the order in which they were added */
    }
    free(jobs);
    pool_destroy(NULL);
    assert_in_range(pool_cores(), 1, 64);
}

static void err_says_why(void **state) {
    struct err err = {0};
    (void)state;
    assert_false(err_set(&err, ERR_USAGE, "bad %s", "call"));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "bad call");
    assert_string_equal(err.hint, "");
    assert_false(err_hint(&err, "try %d", 7));
    assert_string_equal(err.text, "bad call");
    assert_string_equal(err.hint, "try 7");
    errno = ENOENT;
    assert_false(err_errno(&err, "cannot open %s", "x"));
    assert_int_equal(err.code, ERR_SYSTEM);
    assert_string_equal(err.text, "cannot open x: No such file or directory");
    assert_string_equal(err.hint, ""); /* cleared */
    char *longer = mem_printf("%5000s", "x");
    errno = EIO;
    assert_false(err_errno(&err, "%s", longer)); /* truncated, without an overrun */
    assert_true(strlen(err.text) < sizeof err.text);
    assert_false(err_hint(&err, "%s", longer));
    assert_true(strlen(err.hint) < sizeof err.hint);
    free(longer);
}

static inline lanes vowels(lanes v) {
    return (lanes)(v == 'a') | (lanes)(v == 'e') | (lanes)(v == 0x7f);
}

/* 'a' becomes nothing, 'e' two bytes, DEL as much as a byte may become. */
static inline size_t put_vowel(char *to, unsigned char c, void *count) {
    size_t len = c == 'a' ? 0 : c == 'e' ? 2 : ESCAPE_MOST;
    memset(to, '*', len);
    ++*(size_t *)count;
    return len;
}

/* The plain way to do the same. */
static void add_escaped(struct buf *out, struct slice text) {
    size_t count = 0;
    char to[ESCAPE_MOST];
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == 'a' || c == 'e' || c == 0x7f)
            buf_add(out, slice_make(to, put_vowel(to, c, &count)));
        else
            buf_add_byte(out, (char)c);
    }
}

/* Texts shorter and longer than a step, with each byte at each place, and none behind the end that may be read. */
static void escapes_each_byte_at_each_place(void **state) {
    (void)state;
    struct buf got = {0}, want = {0};
    for (size_t len = 0; len <= 40; len++)
        for (size_t at = 0; at < len; at++)
            for (int c = 0; c < 256; c++) {
                char *text = mem_alloc(len);
                size_t count = 0;
                memset(text, 'x', len);
                text[at] = (char)c;
                got.len = want.len = 0;
                BUF_ADD(&got, "before");
                BUF_ADD(&want, "before");
                bool good = escape_add(&got, slice_make(text, len), vowels, put_vowel, &count);
                assert_int_equal(good, c < 0x80);
                if (good)
                    add_escaped(&want, slice_make(text, len));
                assert_true(slice_eq(buf_slice(&got), buf_slice(&want)));
                mem_free(text);
            }
    buf_free(&got);
    buf_free(&want);
}

/* The buffer grows while the text is escaped; what is not ASCII stays. */
static void escapes_texts_that_become_long(void **state) {
    (void)state;
    static const char *const pieces[] = {"a", "e", "x", "\x7f", "\xc3\xa9", "some text without such bytes"};
    struct buf text = {0}, got = {0}, want = {0};
    for (unsigned i = 0, seed = 1; i < 5000; i++, seed = seed * 1103515245 + 12345)
        buf_add_str(&text, pieces[(seed >> 16) % 6]);
    size_t count = 0;
    assert_true(escape_add(&got, buf_slice(&text), vowels, put_vowel, &count));
    add_escaped(&want, buf_slice(&text));
    assert_true(slice_eq(buf_slice(&got), buf_slice(&want)));
    assert_true(count > 1000);
    buf_add_lit(&text, "\xc3");
    assert_false(escape_add(&got, buf_slice(&text), vowels, put_vowel, &count));
    assert_int_equal(got.len, want.len); /* nothing was added */
    buf_free(&text);
    buf_free(&got);
    buf_free(&want);
}

static void mem_grows(void **state) {
    struct {
        int *items;
        size_t count, cap;
    } list = {0};
    (void)state;
    for (int i = 0; i < 1000; i++) {
        MEM_GROW(&list);
        list.items[list.count++] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list.items[i], i);
    free(list.items);
    char *text = mem_strdup("abc"), *number = mem_printf("%d-%s", 5, text);
    assert_string_equal(number, "5-abc");
    free(text);
    free(number);
}

/* Lists of several sizes that grow alternately keep their items, also beyond a chunk, and do not affect other pieces.
 */
static void arena_grows_lists(void **state) {
    (void)state;
    struct arena a = {0};
    enum { LISTS = 3 };
    const uint32_t count = 20000;
    struct big {
        uint64_t number[20];
    };
    for (int round = 0; round < 2; round++) {
        LIST(uint32_t) lists[LISTS] = {{0}};
        LIST(struct big) large = {0};
        uint32_t *between[20];
        size_t pieces = 0;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t n = 0; n < LISTS && i < count >> (6 * n); n++) {
                ARENA_GROW(&a, &lists[n]);
                lists[n].items[lists[n].count++] = i * LISTS + n;
            }
            ARENA_GROW(&a, &large);
            large.items[large.count++] = (struct big){{i, [19] = i + 1}};
            if (i % 1000 == 0)
                *(between[pieces++] = arena_alloc(&a, sizeof **between)) = i;
        }
        for (uint32_t n = 0; n < LISTS; n++) {
            assert_int_equal(lists[n].count, count >> (6 * n));
            for (uint32_t i = 0; i < lists[n].count; i++)
                assert_int_equal(lists[n].items[i], i * LISTS + n);
        }
        for (uint32_t i = 0; i < count; i++)
            assert_true(large.items[i].number[0] == i && large.items[i].number[19] == i + 1);
        for (size_t i = 0; i < pieces; i++)
            assert_int_equal(*between[i], i * 1000);
        arena_reset(&a);
    }
    arena_free(&a);
}

/* The newest piece grows in place. */
static void arena_grows_in_place(void **state) {
    (void)state;
    struct arena a = {0};
    LIST(uint64_t) list = {0}, other = {0};
    ARENA_GROW(&a, &list);
    uint64_t *first = list.items;
    for (; list.count < 1000; list.count++) {
        ARENA_GROW(&a, &list);
        list.items[list.count] = list.count;
    }
    assert_ptr_equal(list.items, first);
    ARENA_GROW(&a, &other);
    for (; list.count < 3000; list.count++) {
        ARENA_GROW(&a, &list);
        list.items[list.count] = list.count;
    }
    assert_ptr_not_equal(list.items, first);
    for (size_t i = 0; i < list.count; i++)
        assert_int_equal(list.items[i], i);
    arena_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_calls_of_functions),
        cmocka_unit_test(slice_compares),
        cmocka_unit_test(slice_cuts_and_finds),
        cmocka_unit_test(slice_takes_lines),
        cmocka_unit_test(slice_reads_numbers),
        cmocka_unit_test(buf_grows),
        cmocka_unit_test(arena_keeps_pieces),
        cmocka_unit_test(arena_grows_lists),
        cmocka_unit_test(arena_grows_in_place),
        cmocka_unit_test(map_finds_keys),
        cmocka_unit_test(utf8_is_detected),
        cmocka_unit_test(utf8_is_repaired),
        cmocka_unit_test(pool_runs_every_job),
        cmocka_unit_test(escapes_each_byte_at_each_place),
        cmocka_unit_test(escapes_texts_that_become_long),
        cmocka_unit_test(err_says_why),
        cmocka_unit_test(mem_grows),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
