#include "model/set_settings.h"

#include "base/json.h"

/* The text before the name of a setting. */
static const struct {
    struct slice module;
    enum config_kind kind;
} modules[] = {
    {SLICE_INIT("torch._dynamo.config."), CONFIG_DYNAMO},
    {SLICE_INIT("torch._inductor.config."), CONFIG_INDUCTOR},
    {SLICE_INIT("torch._functorch.config."), CONFIG_FUNCTORCH},
    {SLICE_INIT("torch.compiler.config."), CONFIG_COMPILER},
};

static bool is_number(struct slice text) {
    struct slice copy = text;
    AUTO_ARENA arena = {0};
    yyjson_val *root;
    bool number = text.len && (text.ptr[0] == '-' || (text.ptr[0] >= '0' && text.ptr[0] <= '9')) &&
                  json_read(&copy, JSON_NUMBERS_RAW, &arena, &root) != JSON_BAD &&
                  (yyjson_is_num(root) || yyjson_is_raw(root));
    return number;
}

bool python_value_add(struct buf *json, struct slice value, bool quoted) {
    static const struct {
        struct slice python, json;
    } words[] = {{SLICE_INIT("True"), SLICE_INIT("true")},
                 {SLICE_INIT("False"), SLICE_INIT("false")},
                 {SLICE_INIT("None"), SLICE_INIT("null")}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_eq(value, words[i].python)) {
            buf_add(json, words[i].json);
            return true;
        }
    if (is_number(value)) {
        buf_add(json, value);
        return true;
    }
    char quote = value.len >= 2 ? value.ptr[0] : 0;
    struct slice inner = quote ? slice_make(value.ptr + 1, value.len - 2) : value;
    bool text = (quote == '\'' || quote == '"') && value.ptr[value.len - 1] == quote &&
                !memchr(inner.ptr, '\\', inner.len) && !memchr(inner.ptr, quote, inner.len);
    bool bare = quote != '(' && quote != '[' && quote != '{' && quote != '<';
    json_add_string(json, quoted && text ? inner : value);
    return quoted ? text : bare;
}

/* Settings that PyTorch itself changes while it compiles, whatever the program does: compile_fx() and
 * pattern_matcher.py of 2.15. */
static const struct {
    enum config_kind kind;
    struct slice name, value; /* value.ptr NULL: any */
} usual[] = {
    {CONFIG_INDUCTOR, SLICE_INIT("deterministic"), SLICE_INIT("False")},
    {CONFIG_FUNCTORCH, SLICE_INIT("fake_tensor_allow_unsafe_data_ptr_access"), SLICE_INIT("True")},
    {CONFIG_FUNCTORCH, SLICE_INIT("functionalize_rng_ops"), SLICE_INIT("False")},
    {CONFIG_FUNCTORCH, SLICE_INIT("selective_decompose"), SLICE_INIT("False")},
    {CONFIG_FUNCTORCH, SLICE_INIT("unlift_effect_tokens"), {0}},
};

static bool is_usual(enum config_kind kind, struct slice name, struct slice value) {
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (kind == usual[i].kind && slice_eq(name, usual[i].name) &&
            (!value.ptr || !usual[i].value.ptr || slice_eq(value, usual[i].value)))
            return true;
    return false;
}

bool set_setting_is_usual(enum config_kind kind, struct slice name) {
    return is_usual(kind, name, (struct slice){0});
}

static struct set_settings *settings_of(struct model *model) {
    if (!model->set_settings)
        model->set_settings = arena_zalloc(&model->arena, sizeof *model->set_settings);
    return model->set_settings;
}

static struct slice process_key(const uint64_t *process) {
    return slice_make((const char *)process, sizeof *process);
}

static void add_first_key(struct buf *key, uint64_t process, enum config_kind kind, struct slice name) {
    buf_add(key, process_key(&process));
    buf_addf(key, "%d %.*s", kind, SLICE_ARG(name));
}

uint32_t set_settings_first_without(const struct model *model, uint64_t process, enum config_kind kind,
                                    struct slice name) {
    const struct set_settings *set = model->set_settings;
    uint32_t first = set ? map_get(&set->first, process_key(&process)) : MAP_NONE;
    AUTO_BUF key = {0};
    if (first == MAP_NONE)
        return UINT32_MAX;
    add_first_key(&key, process, kind, name);
    bool is_set = map_get(&set->first_set, buf_slice(&key)) != MAP_NONE;
    return is_set ? UINT32_MAX : first;
}

/* Whether it is the first program of its process. */
static bool is_first(struct model *model, uint32_t compile) {
    uint64_t process = model->compiles.items[compile]->process;
    bool added;
    map_put_in(&model->arena, &settings_of(model)->first, process_key(&process), compile, &added);
    return added;
}

static void note_first(struct model *model, uint32_t compile, enum config_kind kind, struct slice name) {
    AUTO_BUF key = {0};
    bool added;
    add_first_key(&key, model->compiles.items[compile]->process, kind, name);
    map_put_in(&model->arena, &settings_of(model)->first_set, buf_slice(&key), compile, &added);
}

static void note(struct model *model, uint32_t compile, enum config_kind kind, struct slice name, struct slice text) {
    struct set_settings *set = settings_of(model);
    AUTO_BUF value = {0}, key = {0};
    bool added;
    bool simple = python_value_add(&value, text, true);
    buf_addf(&key, "%d %.*s ", kind, SLICE_ARG(name));
    buf_add(&key, buf_slice(&value));
    uint32_t index = map_get(&set->map, buf_slice(&key));
    if (index == MAP_NONE && (set->list.count >= SET_SETTINGS_MAX || text.len > SET_VALUE_MAX)) {
        set->more++;
    } else {
        index = *map_put_in(&model->arena, &set->map, buf_slice(&key), (uint32_t)set->list.count, &added);
        if (added) {
            ARENA_ADD(&model->arena, &set->list,
                      (struct set_setting){.kind = kind,
                                           .name = model_copy(model, name),
                                           .value = model_copy(model, buf_slice(&value)),
                                           .simple = simple});
        }
        struct set_setting *setting = &set->list.items[index];
        if (!setting->users.count || setting->users.items[setting->users.count - 1] != compile)
            ARENA_ADD(&model->arena, &setting->users, compile);
    }
}

/* The program imports the modules whose settings it changes. */
static void note_program(struct model *model, uint32_t compile) {
    struct set_settings *set = settings_of(model);
    if (set->programs.count && set->programs.items[set->programs.count - 1] == compile)
        return;
    ARENA_ADD(&model->arena, &set->programs, compile);
}

void set_settings_note(struct model *model, uint32_t compile, struct slice program) {
    struct slice line;
    bool program_seen = false, first = false;
    /* The settings precede the code, and lines of the code may look like anything. */
    while (slice_next_line(&program, &line) && !slice_starts(line, SLICE("class ")) &&
           !slice_starts(line, SLICE("def ")) && !slice_starts(line, SLICE("@"))) {
        if (slice_is(slice_trim(line), "import torch._inductor.config")) {
            note_program(model, compile);
            first = !program_seen && is_first(model, compile);
            program_seen = true;
        }
        for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
            if (!slice_starts(line, modules[i].module))
                continue;
            struct slice rest = slice_from(line, modules[i].module.len);
            size_t equal = slice_find(rest, SLICE(" = "));
            struct slice name = slice_first(rest, equal), value = {0};
            if (equal != SIZE_MAX && equal)
                value = slice_trim(slice_from(rest, equal + 3));
            if (first && name.len)
                note_first(model, compile, modules[i].kind, name);
            if (value.len && !is_usual(modules[i].kind, name, value))
                note(model, compile, modules[i].kind, name, value);
            break;
        }
    }
}
