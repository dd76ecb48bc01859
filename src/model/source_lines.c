#include "model/source_lines.h"

static void destroy(void *part) {
    struct source_lines *lines = part;
    mem_free(lines->list.items);
    mem_free(lines->parts.items);
    map_free(&lines->places);
    mem_free(lines);
}

static struct source_lines *lines_in(struct model *model) {
    if (!model->lines) {
        model->lines = mem_zalloc(1, sizeof *model->lines);
        model_own(model, model->lines, destroy);
    }
    return model->lines;
}

static struct source_line *find(struct model *model, struct source_lines *lines, const struct source_line *line) {
    struct source_line *latest = lines->list.count ? &lines->list.items[lines->latest] : NULL;
    AUTO_BUF key = {0};
    if (latest && latest->line == line->line && slice_eq(latest->file, line->file))
        return latest;
    BUF_ADD(&key, line->line, " ", line->file);
    uint32_t place = map_get(&lines->places, buf_slice(&key));
    if (place == MAP_NONE) {
        if (lines->list.count == SOURCE_LINES_MAX)
            return NULL;
        place = (uint32_t)lines->list.count;
        map_put(&lines->places, buf_slice(&key), place, NULL);
        LIST_ADD(&lines->list, (struct source_line){.file = model_copy(model, line->file),
                                                    .line = line->line,
                                                    .compile = UINT32_MAX});
    }
    lines->latest = place;
    return &lines->list.items[place];
}

static void note_compile(struct source_lines *lines, struct source_line *kept, uint32_t compile) {
    if (kept->compile == compile)
        return;
    kept->compile = compile;
    if (lines->parts.count == LINE_PARTS_MAX)
        kept->uncounted = true;
    else
        LIST_ADD(&lines->parts, (struct line_part){(uint32_t)(kept - lines->list.items), compile});
}

void source_lines_add(struct model *model, const struct source_line *line) {
    struct source_lines *lines = lines_in(model);
    struct source_line *kept = find(model, lines, line);
    if (!kept) {
        lines->more += line->ops + line->guards;
        return;
    }
    kept->ops += line->ops;
    kept->guards += line->guards;
    if (line->ops)
        note_compile(lines, kept, line->compile);
    if (!kept->code.ptr && line->code.len)
        kept->code = model_copy(model, line->code);
}
