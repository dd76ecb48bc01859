#include "report/report_json.h"

#include "base/jsonw.h"

void directory_write(const struct model *model, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "compile_directory.json");
    struct jsonw w = {.out = &stream.buf};
    jsonw_object(&w, NULL);
    for (size_t i = 0; i < model->entries.count; i++) {
        const struct entry *entry = &model->entries.items[i];
        if (!entry->listed)
            continue;
        jsonw_key(&w, entry->key);
        jsonw_object(&w, NULL);
        jsonw_array(&w, "artifacts");
        for (size_t a = 0; a < entry->artifacts.count; a++) {
            const struct artifact *artifact = &model->artifacts.items[entry->artifacts.items[a]];
            jsonw_object(&w, NULL);
            JSON_ADD(&w, "url", artifact->url, "name", artifact->outer ? artifact->name : path_last(artifact->url),
                     "number", artifact->number, "suffix", artifact_suffix(artifact), "readable_url",
                     artifact->readable_url);
            jsonw_end_object(&w);
        }
        jsonw_end_array(&w);
        jsonw_end_object(&w);
        stream_flush_if_full(&stream);
    }
    jsonw_end_object(&w);
    buf_add_byte(&stream.buf, '\n');
    stream_close(&stream);
}
