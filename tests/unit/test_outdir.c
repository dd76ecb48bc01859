/* sink/outdir: the folder of a report is complete or absent, and nothing else is ever removed. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "sink/outdir.h"
#include "sink/sinks.h"

/* ---- helpers ---------------------------------------------------------------------------------------------------- */

static int make_folder(void **state) {
    char folder[] = "/tmp/tlparse-test-outdir-XXXXXX";
    return mkdtemp(folder) && (*state = strdup(folder)) ? chdir(folder) : -1;
}

static int remove_folder(void **state) {
    char *command = mem_printf("rm -rf '%s'", (char *)*state); /* not with the code under test */
    char *mounted = mem_printf("%s/out", (char *)*state);
    while (umount2(mounted, MNT_DETACH) == 0) /* after a failure */
        ;
    int failed = chdir("/") || system(command);
    free(command);
    free(mounted);
    free(*state);
    return failed;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void put_at(int fd, const char *path, const char *text) {
    int file = openat(fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static bool reads(const char *path, const char *text) {
    char got[256] = "";
    int fd = open(path, O_RDONLY);
    ssize_t len = fd < 0 ? -1 : read(fd, got, sizeof got - 1);
    if (fd >= 0)
        close(fd);
    return len >= 0 && strcmp(got, text) == 0;
}

static bool is_there(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

/* The number of entries of the folder, including hidden ones. */
static int entries(const char *path) {
    DIR *dir = opendir(path);
    int count = -2;
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* A report, with a file that identifies it. */
static void put_report(const char *path, const char *which) {
    char *name;
    mkdir(path, 0777);
    static const char *const files[] = {"index.html", "raw.log", "compile_directory.json", "-_0_0_0/a_1.txt"};
    name = mem_printf("%s/-_0_0_0", path);
    mkdir(name, 0777);
    free(name);
    for (size_t i = 0; i < 4; i++) {
        name = mem_printf("%s/%s", path, files[i]);
        put(name, which);
        free(name);
    }
}

static bool begin(struct outdir *o, const char *path, bool overwrite, struct err *err) {
    const struct outdir_request request = {.path = path, .overwrite = overwrite};
    outdir_init(o);
    return outdir_begin(o, &request, err);
}

/* Begins, writes, commits. */
static void make(const char *path, bool overwrite) {
    struct outdir o;
    struct err err = {0};
    if (!begin(&o, path, overwrite, &err))
        fail_msg("%s", err.text);
    put_at(outdir_fd(&o), "index.html", "new");
    assert_int_equal(mkdirat(outdir_fd(&o), "-_1_0_0", 0777), 0);
    put_at(outdir_fd(&o), "-_1_0_0/b.txt", "new");
    put_at(outdir_fd(&o), "compile_directory.json", "{}");
    if (!outdir_commit(&o, &err))
        fail_msg("%s", err.text);
    assert_false(o.leftover);
    outdir_finish(&o);
}

/* What make() wrote, and nothing else. */
static void assert_made(const char *path) {
    char *name = mem_printf("%s/-_1_0_0/b.txt", path), *page = mem_printf("%s/index.html", path);
    assert_true(reads(name, "new"));
    assert_true(reads(page, "new"));
    assert_int_equal(entries(path), 4); /* and the manifest */
    free(name);
    free(page);
}

static void assert_refused(const char *path, bool overwrite, const char *says) {
    struct outdir o;
    struct err err = {0};
    int before = entries(".");
    assert_false(begin(&o, path, overwrite, &err));
    if (!strstr(err.text, says))
        fail_msg("\"%s\" does not say \"%s\"", err.text, says);
    outdir_finish(&o);
    assert_int_equal(entries("."), before);
}

/* ---- location --------------------------------------------------------------------------------------------------- */

static void makes_a_new_folder(void **state) {
    static const char *const paths[] = {"out", "out2/", "a/b/c", "./d/../e", "f//g//", "h/.."};
    (void)state;
    umask(027);
    for (size_t i = 0; i < 5; i++) {
        struct stat st;
        make(paths[i], false);
        assert_made(paths[i]);
        assert_int_equal(stat(paths[i], &st), 0);
        assert_int_equal(st.st_mode & 07777, 0750);
    }
    umask(022);
    assert_int_equal(entries("a/b"), 1); /* no staging folder is left */
    char *whole = mem_printf("%s/whole", (char *)*state);
    make(whole, false);
    assert_made(whole);
    free(whole);
}

static void shows_nothing_before_the_commit(void **state) {
    struct outdir o;
    struct err err = {0};
    (void)state;
    assert_true(begin(&o, "out", false, &err));
    put_at(outdir_fd(&o), "index.html", "new");
    assert_false(is_there("out"));
    assert_int_equal(entries("."), 1);
    assert_true(strncmp(o.staging, ".out.tlparse-", 13) == 0 && strlen(o.staging) == 25);
    outdir_finish(&o);
    assert_int_equal(entries("."), 0);
    put_report("out", "old");
    assert_true(begin(&o, "out", true, &err));
    put_at(outdir_fd(&o), "index.html", "new");
    assert_true(reads("out/index.html", "old"));
    outdir_finish(&o);
    assert_true(reads("out/index.html", "old"));
    assert_int_equal(entries("out"), 4);
    assert_int_equal(entries("."), 1);
    outdir_init(&o);
    outdir_finish(&o);
}

static void fills_an_empty_folder(void **state) {
    struct stat st;
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(chmod("out", 02710), 0);
    make("out", false);
    assert_made("out");
    assert_int_equal(stat("out", &st), 0);
    assert_int_equal(st.st_mode & 07777, 02710);
    assert_int_equal(entries("."), 1);
}

static void replaces_a_report(void **state) {
    (void)state;
    put_report("out", "old");
    assert_refused("out", false, "Directory out already exists; pass --overwrite to replace it or use -o OUTDIR");
    assert_true(reads("out/index.html", "old"));
    make("out", true);
    assert_made("out");
    assert_int_equal(entries("."), 1);
    make("out", true);
    assert_made("out");
}

static void follows_a_link_to_a_folder(void **state) {
    (void)state;
    assert_int_equal(mkdir("real", 0777), 0);
    put_report("real/out", "old");
    assert_int_equal(symlink("real/out", "link"), 0);
    make("link", true);
    assert_made("real/out");
    assert_int_equal(entries("real"), 1);
    assert_int_equal(entries("."), 2);
    char to[32] = "";
    assert_int_equal(readlink("link", to, sizeof to), 8);
}

static void refuses_existing_content(void **state) {
    (void)state;
    put("file", "text");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_refused("file", true, "it is a file");
    assert_refused("link", true, "it is a file");
    assert_refused("dangling", true, "it is a broken symbolic link");
    assert_refused("file/out", true, "Not a directory");
    assert_refused("dangling/out", true, "dangling");
    assert_refused("", true, "is empty");
    assert_true(reads("file", "text"));
    assert_false(is_there("nowhere"));
}

/* The current folder and mount points cannot be renamed: their entries are moved. */
static void fills_the_current_folder(void **state) {
    struct stat before, after;
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(chdir("out"), 0);
    assert_int_equal(stat(".", &before), 0);
    make(".", false);
    assert_made(".");
    assert_refused(".", false, "already exists");
    make(".", true);
    assert_made(".");
    make("../out", true);
    assert_made(".");
    assert_int_equal(stat("../out", &after), 0);
    assert_true(before.st_ino == after.st_ino);
    struct outdir o;
    struct err err = {0};
    assert_true(begin(&o, ".", true, &err));
    put_at(outdir_fd(&o), "index.html", "third");
    outdir_finish(&o);
    assert_made(".");
    put("mine.txt", "");
    assert_refused(".", true, "it contains 'mine.txt'");
}

static void fills_a_mount_point(void **state) {
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    if (mount("tmpfs", "out", "tmpfs", 0, NULL) != 0)
        skip(); /* not root */
    make("out", false);
    assert_made("out");
    make("out", true);
    assert_made("out");
    assert_int_equal(umount("out"), 0);
    assert_int_equal(mkdir("real", 0777), 0); /* and one on the same file system */
    assert_int_equal(mount("real", "out", NULL, MS_BIND, NULL), 0);
    make("out", false);
    make("out", true);
    assert_made("real");
    assert_int_equal(umount("out"), 0);
    assert_int_equal(entries("."), 2);
}

/* A parent without write permission, such as a volume of another user. Must run as another user. */
static void fills_a_folder_of_a_foreign_parent(void **state) {
    (void)state;
    assert_int_equal(mkdir("closed", 0755), 0);
    assert_int_equal(mkdir("closed/out", 0777), 0);
    assert_int_equal(chmod("closed/out", 0777), 0);
    assert_int_equal(chmod(".", 0755), 0);
    if (geteuid() != 0)
        skip();
    pid_t child = fork();
    if (child == 0) {
        struct outdir o;
        struct err err = {0};
        bool ok = setgid(65534) == 0 && setuid(65534) == 0;
        for (int i = 0; i < 2; i++) {
            ok = ok && begin(&o, "closed/out", true, &err);
            if (ok) {
                close(openat(outdir_fd(&o), "raw.jsonl", O_CREAT | O_WRONLY, 0666));
                close(openat(outdir_fd(&o), "compile_directory.json", O_CREAT | O_WRONLY, 0666));
                ok = outdir_commit(&o, &err);
            }
        }
        if (!ok)
            fprintf(stderr, "# %s\n", err.text);
        _exit(ok ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(is_there("closed/out/raw.jsonl"));
    assert_int_equal(entries("closed/out"), 3);
}

/* ---- what may be removed ---------------------------------------------------------------------------------------- */

static void recognizes_a_report(void **state) {
    static const struct {
        const char *names[8]; /* folders end in '/'; ':' precedes the content of a file */
        const char *refusal;  /* NULL: it is a report */
    } folders[] = {
        {{"compile_directory.json"}, NULL},
        {{"failures_and_restarts.html", "raw.log", "payloads/", "dump_file/", "chromium_events.json"}, NULL},
        {{"raw.jsonl:{\"string_table\": []}"}, NULL},
        {{"tlparse_index.html", "index.html"}, NULL},
        {{"index.html:<h1>Draft Export Report</h1>"}, NULL},
        {{"index.html", "-_0_0_0/", "0_1_2_3/", "unknown_12/", "!"}, "'!'"},
        {{"-_-_-_-/", "0_1_2_3/", "unknown_12/", "provenance_tracking_-_0_0_0.html"}, NULL},
        {{"-_0_0_0/", "symbolic_guard_information_7.html", "chromium_events.json"}, NULL},
        {{"-_0_0_0/", "-_0_0_0/a/", "-_0_0_0/a/b_12.txt", "-_0_0_0/c_1_readable.html", "-_0_0_0/c_1.json"}, NULL},
        {{"rank_0/", "rank_0/raw.log", "rank_none/", "rank_none/-_0_0_0/", "rank_0/-_0_0_0/", "rank_11/",
          "rank_11/tlparse_index.html"},
         NULL},
        {{"compile_directory.json", ".out.tlparse-abc123/", ".out.tlparse-abc123/mine"}, NULL},
        {{"compile_directory.json", "payloads/", "payloads/0123456789abcdef0123456789abcdef.txt", "dump_file/",
          "dump_file/a.html"},
         NULL},
        /* other people's files */
        {{"index.html", "payloads/"}, "it is not a report"},
        {{"compile_directory.json", "data/", "data/train.csv"}, "'data'"},
        {{"compile_directory.json", "assets/"}, "'assets'"},
        {{"compile_directory.json", "parsers/"}, "'parsers'"},
        {{"compile_directory.json", "report.json"}, "'report.json'"},
        {{"compile_directory.json", "payloads/", "payloads/train.csv"}, "'payloads/train.csv'"},
        {{"compile_directory.json", "payloads/", "payloads/0123456789abcdef0123456789abcde.txt"}, "'payloads/0"},
        {{"compile_directory.json", "payloads/", "payloads/0123456789abcdef0123456789abcdeF.txt"}, "'payloads/0"},
        {{"compile_directory.json", "payloads/", "payloads/a/"}, "'payloads/a'"},
        {{"compile_directory.json", "dump_file/", "dump_file/a.txt"}, "'dump_file/a.txt'"},
        {{"compile_directory.json", "-_0_0_0/", "-_0_0_0/checkpoint_3.pt"}, "'-_0_0_0/checkpoint_3.pt'"},
        {{"compile_directory.json", "-_0_0_0/", "-_0_0_0/notes.txt"}, "'-_0_0_0/notes.txt'"},
        {{"compile_directory.json", "-_0_0_0/", "-_0_0_0/a/", "-_0_0_0/a/train.csv"}, "'-_0_0_0/a/train.csv'"},
        {{"compile_directory.json", "unknown_1/", "unknown_1/train.csv"}, "'unknown_1/train.csv'"},
        {{"compile_directory.json", ".x.tlparse-abc123/"}, "'.x.tlparse-abc123'"},
        {{"raw.jsonl:{\"a\": 1}", "raw.log"}, "it is not a report"},
        {{"index.html", "2024_01_02_03/"}, "it is not a report"},
        {{"rank_0/", "rank_1/"}, "it is not a report"},
        {{"rank_0/", "rank_0/model.pt", "rank_0/raw.log"}, "'rank_0/model.pt'"},
        {{"rank_0/", "rank_0/rank_1/"}, "'rank_0/rank_1'"},
        {{"compile_directory.json", "Documents/"}, "'Documents'"},
        {{"compile_directory.json", ".git/"}, "'.git'"},
        {{"compile_directory.json/"}, "'compile_directory.json'"},
        {{"compile_directory.json", "payloads"}, "'payloads'"},
        {{"compile_directory.json", "-_0_0_0"}, "'-_0_0_0'"},
        {{"compile_directory.json", "-_0_0/"}, "'-_0_0'"},
        {{"compile_directory.json", "-_0_0_0_0/"}, "'-_0_0_0_0'"},
        {{"compile_directory.json", "-_0_0_x/"}, "'-_0_0_x'"},
        {{"compile_directory.json", "-_0__0/"}, "'-_0__0'"},
        {{"compile_directory.json", "unknown_/"}, "'unknown_'"},
        {{"compile_directory.json", "rank_x/"}, "'rank_x'"},
        {{"compile_directory.json", "rank_0-2/"}, "'rank_0-2'"},
        {{"compile_directory.json", "run_1/"}, "'run_1'"},
        {{"compile_directory.json", "provenance_tracking_1.txt"}, "'provenance_tracking_1.txt'"},
        {{"compile_directory.json", "Index.html"}, "'Index.html'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        assert_int_equal(mkdir("out", 0777), 0);
        for (size_t j = 0; j < 8 && folders[i].names[j]; j++) {
            char *path = mem_printf("out/%s", folders[i].names[j]), *text = strchr(path, ':');
            if (text)
                *text++ = '\0';
            if (path[strlen(path) - 1] == '/')
                assert_int_equal(mkdir(path, 0777), 0);
            else
                put(path, text ? text : "");
            free(path);
        }
        print_message("# %s\n", folders[i].names[0]);
        int before = entries("out");
        if (folders[i].refusal) {
            assert_refused("out", true, folders[i].refusal);
            assert_int_equal(entries("out"), before);
        } else {
            make("out", true);
            assert_made("out");
        }
        assert_int_equal(system("rm -r out"), 0);
    }
}

/* Reports of the reference, of every kind, if it is installed. */
static void recognizes_reports_of_the_reference(void **state) {
    static const char *const kinds[] = {"", "-e", "-i", "--all-ranks-html", "--all-ranks-html -i"};
    static const char record[] =
        "V0101 00:00:00.000000 7 torch/a.py:1] {\"artifact\": {\"name\": \"a\", \"encoding\": "
        "\"string\"}, \"rank\": 0, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n";
    const char *peer = getenv("TLPARSE_PEER");
    (void)state;
    peer = peer ? peer : "/opt/peer/bin/tlparse";
    if (access(peer, X_OK) != 0)
        skip();
    assert_int_equal(mkdir("logs", 0777), 0);
    put("logs/dedicated_log_torch_trace_rank_0_a.log", record);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *command = mem_printf("%s %s %s --no-browser -o out >output 2>&1", peer, kinds[i],
                                   strstr(kinds[i], "ranks") ? "logs" : "logs/*.log");
        if (system(command) != 0)
            fail_msg("%s", command);
        assert_true(entries("out") > 0);
        make("out", true);
        assert_made("out");
        assert_int_equal(system("rm -r out"), 0);
        free(command);
    }
}

static void refuses_to_remove_what_is_needed(void **state) {
    static const char *const inputs[] = {"other.log", "out/-_0_0_0/a_1.txt"}, *const link[] = {"out-link/raw.log"};
    const char *home = getenv("HOME");
    char *before = home ? strdup(home) : NULL;
    struct outdir o;
    struct err err = {0};
    (void)state;
    put_report("out", "old");
    outdir_init(&o);
    struct outdir_request request = {.path = "out", .overwrite = true, .inputs = inputs, .input_count = 2};
    assert_false(outdir_begin(&o, &request, &err));
    assert_non_null(strstr(err.text, "it contains the log out/-_0_0_0/a_1.txt"));
    outdir_finish(&o);
    assert_int_equal(symlink("out", "out-link"), 0);
    outdir_init(&o);
    request.inputs = link;
    request.input_count = 1;
    assert_false(outdir_begin(&o, &request, &err));
    outdir_finish(&o);
    setenv("HOME", "out", 1);
    assert_refused("out", true, "it is the home folder");
    if (before)
        setenv("HOME", before, 1);
    else
        unsetenv("HOME");
    free(before);
    assert_refused("/", true, "it is the root");
    assert_int_equal(chdir("out/-_0_0_0"), 0);
    assert_refused("..", true, "it contains the current folder");
    assert_int_equal(chdir("../.."), 0);
    assert_true(reads("out/raw.log", "old"));
    assert_int_equal(entries("."), 2);
}

/* Between begin and commit, somebody else creates something there. */
static void checks_again_at_the_commit(void **state) {
    static const char *const paths[] = {"out", "."};
    struct outdir o;
    struct err err = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            assert_int_equal(mkdir("out", 0777), 0);
            if (i)
                assert_int_equal(chdir("out"), 0);
            assert_true(begin(&o, paths[i], overwrite, &err));
            put_at(outdir_fd(&o), "index.html", "new");
            put(i ? "mine.txt" : "out/mine.txt", "mine");
            assert_false(outdir_commit(&o, &err));
            assert_non_null(strstr(err.text, overwrite ? "'mine.txt'" : "already exists"));
            outdir_finish(&o);
            if (i)
                assert_int_equal(chdir(".."), 0);
            assert_true(reads("out/mine.txt", "mine"));
            assert_int_equal(entries("out"), 1);
            assert_int_equal(entries("."), 1);
            assert_int_equal(system("rm -r out"), 0);
        }
    }
    assert_true(begin(&o, "out", true, &err)); /* a file */
    put("out", "mine");
    assert_false(outdir_commit(&o, &err));
    outdir_finish(&o);
    assert_true(reads("out", "mine"));
    assert_int_equal(unlink("out"), 0);
    assert_true(begin(&o, "out", true, &err)); /* another report */
    put_at(outdir_fd(&o), "index.html", "new");
    put_report("out", "old");
    assert_true(outdir_commit(&o, &err));
    outdir_finish(&o);
    assert_true(reads("out/index.html", "new"));
    assert_int_equal(entries("out"), 2);
}

/* ---- removing ----------------------------------------------------------------------------------------------------- */

static void removes_no_target_of_a_link(void **state) {
    (void)state;
    assert_int_equal(mkdir("keep", 0777), 0);
    put("keep/file", "kept");
    assert_int_equal(mkdir(".out.tlparse-abcdef", 0777), 0); /* as a killed run left it */
    assert_int_equal(symlink("../keep", ".out.tlparse-abcdef/link"), 0);
    assert_int_equal(symlink("../keep/file", ".out.tlparse-abcdef/file"), 0);
    make("out", true);
    assert_made("out");
    assert_false(is_there(".out.tlparse-abcdef"));
    assert_true(reads("keep/file", "kept"));
    assert_int_equal(symlink("../keep", "out/payloads"), 0); /* a report has no links */
    assert_refused("out", true, "'payloads'");
    assert_int_equal(unlink("out/payloads"), 0);
    assert_int_equal(unlink("out/-_1_0_0/b.txt"), 0);
    assert_int_equal(symlink("../../keep/file", "out/-_1_0_0/b.txt"), 0);
    assert_refused("out", true, "'-_1_0_0/b.txt'");
}

/* A volume mounted within the old report is not emptied, and what cannot be removed is reported. */
static void enters_no_mount_point(void **state) {
    struct outdir o;
    struct err err = {0};
    (void)state;
    make("out", true);
    if (mount("tmpfs", "out/-_1_0_0", "tmpfs", 0, NULL) != 0)
        skip(); /* not root */
    put("out/-_1_0_0/mine", "kept");
    assert_refused("out", true, "'-_1_0_0/mine'");
    assert_int_equal(unlink("out/-_1_0_0/mine"), 0);
    put("out/-_1_0_0/b.txt", "kept"); /* a name in the manifest */
    int volume = open("out/-_1_0_0", O_RDONLY | O_DIRECTORY);
    assert_true(begin(&o, "out", true, &err));
    put_at(outdir_fd(&o), "index.html", "new");
    assert_true(outdir_commit(&o, &err));
    assert_true(o.leftover);
    outdir_finish(&o);
    assert_true(reads("out/index.html", "new"));
    assert_int_equal(faccessat(volume, "b.txt", F_OK, 0), 0);
    assert_int_equal(fchdir(volume), 0);
    char *path = realpath(".", NULL);
    assert_int_equal(chdir(*state), 0);
    close(volume);
    assert_int_equal(umount(path), 0);
    free(path);
}

/* Deeper than the maximum length of a path, with few open files and little stack; and wide. */
static void removes_deep_and_wide_trees(void **state) {
    enum { DEPTH = 2000, WIDTH = 1000 };
    static const char stale[] = ".out.tlparse-abcdef";
    char name[64];
    (void)state;
    assert_int_equal(mkdir(stale, 0777), 0);
    int fd = open(stale, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(mkdirat(fd, "rest-0", 0777), 0); /* a name that the removal itself uses */
        put_at(fd, "file", "");
        int next = openat(fd, "rest-0", O_RDONLY | O_DIRECTORY);
        close(fd);
        fd = next;
    }
    close(fd);
    for (int i = 0; i < WIDTH; i++) {
        snprintf(name, sizeof name, "%s/file %d", stale, i);
        put(name, "");
        snprintf(name, sizeof name, "%s/unknown_%d", stale, i);
        assert_int_equal(mkdir(name, 0777), 0);
        snprintf(name, sizeof name, "%s/unknown_%d/file", stale, i);
        put(name, "");
    }
    struct rlimit before, few = {.rlim_cur = 24, .rlim_max = 24};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    make("out", true);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_made("out");
    assert_int_equal(entries("."), 1);
}

/* ---- the manifest ------------------------------------------------------------------------------------------------- */

/* Whatever is added anywhere, the report and the addition stay. */
static void removes_only_what_is_listed(void **state) {
    static const char *const added[] =
        {"mine", "-_1_0_0/mine", "data/train.csv", "data/more/",      "-_1_0_0/b.txt/",
         "a/",   "zz",           ".hidden",        "-_1_0_0/.hidden", ".other.tlparse-abcdef/"};
    (void)state;
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        make("out", true);
        char *path = mem_printf("out/%s", added[i]), *shown = mem_printf("'%s", added[i]);
        bool folder = path[strlen(path) - 1] == '/';
        if (folder) {
            path[strlen(path) - 1] = '\0';
            shown[strlen(shown) - 1] = '\0';
            unlink(path); /* one of the report's files */
            assert_int_equal(mkdir(path, 0777), 0);
        } else {
            put(path, "mine");
        }
        assert_refused("out", true, shown);
        assert_true(is_there(path));
        assert_true(reads("out/index.html", "new"));
        assert_int_equal(folder ? rmdir(path) : unlink(path), 0);
        free(path);
        free(shown);
        make("out", true); /* what is listed and missing does not matter */
        assert_made("out");
    }
}

static void trusts_no_manifest(void **state) {
    static const struct {
        const char *text, *refusal;
    } manifests[] = {
        {"", "'data/manifest.txt'"},
        {"tlparse-manifest 2\nmine\n", "'data/manifest.txt'"},
        {"tlparse-manifest 1\n", "'data'"},
        {"tlparse-manifest 1\nmine\ndata/\ndata/manifest.txt\n", "'data'"}, /* not in its order */
        {"tlparse-manifest 1\ndata/\ndata/manifest.txt\nmine/\n", "'mine'"},
        {"tlparse-manifest 1\ndata/\ndata/manifest.txt\nmine\n", NULL},
        {"tlparse-manifest 1\n../other\ndata/\ndata/manifest.txt\nmine", NULL},
    };
    (void)state;
    put("other", "kept");
    for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++) {
        assert_int_equal(mkdir("out", 0777), 0);
        assert_int_equal(mkdir("out/data", 0777), 0);
        put("out/data/manifest.txt", manifests[i].text);
        put("out/mine", "");
        if (manifests[i].refusal)
            assert_refused("out", true, manifests[i].refusal);
        else
            make("out", true);
        assert_int_equal(system("rm -r out"), 0);
    }
    assert_true(reads("other", "kept"));
    /* a pipe, a link, a folder: nothing waits for it */
    for (int i = 0; i < 3; i++) {
        make("out", true);
        assert_int_equal(rename("out/data/manifest.txt", "manifest"), 0);
        assert_int_equal(i == 0   ? mkfifo("out/data/manifest.txt", 0666)
                         : i == 1 ? symlink("../../manifest", "out/data/manifest.txt")
                                  : mkdir("out/data/manifest.txt", 0777),
                         0);
        assert_refused("out", true, "'data/manifest.txt'");
        assert_int_equal(system("rm -r out"), 0);
    }
    /* manifests in manifests, without end */
    char path[600] = "out";
    for (int i = 0; i < 40; i++) {
        assert_int_equal(mkdir(path, 0777), 0);
        char *data = mem_printf("%s/data", path), *file = mem_printf("%s/data/manifest.txt", path);
        assert_int_equal(mkdir(data, 0777), 0);
        put(file, "tlparse-manifest 1\na/\ndata/\ndata/manifest.txt\n");
        free(data);
        free(file);
        snprintf(path + strlen(path), sizeof path - strlen(path), "/a");
    }
    assert_refused("out", true, "'a/a/a");
}

/* A report inside a report, as one of a rank, may be replaced by itself, and the outer one still be replaced. */
static void covers_reports_inside(void **state) {
    struct outdir o;
    struct err err = {0};
    (void)state;
    assert_true(begin(&o, "out", true, &err));
    static const char *const folders[] = {"run_1", "run_1/rank_0"};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(mkdirat(outdir_fd(&o), folders[i], 0777), 0);
    static const char *const files[] = {"report.json", "run_1/report.json", "run_1/rank_0/report.json",
                                        "run_1/rank_0/x.txt"};
    for (size_t i = 0; i < 4; i++)
        put_at(outdir_fd(&o), files[i], "{}");
    assert_true(outdir_commit(&o, &err));
    outdir_finish(&o);
    assert_true(is_there("out/run_1/rank_0/data/manifest.txt"));
    put("out/run_1/rank_0/mine", "mine");
    assert_refused("out", true, "'run_1/rank_0/mine'");
    assert_refused("out/run_1", true, "'rank_0/mine'");
    assert_int_equal(unlink("out/run_1/rank_0/mine"), 0);
    make("out/run_1/rank_0", true);
    assert_made("out/run_1/rank_0");
    make("out", true);
    assert_made("out");
}

static void put_in(const char *folder, const char *file, const char *text) {
    char *path = mem_printf("%s/%s", folder, file);
    put(path, text);
    free(path);
}

/* Killed while the entries of a place that cannot be renamed were moved: the next call leaves a whole report. */
static void finishes_what_a_killed_run_began(void **state) {
    static const char staging[] = ".out.tlparse-abcdef", aside[] = ".out.tlparse-abcdef+";
    static const char manifest[] = "tlparse-manifest 1\na\nb\ndata/\ndata/manifest.txt\nindex.html\n";
    (void)state;
    for (int moved = 0; moved <= 8; moved++) { /* of the four old entries, and then of the four new ones */
        assert_int_equal(mkdir("out", 0777), 0);
        assert_int_equal(chdir("out"), 0);
        assert_int_equal(mkdir(staging, 0777), 0);
        assert_int_equal(mkdir(aside, 0777), 0);
        static const char *const files[] = {"a", "b", "data", "index.html"};
        for (int i = 0; i < 4; i++) {
            const char *old_at = i < moved ? aside : ".", *new_at = i + 4 < moved ? "." : staging;
            for (int fresh = 0; fresh < 2; fresh++) {
                const char *at = fresh ? new_at : old_at;
                if (i != 2) {
                    put_in(at, files[i], fresh ? "new" : "old");
                    continue;
                }
                char *data = mem_printf("%s/data", at);
                assert_int_equal(mkdir(data, 0777), 0);
                put_in(data, "manifest.txt", manifest);
                free(data);
            }
        }
        struct outdir o;
        struct err err = {0};
        print_message("# %d\n", moved);
        if (!begin(&o, ".", true, &err)) /* would refuse what is no whole report */
            fail_msg("%s", err.text);
        outdir_finish(&o);
        const char *expected = moved < 4 ? "old" : "new";
        assert_true(reads("a", expected) && reads("b", expected) && reads("index.html", expected) &&
                    is_there("data/manifest.txt"));
        assert_int_equal(entries("."), 4);
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(system("rm -r out"), 0);
    }
}

/* Killed between two renames, on a file system that cannot exchange names. */
static void moves_a_report_back_that_is_aside(void **state) {
    struct outdir o;
    struct err err = {0};
    (void)state;
    make("out", true);
    assert_int_equal(rename("out", ".out.tlparse-abcdef~"), 0);
    assert_int_equal(mkdir(".out.tlparse-abcdef", 0777), 0);
    assert_true(begin(&o, "out", true, &err));
    outdir_finish(&o);
    assert_made("out");
    assert_int_equal(entries("."), 1);
    assert_int_equal(rename("out", ".out.tlparse-abcdef~"), 0); /* and killed after the second one */
    assert_int_equal(system("cp -r .out.tlparse-abcdef~ out"), 0);
    make("out", true);
    assert_made("out");
    assert_int_equal(entries("."), 1);
    int live = open("out", O_RDONLY | O_DIRECTORY); /* a run that lives does it itself */
    assert_int_equal(rename("out", ".out.tlparse-abcdef~"), 0);
    assert_int_equal(flock(live, LOCK_EX | LOCK_NB), 0);
    make("out", true);
    assert_int_equal(entries("."), 2);
    close(live);
}

/* ---- stale folders ------------------------------------------------------------------------------------------------ */

/* Staging folders of dead runs are removed. Those of live ones, of other places and of other programs are kept. */
static void removes_stale_staging_folders(void **state) {
    static const char *const stale[] = {".out.tlparse-abcdef", ".out.tlparse-abcdefghij01", "out/.out.tlparse-aaaaaa"};
    static const char *const kept[] = {".other.tlparse-abcdef", ".out.tlparse-abcde", ".out.tlparse-abcdefg",
                                       "out.tlparse-abcdef", ".out.tlparse-live12"};
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(mkdir(stale[i], 0777), 0);
        int fd = open(stale[i], O_RDONLY | O_DIRECTORY);
        put_at(fd, "file", "");
        /* A run that was killed during the removal has left names that the removal itself uses. */
        for (int j = 0; j < 3; j++) {
            static const char *const rests[] = {"rest-0", "rest-1", "rest-2"};
            assert_int_equal(mkdirat(fd, rests[j], 0777), 0);
            int inner = openat(fd, rests[j], O_RDONLY | O_DIRECTORY);
            assert_int_equal(mkdirat(inner, "full", 0777), 0);
            put_at(inner, "full/file", "");
            close(inner);
        }
        close(fd);
    }
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(mkdir(kept[i], 0777), 0);
    assert_int_equal(symlink(kept[0], ".out.tlparse-linked"), 0);
    int live = open(".out.tlparse-live12", O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(live, LOCK_EX | LOCK_NB), 0);
    make("out", false);
    assert_made("out");
    for (size_t i = 0; i < 3; i++)
        assert_false(is_there(stale[i]));
    for (size_t i = 0; i < 5; i++)
        assert_true(is_there(kept[i]));
    assert_true(is_there(".out.tlparse-linked"));
    close(live);
    make("out", true);
    assert_false(is_there(".out.tlparse-live12"));
}

static void two_runs_do_not_disturb_each_other(void **state) {
    struct outdir a, b;
    struct err err = {0};
    (void)state;
    assert_true(begin(&a, "out", true, &err));
    assert_true(begin(&b, "out", true, &err));
    put_at(outdir_fd(&a), "index.html", "a");
    put_at(outdir_fd(&a), "compile_directory.json", "a");
    put_at(outdir_fd(&b), "index.html", "b");
    assert_true(outdir_commit(&a, &err));
    assert_true(outdir_commit(&b, &err));
    outdir_finish(&a);
    assert_true(reads("out/index.html", "b"));
    outdir_finish(&b);
    assert_int_equal(entries("."), 1);
}

enum { TURNS = 50 };

/* Writes a report TURNS times. The result is the first error, or NULL. */
static void *write_again_and_again(void *arg) {
    (void)arg;
    for (int i = 0; i < TURNS; i++) {
        struct outdir o;
        struct err err = {0};
        bool ok = begin(&o, "out", true, &err);
        for (const char *const *name = (const char *const[]){"index.html", "raw.log", "compile_directory.json", NULL};
             ok && *name; name++) {
            int file = openat(outdir_fd(&o), *name, O_WRONLY | O_CREAT, 0666);
            ok = file >= 0;
            if (ok)
                close(file);
        }
        ok = ok && outdir_commit(&o, &err);
        outdir_finish(&o);
        if (!ok)
            return mem_printf("turn %d: %s", i, err.text);
    }
    return NULL;
}

/* What one run replaces, it removes while others look at it. */
static void runs_replace_the_report_of_each_other(void **state) {
    pthread_t threads[3];
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_again_and_again, NULL), 0);
    char *failed = NULL;
    for (int i = 0; i < 3; i++) {
        void *one;
        pthread_join(threads[i], &one);
        if (one && failed)
            free(one);
        else if (one)
            failed = one;
    }
    if (failed)
        print_error("%s\n", failed);
    assert_null(failed);
    assert_int_equal(entries("out"), 4);
    assert_int_equal(entries("."), 1);
}

static void takes_a_long_name(void **state) {
    char name[256];
    (void)state;
    memset(name, 'n', 255);
    name[255] = '\0';
    make(name, false);
    make(name, true);
    assert_made(name);
    assert_int_equal(entries("."), 1);
}

/* ---- interrupt ------------------------------------------------------------------------------------------------------ */

struct writer {
    int fd;
    pthread_mutex_t lock;
    bool stop;
    unsigned files; /* written by all threads */
};

static void *write_on(void *arg) {
    struct writer *w = arg;
    char name[64];
    for (unsigned i = 0;; i++) {
        pthread_mutex_lock(&w->lock);
        bool stop = w->stop;
        w->files++;
        pthread_mutex_unlock(&w->lock);
        if (stop)
            return NULL;
        snprintf(name, sizeof name, "-_%u_0_0", i % 50);
        mkdirat(w->fd, name, 0777);
        snprintf(name, sizeof name, "-_%u_0_0/%u.txt", i % 50, i);
        int file = openat(w->fd, name, O_CREAT | O_WRONLY, 0666);
        if (file >= 0)
            close(file);
        usleep(500); /* who writes as fast as others remove may keep them from the end */
    }
}

static void wait_for_files(struct writer *w, unsigned count) {
    for (unsigned files = 0; files < count;) {
        usleep(1000);
        pthread_mutex_lock(&w->lock);
        files = w->files;
        pthread_mutex_unlock(&w->lock);
    }
}

static void is_gone_after_an_interrupt(void **state) {
    struct outdir o;
    struct err err = {0};
    pthread_t threads[3];
    (void)state;
    put_report("out", "old");
    assert_true(begin(&o, "out", true, &err));
    struct writer w = {.fd = outdir_fd(&o), .lock = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_on, &w), 0);
    wait_for_files(&w, 30);
    outdir_interrupt(&o, NULL); /* while the writers are running */
    assert_int_equal(entries("."), 1);
    pthread_mutex_lock(&w.lock);
    w.stop = true;
    pthread_mutex_unlock(&w.lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(entries("."), 1);
    assert_true(reads("out/index.html", "old"));
    pthread_mutex_unlock(&o.lock); /* what the end of the process does in a program */
    outdir_finish(&o);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static void names_say_whose_they_are(void **state) {
    char *name = staging_name_make("a-b");
    char other[] = ".a-b.tlparse-XXXXXX~";
    (void)state;
    assert_true(staging_is_of(slice_str(name), "a-b") && staging_name_is_ours(slice_str(name)));
    snprintf(other, sizeof other, "%s~", name);
    assert_true(staging_name_is_ours(slice_str(other)));
    other[strlen(".a-b.tlparse-")] ^= 1;
    assert_false(staging_name_is_ours(slice_str(other)));
    free(name);
    assert_true(staging_is_deleted(SLICE("data/.nfs000000000000002a0000000f")));
    assert_true(staging_is_deleted(SLICE(".nfs000000000000002a0000000f")));
    assert_false(staging_is_deleted(SLICE(".nfs000000000000002a0000000F")));
    assert_false(staging_is_deleted(SLICE(".nfs000000000000002a0000000f0")));
    assert_false(staging_is_deleted(SLICE(".nfs000000000000002a0000000f/a")));
    assert_false(staging_is_deleted(SLICE("nfs")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(makes_a_new_folder),
        IN_FOLDER(shows_nothing_before_the_commit),
        IN_FOLDER(fills_an_empty_folder),
        IN_FOLDER(replaces_a_report),
        IN_FOLDER(follows_a_link_to_a_folder),
        IN_FOLDER(refuses_existing_content),
        IN_FOLDER(fills_the_current_folder),
        IN_FOLDER(fills_a_mount_point),
        IN_FOLDER(fills_a_folder_of_a_foreign_parent),
        IN_FOLDER(recognizes_a_report),
        IN_FOLDER(recognizes_reports_of_the_reference),
        IN_FOLDER(refuses_to_remove_what_is_needed),
        IN_FOLDER(checks_again_at_the_commit),
        IN_FOLDER(removes_no_target_of_a_link),
        IN_FOLDER(enters_no_mount_point),
        IN_FOLDER(removes_deep_and_wide_trees),
        IN_FOLDER(removes_only_what_is_listed),
        IN_FOLDER(trusts_no_manifest),
        IN_FOLDER(covers_reports_inside),
        IN_FOLDER(finishes_what_a_killed_run_began),
        IN_FOLDER(moves_a_report_back_that_is_aside),
        IN_FOLDER(removes_stale_staging_folders),
        IN_FOLDER(two_runs_do_not_disturb_each_other),
        IN_FOLDER(runs_replace_the_report_of_each_other),
        IN_FOLDER(takes_a_long_name),
        IN_FOLDER(names_say_whose_they_are),
        IN_FOLDER(is_gone_after_an_interrupt),
    };
    return cmocka_run_group_tests_name("outdir", tests, NULL, NULL);
}
