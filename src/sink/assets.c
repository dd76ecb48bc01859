#include "sink/assets.h"

#include <assert.h>
#include <string.h>

#include "sink/files.h"

const struct asset *asset_named(const char *name) {
    size_t i = 0;
    while (i < asset_count && strcmp(assets[i].name, name) != 0)
        i++;
    assert(i < asset_count);
    return &assets[i];
}

static bool is_of_folder(const struct asset *asset) {
    return strcmp(asset->name, ASSET_LOADER) != 0;
}

void assets_write(struct files *files, struct sink *from) {
    struct buf path = {0};
    if (!files_wanted(files))
        return;
    files_folder(files, SLICE("assets/"));
    for (size_t i = 0; i < asset_count; i++) {
        if (!is_of_folder(&assets[i]))
            continue;
        path.len = 0;
        buf_addf(&path, "assets/%s%c", assets[i].name, 0);
        if (!from || !files->sink->ops->share(files->sink, from, path.ptr))
            files_write(files, slice_str(path.ptr), slice_make((const char *)assets[i].bytes, assets[i].len));
    }
    buf_free(&path);
}
