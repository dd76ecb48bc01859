#include "sink/assets.h"

#include <pthread.h>
#include <zstd.h>

#include "sink/files.h"

static struct asset *assets;
static pthread_once_t assets_once = PTHREAD_ONCE_INIT;

static const unsigned char *unpack(void) {
    if (embedded_stored == embedded_bytes)
        return tlparse_assets;
    unsigned char *bytes = mem_alloc(embedded_bytes);
    /* The frame is part of the binary, so decompression fails only if memory is exhausted. */
    if (ZSTD_decompress(bytes, embedded_bytes, tlparse_assets, embedded_stored) != embedded_bytes)
        mem_exhausted();
    return bytes;
}

static void make_table(void) {
    const unsigned char *bytes = unpack();
    assets = mem_alloc(embedded_count * sizeof *assets);
    for (size_t i = 0; i < embedded_count; bytes += embedded[i++].len)
        assets[i] = (struct asset){embedded[i].name, bytes, embedded[i].len};
}

const struct asset *assets_all(size_t *count) {
    pthread_once(&assets_once, make_table);
    *count = embedded_count;
    return assets;
}

const struct asset *asset_named(const char *name) {
    size_t count, i = 0;
    const struct asset *all = assets_all(&count);
    while (i < count && strcmp(all[i].name, name) != 0)
        i++;
    assert(i < count);
    return &all[i];
}

static bool is_of_folder(const struct asset *asset) {
    return strcmp(asset->name, ASSET_LOADER) != 0;
}

void assets_write(struct files *files, struct sink *from) {
    AUTO_BUF path = {0};
    if (!files_wanted(files))
        return;
    size_t count;
    const struct asset *all = assets_all(&count);
    files_folder(files, SLICE("assets/"));
    for (size_t i = 0; i < count; i++) {
        if (!is_of_folder(&all[i]))
            continue;
        path.len = 0;
        buf_addf(&path, "assets/%s%c", all[i].name, 0);
        if (!from || !files->sink->ops->share(files->sink, from, path.ptr))
            files_write(files, slice_str(path.ptr), slice_make((const char *)all[i].bytes, all[i].len));
    }
}
