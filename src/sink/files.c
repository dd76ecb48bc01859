#include "sink/files.h"

enum { STREAM_BYTES = 256 * 1024 };

void files_init(struct files *files, struct sink *sink) {
    *files = (struct files){.sink = sink};
    pthread_mutex_init(&files->lock, NULL);
}

void files_finish(struct files *files) {
    map_free(&files->made);
    pthread_mutex_destroy(&files->lock);
}

bool files_good(struct files *files, struct err *err) {
    pthread_mutex_lock(&files->lock);
    bool good = files->err.code == ERR_NONE;
    if (!good)
        *err = files->err;
    pthread_mutex_unlock(&files->lock);
    return good;
}

void files_fail(struct files *files, const char *what, struct slice path) {
    int number = errno;
    pthread_mutex_lock(&files->lock);
    if (files->err.code == ERR_NONE) {
        errno = number;
        err_errno(&files->err, "cannot %s '%.*s' in the report", what, (int)(path.len < 300 ? path.len : 300),
                  path.ptr);
    }
    pthread_mutex_unlock(&files->lock);
}

/* Copies the path to a NUL-terminated text. Returns false if it is too long for the system. */
static bool path_text(struct slice path, char text[PATH_MAX]) {
    if (path.len >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (path.len)
        memcpy(text, path.ptr, path.len);
    text[path.len] = 0;
    return true;
}

void files_folder(struct files *files, struct slice path) {
    char text[PATH_MAX];
    if (!files_wanted(files))
        return;
    for (size_t i = 0; i < path.len; i++) {
        bool added;
        if (path.ptr[i] != '/')
            continue;
        struct slice folder = slice_first(path, i);
        map_put(&files->made, folder, 0, &added);
        if (added && (!path_text(folder, text) || !files->sink->ops->make_directory(files->sink, text)))
            files_fail(files, "create folder", folder);
    }
}

static bool create(struct files *files, struct slice path, struct sink_file *file) {
    char text[PATH_MAX];
    return path_text(path, text) && files->sink->ops->create(files->sink, text, file);
}

static bool keeps(const struct files *files, struct slice path) {
    return files_wanted(files) || (files_want_report(files) && slice_is(path, "report.json"));
}

void files_write(struct files *files, struct slice path, struct slice content) {
    const struct sink_ops *ops = files->sink->ops;
    struct sink_file file;
    struct err err;
    if (!keeps(files, path) || !files_good(files, &err))
        return;
    if (!create(files, path, &file)) {
        files_fail(files, "create", path);
        return;
    }
    if (!ops->write(&file, content))
        files_fail(files, "write", path);
    if (!ops->close(&file))
        files_fail(files, "close", path);
}

bool files_is_taken(struct files *files, struct slice path) {
    char text[PATH_MAX];
    return keeps(files, path) && files->sink->ops->is_taken && path_text(path, text) &&
           files->sink->ops->is_taken(files->sink, text);
}

void stream_open(struct stream *stream, struct files *files, const char *path) {
    *stream = (struct stream){.files = files, .path = path, .kept = keeps(files, slice_str(path))};
    stream->open = stream->kept && create(files, slice_str(path), &stream->file);
    if (stream->kept && !stream->open)
        files_fail(files, "create", slice_str(path));
}

static void stream_write(struct stream *stream, struct slice content) {
    const struct sink_ops *ops = stream->files->sink->ops;
    struct err err;
    if (stream->open && files_good(stream->files, &err) && !ops->write(&stream->file, content))
        files_fail(stream->files, "write", slice_str(stream->path));
    stream->bytes += content.len;
}

static void stream_flush(struct stream *stream) {
    stream_write(stream, buf_slice(&stream->buf));
    stream->buf.len = 0;
}

void stream_flush_if_full(struct stream *stream) {
    if (stream->buf.len >= STREAM_BYTES)
        stream_flush(stream);
}

void stream_add(struct stream *stream, struct slice content) {
    if (!stream->kept) {
        stream->bytes += content.len;
        return;
    }
    if (content.len >= STREAM_BYTES) {
        stream_flush(stream);
        stream_write(stream, content);
        return;
    }
    buf_add(&stream->buf, content);
    stream_flush_if_full(stream);
}

void stream_close(struct stream *stream) {
    stream_flush(stream);
    if (stream->open && !stream->files->sink->ops->close(&stream->file))
        files_fail(stream->files, "close", slice_str(stream->path));
    stream->open = false;
    buf_free(&stream->buf);
}
