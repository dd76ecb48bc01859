#include "base/base.h"
#include "runs/surroundings.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"

enum { HEAD_BYTES = 4096, PLACES_MAX = 64 };

/* ---- The interpreter */

/* The program that a name refers to: a path, or a program in $PATH. The caller frees it. NULL: none. */
static char *find_program(struct slice name) {
    const char *path = getenv("PATH");
    if (slice_find(name, SLICE("/")) != SIZE_MAX)
        return mem_printf("%.*s", SLICE_ARG(name));
    for (struct slice rest = slice_str(path); rest.len;) {
        size_t colon = slice_find(rest, SLICE(":"));
        struct slice folder = slice_first(rest, colon);
        char *file = mem_printf("%.*s/%.*s", SLICE_ARG(folder), SLICE_ARG(name));
        if (folder.len && access(file, X_OK) == 0)
            return file;
        mem_free(file);
        rest = colon == SIZE_MAX ? slice_make("", 0) : slice_from(rest, colon + 1);
    }
    return NULL;
}

static bool is_python(struct slice path) {
    size_t slash = slice_rfind_byte(path, '/');
    return slice_starts(slash == SIZE_MAX ? path : slice_from(path, slash + 1), SLICE("python"));
}

/* The beginning of a file. */
static void read_head(struct buf *text, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : fd_read_at(fd, buf_reserve(text, HEAD_BYTES), HEAD_BYTES, 0);
    if (n > 0)
        text->len += (size_t)n;
    if (fd >= 0)
        close(fd);
}

static struct slice next_word(struct slice *line) {
    *line = slice_trim(*line);
    struct slice word = slice_first(*line, slice_find(*line, SLICE(" ")));
    *line = slice_from(*line, word.len);
    return word;
}

/* "#!/venv/bin/python", "#!/usr/bin/env python3" */
static char *interpreter_of(const char *script) {
    AUTO_BUF text = {0};
    struct slice line = {0}, rest;
    char *python = NULL;
    read_head(&text, script);
    rest = buf_slice(&text);
    if (slice_next_line(&rest, &line) && slice_starts(line, SLICE("#!"))) {
        line = slice_from(line, 2);
        struct slice word = next_word(&line);
        if (slice_ends(word, SLICE("/env")))
            word = next_word(&line);
        python = is_python(word) ? find_program(word) : NULL;
    }
    return python;
}

/* ---- Where its packages are */

struct places {
    char *items[PLACES_MAX];
    size_t count;
};

static void add_place(struct places *places, char *place) {
    if (places->count < PLACES_MAX)
        places->items[places->count++] = place;
    else
        mem_free(place);
}

/* Adds lib/python3.11/site-packages of an installation. `python` gets "3.11" if there is only one version. */
static void add_prefix(struct places *places, const char *prefix, char **python) {
    char *lib = mem_printf("%s/lib", prefix);
    struct names names = {0};
    size_t versions = 0;
    int fd = open(lib, DIR_OPEN);
    if (fd >= 0) {
        names_list(fd, &names);
        close(fd);
    }
    for (size_t i = 0; i < names.count; i++)
        versions += str_after(names.items[i], "python3.") != NULL;
    for (size_t i = 0; i < names.count && versions == 1; i++) {
        if (!str_after(names.items[i], "python3."))
            continue;
        add_place(places, mem_printf("%s/%s/site-packages", lib, names.items[i]));
        add_place(places, mem_printf("%s/%s/dist-packages", lib, names.items[i]));
        if (!*python)
            *python = mem_strdup(str_after(names.items[i], "python"));
    }
    names_free(&names);
    mem_free(lib);
}

/* An interpreter without a virtual environment also uses the packages of the user and of the administrator. */
static void add_installation(struct places *places, const char *prefix, char **python) {
    const char *home = getenv("HOME");
    char *own = home ? mem_printf("%s/.local", home) : NULL;
    add_prefix(places, prefix, python);
    if (*python && own)
        add_place(places, mem_printf("%s/lib/python%s/site-packages", own, *python));
    if (*python)
        add_place(places, mem_printf("/usr/local/lib/python%s/dist-packages", *python));
    mem_free(own);
}

/* "version = 3.11.7" of pyvenv.cfg. False: the prefix is not a virtual environment. */
static bool read_venv(const char *prefix, char **python) {
    char *file = mem_printf("%s/pyvenv.cfg", prefix);
    AUTO_BUF text = {0};
    struct slice line, rest;
    read_head(&text, file);
    mem_free(file);
    bool venv = text.len > 0;
    rest = buf_slice(&text);
    while (slice_next_line(&rest, &line)) {
        size_t equals = slice_find(line, SLICE("="));
        struct slice key = slice_trim(slice_first(line, equals));
        if (equals == SIZE_MAX || *python || !(slice_is(key, "version") || slice_is(key, "version_info")))
            continue;
        struct slice value = slice_trim(slice_from(line, equals + 1));
        *python = mem_printf("%.*s", SLICE_ARG(value));
    }
    return venv;
}

/* The parent of the file's folder: /venv for /venv/bin/python. The caller frees it. */
static char *prefix_of(const char *file) {
    struct slice path = slice_str(file);
    for (int i = 0; i < 2; i++) {
        size_t slash = slice_rfind_byte(path, '/');
        if (slash == SIZE_MAX)
            return NULL;
        path = slice_first(path, slash);
    }
    return mem_printf("%.*s", SLICE_ARG(path));
}

static void add_python_path(struct places *places) {
    for (struct slice rest = slice_str(getenv("PYTHONPATH")); rest.len;) {
        size_t colon = slice_find(rest, SLICE(":"));
        struct slice folder = slice_first(rest, colon);
        if (folder.len)
            add_place(places, mem_printf("%.*s", SLICE_ARG(folder)));
        rest = colon == SIZE_MAX ? slice_make("", 0) : slice_from(rest, colon + 1);
    }
}

/* ---- Versions */

/* "2.15.0" of torch-2.15.0.dist-info. */
static void read_version(const char *name, const char *package, char **version) {
    struct slice text = slice_str(name), suffix = SLICE(".dist-info");
    size_t len = strlen(package);
    if (*version || !slice_starts(text, slice_str(package)) || name[len] != '-' || !slice_ends(text, suffix))
        return;
    text = slice_from(text, len + 1);
    if (text.len > suffix.len)
        *version = mem_printf("%.*s", (int)(text.len - suffix.len), text.ptr);
}

static void search(struct packages *packages, const char *folder) {
    struct names names = {0};
    int fd = open(folder, DIR_OPEN);
    if (fd < 0)
        return;
    names_list(fd, &names);
    close(fd);
    for (size_t i = 0; i < names.count; i++) {
        read_version(names.items[i], "torch", &packages->torch);
        read_version(names.items[i], "triton", &packages->triton);
        read_version(names.items[i], "pytorch_triton", &packages->triton);
    }
    names_free(&names);
}

void packages_find(struct packages *packages, const char *command) {
    struct places places = {0};
    *packages = (struct packages){0};
    char *program = find_program(slice_str(command));
    char *python = program && !is_python(slice_str(program)) ? interpreter_of(program) : NULL;
    const char *file = python ? python : program;
    if (file && is_python(slice_str(file))) {
        char *prefix = prefix_of(file), *real = realpath(file, NULL), *base = real ? prefix_of(real) : NULL;
        add_python_path(&places);
        if (prefix && read_venv(prefix, &packages->python))
            add_prefix(&places, prefix, &packages->python);
        else if (base)
            add_installation(&places, base, &packages->python);
        mem_free(prefix);
        mem_free(real);
        mem_free(base);
    }
    for (size_t i = 0; i < places.count; i++) {
        search(packages, places.items[i]);
        mem_free(places.items[i]);
    }
    mem_free(program);
    mem_free(python);
}

void packages_finish(struct packages *packages) {
    mem_free(packages->torch);
    mem_free(packages->triton);
    mem_free(packages->python);
    *packages = (struct packages){0};
}
