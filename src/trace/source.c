#include "trace/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { PACKED_BYTES = 128 * 1024, ZSTD_WINDOW_LOG = 27, ZSTD_HEADER_BYTES = 18 };

enum packing { PLAIN, GZIP, ZSTD };

struct source_unpacker {
    enum packing packing;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    bool zstd_holds;   /* decompressed bytes are pending that did not fit into `plain` */
    size_t zstd_wants; /* number of bytes that zstd wants next: see unpack_zstd() */
    char *plain;       /* for zstd: plain[plain_begin..plain_end) was decompressed but not returned */
    size_t plain_begin, plain_end, plain_bytes;
    bool between; /* a member or frame has ended, and none has begun yet */
    bool ended;   /* there is no more output */
    bool file_ended;
    size_t begin, end; /* bytes[begin..end) have been read but not decompressed */
    unsigned char bytes[PACKED_BYTES];
};

/* Magic bytes of compression formats that are not supported. */
static const struct {
    const char *bytes;
    size_t len;
    const char *name, *unpack;
} foreign_packings[] = {
    {"\3757zXZ\0", 6, "xz", "xz -dc FILE | tlparse -"},
    {"BZh91AY&", 8, "bzip2", "bzip2 -dc FILE | tlparse -"},
    {"PK\3\4", 4, "zip", "unzip -p FILE | tlparse -"},
};

static bool is_gzip(const unsigned char *bytes, size_t len) {
    return len >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static bool is_zstd(const unsigned char *bytes, size_t len) {
    if (len < 4)
        return false;
    uint32_t magic = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/* Reads an address. If the stream failed, the log ends here, with the reason as its damage. */
static ssize_t read_address(struct source *s, char *to, size_t bytes) {
    struct source_file *file = &s->files[s->current];
    struct err why = {0};
    size_t got = s->fetched ? s->remote->read(s->fetched, to, bytes) : 0;
    s->file_read += got;
    if (got || !s->fetched)
        return (ssize_t)got;
    if (!s->remote->close(s->fetched, &why) && !file->damage)
        file->damage = mem_strdup(why.text);
    s->fetched = NULL;
    return 0;
}

/* read() on the file, but first returns the bytes read for detection. */
static ssize_t read_file(struct source *s, void *to, size_t bytes, struct err *err) {
    if (s->head_used < s->head_len) {
        size_t len = s->head_len - s->head_used;
        len = len < bytes ? len : bytes;
        memcpy(to, s->head + s->head_used, len);
        s->head_used += len;
        return (ssize_t)len;
    }
    if (s->files[s->current].address)
        return read_address(s, to, bytes);
    for (;;) {
        ssize_t got = read(s->fd, to, bytes < SSIZE_MAX ? bytes : SSIZE_MAX);
        if (got >= 0) {
            s->file_read += (uint64_t)got;
            return got;
        }
        if (errno != EINTR) {
            err_errno(err, "cannot read %s", s->files[s->current].path);
            err->code = ERR_INPUT;
            return -1;
        }
    }
}

static bool read_head(struct source *s, struct err *err) {
    size_t len = 0;
    while (len < sizeof s->head) {
        ssize_t got = read_file(s, s->head + len, sizeof s->head - len, err);
        if (got < 0)
            return false;
        if (got == 0)
            break;
        len += (size_t)got;
    }
    s->head_len = len;
    return true;
}

static bool start_unpacker(struct source *s, struct err *err) {
    for (size_t i = 0; i < sizeof foreign_packings / sizeof *foreign_packings; i++)
        if (s->head_len >= foreign_packings[i].len &&
            memcmp(s->head, foreign_packings[i].bytes, foreign_packings[i].len) == 0)
            return err_set(err, ERR_INPUT, "cannot read %s: %s compression is not supported", s->files[s->current].path,
                           foreign_packings[i].name) ||
                   err_hint(err, "decompress it first: %s", foreign_packings[i].unpack);
    enum packing packing = is_gzip(s->head, s->head_len) ? GZIP : is_zstd(s->head, s->head_len) ? ZSTD : PLAIN;
    if (packing == PLAIN)
        return true;
    struct source_unpacker *u = s->unpacker = mem_zalloc(1, sizeof *u);
    u->packing = packing;
    if (packing == GZIP) {
        if (inflateInit2(&u->gzip, 15 + 16) != Z_OK) /* 16: with a gzip header */
            mem_exhausted();
        return true;
    }
    u->zstd = ZSTD_createDCtx();
    if (!u->zstd)
        mem_exhausted();
    /* The log decides how much memory the window takes. `zstd -d` has the same limit. */
    ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    u->zstd_wants = ZSTD_initDStream(u->zstd);
    u->plain_bytes = ZSTD_DStreamOutSize();
    u->plain = mem_alloc(u->plain_bytes);
    return true;
}

static void close_file(struct source *s) {
    if (s->unpacker) {
        if (s->unpacker->packing == GZIP)
            inflateEnd(&s->unpacker->gzip);
        ZSTD_freeDCtx(s->unpacker->zstd); /* NULL is fine */
        mem_free(s->unpacker->plain);
        mem_free(s->unpacker);
        s->unpacker = NULL;
    }
    if (s->fd >= 0)
        close(s->fd);
    if (s->fetched)
        s->remote->close(s->fetched, NULL);
    s->fetched = NULL;
    s->fd = -1;
    s->open = false;
    s->head_len = s->head_used = 0;
}

/* If not a single byte of an address arrives, opening it fails. */
static bool open_address(struct source *s, struct err *err) {
    struct source_file *file = &s->files[s->current];
    s->modified = time(NULL);
    if (!s->remote)
        return err_set(err, ERR_INPUT, "cannot read %s: addresses cannot be read here", file->path);
    s->fetched = s->remote->open(s->remote, file->address, err);
    if (!s->fetched || !read_head(s, err))
        return false;
    if (!s->head_len && file->damage) {
        err_set(err, ERR_INPUT, "%s", file->damage);
        mem_free(file->damage);
        file->damage = NULL;
        return false;
    }
    return start_unpacker(s, err);
}

static bool open_file(struct source *s, struct err *err) {
    const struct source_file *file = &s->files[s->current];
    struct stat st;
    s->open = true;
    if (file->address) {
        bool opened = open_address(s, err);
        if (!opened)
            close_file(s);
        return opened;
    }
    s->fd = file->standard_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                 : open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool good = s->fd >= 0 && fstat(s->fd, &st) == 0;
    if (!good) {
        err_errno(err, "cannot open %s", file->path);
        err->code = ERR_INPUT;
    } else if (S_ISDIR(st.st_mode)) {
        good = err_set(err, ERR_INPUT, "cannot read %s: it is a folder, not a log", file->path);
    } else {
        time_t modified = S_ISREG(st.st_mode) ? st.st_mtime : time(NULL);
        s->modified = modified > s->modified ? modified : s->modified;
        off_t at =
            S_ISREG(st.st_mode) ? lseek(s->fd, 0, SEEK_CUR) : -1; /* standard input may be at an offset within a file */
        if (s->file_count == 1)
            s->file_bytes = at >= 0 && st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
        good = read_head(s, err) && start_unpacker(s, err);
    }
    if (!good)
        close_file(s);
    return good;
}

/* The length of the common folder of all paths, including its slash. */
static size_t common_folder(const char *const *paths, size_t count) {
    size_t len = 0;
    for (size_t i = 0; paths[0][i]; i++) {
        for (size_t p = 1; p < count; p++)
            if (paths[p][i] != paths[0][i])
                return len;
        if (paths[0][i] == '/')
            len = i + 1;
    }
    return len;
}

static void list_files(struct source *s, const char *const *paths, size_t count) {
    size_t common = common_folder(paths, count);
    s->files = mem_zalloc(count, sizeof *s->files);
    s->file_count = count;
    for (size_t i = 0; i < count; i++) {
        struct source_file *file = &s->files[i];
        struct stat st;
        file->standard_input = strcmp(paths[i], "-") == 0;
        file->address = source_is_address(paths[i]) ? paths[i] : NULL;
        file->path = file->standard_input ? mem_strdup("(standard input)")
                                          : mem_printf("%.*s", SLICE_ARG(source_shown(paths[i])));
        file->label = file->path + (file->standard_input || common > strlen(file->path) ? 0 : common);
        if (count > 1 && !file->address && stat(paths[i], &st) == 0 && S_ISREG(st.st_mode)) {
            s->file_bytes += (uint64_t)st.st_size;
            s->modified = st.st_mtime > s->modified ? st.st_mtime : s->modified;
        }
    }
}

/* Opens the current file, or else the next one that can be opened. */
static bool open_next(struct source *s, struct err *err) {
    for (; s->current < s->file_count; s->current++) {
        struct source_file *file = &s->files[s->current];
        struct err why = {0};
        file->first_line = s->lines + 1 + (s->in_line ? 1 : 0);
        if (open_file(s, &why))
            return true;
        file->damage = mem_strdup(why.text);
        *err = why;
    }
    return false;
}

bool source_is_address(const char *path) {
    size_t len = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789+.-");
    return path[0] >= 'a' && path[0] <= 'z' && str_after(path + len, "://");
}

struct slice source_shown(const char *path) {
    if (!source_is_address(path))
        return slice_str(path);
    struct slice host = slice_str(strstr(path, "://") + 3);
    size_t user = slice_rfind_byte(slice_first(host, strcspn(host.ptr, "/?#")), '@');
    const char *from = user == SIZE_MAX ? path : host.ptr + user + 1;
    return slice_make(from, strcspn(from, "?#"));
}

bool source_open_all(struct source *s, const char *name, const char *const *paths, size_t count, struct err *err) {
    return source_open_from(s, NULL, name, paths, count, err);
}

bool source_open_from(struct source *s, const struct source_remote *remote, const char *name, const char *const *paths,
                      size_t count, struct err *err) {
    *s = (struct source){.fd = -1, .remote = remote};
    list_files(s, paths, count);
    s->name = mem_strdup(count == 1 ? s->files[0].path : name);
    if (open_next(s, err))
        return true;
    source_close(s);
    return false;
}

bool source_open(struct source *s, const char *path, struct err *err) {
    return source_open_all(s, path, &path, 1, err);
}

/* Ends the log here, with a reason for the user. */
static void end_damaged(struct source *s, const char *what, const char *why) {
    struct source_file *file = &s->files[s->current];
    s->unpacker->ended = true;
    if (!file->damage)
        file->damage = why ? mem_printf("%s (%s)", what, why) : mem_strdup(what);
}

/* Reads until `want` compressed bytes are available or the file ends, and moves them to the front. Returns false if
 * reading failed. */
static bool fill_packed(struct source *s, size_t want, struct err *err) {
    struct source_unpacker *u = s->unpacker;
    if (u->end - u->begin >= want || u->file_ended)
        return true;
    memmove(u->bytes, u->bytes + u->begin, u->end - u->begin);
    u->end -= u->begin;
    u->begin = 0;
    while (u->end < want && !u->file_ended) {
        ssize_t got = read_file(s, u->bytes + u->end, sizeof u->bytes - u->end, err);
        if (got < 0)
            return false;
        u->file_ended = got == 0;
        u->end += (size_t)got;
    }
    return true;
}

/* Between two members: checks for another one. Zero padding after a compressed file is common (tapes, block devices).
 */
static bool begin_member(struct source *s, struct err *err) {
    struct source_unpacker *u = s->unpacker;
    if (!fill_packed(s, 4, err))
        return false;
    size_t left = u->end - u->begin;
    const unsigned char *next = u->bytes + u->begin;
    if (left == 0) {
        u->ended = true;
    } else if (u->packing == GZIP ? is_gzip(next, left) : is_zstd(next, left)) {
        u->between = false;
    } else if (next[0] == 0) {
        u->begin++;
    } else {
        end_damaged(s, "ignored uncompressed data after the end of the compressed log", NULL);
    }
    return true;
}

/* These decompress available input to to[0..bytes) and return the number of bytes. */
static size_t unpack_gzip(struct source *s, char *to, size_t bytes) {
    struct source_unpacker *u = s->unpacker;
    u->gzip.next_in = u->bytes + u->begin;
    u->gzip.avail_in = (uInt)(u->end - u->begin);
    u->gzip.next_out = (unsigned char *)to;
    u->gzip.avail_out = (uInt)(bytes < UINT_MAX ? bytes : UINT_MAX);
    uInt room = u->gzip.avail_out;
    int status = inflate(&u->gzip, Z_NO_FLUSH);
    u->begin = u->end - u->gzip.avail_in;
    if (status == Z_MEM_ERROR)
        mem_exhausted();
    if (status == Z_STREAM_END) {
        u->between = true;
        inflateReset(&u->gzip);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
        end_damaged(s, "the gzip data is corrupt", u->gzip.msg);
    }
    return room - u->gzip.avail_out;
}

/* If zstd reports an error, it discards the output of the same call. So each call gets at most one block, with the same
 * room for it however much the caller wants: a corrupt log ends at the same byte, with the same message, for any read
 * size. Returns false if reading failed. */
static bool unpack_zstd(struct source *s, struct err *err) {
    struct source_unpacker *u = s->unpacker;
    size_t wants = u->zstd_holds ? 0 : u->zstd_wants < sizeof u->bytes ? u->zstd_wants : sizeof u->bytes;
    if (!fill_packed(s, wants, err))
        return false;
    size_t have = u->end - u->begin, give = have < wants ? have : wants;
    ZSTD_inBuffer in = {u->bytes + u->begin, give, 0};
    ZSTD_outBuffer out = {u->plain, u->plain_bytes, 0};
    size_t status = ZSTD_decompressStream(u->zstd, &out, &in);
    u->begin += in.pos;
    u->plain_begin = 0;
    u->plain_end = out.pos;
    /* Output that did not fit comes first: the next call could report an error and discard it. */
    u->zstd_holds = status != 0 && !ZSTD_isError(status) && out.pos == out.size;
    u->between = status == 0;
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
        mem_exhausted();
    if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
        end_damaged(s, "the zstd data needs a window of more than 128 MiB", "decompress it first: zstd -d --long=31");
    else if (ZSTD_isError(status))
        end_damaged(s, "the zstd data is corrupt", ZSTD_getErrorName(status));
    else
        u->zstd_wants = status ? status : ZSTD_HEADER_BYTES;
    return true;
}

/* Moves decompressed bytes to the caller. */
static size_t take_plain(struct source_unpacker *u, char *to, size_t bytes) {
    size_t left = u->plain_end - u->plain_begin, taken = left < bytes ? left : bytes;
    if (taken)
        memcpy(to, u->plain + u->plain_begin, taken);
    u->plain_begin += taken;
    return taken;
}

/* Returns decompressed bytes. None means that the log has ended or that another call is needed. Returns false if
 * reading failed. */
static bool unpack(struct source *s, char *to, size_t bytes, size_t *came, struct err *err) {
    struct source_unpacker *u = s->unpacker;
    *came = take_plain(u, to, bytes);
    if (*came)
        return true;
    if (u->between)
        return begin_member(s, err);
    if (!fill_packed(s, 1, err))
        return false;
    if (u->packing == ZSTD && !unpack_zstd(s, err))
        return false;
    *came = u->packing == GZIP ? unpack_gzip(s, to, bytes) : take_plain(u, to, bytes);
    if (*came == 0 && u->file_ended && u->begin == u->end && !u->between && !u->ended)
        end_damaged(s, u->packing == GZIP ? "the gzip data is truncated" : "the zstd data is truncated", NULL);
    return true;
}

static bool has_more(const struct source *s) {
    const struct source_unpacker *u = s->unpacker;
    return !u || !u->ended || u->plain_begin < u->plain_end;
}

/* Reads up to `bytes` bytes of the current file. Returns fewer, or none, only at its end. */
static ssize_t read_current(struct source *s, char *to, size_t bytes, struct err *err) {
    size_t len = 0;
    while (len < bytes && has_more(s)) {
        size_t came;
        if (s->unpacker) {
            if (!unpack(s, to + len, bytes - len, &came, err))
                return -1;
        } else {
            ssize_t got = read_file(s, to + len, bytes - len, err);
            if (got < 0)
                return -1;
            if (got == 0)
                break;
            came = (size_t)got;
        }
        len += came;
    }
    return (ssize_t)len;
}

static void count_lines(struct source *s, const char *bytes, size_t len) {
    const char *end = bytes + len;
    if (len == 0)
        return;
    s->in_line = end[-1] != '\n';
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        s->lines++;
}

ssize_t source_read(struct source *s, char *to, size_t bytes, struct err *err) {
    size_t len = 0;
    while (len < bytes && s->current < s->file_count) {
        struct err skipped;
        if (!s->open) { /* between two files */
            if (!open_next(s, &skipped))
                break;
            if (s->in_line) {
                to[len++] = '\n';
                s->lines++;
                s->in_line = false;
                continue;
            }
        }
        ssize_t got = read_current(s, to + len, bytes - len, err);
        if (got < 0)
            return -1;
        s->files[s->current].bytes += (uint64_t)got;
        if (s->file_count > 1)
            count_lines(s, to + len, (size_t)got);
        len += (size_t)got;
        if (len == bytes || s->current + 1 == s->file_count)
            break; /* if this file has ended, the next call reads nothing from it and moves on */
        close_file(s);
        s->current++;
    }
    return (ssize_t)len;
}

const char *source_damage(const struct source *s) {
    for (size_t i = 0; i < s->file_count; i++)
        if (s->files[i].damage)
            return s->files[i].damage;
    return NULL;
}

void source_leave_rest(struct source *s, uint64_t line, const char *why) {
    size_t at = (size_t)(source_file_at(s, line) - s->files);
    uint64_t first = s->files[at].first_line ? s->files[at].first_line : 1;
    for (size_t i = at; i < s->file_count; i++) {
        mem_free(s->files[i].damage);
        s->files[i].damage = i > at ? mem_printf("not read: %s", why)
                                    : mem_printf("not read from line %" PRIu64 " on: %s", line - first + 1, why);
    }
}

const struct source_file *source_file_at(const struct source *s, uint64_t line) {
    size_t behind = 1; /* the last reached file that does not begin after the line */
    SEARCH(behind, s->file_count, middle, s->files[middle].first_line && s->files[middle].first_line <= line);
    return &s->files[behind - 1];
}

size_t source_reach(struct source *s, uint64_t line) {
    while (s->reached + 1 < s->file_count && s->files[s->reached + 1].first_line &&
           s->files[s->reached + 1].first_line <= line)
        s->reached++;
    return s->reached;
}

uint64_t source_records(const struct source *s) {
    uint64_t records = 0;
    for (size_t i = 0; i < s->file_count; i++)
        records += s->files[i].records;
    return records;
}

void source_close(struct source *s) {
    if (s->files)
        close_file(s);
    for (size_t i = 0; s->files && i < s->file_count; i++) {
        mem_free(s->files[i].path);
        mem_free(s->files[i].damage);
    }
    mem_free(s->files);
    mem_free(s->name);
    *s = (struct source){.fd = -1};
}
