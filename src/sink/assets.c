#include "sink/assets.h"

#include "sink/files.h"

void assets_share(struct files *files, struct sink *from) {
    struct buf path = {0};
    if (!files_wanted(files))
        return;
    files_folder(files, SLICE("assets/"));
    for (size_t i = 0; i < asset_count; i++) {
        path.len = 0;
        buf_addf(&path, "assets/%s%c", assets[i].name, 0);
        if (!files->sink->ops->share(files->sink, from, path.ptr))
            files_write(files, slice_str(path.ptr), slice_make((const char *)assets[i].bytes, assets[i].len));
    }
    buf_free(&path);
}

void assets_write(struct files *files) {
    struct buf path = {0};
    if (!files_wanted(files))
        return;
    files_folder(files, SLICE("assets/"));
    for (size_t i = 0; i < asset_count; i++) {
        path.len = 0;
        buf_addf(&path, "assets/%s", assets[i].name);
        files_write(files, buf_slice(&path), slice_make((const char *)assets[i].bytes, assets[i].len));
    }
    buf_free(&path);
}
