#include "scan/library.h"

static bool is_separator(char c) {
    return c == '/' || c == '\\';
}

/* Takes the next part of a path. */
static bool next_part(struct slice *rest, struct slice *part) {
    size_t end = 0;
    while (rest->len && is_separator(rest->ptr[0]))
        *rest = slice_from(*rest, 1);
    while (end < rest->len && !is_separator(rest->ptr[end]))
        end++;
    *part = slice_first(*rest, end);
    *rest = slice_from(*rest, end);
    return end > 0;
}

/* "python3.11", "python311.zip", "Python311" */
static bool is_python(struct slice part) {
    return part.len > 6 && (part.ptr[0] == 'p' || part.ptr[0] == 'P') &&
           slice_starts(slice_from(part, 1), SLICE("ython")) && is_digit(part.ptr[6]);
}

static bool is_lib(struct slice part) {
    return slice_is(part, "lib") || slice_is(part, "Lib") || slice_is(part, "lib64");
}

/* Whether the code is generated, without a file of the user. Code typed at a prompt or in a notebook belongs to the
 * user, and so does a string that they execute. */
static bool is_generated(struct slice file) {
    static const char *const typed[] = {"<stdin>",  "<string>", "<console>", "<ipython-input",
                                        "<doctest", "<input>",  "<cell"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        if (slice_starts(file, slice_str(typed[i])))
            return false;
    return file.len && file.ptr[0] == '<';
}

bool is_inside_torch(struct slice rest) {
    struct slice part, second;
    if (!next_part(&rest, &part))
        return false;
    if (part.ptr[0] == '_')
        return true;
    return slice_is(part, "nn") && next_part(&rest, &second) &&
           (slice_is(second, "modules") || slice_is(second, "parallel") || slice_is(second, "functional.py"));
}

/* Other modules of PyTorch, if it is not installed in site-packages: with pip's --target, or on PYTHONPATH. Only names
 * that a user's own folder torch/ is unlikely to have. */
static bool is_public_torch(struct slice rest) {
    static const char *const names[] = {
        "amp/autocast_mode.py",
        "amp/grad_scaler.py",
        "autograd/_",
        "autograd/function.py",
        "autograd/grad_mode.py",
        "autograd/graph.py",
        "distributed/_",
        "distributed/algorithms/",
        "distributed/distributed",
        "distributed/fsdp/",
        "distributed/tensor/",
        "distributions/",
        "export/_",
        "func/_",
        "fx/_",
        "fx/graph_module.py",
        "fx/interpreter.py",
        "nn/attention/",
        "nn/utils/parametr",
        "optim/_",
        "optim/adam.py",
        "optim/adamw.py",
        "optim/lr_scheduler",
        "optim/optimizer.py",
        "optim/sgd.py",
        "utils/_",
        "utils/checkpoint.py",
        "utils/data/_utils/",
        "utils/data/dataloader",
        "utils/flop_counter.py",
        "utils/hooks.py",
    };
    rest = slice_from(rest, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(rest, slice_str(names[i])))
            return true;
    return false;
}

bool is_library_file(struct slice file) {
    struct slice rest = file, part, before = {0};
    if (!file.len || is_generated(file))
        return true;
    for (bool first = !is_separator(file.ptr[0]); next_part(&rest, &part); first = false) {
        bool torch = slice_is(part, "torch") && rest.len;
        if (slice_is(part, "site-packages") || slice_is(part, "dist-packages") ||
            slice_starts(part, SLICE("torchinductor_")))
            return true;
        if ((is_python(part) && is_lib(before)) || (is_lib(part) && is_python(before)))
            return rest.len > 0;
        if (torch && (first || slice_is(before, "pytorch") || is_inside_torch(rest) || is_public_torch(rest)))
            return true;
        before = part;
    }
    return false;
}

bool is_lightning_module(struct slice file) {
    return slice_ends(file, SLICE("lightning/pytorch/core/module.py")) ||
           slice_ends(file, SLICE("pytorch_lightning/core/module.py"));
}

bool is_of_python(struct slice file) {
    return slice_find(file, SLICE("/lib/python3.")) != SIZE_MAX && slice_find(file, SLICE("-packages/")) == SIZE_MAX;
}
