#include "share/zip.h"

#include <minizip/zip.h>
#include <unistd.h>

enum {
    COPY_BYTES = 1 << 18,
    UTF8_NAMES = 1 << 11,       /* flag of an entry */
    MADE_BY_UNIX = 3 << 8 | 45, /* zip 4.5: zip64 */
    MODE = 0100644,             /* a regular file */
    ZIP64_FROM = 0x7fffffff,    /* well below the limit of 32 bits */
};

/* minizip's functions for files, on a FILE that is already open and stays open. */

static voidpf open_file(voidpf to, const void *name, int mode) {
    (void)name;
    (void)mode;
    return to;
}

static uLong read_file(voidpf opaque, voidpf stream, void *to, uLong size) {
    (void)opaque;
    return (uLong)fread(to, 1, size, stream);
}

static uLong write_file(voidpf opaque, voidpf stream, const void *from, uLong size) {
    (void)opaque;
    return (uLong)fwrite(from, 1, size, stream);
}

static ZPOS64_T tell_file(voidpf opaque, voidpf stream) {
    (void)opaque;
    return (ZPOS64_T)ftello(stream);
}

static long seek_file(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
    static const int whence[] =
        {[ZLIB_FILEFUNC_SEEK_SET] = SEEK_SET, [ZLIB_FILEFUNC_SEEK_CUR] = SEEK_CUR, [ZLIB_FILEFUNC_SEEK_END] = SEEK_END};
    (void)opaque;
    return fseeko(stream, (off_t)offset, whence[origin]);
}

static int close_file(voidpf opaque, voidpf stream) {
    (void)opaque;
    return fflush(stream);
}

static int test_error(voidpf opaque, voidpf stream) {
    (void)opaque;
    return ferror((FILE *)stream);
}

/* minizip first allocates the header of an entry, and writes to it without checking for failure. To make sure that
 * there is memory, this function allocates the same amount and frees it again, so the C library has it at hand. Nothing
 * else may be allocated in between. */
static void provide_header(const char *name) {
    enum { HEADER_BYTES = 46, RESERVED_BYTES = 32 }; /* sizes in minizip 1.1, for zip64 */
    void *volatile header = mem_alloc(HEADER_BYTES + strlen(name) + RESERVED_BYTES);
    mem_free(header);
}

static bool begin_entry(zipFile zip, const char *path, uint64_t bytes) {
    const zip_fileinfo info = {.tmz_date = {.tm_year = 1980, .tm_mon = 0, .tm_mday = 1},
                               .external_fa = (uLong)MODE << 16};
    char *name = mem_printf(ZIP_FOLDER "/%s", path);
    provide_header(name);
    int status = zipOpenNewFileInZip4_64(zip, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_BEST_COMPRESSION, 0,
                                         -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX,
                                         UTF8_NAMES, bytes >= ZIP64_FROM);
    mem_free(name);
    return status == ZIP_OK;
}

static bool add_file(zipFile zip, const struct tree *tree, size_t i, char *space, struct err *err) {
    int fd = tree_open_file(tree, i, err);
    if (fd < 0)
        return false;
    bool ok = begin_entry(zip, tree->files.items[i].path, tree->files.items[i].bytes) ||
              err_errno(err, "cannot write the archive");
    for (ssize_t got = 1; ok && got > 0;) {
        got = read(fd, space, COPY_BYTES);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            ok = err_errno(err, "cannot read %s/%s", tree->name, tree->files.items[i].path);
        else if (got > 0 && zipWriteInFileInZip(zip, space, (unsigned)got) != ZIP_OK)
            ok = err_errno(err, "cannot write the archive");
    }
    close(fd);
    return ok && (zipCloseFileInZip(zip) == ZIP_OK || err_errno(err, "cannot write the archive"));
}

static zipFile open_zip(FILE *to, struct err *err) {
    zlib_filefunc64_def files = {.zopen64_file = open_file,
                                 .zread_file = read_file,
                                 .zwrite_file = write_file,
                                 .ztell64_file = tell_file,
                                 .zseek64_file = seek_file,
                                 .zclose_file = close_file,
                                 .zerror_file = test_error,
                                 .opaque = to};
    zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &files);
    if (!zip)
        err_errno(err, "cannot write the archive");
    return zip;
}

static bool close_zip(zipFile zip, bool ok, struct err *err) {
    bool closed = zipClose(zip, NULL) == ZIP_OK;
    return ok && (closed || err_errno(err, "cannot write the archive"));
}

bool zip_write(const struct tree *tree, FILE *to, struct err *err) {
    zipFile zip = open_zip(to, err);
    if (!zip)
        return false;
    char *space = mem_alloc(COPY_BYTES);
    bool ok = true;
    for (size_t i = 0; i < tree->files.count && ok; i++)
        ok = add_file(zip, tree, i, space, err);
    mem_free(space);
    return close_zip(zip, ok, err);
}

static bool add_member(zipFile zip, const struct zip_member *member, struct err *err) {
    struct slice rest = member->content;
    bool ok = begin_entry(zip, member->path, rest.len);
    for (; ok && rest.len; rest = slice_from(rest, COPY_BYTES))
        ok = zipWriteInFileInZip(zip, rest.ptr, (unsigned)(rest.len < COPY_BYTES ? rest.len : COPY_BYTES)) == ZIP_OK;
    ok = ok && zipCloseFileInZip(zip) == ZIP_OK;
    return ok || err_errno(err, "cannot write the archive");
}

bool zip_write_members(const struct zip_member *members, size_t count, FILE *to, struct err *err) {
    zipFile zip = open_zip(to, err);
    bool ok = zip != NULL;
    for (size_t i = 0; i < count && ok; i++)
        ok = add_member(zip, &members[i], err);
    return zip && close_zip(zip, ok, err);
}
