#include "sink/output.h"

void outputs_init(struct outputs *outputs) {
    outputs->first = NULL;
    outputs->last = &outputs->first;
}

void outputs_add(struct outputs *outputs, struct arena *arena, const struct output *output) {
    if (!files_wanted(output->files))
        return;
    struct output *kept = arena_alloc(arena, sizeof *kept);
    *kept = *output;
    kept->next = NULL;
    *outputs->last = kept;
    outputs->last = &kept->next;
}

void outputs_write(const struct outputs *outputs) {
    AUTO_BUF page = {0};
    for (const struct output *output = outputs->first; output; output = output->next) {
        struct slice content = output->text;
        if (output->render) {
            page.len = 0;
            output->render(&page, output->text, output->data);
            content = buf_slice(&page);
        }
        files_write(output->files, output->path, content);
    }
}
