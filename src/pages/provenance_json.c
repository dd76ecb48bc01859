#include "pages/provenance_page.h"

static void write_numbers(struct jsonw *w, const char *key, const struct relation *r, const struct relation_row *row,
                          int64_t to) {
    jsonw_array(w, key);
    for (size_t i = 0; row && i < row->count; i++) {
        int64_t number = r->to.items[row->first + i] + to;
        if (number >= 1 || !to)
            jsonw_i64(w, NULL, number);
    }
    jsonw_end_array(w);
}

void maps_write_row(struct jsonw *w, const char *key, const struct relation *r, uint32_t from) {
    write_numbers(w, key, r, relation_row(r, from), 0);
}

void maps_write(struct jsonw *w, const char *key, const struct relation *r, int64_t from, int64_t to) {
    jsonw_object(w, key);
    for (size_t i = 0; i < r->rows.count; i++) {
        char line[24];
        int64_t number = r->rows.items[i].from + from;
        if (number < 1)
            continue;
        snprintf(line, sizeof line, "%" PRId64, number);
        write_numbers(w, line, r, &r->rows.items[i], to);
    }
    jsonw_end_object(w);
}

/* The difference between a line of the code and the reference's number for it. The reference counts lines of Python
 * from the one with "# AOT ID:", or, without one, those of its page, which has one line before the text. */
static int64_t shift_of(const struct loaded *loaded, size_t code) {
    struct slice text = buf_slice(&loaded->codes[code]), trimmed = code_trim(text);
    int64_t aot = code_aot_line(trimmed), shift = 1;
    if (loaded->set->codes[code].kind != CODE_PYTHON)
        return 0;
    if (aot)
        return 1 - aot;
    if (!slice_ends(loaded->set->codes[code].artifact->url, SLICE(".html")))
        return 0;
    for (size_t i = 0; i < text.len - trimmed.len; i++)
        shift += text.ptr[i] == '\n';
    return shift;
}

/* Writes the two maps of the code of this kind; empty if there is none. */
static void write_code(struct jsonw *w, const struct loaded *loaded, const struct set_maps *maps, enum code_kind kind,
                       const char *to_post_key, const char *from_post_key) {
    struct relation to_post = {0}, from_post = {0};
    int64_t shift = 0;
    for (size_t i = 0; i < loaded->set->code_count; i++) {
        if (loaded->set->codes[i].kind != kind)
            continue;
        shift = shift_of(loaded, i);
        code_to_post(&to_post, &maps->kernels, &maps->codes[i].calls);
        post_to_code(&from_post, loaded->mapping, &maps->post, &maps->kernels, &maps->codes[i].calls);
        break;
    }
    maps_write(w, to_post_key, &to_post, shift, 0);
    maps_write(w, from_post_key, &from_post, 0, shift);
    relation_free(&to_post);
    relation_free(&from_post);
}

void line_mappings_write(struct jsonw *w, const struct loaded *loaded, const struct set_maps *maps) {
    jsonw_object(w, NULL);
    maps_write(w, "preToPost", &maps->pre_to_post, 0, 0);
    maps_write(w, "postToPre", &maps->post_to_pre, 0, 0);
    write_code(w, loaded, maps, CODE_PYTHON, "pyCodeToPost", "postToPyCode");
    write_code(w, loaded, maps, CODE_CPP, "cppCodeToPost", "postToCppCode");
    jsonw_end_object(w);
}
