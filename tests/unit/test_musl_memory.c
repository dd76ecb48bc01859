/* packaging/musl_memory.c, which takes the place of musl's functions in static programs: against those of the system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define memchr static_memchr
#define memcmp static_memcmp
#define bcmp static_bcmp
#define memcpy static_memcpy
#include "../../packaging/musl_memory.c"
#undef memchr
#undef memcmp
#undef bcmp
#undef memcpy

/* The end of a page; what follows must not be touched. */
static unsigned char *page_end(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int zeros = open("/dev/zero", O_RDWR);
    assert_true(zeros >= 0);
    unsigned char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    close(zeros);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    return pages + page;
}

static void memchr_finds(void **state) {
    (void)state;
    unsigned char *end = page_end();
    memset(end - 100, 'a', 100);
    for (size_t len = 0; len < 100; len++) {
        unsigned char *from = end - len;
        assert_null(static_memchr(from, 'b', len));
        for (size_t at = 0; at < len; at++) {
            from[at] = 'b';
            for (size_t n = 0; n <= len; n++)
                assert_ptr_equal(static_memchr(from, 'b', n), memchr(from, 'b', n));
            assert_ptr_equal(static_memchr(from, 0x100 + 'b', SIZE_MAX),
                             from + at); /* it is there, so the size may be too large */
            from[at] = 'a';
        }
        if (len)
            from[-1] = 'b', assert_null(static_memchr(from, 'b', len)), from[-1] = 'a';
    }
    end[-1] = 0xFF;
    assert_ptr_equal(static_memchr(end - 40, 0xFF, 40), end - 1);
}

static int sign(int n) {
    return (n > 0) - (n < 0);
}

static void memcmp_orders(void **state) {
    (void)state;
    unsigned char *a = page_end(), *b = page_end();
    memset(a - 80, 'm', 80);
    memset(b - 80, 'm', 80);
    for (size_t len = 0; len < 80; len++) {
        assert_int_equal(static_memcmp(a - len, b - len, len), 0);
        for (size_t at = 0; at < len; at++)
            for (int c = 0; c < 256; c += 51) {
                (a - len)[at] = (unsigned char)c;
                if (at + 1 < len)
                    (b - len)[at + 1] = 'z'; /* only the first difference counts */
                int order = memcmp(a - len, b - len, len);
                assert_int_equal(sign(static_memcmp(a - len, b - len, len)), sign(order));
                assert_int_equal(static_bcmp(a - len, b - len, len) != 0, order != 0);
                (a - len)[at] = 'm';
                if (at + 1 < len)
                    (b - len)[at + 1] = 'm';
            }
    }
}

#ifdef __x86_64__
static void memcpy_copies(void **state) {
    (void)state;
    enum { LEN_MAX = 2100, ROOM = LEN_MAX + 64 };
    unsigned char *end = page_end(), *target = malloc(ROOM), *expected = malloc(ROOM);
    assert_true(target && expected);
    for (size_t i = 1; i <= LEN_MAX; i++)
        *(end - i) = (unsigned char)(i * 7 + i / 251);
    for (size_t len = 0; len <= LEN_MAX; len += len < 40 || (len > 1015 && len < 1050) ? 1 : 13)
        for (size_t to = 0; to < 17; to++) {
            memset(target, 0xEE, ROOM);
            memset(expected, 0xEE, ROOM);
            memcpy(expected + to, end - len, len);
            assert_ptr_equal(static_memcpy(target + to, end - len, len), target + to);
            assert_memory_equal(target, expected, ROOM);
        }
    free(target);
    free(expected);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memchr_finds),
        cmocka_unit_test(memcmp_orders),
#ifdef __x86_64__
        cmocka_unit_test(memcpy_copies),
#endif
    };
    return cmocka_run_group_tests_name("musl_memory", tests, NULL, NULL);
}
