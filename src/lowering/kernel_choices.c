#include "lowering/stages.h"

#include "lowering/kernels.h"

void kernel_choices_note(struct model *model, uint32_t compile, yyjson_val *event) {
    const struct slice tail = SLICE("_template_autotuning");
    struct slice name = json_get_text(event, "name");
    yyjson_val *args = json_get(event, "args"), *stats = NULL;
    struct slice text = json_get_text(args, "autotune_choices_stats");
    AUTO_ARENA arena = {0};
    uint64_t candidates, triton;
    double ms;
    if (!text.len || !slice_ends(name, tail) || !slice_is(json_get_text(event, "ph"), "E"))
        return;
    bool read = json_read(&text, JSON_NUMBERS, &arena, &stats) != JSON_BAD;
    struct slice winner = json_get_text(stats, "best_kernel");
    struct kernels *kernels = kernels_in(model);
    if (read && winner.len && kernels->choices.count < KERNEL_CHOICES_MAX &&
        json_to_u64(json_get(stats, "num_choices"), &candidates) &&
        json_to_u64(json_get(stats, "num_triton_choices"), &triton)) {
        bool timed = json_to_double(json_get(stats, "best_time"), &ms) && ms >= 0 && ms < 1e9;
        ARENA_ADD(&model->arena, &kernels->choices,
                  (struct kernel_choice){
                      .compile = compile,
                      .operation = kernels_keep(model, slice_first(name, name.len - tail.len)),
                      .shape = kernels_keep(model, json_get_text(args, "autotune_shape")),
                      .winner = kernels_keep(model, winner),
                      .config = kernels_keep(model, json_get_text(stats, "best_kernel_desc")),
                      .candidates = candidates,
                      .triton = triton,
                      .time_ns = timed ? (int64_t)(ms * 1e6 + 0.5) : -1,
                  });
    }
}

/* "tl.float32" for "'tl.float32'" */
static struct slice unquoted(struct slice text) {
    const struct slice quote = SLICE("'");
    return slice_starts(text, quote) && slice_ends(text, quote) && text.len > 1
             ? slice_first(slice_from(text, 1), text.len - 2)
             : text;
}

/* The value of "name" in "name=value, …"; ptr NULL: none. */
static struct slice value_of(struct slice config, struct slice name) {
    struct slice item;
    while (kernel_next_item(&config, &item))
        if (slice_starts(item, name) && item.len > name.len && item.ptr[name.len] == '=')
            return slice_from(item, name.len + 1);
    return (struct slice){0};
}

/* Whether the kernel has each value of the configuration. */
static bool has_config(const struct scanned_kernel *kernel, struct slice config) {
    struct slice item;
    if (!config.len)
        return false;
    while (kernel_next_item(&config, &item)) {
        size_t is = slice_find(item, SLICE("="));
        if (is == SIZE_MAX ||
            !slice_eq(value_of(kernel->config, slice_first(item, is)), unquoted(slice_from(item, is + 1))))
            return false;
    }
    return true;
}

/* The function of a library call: "bias_addmm" for "extern_kernels.bias_addmm". */
static struct slice function_of(struct slice name) {
    const struct slice head = SLICE("extern_kernels.");
    return slice_starts(name, head) ? slice_from(name, head.len) : (struct slice){0};
}

static bool is_result(const struct kernel_choice *choice, const struct scanned_kernel *kernel) {
    return kernel->kind == KERNEL_TRITON ? has_config(kernel, choice->config)
         : kernel->kind == KERNEL_EXTERN ? slice_eq(function_of(kernel->name), choice->winner)
                                         : false;
}

/* The only choice of the compile that can have resulted in the kernel; UINT32_MAX: unknown. */
static uint32_t find(const struct kernels *kernels, uint32_t compile, const struct kernel_scan *scan,
                     const struct scanned_kernel *kernel) {
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; kernel->kind == KERNEL_EXTERN && i < scan->count; i++)
        if (&scan->items[i] != kernel && slice_eq(scan->items[i].name, kernel->name))
            return UINT32_MAX; /* another call may be the chosen one */
    for (uint32_t i = 0; i < kernels->choices.count; i++) {
        const struct kernel_choice *choice = &kernels->choices.items[i];
        if (choice->compile != compile || !is_result(choice, kernel))
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

void kernel_choices_take(struct model *model, uint32_t folder, const struct kernel_scan *scan) {
    struct kernels *kernels = model->kernels;
    if (!kernels || !kernels->choices.count)
        return;
    uint32_t compile = model->folders.items[folder].compile, latest = kernels_of_folder(model, folder)->latest;
    for (uint32_t i = 0; i < scan->count; i++) {
        uint32_t choice = find(kernels, compile, scan, &scan->items[i]);
        struct kernel *kernel = choice == UINT32_MAX ? NULL : kernel_find(kernels, latest, scan->items[i].name);
        if (kernel)
            kernel->choice = choice;
    }
}
