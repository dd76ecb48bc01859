/* serve: targets, host names, ranges, conditions and files. tests/serve/run.py tests the program. */
#define _GNU_SOURCE
#include "support.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "serve/conditions.h"
#include "serve/host.h"
#include "serve/range.h"
#include "serve/server.h"
#include "serve/static_file.h"
#include "serve/target.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

/* ---- range ---- */

static void reads_ranges(void **state) {
    static const struct {
        const char *header;
        uint64_t size;
        enum range_kind kind;
        uint64_t first, bytes;
    } cases[] = {
        {"bytes=0-0", 10, RANGE_PART, 0, 1},
        {"bytes=2-5", 10, RANGE_PART, 2, 4},
        {"Bytes= 2-5 ", 10, RANGE_PART, 2, 4},
        {"bytes=2-", 10, RANGE_PART, 2, 8},
        {"bytes=-3", 10, RANGE_PART, 7, 3},
        {"bytes=-30", 10, RANGE_PART, 0, 10},
        {"bytes=9-30", 10, RANGE_PART, 9, 1},
        {"bytes=0-18446744073709551615", 10, RANGE_PART, 0, 10},
        {"bytes=0-99999999999999999999999", 10, RANGE_PART, 0, 10},
        {"bytes=5000000000-5000000001", 6000000000, RANGE_PART, 5000000000, 2},
        {"bytes=10-", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=10-20", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=99999999999999999999999-", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=-0", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=0-", 0, RANGE_OUTSIDE, 0, 0},
        {"bytes=-1", 0, RANGE_OUTSIDE, 0, 0},
        {"bytes=5-2", 10, RANGE_ALL, 0, 10},
        {"bytes=-", 10, RANGE_ALL, 0, 10},
        {"bytes=", 10, RANGE_ALL, 0, 10},
        {"bytes=1", 10, RANGE_ALL, 0, 10},
        {"bytes=a-b", 10, RANGE_ALL, 0, 10},
        {"bytes=+1-2", 10, RANGE_ALL, 0, 10},
        {"bytes=1--2", 10, RANGE_ALL, 0, 10},
        {"bytes=0-1,3-4", 10, RANGE_ALL, 0, 10},
        {"lines=0-1", 10, RANGE_ALL, 0, 10},
        {"", 10, RANGE_ALL, 0, 10},
    };
    (void)state;
    for (size_t i = 0; i < LEN(cases); i++) {
        struct range range;
        enum range_kind kind = range_parse(slice_str(cases[i].header), cases[i].size, &range);
        if (kind != cases[i].kind ||
            (kind != RANGE_OUTSIDE && (range.first != cases[i].first || range.bytes != cases[i].bytes)))
            fail_msg("%s of %llu: %d, %llu + %llu", cases[i].header, (unsigned long long)cases[i].size, kind,
                     (unsigned long long)range.first, (unsigned long long)range.bytes);
    }
    struct range range;
    assert_int_equal(range_parse((struct slice){0}, 7, &range), RANGE_ALL);
    assert_int_equal(range.bytes, 7);
}

/* ---- target ---- */

static void assert_target(struct slice text, enum target_kind kind, const char *path, bool folder) {
    struct target target;
    enum target_kind got = target_parse(text, &target);
    if (got != kind)
        fail_msg("%.*s: %d instead of %d", SLICE_ARG(text), got, kind);
    if (kind == TARGET_PATH) {
        assert_buf(&target.path, path);
        assert_int_equal(target.path.ptr[target.path.len], 0);
        assert_int_equal(target.folder, folder);
    }
    target_finish(&target);
}
#define GIVES(text, path, folder) assert_target(SLICE(text), TARGET_PATH, path, folder)
#define IS_WRONG(text) assert_target(SLICE(text), TARGET_WRONG, NULL, false)
#define IS_NOWHERE(text) assert_target(SLICE(text), TARGET_NOWHERE, NULL, false)

static void reads_targets(void **state) {
    (void)state;
    GIVES("/", "", true);
    GIVES("/?x=/../..", "", true);
    GIVES("/index.html", "index.html", false);
    GIVES("/index.html?x=1&y=%zz?", "index.html", false);
    GIVES("/a/b/c.txt", "a/b/c.txt", false);
    GIVES("/a/b/", "a/b", true);
    GIVES("/-_0_0_0/a%20b+c.txt", "-_0_0_0/a b+c.txt", false);
    GIVES("/%c3%BC%f0%9f%98%80.txt", "ü😀.txt", false);
    GIVES("/%3fx%23y%25", "?x#y%", false);
    GIVES("/a\\..\\b", "a\\..\\b", false); /* an ordinary name here */
    GIVES("/a%0a%0dX", "a\n\rX", false);
    GIVES("/x..y/z.", "x..y/z.", false);
    GIVES("http://127.0.0.1:8000/a?q", "a", false);
    GIVES("HTTP://h", "", true);
    GIVES("http://h?q", "", true);
}

static void refuses_targets(void **state) {
    (void)state;
    IS_WRONG("");
    IS_WRONG("*");
    IS_WRONG("a");
    IS_WRONG("../a");
    IS_WRONG("https://h/a");
    IS_WRONG("http://");
    IS_WRONG("/a b");
    IS_WRONG("/a\tb");
    IS_WRONG("/a\r\nX: y");
    IS_WRONG("/a#b");
    IS_WRONG("/%");
    IS_WRONG("/%4");
    IS_WRONG("/%zz");
    IS_WRONG("/%+1");
    IS_WRONG("/a%00b");
    IS_WRONG("/a\0b");
    IS_WRONG("/%ff");
    IS_WRONG("/%c0%ae%c0%ae/");
    IS_WRONG("/%ed%a0%80");
    IS_NOWHERE("/..");
    IS_NOWHERE("/../");
    IS_NOWHERE("/a/../b");
    IS_NOWHERE("/a/./b");
    IS_NOWHERE("/%2e%2e/x");
    IS_NOWHERE("/.%2E/x");
    IS_NOWHERE("/a%2f..%2fb");
    IS_NOWHERE("/%2fetc");
    IS_NOWHERE("/.hidden");
    IS_NOWHERE("/a/.git/b");
    IS_NOWHERE("//");
    IS_NOWHERE("//etc/passwd");
    IS_NOWHERE("/a//b");
    IS_NOWHERE("/a//");
    IS_NOWHERE("http://h//a");
}

static void keeps_query_and_authority(void **state) {
    struct target target;
    (void)state;
    assert_int_equal(target_parse(SLICE("http://h:1/a?b?c"), &target), TARGET_PATH);
    assert_slice(target.query, "?b?c");
    assert_slice(target.authority, "h:1");
    target_finish(&target);
    assert_int_equal(target_parse(SLICE("/a"), &target), TARGET_PATH);
    assert_slice(target.query, "");
    assert_null(target.authority.ptr);
    target_finish(&target);
}

/* ---- host ---- */

static void accepts_its_names(void **state) {
    const struct host_rule plain = {.port = 8000}, web = {.port = 80},
                           given = {.port = 8000, .given = SLICE("[fd00::7]")},
                           all = {.port = 8000,
                                  .given = SLICE("0.0.0.0"),
                                  .machine = SLICE("gpu7"),
                                  .any_address = true};
    const struct {
        const struct host_rule *rule;
        const char *host;
        bool ours;
    } cases[] = {
        {&plain, "127.0.0.1:8000", true},
        {&plain, "localhost:8000", true},
        {&plain, "LocalHost:8000", true},
        {&plain, "[::1]:8000", true},
        {&plain, " localhost:8000 ", true},
        {&plain, "localhost", false},
        {&plain, "localhost:8001", false},
        {&plain, "localhost:", false},
        {&plain, "localhost:8000x", false},
        {&plain, "localhost:08000", true},
        {&plain, "localhost:73536", false},
        {&plain, "evil.com:8000", false},
        {&plain, "evil.com", false},
        {&plain, "", false},
        {&plain, ":8000", false},
        {&plain, "127.0.0.1.evil.com:8000", false},
        {&plain, "localhost.:8000", false},
        {&plain, "::1:8000", false},
        {&plain, "[::1]", false},
        {&plain, "x@localhost:8000", false},
        {&plain, "192.168.1.7:8000", false},
        {&plain, "127.0.0.2:8000", false},
        {&plain, "localhost:8000:8000", false},
        {&plain, "gpu7:8000", false},
        {&web, "localhost", true},
        {&web, "[::1]", true},
        {&web, "localhost:80", true},
        {&given, "[FD00::7]:8000", true},
        {&given, "[fd00::8]:8000", false},
        {&all, "192.168.1.7:8000", true},
        {&all, "[fd00::7]:8000", true},
        {&all, "gpu7:8000", true},
        {&all, "0.0.0.0:8000", true},
        {&all, "evil.com:8000", false},
        {&all, "192.168.1.7:8001", false},
        {&all, "1.2.3:8000", false},
        {&all, "[]:8000", false},
        {&all, "[1.2.3.4]:8000", false},
        {&all, "fd00:8000", false},
        {&all, "192.168.1.7.evil.com:8000", false},
        {&all, "1111111111111111111111111111111111111111111111111111111111:8000", false},
    };
    (void)state;
    for (size_t i = 0; i < LEN(cases); i++)
        if (host_is_ours(cases[i].rule, slice_str(cases[i].host)) != cases[i].ours)
            fail_msg("case %zu: %s", i, cases[i].host);
    assert_false(host_is_ours(&plain, (struct slice){0}));
}

/* ---- conditions ---- */

static const struct validator old = {.etag = "\"a-1\"", .mtime_s = 784111777};
#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"
#define SECOND_BEFORE "Sun, 06 Nov 1994 08:49:36 GMT"

static void writes_and_reads_dates(void **state) {
    char date[CONDITIONS_DATE_BYTES];
    time_t time_s = 0;
    (void)state;
    conditions_add_date(date, old.mtime_s);
    assert_string_equal(date, DATE);
    static const char *const forms[] = {DATE, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"};
    for (size_t i = 0; i < LEN(forms); i++) {
        assert_true(conditions_read_date(slice_str(forms[i]), &time_s));
        assert_int_equal(time_s, old.mtime_s);
    }
    static const char *const no_dates[] = {"",
                                           "now",
                                           "Sun, 06 Nov 1994 08:49:37 GMTx",
                                           "Sun, 06 Nov 1994 08:49:37 CET",
                                           "784111777",
                                           "                                                                         "};
    for (size_t i = 0; i < LEN(no_dates); i++)
        assert_false(conditions_read_date(slice_str(no_dates[i]), &time_s));
    for (int i = 0; i < 2000; i++) { /* on any day */
        time_t then = (time_t)i * 1000003 - 86400;
        conditions_add_date(date, then);
        assert_true(conditions_read_date(slice_str(date), &time_s));
        assert_int_equal(time_s, then);
    }
}

static void checks_conditions(void **state) {
    const struct {
        struct conditions asked;
        enum conditions_result result;
    } cases[] = {
        {{{0}, {0}, {0}, {0}, {0}}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("\"a-1\"")}, CONDITIONS_NOT_MODIFIED},
        {{.if_none_match = SLICE("W/\"a-1\"")}, CONDITIONS_NOT_MODIFIED},
        {{.if_none_match = SLICE(" \"x\" , W/\"y\",\"a-1\"")}, CONDITIONS_NOT_MODIFIED},
        {{.if_none_match = SLICE("*")}, CONDITIONS_NOT_MODIFIED},
        {{.if_none_match = SLICE("\"a-2\"")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("\"x, \"a-1\"")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("a-1")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("\"a-1")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("\"")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("W/")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE(",,")}, CONDITIONS_SEND},
        {{.if_none_match = SLICE("\"x\""), .if_modified_since = SLICE(DATE)}, CONDITIONS_SEND},
        {{.if_modified_since = SLICE(DATE)}, CONDITIONS_NOT_MODIFIED},
        {{.if_modified_since = SLICE("Mon, 07 Nov 1994 00:00:00 GMT")}, CONDITIONS_NOT_MODIFIED},
        {{.if_modified_since = SLICE(SECOND_BEFORE)}, CONDITIONS_SEND},
        {{.if_modified_since = SLICE("yesterday")}, CONDITIONS_SEND},
        {{.if_match = SLICE("\"a-1\"")}, CONDITIONS_SEND},
        {{.if_match = SLICE("*")}, CONDITIONS_SEND},
        {{.if_match = SLICE("W/\"a-1\"")}, CONDITIONS_FAILED},
        {{.if_match = SLICE("\"x\"")}, CONDITIONS_FAILED},
        {{.if_unmodified_since = SLICE(DATE)}, CONDITIONS_SEND},
        {{.if_unmodified_since = SLICE(SECOND_BEFORE)}, CONDITIONS_FAILED},
        {{.if_match = SLICE("\"a-1\""), .if_unmodified_since = SLICE(SECOND_BEFORE)}, CONDITIONS_SEND},
    };
    (void)state;
    for (size_t i = 0; i < LEN(cases); i++)
        if (conditions_check(&cases[i].asked, &old) != cases[i].result)
            fail_msg("case %zu", i);
}

static void checks_if_range(void **state) {
    static const struct {
        const char *text;
        bool stands;
    } cases[] = {{"\"a-1\"", true},
                 {" \"a-1\" ", true},
                 {"\"a-2\"", false},
                 {"W/\"a-1\"", false},
                 {DATE, true},
                 {SECOND_BEFORE, false},
                 {"Mon, 07 Nov 1994 00:00:00 GMT", false},
                 {"", false}};
    (void)state;
    for (size_t i = 0; i < LEN(cases); i++)
        if (conditions_range_stands(&(struct conditions){.if_range = slice_str(cases[i].text)}, &old) !=
            cases[i].stands)
            fail_msg("%s", cases[i].text);
    assert_true(conditions_range_stands(&(struct conditions){0}, &old));
}

/* ---- files ---- */

static void knows_types(void **state) {
    (void)state;
    assert_string_equal(static_file_type(SLICE("index.html")), "text/html; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("a.b.JS")), "text/javascript; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("x.css")), "text/css; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("x.json")), "application/json; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("raw.jsonl")), "text/plain; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("raw.log")), "text/plain; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("x.svg")), "image/svg+xml; charset=utf-8");
    assert_string_equal(static_file_type(SLICE("x.png")), "image/png");
    assert_string_equal(static_file_type(SLICE("x.wasm")), "application/wasm");
    assert_string_equal(static_file_type(SLICE("x.bin")), "application/octet-stream");
    assert_string_equal(static_file_type(SLICE("html")), "application/octet-stream");
    assert_string_equal(static_file_type(SLICE("x.")), "application/octet-stream");
    assert_string_equal(static_file_type(SLICE("")), "application/octet-stream");
}

/* A folder with files, folders, links and a pipe. Returns its descriptor. */
static int make_tree(const char *name) {
    int dir = fresh_folder(name);
    write_file(scratch_path("outside.txt"), SLICE("secret"));
    assert_int_equal(mkdirat(dir, "rank_0", 0777), 0);
    assert_int_equal(mkdirat(dir, "empty", 0777), 0);
    assert_int_equal(mkdirat(dir, "odd", 0777), 0);
    assert_int_equal(mkdirat(dir, "odd/index.html", 0777), 0);
    assert_int_equal(mkfifoat(dir, "pipe.txt", 0666), 0);
    assert_int_equal(symlinkat("../outside.txt", dir, "out.txt"), 0);
    assert_int_equal(symlinkat("..", dir, "up"), 0);
    assert_int_equal(symlinkat("index.html", dir, "in.html"), 0);
    static const char *const files[] = {"index.html", "rank_0/index.html", "rank_0/x.json"};
    for (size_t i = 0; i < LEN(files); i++) {
        int fd = openat(dir, files[i], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        assert_int_equal(write(fd, files[i], strlen(files[i])), strlen(files[i]));
        close(fd);
    }
    return dir;
}

static void opens_files_of_the_folder_only(void **state) {
    static const struct {
        const char *path;
        bool folder;
        enum static_result result;
    } cases[] = {
        {"", true, STATIC_FILE},
        {"index.html", false, STATIC_FILE},
        {"index.html", true, STATIC_NOWHERE},
        {"rank_0", true, STATIC_FILE},
        {"rank_0", false, STATIC_FOLDER},
        {"rank_0/x.json", false, STATIC_FILE},
        {"rank_0/x.json/y", false, STATIC_NOWHERE},
        {"rank_1", false, STATIC_NOWHERE},
        {"empty", true, STATIC_NOWHERE},
        {"empty", false, STATIC_NOWHERE},
        {"odd", true, STATIC_NOWHERE},
        {"odd", false, STATIC_NOWHERE},
        {"pipe.txt", false, STATIC_NOWHERE},
        {"out.txt", false, STATIC_NOWHERE},
        {"in.html", false, STATIC_NOWHERE},
        {"up", true, STATIC_NOWHERE},
        {"up/outside.txt", false, STATIC_NOWHERE},
    };
    struct static_root root;
    struct err err = {0};
    (void)state;
    close(make_tree("tree"));
    assert_true(static_root_open(&root, scratch_path("tree"), &err));
    for (size_t i = 0; i < LEN(cases); i++) {
        struct static_file file;
        enum static_result result = static_file_open(&root, slice_str(cases[i].path), cases[i].folder, &file);
        if (result != cases[i].result)
            fail_msg("case %zu, %s: %d", i, cases[i].path, result);
        if (result == STATIC_FILE)
            close(file.fd);
    }
    struct static_file file;
    char longest[5000];
    memset(longest, 'x', sizeof longest);
    assert_int_equal(static_file_open(&root, slice_make(longest, sizeof longest), false, &file), STATIC_NOWHERE);
    assert_int_equal(static_file_open(&root, SLICE("rank_0/x.json"), false, &file), STATIC_FILE);
    assert_int_equal(file.bytes, strlen("rank_0/x.json"));
    assert_string_equal(file.type, "application/json; charset=utf-8");
    close(file.fd);
    static_root_close(&root);
    assert_false(static_root_open(&root, scratch_path("nothing"), &err));
    assert_has(slice_str(err.text), "nothing");
}

static void distinguishes_states_of_a_file(void **state) {
    struct stat st = {.st_ino = 1, .st_size = 2, .st_mtim = {3, 4}};
    struct validator first, next;
    (void)state;
    validator_init(&first, &st);
    validator_init(&next, &st);
    assert_string_equal(first.etag, next.etag);
    assert_int_equal(first.mtime_s, 3);
    for (int i = 0; i < 4; i++) {
        struct stat other = st;
        other.st_ino += i == 0;
        other.st_size += i == 1;
        other.st_mtim.tv_sec += i == 2;
        other.st_mtim.tv_nsec += i == 3;
        validator_init(&next, &other);
        assert_string_not_equal(first.etag, next.etag);
    }
    st = (struct stat){.st_ino = UINT64_MAX, .st_size = INT64_MAX, .st_mtim = {INT64_MAX, 999999999}};
    validator_init(&first, &st);
    assert_int_equal(first.etag[strlen(first.etag) - 1], '"');
}

/* As tlparse --overwrite does: exchanges the names, then removes the old folder. */
static void replace_again_and_again(const char *place, const char *other, int times) {
    for (int i = 0; i < times; i++) {
        char *file = mem_printf("%s/x.json", other);
        int fd = mkdir(other, 0700) == 0 ? open(file, O_WRONLY | O_CREAT, 0600) : -1;
        if (fd < 0 || close(fd) != 0 || renameat2(AT_FDCWD, place, AT_FDCWD, other, RENAME_EXCHANGE) != 0 ||
            unlink(file) != 0 || rmdir(other) != 0)
            _exit(1);
        mem_free(file);
    }
    _exit(0);
}

static void a_report_that_is_being_replaced_has_its_files(void **state) {
    struct static_root root;
    struct static_file file;
    struct err err = {0};
    int status, missing = 0;
    (void)state;
    close(fresh_folder("busy"));
    write_file(scratch_path("busy/x.json"), SLICE("{}"));
    char *place = strdup(scratch_path("busy")), *other = strdup(scratch_path("busy-next"));
    assert_true(static_root_open(&root, place, &err));
    pid_t child = fork();
    if (child == 0)
        replace_again_and_again(place, other, 5000);
    while (waitpid(child, &status, WNOHANG) == 0) {
        enum static_result found = static_file_open(&root, SLICE("x.json"), false, &file);
        missing += found != STATIC_FILE;
        if (found == STATIC_FILE)
            close(file.fd);
    }
    assert_int_equal(status, 0);
    assert_int_equal(missing, 0);
    static_root_close(&root);
    free(place);
    free(other);
}

static void follows_a_report_that_is_replaced(void **state) {
    struct static_root root;
    struct static_file file;
    struct err err = {0};
    char *old_place, *place;
    (void)state;
    close(make_tree("replaced"));
    place = strdup(scratch_path("replaced"));
    old_place = strdup(scratch_path("replaced-old"));
    assert_true(static_root_open(&root, place, &err));
    assert_int_equal(rename(place, old_place), 0);
    assert_int_equal(static_file_open(&root, SLICE("rank_0/x.json"), false, &file),
                     STATIC_FILE); /* does not exist yet */
    close(file.fd);
    close(fresh_folder("replaced"));
    write_file(scratch_path("replaced/new.txt"), SLICE("new"));
    assert_int_equal(static_file_open(&root, SLICE("rank_0/x.json"), false, &file), STATIC_NOWHERE);
    assert_int_equal(static_file_open(&root, SLICE("new.txt"), false, &file), STATIC_FILE);
    close(file.fd);
    static_root_close(&root);
    free(place);
    free(old_place);
}

/* ---- the server ---- */

static uint16_t port_in(const char *url) {
    return (uint16_t)strtoul(strrchr(url, ':') + 1, NULL, 10);
}

/* Starts a server in another process and returns its port. */
static pid_t start_server(const char *folder, const struct server_options *options, uint16_t *port) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct err err = {0};
        signal(SIGINT, SIG_DFL);
        struct server *server = server_create(folder, options, &err);
        const char *url = server ? server_url(server) : "http://127.0.0.1:0/";
        uint16_t own = port_in(url);
        ssize_t written = write(ends[1], &own, sizeof own);
        bool ended = server && written == sizeof own && server_run(server, &err);
        server_destroy(server);
        _exit(ended ? 0 : 9);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], port, sizeof *port), sizeof *port);
    close(ends[0]);
    assert_true(*port > 0);
    return child;
}

static int connect_to(uint16_t port) {
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons(port),
                                      .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&place, sizeof place), 0);
    return fd;
}

/* Reads until the server closes the connection. */
static struct buf read_all(int fd) {
    struct buf got = {0};
    for (ssize_t n; (n = read(fd, buf_reserve(&got, 4096), 4096)) > 0;)
        got.len += (size_t)n;
    close(fd);
    return got;
}

static void end_server(pid_t child, int number) {
    int status;
    kill(child, number);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* A byte now and then does not keep a connection: the request must be complete in time. */
static void disconnects_clients_that_drip(void **state) {
    static const char request[] = "GET /index.html HTTP/1.1\r\nHost: localhost\r\n";
    static const char whole[] = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";
    uint16_t port = 0;
    (void)state;
    if (!server_is_built())
        skip();
    close(make_tree("drip"));
    pid_t child = start_server(scratch_path("drip"), &(struct server_options){.has_port = true, .idle_s = 2}, &port);
    int dripping = connect_to(port), patient = connect_to(port), kept = 0;
    for (; kept < 200; kept++) { /* 20 s */
        const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
        struct pollfd end = {.fd = dripping, .events = POLLIN};
        if (poll(&end, 1, 0) > 0)
            break;
        if (write(dripping, kept < (int)sizeof request - 1 ? request + kept : "x", 1) != 1)
            break;
        if (kept % 10 == 0) { /* one request after the other on one connection is fine */
            char answer[4096];
            assert_int_equal(write(patient, whole, sizeof whole - 1), sizeof whole - 1);
            assert_true(read(patient, answer, sizeof answer) > 0);
        }
        nanosleep(&pause, NULL);
    }
    assert_true(kept > 5 && kept < 100);
    close(dripping);
    close(patient);
    end_server(child, SIGTERM);
}

static void disconnects_idle_clients(void **state) {
    static const char *const beginnings[] = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n"};
    uint16_t port = 0;
    (void)state;
    if (!server_is_built())
        skip();
    close(make_tree("idle"));
    pid_t child = start_server(scratch_path("idle"), &(struct server_options){.has_port = true, .idle_s = 1}, &port);
    int clients[LEN(beginnings)];
    for (size_t i = 0; i < LEN(beginnings); i++) {
        clients[i] = connect_to(port);
        assert_int_equal(write(clients[i], beginnings[i], strlen(beginnings[i])), strlen(beginnings[i]));
    }
    for (size_t i = 0; i < LEN(beginnings); i++) {
        struct buf got = read_all(clients[i]);
        assert_int_equal(got.len, 0);
        buf_free(&got);
    }
    end_server(child, SIGTERM);
}

static void ends_by_either_signal(void **state) {
    static const int numbers[] = {SIGINT, SIGTERM};
    (void)state;
    if (!server_is_built())
        skip();
    close(make_tree("ends"));
    for (size_t i = 0; i < LEN(numbers); i++) {
        uint16_t port = 0;
        pid_t child = start_server(scratch_path("ends"), &(struct server_options){.has_port = true}, &port);
        int idle = connect_to(port), client = connect_to(port);
        char request[100];
        int len = snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: localhost:%u\r\nConnection: close\r\n\r\n",
                           port);
        assert_int_equal(write(client, request, (size_t)len), len);
        struct buf got = read_all(client);
        assert_has(buf_slice(&got), "HTTP/1.1 200 OK\r\n");
        assert_has(buf_slice(&got), "\r\n\r\nindex.html");
        buf_free(&got);
        end_server(child, numbers[i]);
        got = read_all(idle);
        buf_free(&got);
    }
}

static void reports_its_address(void **state) {
    struct err err = {0};
    (void)state;
    if (!server_is_built())
        skip();
    close(make_tree("where"));
    const char *folder = scratch_path("where");
    struct server *server = server_create(folder, &(struct server_options){.has_port = true}, &err);
    assert_non_null(server);
    assert_true(slice_starts(slice_str(server_url(server)), SLICE("http://127.0.0.1:")));
    assert_null(server_url_for_others(server));
    unsigned port = port_in(server_url(server));
    assert_null(server_create(folder, &(struct server_options){.has_port = true, .port = (uint16_t)port}, &err));
    assert_has(slice_str(err.text), "port ");
    server_destroy(server);
    server = server_create(folder, &(struct server_options){.host = "0.0.0.0", .has_port = true}, &err);
    assert_non_null(server);
    assert_true(slice_starts(slice_str(server_url(server)), SLICE("http://127.0.0.1:")));
    assert_non_null(server_url_for_others(server));
    server_destroy(server);
    server = server_create(folder, &(struct server_options){.host = "localhost", .has_port = true}, &err);
    assert_non_null(server);
    assert_true(slice_starts(slice_str(server_url(server)), SLICE("http://localhost:")));
    assert_null(server_url_for_others(server));
    server_destroy(server);
    assert_null(server_create(folder, &(struct server_options){.host = "256.1.1.1", .has_port = true}, &err));
    assert_has(slice_str(err.text), "256.1.1.1");
    assert_null(server_create("/nowhere/at/all", &(struct server_options){0}, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_ranges),
        cmocka_unit_test(reads_targets),
        cmocka_unit_test(refuses_targets),
        cmocka_unit_test(keeps_query_and_authority),
        cmocka_unit_test(accepts_its_names),
        cmocka_unit_test(writes_and_reads_dates),
        cmocka_unit_test(checks_conditions),
        cmocka_unit_test(checks_if_range),
        cmocka_unit_test(knows_types),
        cmocka_unit_test(opens_files_of_the_folder_only),
        cmocka_unit_test(distinguishes_states_of_a_file),
        cmocka_unit_test(follows_a_report_that_is_replaced),
        cmocka_unit_test(a_report_that_is_being_replaced_has_its_files),
        cmocka_unit_test(disconnects_idle_clients),
        cmocka_unit_test(disconnects_clients_that_drip),
        cmocka_unit_test(ends_by_either_signal),
        cmocka_unit_test(reports_its_address),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
