#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd/commands.h"
#include "sink/script.h"

static bool read_file(const char *path, struct buf *content) {
    enum { MOST = INT32_MAX };
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = fstat(fd, &st) == 0;
    size_t size = !good || st.st_size < 0 ? 0 : st.st_size > MOST ? MOST : (size_t)st.st_size;
    ssize_t read = good ? fd_read_at(fd, buf_reserve(content, size), size, 0) : -1;
    int error = errno;
    close(fd);
    errno = error;
    content->len += read < 0 ? 0 : (size_t)read;
    return read >= 0;
}

bool data_print(const char *path, FILE *to, struct err *err) {
    AUTO_BUF file = {0}, bytes = {0};
    struct slice key;
    if (!read_file(path, &file))
        return err_errno(err, "cannot read %s", path);
    if (!script_read(buf_slice(&file), &key, &bytes))
        return err_set(err, ERR_INPUT, "cannot read %s: it is damaged, or not data of a report", path);
    return (fwrite(bytes.ptr, 1, bytes.len, to) == bytes.len && fflush(to) == 0) ||
           err_errno(err, "cannot write to standard output");
}
