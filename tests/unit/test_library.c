/* scan/library: whether a file is the user's. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/library.h"

static void detects_libraries(void **state) {
    static const char *const libraries[] = {
        "/usr/lib/python3/dist-packages/numpy/a.py",
        "/home/x/venv/lib/python3.11/site-packages/torch/nn/modules/module.py",
        "/tmp/venv/lib/python3.11/site-packages/tinylib/__init__.py",
        "C:\\Users\\x\\env\\Lib\\site-packages\\pkg\\a.py",
        "/usr/lib/python3.11/contextlib.py",
        "/usr/local/python3.11/lib/python3.11/multiprocessing/spawn.py",
        "/opt/conda/lib/python310.zip/abc.py",
        "C:\\Python311\\Lib\\contextlib.py",
        "/data/users/x/pytorch/torch/_dynamo/convert_frame.py",
        "/data/users/x/pytorch/torch/optim/adam.py",
        "/src/fork/torch/nn/modules/linear.py",
        "/opt/packages/torch/optim/optimizer.py",
        "/opt/packages/torch/distributions/kl.py",
        "/opt/packages/torch/nn/attention/flex_attention.py",
        "/opt/packages/torch/utils/_pytree.py",
        "/opt/packages/torch/utils/checkpoint.py",
        "/opt/packages/torch/optim/adamw.py",
        "/opt/packages/torch/distributed/distributed_c10d.py",
        "torch/_dynamo/eval_frame.py",
        "torch/optim/adam.py",
        "<frozen importlib._bootstrap>",
        "<eval_with_key>.7",
        "<frozen importlib._bootstrap_external>",
        "<attrs generated init __main__.Point>",
        "<__array_function__ internals>",
        "/tmp/torchinductor_x/ab/cabc.py",
        "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (!is_library_file(slice_str(libraries[i])))
            fail_msg("%s is the user's", libraries[i]);
}

static void detects_user_code(void **state) {
    static const char *const own[] = {
        "/home/x/torch/nn/train.py", /* a folder with that name */
        "/home/x/torch/utils/data.py",
        "/home/x/torch/utils/checkpoints.py",
        "/home/x/torch/nn/attention.py",
        "/home/x/torch/fx/trade.py",
        "/home/x/torch/optim/mine.py",
        "/home/x/torch/distributed/train.py",
        "/home/x/torch/train.py",
        "/data/users/x/pytorch/test/dynamo/test_misc.py",
        "/home/x/venv/src/project/train.py", /* an environment that contains a checkout */
        "/home/x/lib/python/train.py",
        "/home/x/python3.11/train.py",
        "/home/x/pytorch/train.py",
        "project/model.py",
        "train.py",
        "torch",
        "<stdin>",
        "<string>", /* exec() of a string */
        "<ipython-input-3-1a2b>",
        "/tmp/ipykernel_12/34.py",
        "/",
        "(unknown)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (is_library_file(slice_str(own[i])))
            fail_msg("%s is a library's", own[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detects_libraries),
        cmocka_unit_test(detects_user_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
