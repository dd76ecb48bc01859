#include "report/assets.h"

#include "report/files.h"

void assets_write(struct files *files) {
    struct buf path = {0};
    files_folder(files, SLICE("assets/"));
    for (size_t i = 0; i < asset_count; i++) {
        path.len = 0;
        buf_addf(&path, "assets/%s", assets[i].name);
        files_write(files, buf_slice(&path), slice_make((const char *)assets[i].bytes, assets[i].len));
    }
    buf_free(&path);
}
