/* runs/secret: what must not be kept of arguments and variables, and what must. */
#define _GNU_SOURCE
#include "support.h"

#include "runs/secret.h"

static void names(void **state) {
    static const char *const secret[] = {"HF_TOKEN", "--api-key", "AWS_SECRET_ACCESS_KEY", "WANDB_API_KEY", "password",
                                         "DB_PASS",  "--auth",    "githubToken",           "APIKEY",        "Cookie"};
    static const char *const plain[] =
        {"--max-tokens",           "--tokenizer", "TORCH_LOGS", "KEYBOARD", "--compass", "monkey", "--author", "",
         "TORCHINDUCTOR_CACHE_DIR"};
    (void)state;
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        if (!secret_is_name(slice_str(secret[i])))
            fail_msg("%s", secret[i]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (secret_is_name(slice_str(plain[i])))
            fail_msg("%s", plain[i]);
}

static void values(void **state) {
    static const char *const secret[] = {"hf_abc",
                                         "ghp_abc",
                                         "sk-abc",
                                         "https://me:pw@host/x",
                                         "see s3://k:s@b",
                                         "Bearer x",
                                         "https://b/x?X-Amz-Signature=1",
                                         "-----BEGIN RSA PRIVATE KEY-----"};
    static const char *const plain[] =
        {"https://host/me@there", "me@host", "s3://bucket/a", "skip", "", "://", "task-1"};
    (void)state;
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        if (!secret_is_value(slice_str(secret[i])))
            fail_msg("%s", secret[i]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (secret_is_value(slice_str(plain[i])))
            fail_msg("%s", plain[i]);
}

static void arguments(void **state) {
    static const char *const cases[][3] = {
        {"--token=abc", "", "--token=***"},
        {"abc", "--token", "***"},
        {"--lr", "--token", "--lr"},
        {"abc", "--token=x", "abc"},
        {"PASSWORD=abc", "", "PASSWORD=***"},
        {"--url=s3://a:b@c", "", "--url=***"},
        {"https://a:b@c", "", "***"},
        {"--max-tokens=5", "", "--max-tokens=5"},
        {"token", "", "token"},
        {"", "--token", "***"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = {0};
        secret_add_argument(&out, slice_str(cases[i][0]), slice_str(cases[i][1]));
        assert_slice(buf_slice(&out), cases[i][2]);
        buf_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(values), cmocka_unit_test(arguments)};
    return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
