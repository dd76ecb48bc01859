/* cmd/messages, cmd/progress and cmd/browser: messages to the user. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/browser.h"
#include "cmd/messages.h"
#include "cmd/progress.h"

static void assert_buf(struct buf *got, const char *expected) {
    buf_add_byte(got, '\0');
    assert_string_equal(got->ptr, expected);
    buf_free(got);
}

static void assert_safe(struct slice text, size_t max, const char *expected) {
    struct buf got = {0};
    printable_add(&got, text, max);
    assert_true(utf8_is_valid(buf_slice(&got)));
    assert_buf(&got, expected);
}

static void text_is_made_harmless(void **state) {
    (void)state;
    assert_safe(SLICE("Grüße ✅ 😀"), 100, "Grüße ✅ 😀");
    assert_safe(SLICE(""), 100, "");
    assert_safe(SLICE("\x1b]0;title\x07\x1b[31m"), 100, "\\x1b]0;title\\x07\\x1b[31m");
    assert_safe(SLICE("a\0b\r\nc\td\x7f"), 100, "a\\x00b\\x0d\\x0ac d\\x7f");
    assert_safe(SLICE("\xc2\x9b"
                      "31m\xc2\xa0"),
                100, "\\x9b31m\xc2\xa0"); /* C1's own CSI */
    assert_safe(SLICE("\xe2\x80\xae"
                      "x\xe2\x81\xa6\xe2\x80\x8b"),
                100, "\\u{202e}x\\u{2066}\\u{200b}"); /* bidi, no width */
    assert_safe(SLICE("\xef\xbb\xbf\xf3\xa0\x81\x81"), 100, "\\u{feff}\\u{e0041}");
    assert_safe(SLICE("\xff\x9b"
                      "a"),
                100,
                "\xef\xbf\xbd\xef\xbf\xbd"
                "a");
}

static void text_is_cut(void **state) {
    (void)state;
    assert_safe(SLICE("abcdef"), 6, "abcdef");
    assert_safe(SLICE("abcdef"), 5, "abcde…");
    assert_safe(SLICE("abcü"), 4, "abc…"); /* not within a character */
    assert_safe(SLICE("abc😀"), 6, "abc…");
    assert_safe(SLICE("abc😀d"), 7, "abc😀…");
    assert_safe(SLICE("\x80\x80\x80\x80\x80\x80"), 4, "\xef\xbf\xbd…"); /* not UTF-8: approximately there */
    assert_safe(SLICE("abc"), 0, "…");
}

static void counts_are_grouped(void **state) {
    static const struct {
        uint64_t n;
        const char *text;
    } counts[] = {{0, "0"},
                  {999, "999"},
                  {1000, "1,000"},
                  {1234567, "1,234,567"},
                  {100000, "100,000"},
                  {UINT64_MAX, "18,446,744,073,709,551,615"}};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct buf got = {0};
        messages_add_count(&got, counts[i].n);
        assert_buf(&got, counts[i].text);
    }
}

static void errors_are_printed_three_times(void **state) {
    char *text = NULL;
    size_t len;
    struct messages m = {.to = open_memstream(&text, &len), .file = "a\x1b.log"};
    (void)state;
    for (uint64_t i = 1; i <= 1237; i++) {
        messages_fault(&m, "no prefix", i, SLICE("x\x1b[2J"));
        if (i == 2)
            messages_fault(&m, "bad JSON", 1000000, SLICE(""));
        if (i > 2 && i < 6)
            messages_fault(&m, "bad sum", i, SLICE(""));
    }
    messages_finish(&m);
    fclose(m.to);
    assert_string_equal(text, "a\\x1b.log:1: no prefix: x\\x1b[2J\n"
                              "a\\x1b.log:2: no prefix: x\\x1b[2J\n"
                              "a\\x1b.log:1000000: bad JSON\n"
                              "a\\x1b.log:3: no prefix: x\\x1b[2J\n"
                              "a\\x1b.log:3: bad sum\n"
                              "a\\x1b.log:4: bad sum\n"
                              "a\\x1b.log:5: bad sum\n"
                              "… and 1,234 more: no prefix\n");
    free(text);
}

static void details_are_cut(void **state) {
    char detail[5000], *text = NULL;
    size_t len;
    struct messages m = {.to = open_memstream(&text, &len), .file = "f"};
    (void)state;
    memset(detail, 'd', sizeof detail);
    messages_fault(&m, "kind", 1, slice_make(detail, sizeof detail));
    messages_finish(&m);
    fclose(m.to);
    const char *shown = strstr(text, ": ddd");
    assert_non_null(shown);
    assert_int_equal(strspn(shown + 2, "d"), MESSAGES_DETAIL_BYTES);
    assert_string_equal(shown + 2 + MESSAGES_DETAIL_BYTES, "…\n");
    free(text);
}

static void progress_has_a_text(void **state) {
    static const struct {
        uint64_t done, total, unpacked, elapsed_us;
        const char *text;
    } lines[] = {
        {0, 0, 0, 0, "0 bytes"},
        {500, 1000, 500, 100000, "500 bytes, 50%, 4.9 KiB/s"},
        {25 << 20, 100 << 20, 250u << 20, 5000000, "250.0 MiB, 25%, 50.0 MiB/s, 15 s left"},
        {1 << 20, 100 << 20, 1 << 20, 1000000, "1.0 MiB, 1%, 1.0 MiB/s, 1 min 39 s left"},
        {1 << 20, 10000ull << 20, 1 << 20, 1000000, "1.0 MiB, 0%, 1.0 MiB/s, 2 h 46 min left"},
        {1 << 20, 0, 1 << 20, 2000000, "1.0 MiB, 512.0 KiB/s"},  /* a pipe */
        {2000, 1000, 2000, 1000000, "2.0 KiB, 100%, 2.0 KiB/s"}, /* the file grows */
        {1000, 1000, 3ull << 40, 1000000, "3.0 TiB, 100%, 3.0 TiB/s"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct buf got = {0};
        progress_add_text(&got, lines[i].done, lines[i].total, lines[i].unpacked, lines[i].elapsed_us);
        assert_buf(&got, lines[i].text);
    }
}

static void progress_needs_a_terminal(void **state) {
    FILE *file = tmpfile();
    struct progress p;
    (void)state;
    assert_non_null(file);
    progress_init(&p, file);
    progress_update_at(&p, p.start_us + 10000000, 1, 2, 3);
    progress_clear(&p);
    fflush(file);
    assert_int_equal(lseek(fileno(file), 0, SEEK_END), 0);
    fclose(file);
}

/* On a terminal: one line, overwritten, and cleared at the end; not redrawn too early. */
static void progress_draws_one_line(void **state) {
    char name[64], got[512] = "";
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    struct progress p;
    (void)state;
    if (master < 0 || grantpt(master) || unlockpt(master) || ptsname_r(master, name, sizeof name))
        skip();
    FILE *terminal = fopen(name, "w");
    assert_non_null(terminal);
    progress_init(&p, terminal);
    uint64_t late_us = p.start_us + 4000000000;
    progress_update_at(&p, p.start_us + 99999, 1, 2, 3);
    assert_int_equal(p.width, 0); /* too early */
    progress_update_at(&p, late_us, 100000000, 200000000, 100000000);
    progress_update_at(&p, late_us + 99999, 100000001, 200000000, 100000001); /* too early */
    progress_update_at(&p, late_us + 100000, 200000000, 200000000, 200000000);
    progress_clear(&p);
    progress_clear(&p);
    char expected[512];
    snprintf(expected, sizeof expected,
             "\r95.4 MiB, 50%%, 24.4 KiB/s, 1 h 6 min left\r190.7 MiB, 100%%, 48.8 KiB/s%*s\r%*s\r",
             (int)(strlen("95.4 MiB, 50%, 24.4 KiB/s, 1 h 6 min left") - strlen("190.7 MiB, 100%, 48.8 KiB/s")), "",
             (int)strlen("190.7 MiB, 100%, 48.8 KiB/s"), "");
    size_t len = 0; /* read() may return a part */
    for (ssize_t more; len < strlen(expected) && (more = read(master, got + len, sizeof got - 1 - len)) > 0;)
        len += (size_t)more;
    assert_string_equal(got, expected);
    fclose(terminal);
    close(master);
}

static void browser_has_a_url(void **state) {
    struct buf url = {0};
    (void)state;
    browser_add_url(&url, SLICE("/tmp/a b/100%/#1?x=\xc3\xbc/index.html"));
    assert_buf(&url, "file:///tmp/a%20b/100%25/%231%3Fx%3D%C3%BC/index.html");
}

static void browser_detects_missing_displays(void **state) {
    static const char *const variables[] = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        unsetenv(variables[i]);
    unsetenv("SSH_CONNECTION");
    assert_false(browser_is_there());
    for (size_t i = 0; i < 4; i++) {
        setenv(variables[i], "", 1);
        assert_false(browser_is_there());
        setenv(variables[i], "x", 1);
        assert_true(browser_is_there());
        unsetenv(variables[i]);
    }
    setenv("SSH_CONNECTION", "x", 1);
    setenv("WSL_DISTRO_NAME", "x", 1);
    assert_false(browser_is_there());
    setenv("DISPLAY", ":10", 1); /* forwarded */
    assert_true(browser_is_there());
    unsetenv("DISPLAY");
    unsetenv("WSL_DISTRO_NAME");
    unsetenv("SSH_CONNECTION");
}

static void browser_is_started(void **state) {
    char folder[] = "/tmp/tlparse-test-browser-XXXXXX", path[128], got[256] = "";
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/browser", folder);
    FILE *script = fopen(path, "w");
    assert_non_null(script);
    fprintf(script, "#!/bin/sh\necho \"$1\" > %s/new; mv %s/new %s/called\necho noise; echo noise >&2\n", folder,
            folder, folder);
    assert_int_equal(fchmod(fileno(script), 0700), 0);
    fclose(script);
    setenv("BROWSER", path, 1);
    assert_true(browser_open(path));
    unsetenv("BROWSER");
    snprintf(path, sizeof path, "%s/called", folder);
    for (int i = 0; i < 12000 && access(path, F_OK) != 0; i++) /* two minutes, for a busy machine */
        usleep(10000);
    FILE *called = fopen(path, "r");
    assert_non_null(called);
    assert_non_null(fgets(got, sizeof got, called));
    fclose(called);
    snprintf(path, sizeof path, "file://%s/browser\n", folder);
    assert_string_equal(got, path);
    assert_false(browser_open("/nowhere/index.html"));
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_made_harmless),     cmocka_unit_test(text_is_cut),
        cmocka_unit_test(counts_are_grouped),        cmocka_unit_test(errors_are_printed_three_times),
        cmocka_unit_test(details_are_cut),           cmocka_unit_test(progress_has_a_text),
        cmocka_unit_test(progress_needs_a_terminal), cmocka_unit_test(progress_draws_one_line),
        cmocka_unit_test(browser_has_a_url),         cmocka_unit_test(browser_detects_missing_displays),
        cmocka_unit_test(browser_is_started),
    };
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
