#include "analysis/setting_values.h"

#include "base/json.h"
#include "model/set_settings.h"

bool compile_setting(struct buf *out, const struct model *model, uint32_t compile, const char *name) {
    bool found = false;
    for (size_t c = 0; c < model->configs.count && !found; c++) {
        const struct config *config = &model->configs.items[c];
        bool used = false;
        for (size_t u = 0; config->kind == CONFIG_DYNAMO && u < config->users.count && !used; u++)
            used = config->users.items[u] == compile;
        AUTO_ARENA arena = {0};
        yyjson_val *json = NULL, *value = NULL;
        struct slice text = config->json;
        if (used && json_read(&text, JSON_NUMBERS, &arena, &json) != JSON_BAD)
            value = json_get(json, name);
        if (value && !yyjson_is_null(value)) {
            json_add_value(out, value);
            found = true;
        }
    }
    return found;
}

bool compile_setting_is(const struct model *model, uint32_t compile, const char *name, const char *wanted) {
    AUTO_BUF value = {0};
    bool same = compile_setting(&value, model, compile, name) && slice_is(buf_slice(&value), wanted);
    return same;
}

static bool is_setting_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
}

/* Whether a graph was compiled with a different value, as with torch.compile(options=). */
static bool was_set_otherwise(const struct model *model, enum config_kind kind, struct slice name, struct slice value) {
    for (size_t i = 0; model->set_settings && i < model->set_settings->list.count; i++) {
        const struct set_setting *set = &model->set_settings->list.items[i];
        if (set->kind == kind && slice_eq(set->name, name) && !slice_eq(set->value, value))
            return true;
    }
    return false;
}

bool setting_is(const struct model *model, enum config_kind kind, struct slice key, struct slice value) {
    size_t known = 0;
    for (size_t i = 0; i < model->configs.count; i++) {
        const struct config *config = &model->configs.items[i];
        size_t at = config->kind == kind ? slice_find(config->json, key) : SIZE_MAX;
        if (at == SIZE_MAX)
            continue;
        struct slice set = slice_trim(slice_from(config->json, at + key.len));
        if (!slice_starts(set, value) || (set.len > value.len && is_setting_char(set.ptr[value.len])))
            return false;
        known++;
    }
    return known > 0 && !was_set_otherwise(model, kind, slice_make(key.ptr + 1, key.len - 3), value);
}

bool has_cpp_wrapper(const struct model *model) {
    static const struct slice key = SLICE_INIT("\"cpp_wrapper\":");
    return setting_is(model, CONFIG_INDUCTOR, key, SLICE("true")) ||
           was_set_otherwise(model, CONFIG_INDUCTOR, slice_make(key.ptr + 1, key.len - 3), SLICE("false"));
}
