/* trace/choose: the logs of a call. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "trace/choose.h"

/* Times are relative to this one, in local time like those of the logs. */
static const time_t noon = 1767265200;

static int make_folder(void **state) {
    char folder[] = "/tmp/tlparse-test-choose-XXXXXX";
    return mkdtemp(folder) && (*state = strdup(folder)) ? chdir(folder) : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static int remove_folder(void **state) {
    int failed = chdir("/") || nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return failed;
}

/* A log of a process, last modified `written` seconds after noon; the time of its first record is `begun` seconds
 * after noon. */
static void put_log_of(const char *path, int written, int begun, int process) {
    const struct timespec times[2] = {{.tv_sec = noon + written}, {.tv_sec = noon + written}};
    time_t at = noon + begun;
    struct tm tm;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    localtime_r(&at, &tm);
    fprintf(file, "some line of another program\nV%02d%02d %02d:%02d:%02d.000000 %d torch/a.py:1] {}\n", tm.tm_mon + 1,
            tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, process);
    fclose(file);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void put_log(const char *path, int written, int begun) {
    put_log_of(path, written, begun, 7);
}

static void put(const char *path, int written) {
    put_log(path, written, written);
}

#define LOG "dedicated_log_torch_trace_"

/* The logs chosen from the folder ".", as names separated by spaces: "taken | left". */
static void assert_takes(bool latest, const char *expected) {
    static const char *const here[] = {"."};
    const struct choose_request request = {.paths = here, .path_count = 1, .latest = latest};
    struct choice choice;
    struct err err = {0};
    struct buf got = {0};
    if (!choose_logs(&request, &choice, &err))
        fail_msg("%s", err.text);
    assert_string_equal(choice.folder, ".");
    for (size_t i = 0; i < choice.count; i++)
        buf_addf(&got, "%s ", choice.items[i].path + 2);
    buf_add_byte(&got, '|');
    for (size_t i = 0; i < choice.left.count; i++)
        buf_addf(&got, " %s", choice.left.items[i] + 2);
    buf_add_byte(&got, '\0');
    assert_string_equal(got.ptr, expected);
    buf_free(&got);
    choice_finish(&choice);
}

static void assert_refuses(const struct choose_request *request, enum err_code code, const char *says) {
    struct choice choice;
    struct err err = {0};
    assert_false(choose_logs(request, &choice, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, says) && !strstr(err.hint, says))
        fail_msg("neither \"%s\" nor \"%s\" says \"%s\"", err.text, err.hint, says);
}

static void classifies_names(void **state) {
    static const struct {
        const char *name;
        enum choose_kind kind;
        uint64_t rank;
    } names[] = {
        {LOG "abc.log", CHOOSE_DEDICATED, 0},
        {LOG "abc.log.gz", CHOOSE_DEDICATED, 0},
        {LOG "rank_0_abc.log", CHOOSE_RANK, 0},
        {LOG "rank_12_a_b.log.zst", CHOOSE_RANK, 12},
        {LOG "rank_3.log", CHOOSE_RANK, 3},
        {LOG "rank_3abc.log", CHOOSE_DEDICATED, 0},
        {LOG "rank__abc.log", CHOOSE_DEDICATED, 0},
        {LOG "rank_99999999999999999999_a.log", CHOOSE_DEDICATED, 0},
        {LOG "abc.txt", CHOOSE_LOG, 0},
        {"dedicated_log_torch_trace.log", CHOOSE_DEDICATED, 0},
        {"x.log", CHOOSE_LOG, 0},
        {"x.log.gz", CHOOSE_LOG, 0},
        {"x.txt", CHOOSE_LOG, 0},
        {"x.txt.zst", CHOOSE_LOG, 0},
        {"x.gz", CHOOSE_OTHER, 0},
        {"log", CHOOSE_OTHER, 0},
        {"x.log.bak", CHOOSE_OTHER, 0},
        {"x.log.1", CHOOSE_LOG, 0},
        {"x.log.12.gz", CHOOSE_LOG, 0},
        {"x.log.", CHOOSE_OTHER, 0},
        {"x.txt.1", CHOOSE_OTHER, 0},
        {LOG "rank_2_a.log.1", CHOOSE_RANK, 2},
        {"x.log.gz.zst", CHOOSE_OTHER, 0},
        {"", CHOOSE_OTHER, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t rank = 0;
        if (choose_kind_of(slice_str(names[i].name), &rank) != names[i].kind)
            fail_msg("%s", names[i].name);
        assert_int_equal(rank, names[i].rank);
    }
}

static void takes_the_newest(void **state) {
    (void)state;
    put(LOG "b.log", 10);
    assert_takes(true, LOG "b.log |");
    put(LOG "a.log", 20);
    put(LOG "c.log.gz", 5);
    assert_takes(true, LOG "a.log | " LOG "b.log " LOG "c.log.gz");
    put(LOG "b.log", 20); /* a tie: the greater name wins */
    assert_takes(true, LOG "b.log | " LOG "a.log " LOG "c.log.gz");
}

/* Processes of one run start one after the other; a long pause separates two runs. */
static void takes_all_processes(void **state) {
    (void)state;
    put(LOG "b.log", 10);
    put(LOG "a.log", 20);
    put(LOG "c.log.gz", 5);
    assert_takes(false, LOG "c.log.gz " LOG "b.log " LOG "a.log |");
    put(LOG "d.log", 20 + CHOOSE_PAUSE_S);
    assert_takes(false, LOG "c.log.gz " LOG "b.log " LOG "a.log " LOG "d.log |");
    put(LOG "d.log", 21 + CHOOSE_PAUSE_S);
    assert_takes(false, LOG "d.log | " LOG "a.log " LOG "b.log " LOG "c.log.gz");
    /* A process that was still writing bridges the pause, regardless of modification times. */
    put_log(LOG "a.log", 9000000, 20);
    FILE *file = fopen(LOG "a.log", "a");
    time_t at = noon + 3000;
    struct tm tm;
    localtime_r(&at, &tm);
    fprintf(file, "V%02d%02d %02d:%02d:%02d.000000 7 torch/a.py:1] {}\n", tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
            tm.tm_min, tm.tm_sec);
    fclose(file);
    assert_takes(false, LOG "c.log.gz " LOG "b.log " LOG "a.log " LOG "d.log |");
}

/* Subfolders are searched once each; reports in them are not. */
static void searches_subfolders(void **state) {
    (void)state;
    assert_int_equal(mkdir("a", 0777) | mkdir("a/deep", 0777) | mkdir("b", 0777) | mkdir("tl_out", 0777) |
                         mkdir(".hidden", 0777) | mkdir("theirs", 0777),
                     0);
    put("a/deep/" LOG "x.log", 10);
    put("b/" LOG "x.log", 5);
    put(LOG "x.log", 7);
    put("b/notes.txt", 7);
    put(".hidden/" LOG "x.log", 7);
    put("tl_out/" LOG "raw.log", 99);
    put("tl_out/report.json", 99);
    put("tl_out/index.html", 99);
    put("theirs/" LOG "raw.log", 99);
    put("theirs/compile_directory.json", 99);
    assert_int_equal(symlink("..", "a/loop"), 0);
    assert_int_equal(symlink("b", "c"), 0);
    assert_takes(false, "b/" LOG "x.log " LOG "x.log a/deep/" LOG "x.log | b/notes.txt");
    assert_takes(true, LOG "x.log |");
    put(LOG "rank_0_x.log", 10); /* a folder with ranks is used as it is */
    assert_takes(false, LOG "rank_0_x.log " LOG "x.log |");
}

/* Ranks in subfolders: one job, unless a rank occurs twice. */
static void takes_ranks_in_subfolders(void **state) {
    (void)state;
    assert_int_equal(mkdir("a", 0777) | mkdir("b", 0777), 0);
    put("a/" LOG "rank_0_x.log", 10);
    put("b/" LOG "rank_1_x.log", 12);
    assert_takes(false, "a/" LOG "rank_0_x.log b/" LOG "rank_1_x.log |");
    put("b/" LOG "rank_0_y.log", 11);
    assert_takes(false, "b/" LOG "rank_0_y.log b/" LOG "rank_1_x.log | a/" LOG "rank_0_x.log");
}

/* A log is created when its rank first compiles, perhaps after the others have finished compiling. */
static void takes_late_ranks(void **state) {
    (void)state;
    put(LOG "rank_0_a.log", 0);
    put(LOG "rank_1_a.log", 60);
    put(LOG "rank_2_a.log", 10 * 3600);
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_1_a.log " LOG "rank_2_a.log |");
    put(LOG "rank_1_b.log", 10 * 3600 + 1); /* rank 1 already has a log: an earlier run */
    assert_takes(false, LOG "rank_1_b.log " LOG "rank_2_a.log | " LOG "rank_0_a.log " LOG "rank_1_a.log");
    assert_int_equal(unlink(LOG "rank_1_b.log"), 0);
    put(LOG "rank_2_a.log", 20 * 3600);
    assert_takes(false, LOG "rank_2_a.log | " LOG "rank_0_a.log " LOG "rank_1_a.log");
}

static void assert_groups(const struct choose_request *request, enum choice_kind kind, const char *expected) {
    struct choice choice;
    struct err err = {0};
    struct buf got = {0};
    if (!choose_logs(request, &choice, &err))
        fail_msg("%s", err.text);
    assert_int_equal(choice.kind, kind);
    for (size_t g = 0; g < choice.groups.count; g++) {
        const struct choice_group *group = &choice.groups.items[g];
        buf_addf(&got, "%s%s:", g ? " | " : "", group->name);
        for (size_t i = 0; i < group->count; i++)
            buf_addf(&got, " %s", choice.items[group->first + i].path);
    }
    buf_add_byte(&got, 0);
    assert_string_equal(got.ptr, expected);
    buf_free(&got);
    choice_finish(&choice);
}

static void separates_runs_of_processes(void **state) {
    (void)state;
    assert_int_equal(mkdir("before", 0777) | mkdir("after", 0777) | mkdir("after/sub", 0777), 0);
    put("a.log", 30);
    put("b.log", 20);
    put("c.log", 10);
    put("before/" LOG "x1.log", 1);
    put("after/" LOG "y1.log", 2);
    put("after/raw.log", 2);
    put("before/raw.log", 2);
    const char *paths[] = {"a.log", "b.log", "c.log"};
    struct choose_request request = {.paths = paths, .path_count = 1};
    assert_groups(&request, CHOICE_LOG, "a.log: a.log");
    request.path_count = 2;
    assert_groups(&request, CHOICE_RUNS, "a.log: a.log | b.log: b.log");
    request.path_count = 3;
    assert_groups(&request, CHOICE_PROCESSES, "3 logs: c.log b.log a.log");
    request.compare = true;
    assert_groups(&request, CHOICE_RUNS, "a.log: a.log | b.log: b.log | c.log: c.log");
    const char *raws[] = {"before/raw.log", "after/raw.log"};
    request = (struct choose_request){.paths = raws, .path_count = 2};
    assert_groups(&request, CHOICE_RUNS, "before: before/raw.log | after: after/raw.log");
    const char *folders[] = {"before", "after/"};
    put("after/sub/" LOG "y2.log", 3);
    request = (struct choose_request){.paths = folders, .path_count = 2};
    assert_groups(&request, CHOICE_RUNS,
                  "before: before/" LOG "x1.log | after: after/" LOG "y1.log after/sub/" LOG "y2.log");
    request = (struct choose_request){.paths = &folders[1], .path_count = 1};
    assert_groups(&request, CHOICE_PROCESSES, "after (2 logs): after/" LOG "y1.log after/sub/" LOG "y2.log");
    request.compare = true;
    assert_groups(&request, CHOICE_RUNS, "after: after/" LOG "y1.log | sub: after/sub/" LOG "y2.log");
}

/* A file is read once, under any names. */
static void reads_a_file_once(void **state) {
    const char *paths[] = {"a.log", "./a.log", "link.log", "b.log", "."};
    struct choose_request request = {.paths = paths, .path_count = 5};
    struct choice choice;
    struct err err = {0};
    (void)state;
    put("a.log", 0);
    put("b.log", 1);
    assert_int_equal(symlink("a.log", "link.log"), 0);
    assert_true(choose_logs(&request, &choice, &err));
    assert_int_equal(choice.count, 2);
    assert_int_equal(choice.kind, CHOICE_RUNS);
    assert_int_equal(choice.repeated.count, 5);
    assert_string_equal(choice.repeated.items[0], "./a.log");
    choice_finish(&choice);
}

static void prefers_names_of_pytorch(void **state) {
    (void)state;
    put("other.log", 99);
    put("notes.txt", 98);
    put("data.bin", 100);
    put(".hidden.log", 101);
    assert_int_equal(mkdir("folder.log", 0777), 0);
    assert_int_equal(symlink("nowhere", "dangling.log"), 0);
    assert_takes(false, "notes.txt other.log |");
    put("other.log", 99 + CHOOSE_PAUSE_S);
    assert_takes(false, "other.log | notes.txt");
    put(LOG "b.log", 10);
    assert_takes(false, LOG "b.log | notes.txt other.log");
    assert_takes(true, "other.log | " LOG "b.log notes.txt");
}

static void takes_anything_for_latest(void **state) {
    (void)state;
    put("one", 1);
    put("two", 2);
    assert_takes(true, "two | one");
    static const char *const here[] = {"."};
    assert_refuses(&(struct choose_request){.paths = here, .path_count = 1}, ERR_INPUT, "no logs found in .");
}

static void takes_a_run(void **state) {
    (void)state;
    put_log(LOG "rank_10_a.log", 500, 100);
    put_log(LOG "rank_0_a.log", 510, 101);
    put_log(LOG "rank_2_a.log", 130, 102); /* quiet since its first compile */
    put_log_of(LOG "parent.log", 505, 90, 8);
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_2_a.log " LOG "rank_10_a.log " LOG "parent.log |");
    /* A restarted rank has two logs. What its process wrote before it had a rank belongs to it, too. */
    put_log(LOG "rank_0_first.log", 50, 20);
    put_log(LOG "early.log", -700, -800);
    put_log_of(LOG "other.log", -700, -800, 9);
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_0_first.log " LOG "rank_2_a.log " LOG "rank_10_a.log " LOG
                            "early.log " LOG "parent.log | " LOG "other.log");
    assert_int_equal(unlink(LOG "rank_0_first.log") | unlink(LOG "early.log") | unlink(LOG "other.log"), 0);
    /* The previous run had more ranks and ended before this one began. */
    put_log_of(LOG "rank_0_b.log", -300, -900, 10);
    put_log_of(LOG "rank_7_b.log", -300, -900, 10);
    put_log_of(LOG "rank_2_b.log", -300, -900, 10);
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_2_a.log " LOG "rank_10_a.log " LOG "parent.log | " LOG
                            "rank_0_b.log " LOG "rank_2_b.log " LOG "rank_7_b.log");
    assert_takes(true, LOG "rank_0_a.log | " LOG "parent.log " LOG "rank_0_b.log " LOG "rank_10_a.log " LOG
                           "rank_2_a.log " LOG "rank_2_b.log " LOG "rank_7_b.log");
    /* A newer log without a rank is a separate run. */
    put_log_of(LOG "later.log", 5000, 4990, 11);
    static const char *const here[] = {"."};
    const struct choose_request request = {.paths = here, .path_count = 1};
    struct choice choice;
    struct err err;
    assert_true(choose_logs(&request, &choice, &err));
    assert_int_equal(choice.count, 1);
    assert_string_equal(choice.items[0].path, "./" LOG "later.log");
    assert_false(choice.items[0].has_rank);
    choice_finish(&choice);
}

/* The newest log has no record yet, or its clock is in another time zone: an hour is assumed. */
static void takes_a_run_without_times(void **state) {
    (void)state;
    put_log(LOG "rank_0_a.log", 0, 7200);
    put(LOG "rank_1_a.log", -CHOOSE_WINDOW_S);
    put(LOG "rank_1_0.log", -CHOOSE_WINDOW_S - 1); /* of an earlier run, because rank 1 has a log in this one */
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_1_a.log | " LOG "rank_1_0.log");
    assert_int_equal(truncate(LOG "rank_0_a.log", 0), 0);
    const struct timespec times[2] = {{.tv_sec = noon}, {.tv_sec = noon}};
    assert_int_equal(utimensat(AT_FDCWD, LOG "rank_0_a.log", times, 0), 0);
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_1_a.log | " LOG "rank_1_0.log");
}

/* The first record is from the last night of the previous year. */
static void takes_a_run_over_new_year(void **state) {
    struct tm midnight = {.tm_year = 126, .tm_mday = 1, .tm_isdst = -1};
    int offset = (int)(mktime(&midnight) - noon);
    (void)state;
    put_log(LOG "rank_0_a.log", offset + 7200, offset - 7200);
    put_log(LOG "rank_1_a.log", offset - 7000, offset - 7200);
    put_log(LOG "rank_2_a.log", offset - 7200 - CHOOSE_SLACK_S, offset - 9000);
    put_log(LOG "rank_2_0.log", offset - 7201 - CHOOSE_SLACK_S, offset - 9000); /* of an earlier run */
    assert_takes(false, LOG "rank_0_a.log " LOG "rank_1_a.log " LOG "rank_2_a.log | " LOG "rank_2_0.log");
}

/* Long pauses, and names that are not PyTorch's, do not matter if all logs of a folder are of one run. */
static void takes_all_logs_of_one_run(void **state) {
    (void)state;
    put(LOG "a.log", 0);
    put(LOG "b.log", 100000);
    put("other.log", 100000);
    const char *here[] = {"."};
    struct choose_request request = {.paths = here, .path_count = 1};
    assert_groups(&request, CHOICE_LOG, LOG "b.log: ./" LOG "b.log");
    request.one_run = true;
    assert_groups(&request, CHOICE_PROCESSES, "2 logs: ./" LOG "a.log ./" LOG "b.log");
    put(LOG "rank_0_a.log", 0);
    put(LOG "rank_1_a.log", 100000);
    remove(LOG "a.log");
    remove(LOG "b.log");
    assert_groups(&request, CHOICE_RANKS,
                  LOG "rank_0_a.log: ./" LOG "rank_0_a.log | " LOG "rank_1_a.log: ./" LOG "rank_1_a.log");
}

static void takes_named_paths(void **state) {
    static const char *const paths[] = {"named", "-", "d/" LOG "rank_3_x.log", "d", "d/" LOG "rank_1_x.log"};
    const struct choose_request request = {.paths = paths, .path_count = 5, .fallback = "/nowhere"};
    struct choice choice;
    struct err err = {0};
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    put("named", 0);
    put("d/" LOG "rank_3_x.log", 0);
    put("d/" LOG "rank_1_x.log", 1000);
    assert_true(choose_logs(&request, &choice, &err));
    assert_int_equal(choice.count, 4);
    assert_string_equal(choice.items[0].path, "d/" LOG "rank_1_x.log"); /* from the folder */
    assert_string_equal(choice.items[1].path, "d/" LOG "rank_3_x.log");
    assert_int_equal(choice.items[1].rank, 3);
    assert_string_equal(choice.items[2].path, "named");
    assert_string_equal(choice.items[3].path, "-");
    assert_int_equal(choice.kind, CHOICE_RANKS);
    assert_int_equal(choice.repeated.count, 2); /* the folder has both */
    assert_string_equal(choice.folder, "d");
    assert_false(choice.from_fallback);
    choice_finish(&choice);
}

static void takes_the_fallback(void **state) {
    struct choose_request request = {.fallback = "d/"};
    struct choice choice;
    struct err err = {0};
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    put("d/x.log", 0);
    assert_true(choose_logs(&request, &choice, &err));
    assert_string_equal(choice.items[0].path, "d/x.log"); /* one slash */
    assert_true(choice.from_fallback);
    choice_finish(&choice);
    request.fallback = "d/x.log";
    assert_true(choose_logs(&request, &choice, &err));
    assert_string_equal(choice.items[0].path, "d/x.log");
    assert_null(choice.folder);
    choice_finish(&choice);
}

static void refuses(void **state) {
    static const char *const nowhere[] = {"named", "/nowhere"}, *const empty[] = {"e"}, *const file[] = {"named"};
    (void)state;
    put("named", 0);
    assert_int_equal(mkdir("e", 0777), 0);
    assert_refuses(&(struct choose_request){0}, ERR_USAGE, "TORCH_TRACE=DIR python train.py");
    assert_refuses(&(struct choose_request){.fallback = ""}, ERR_USAGE, "tlparse DIR");
    assert_refuses(&(struct choose_request){.fallback = "/nowhere"}, ERR_INPUT, "/nowhere: No such file");
    assert_refuses(&(struct choose_request){.paths = nowhere, .path_count = 2}, ERR_INPUT, "/nowhere: No such file");
    assert_refuses(&(struct choose_request){.paths = empty, .path_count = 1}, ERR_INPUT, "no logs found in e");
    assert_refuses(&(struct choose_request){.paths = empty, .path_count = 1, .latest = true}, ERR_INPUT,
                   "no logs found in e");
    assert_refuses(&(struct choose_request){.paths = file, .path_count = 1, .latest = true}, ERR_USAGE, "--latest");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classifies_names),
        IN_FOLDER(takes_the_newest),
        IN_FOLDER(prefers_names_of_pytorch),
        IN_FOLDER(takes_anything_for_latest),
        IN_FOLDER(takes_a_run),
        IN_FOLDER(takes_a_run_without_times),
        IN_FOLDER(takes_all_processes),
        IN_FOLDER(searches_subfolders),
        IN_FOLDER(takes_ranks_in_subfolders),
        IN_FOLDER(takes_late_ranks),
        IN_FOLDER(separates_runs_of_processes),
        IN_FOLDER(reads_a_file_once),
        IN_FOLDER(takes_a_run_over_new_year),
        IN_FOLDER(takes_all_logs_of_one_run),
        IN_FOLDER(takes_named_paths),
        IN_FOLDER(takes_the_fallback),
        IN_FOLDER(refuses),
    };
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
