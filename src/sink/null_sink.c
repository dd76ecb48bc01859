#include "sink/sinks.h"

static bool make_directory(struct sink *sink, const char *path) {
    (void)sink, (void)path;
    return true;
}

static bool create(struct sink *sink, const char *path, struct sink_file *file) {
    (void)path;
    *file = (struct sink_file){.sink = sink};
    return true;
}

static bool write_nothing(struct sink_file *file, struct slice content) {
    (void)file, (void)content;
    return true;
}

static bool close_file(struct sink_file *file) {
    (void)file;
    return true;
}

static bool share(struct sink *sink, struct sink *from, const char *path) {
    (void)sink, (void)from, (void)path;
    return true;
}

static struct sink *below(struct sink *sink, const char *directory) {
    (void)sink, (void)directory;
    return null_sink_create();
}

static void destroy(struct sink *sink) {
    mem_free(sink);
}

struct sink *null_sink_create(void) {
    static const struct sink_ops operations = {
        .make_directory = make_directory,
        .create = create,
        .write = write_nothing,
        .close = close_file,
        .share = share,
        .below = below,
        .destroy = destroy,
    };
    struct sink *sink = mem_zalloc(1, sizeof *sink);
    *sink = (struct sink){.ops = &operations, .keeps = SINK_NOTHING};
    return sink;
}
