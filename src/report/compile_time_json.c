#include "report/members.h"

static void write_lines(struct jsonw *w, const char *key, const struct time_line *lines, size_t count,
                        const struct model *model) {
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++) {
        const struct time_line *line = &lines[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, line, key, title);
        jsonw_known(w, "time_us", line->us);
        JSON_MEMBERS(w, line, saves_us, why, action, evidence, link);
        JSON_LIST(w, "compiles", c, line->compiles.count, model->compiles.items[line->compiles.items[c]]->key);
        jsonw_u64(w, "more_compiles", line->compile_count - line->compiles.count);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void compile_time_json_write(struct jsonw *w, const char *key, const struct compile_time *time,
                             const struct model *model) {
    if (time->total_us < 0)
        return;
    jsonw_object(w, key);
    write_lines(w, "parts", time->parts.items, time->parts.count, model);
    write_lines(w, "hints", time->hints.items, time->hints.count, model);
    const struct time_line *line = time->first_line;
    const struct finding *finding = time->first_finding;
    if (line || finding) {
        jsonw_object(w, "first");
        JSON_ADD(w, "title", line ? line->title : finding->title, "action", line ? line->action : finding->advice,
                 "saves_us", line ? line->saves_us : finding_saves_us(finding));
        jsonw_bool(w, "issue", !line);
        jsonw_text(w, "link", line ? SLICE("#/time") : finding->link);
        jsonw_end_object(w);
    }
    jsonw_end_object(w);
}
