#include "model/kept_checks.h"

/* How many items of a list fit. */
static size_t fitting(struct model *model, size_t count) {
    size_t left = KEPT_CHECKS_MAX - model->kept_checks;
    size_t taken = count < left ? count : left;
    model->kept_checks += (uint32_t)taken;
    return taken;
}

void kept_checks_set(struct model *model, struct compile *compile, const struct guard_checks *checks) {
    struct guard_checks *copy = arena_zalloc(&model->arena, sizeof *copy);
    *copy = *checks;
    copy->kinds.count = fitting(model, checks->kinds.count);
    copy->kinds.items = ARENA_COPY(&model->arena, checks->kinds.items, copy->kinds.count);
    for (size_t i = 0; i < checks->kinds.count; i++)
        if (i < copy->kinds.count)
            copy->kinds.items[i].kind = model_copy(model, checks->kinds.items[i].kind);
        else
            copy->more_kinds += checks->kinds.items[i].checks;
    copy->modules.count = fitting(model, checks->modules.count);
    copy->modules.items = ARENA_COPY(&model->arena, checks->modules.items, copy->modules.count);
    for (size_t i = 0; i < checks->modules.count; i++) {
        const struct check_module *module = &checks->modules.items[i];
        if (i < copy->modules.count)
            copy->modules.items[i] =
                (struct check_module){model_copy(model, slice_first(module->source, CHECK_TEXT_MAX)),
                                      model_copy(model, slice_first(module->type, CHECK_TEXT_MAX)), module->checks};
        else
            copy->more_modules += module->checks;
    }
    copy->lines.count = fitting(model, checks->lines.count);
    copy->lines.items = ARENA_COPY(&model->arena, checks->lines.items, copy->lines.count);
    for (size_t i = 0; i < checks->lines.count; i++) {
        const struct check_line *line = &checks->lines.items[i];
        if (i < copy->lines.count)
            copy->lines.items[i] = (struct check_line){model_copy(model, slice_first(line->file, CHECK_TEXT_MAX)),
                                                       model_copy(model, slice_first(line->code, CHECK_TEXT_MAX)),
                                                       line->line, line->checks};
        else
            copy->more_lines += line->checks;
    }
    compile->checks = copy;
}
