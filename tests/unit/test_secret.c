/* runs/secret: what must not be kept of arguments and variables, and what must. */
#define _GNU_SOURCE
#include "support.h"

#include <time.h>

#include "base/mem.h"
#include "runs/secret.h"

/* Nothing with this text is left. */
#define S "S3cr3t/x+Q"

enum { WORDS_MAX = 8, LONG_BYTES = 1 << 17, LONG_S = 20 };

/* The arguments of a command, one a line, without its secrets. */
static void redact(struct buf *out, const char *const *command) {
    struct secret_command reading = {0};
    out->len = 0;
    for (size_t i = 0; command[i]; i++) {
        buf_add_str(out, i ? "\n" : "");
        secret_add_argument(&reading, out, slice_str(command[i]));
    }
}

static void becomes(const char *const *command, const char *expected) {
    struct buf out = {0};
    redact(&out, command);
    assert_slice(buf_slice(&out), expected);
    buf_free(&out);
}

#define BECOME(...)                                                                                                    \
    static const struct { const char *command[WORDS_MAX], *expected; } cases[] = {__VA_ARGS__};                        \
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                                          \
    becomes(cases[i].command, cases[i].expected)

static void arguments(void **state) {
    (void)state;
    BECOME({{"--token=abc"}, "--token=***"}, {{"--token", "abc", "--lr", "3"}, "--token\n***\n--lr\n3"},
           {{"--token", "--lr"}, "--token\n--lr"}, {{"--token=x", "abc"}, "--token=***\nabc"},
           {{"PASSWORD=a b&c"}, "PASSWORD=***"}, {{"--url=s3://a:b@c"}, "--url=s3://***@c"},
           {{"https://a:b@c/d"}, "https://***@c/d"}, {{"--max-tokens=5"}, "--max-tokens=5"}, {{"token"}, "token"},
           {{"--token", ""}, "--token\n"}, {{"--token=", "x.py"}, "--token=\nx.py"},
           {{"set", "api_key", S}, "set\napi_key\n***"},
           {{"--api-keys", S, S, "-x", "y"}, "--api-keys\n***\n***\n-x\ny"},
           {{"model.api_key=" S}, "model.api_key=***"}, {{"+hub.token=" S}, "+hub.token=***"},
           {{"++hub.token='" S "'"}, "++hub.token='***'"},
           {{"-H", "Authorization:", "Bearer", S, "x"}, "-H\nAuthorization:\n***\n***\nx"},
           {{"-H", "Authorization: Bearer " S}, "-H\nAuthorization: ***"}, {{"--env=TOKEN=a " S}, "--env=TOKEN=***"},
           {{"-DTOKEN=" S}, "-DTOKEN=***"}, {{"curl", "-u", "me:" S "", "x"}, "curl\n-u\n***\nx"});
}

static void command_lines(void **state) {
    (void)state;
    BECOME({{"bash", "-c", "python t.py --api-key=" S " --lr 3"}, "bash\n-c\npython t.py --api-key=*** --lr 3"},
           {{"bash", "-lc", "HF_TOKEN=" S " python t.py --token " S " -x"},
            "bash\n-lc\nHF_TOKEN=*** python t.py --token *** -x"},
           {{"-c", "curl -H \"Authorization: Bearer " S "\" https://h"},
            "-c\ncurl -H \"Authorization: ***\" https://h"},
           {{"-c", "sh -c \"curl -H \\\"X-Api-Key: " S "\\\" h\" y"},
            "-c\nsh -c \"curl -H \\\"X-Api-Key: ***\\\" h\" y"},
           {{"-c", "sh -c 'x --token=\"a " S "\"' y"}, "-c\nsh -c 'x --token=\"***\"' y"},
           {{"-c", "TOKEN=a\\ " S " x"}, "-c\nTOKEN=*** x"}, {{"-c", "TOKEN='it'\\''s " S "' x"}, "-c\nTOKEN=*** x"},
           {{"-c", "it's x TOKEN='" S "'"}, "-c\nit's x TOKEN='***'"},
           {{"-c", "x --token \\\n  " S}, "-c\nx --token \\\n  ***"},
           {{"-c", "echo $(x --token=" S ") y"}, "-c\necho $(x --token=***) y"},
           {{"-c", "setenv HF_TOKEN " S "; x"}, "-c\nsetenv HF_TOKEN ***; x"},
           {{"-c", "TOKEN=" S "&& x"}, "-c\nTOKEN=***&& x"}, {{"-c", "TOKEN= python x.py"}, "-c\nTOKEN= python x.py"},
           {{"-c", "curl -u me:" S "; -u 1:2 -u"}, "-c\ncurl -u ***; -u 1:2 -u"},
           {{"-c", "os.environ['HF_TOKEN'] = '" S "'; print(1)"}, "-c\nos.environ['HF_TOKEN'] = '***'; print(1)"},
           {{"-c", "login(token=\"" S "\", lr=3)"}, "-c\nlogin(token=\"***\", lr=3)"},
           {{"-c", "setdefault(\"HF_TOKEN\", \"" S "\")"}, "-c\nsetdefault(\"HF_TOKEN\", \"***\")"});
}

static void data(void **state) {
    (void)state;
    BECOME({{"{\"api_key\": \"" S "\"}"}, "{\"api_key\": \"***\"}"},
           {{"{\"api_key\":\"a\\\"" S "\",\"lr\":1}"}, "{\"api_key\":\"***\",\"lr\":1}"},
           {{"{'api_key': '" S "', 'b': 1}"}, "{'api_key': '***', 'b': 1}"},
           {{"{lr:1,api_key:" S ",b:1}"}, "{lr:1,api_key:***,b:1}"},
           {{"{\"a\": 1, \"token\": 123456789, \"b\": 2}"}, "{\"a\": 1, \"token\": ***, \"b\": 2}"},
           {{"{\"api_keys\": [\"" S "\", \"" S "\"], \"b\": 2}"}, "{\"api_keys\": ***, \"b\": 2}"},
           {{"{\"auth\": {\"pass\": \"" S "\"}, \"b\": 2}"}, "{\"auth\": ***, \"b\": 2}"},
           {{"{\n\"token\":\n\"" S "\",\n\"b\": 2}"}, "{\n\"token\":\n\"***\",\n\"b\": 2}"},
           {{"[\"--token\", \"" S "\"]"}, "[\"--token\", \"***\"]"},
           {{"'{\\\"token\\\": \\\"" S "\\\"}'"}, "'{\\\"token\\\": \\\"***\\\"}'"},
           {{"a: 1\npassword: a " S "\nlr: 3"}, "a: 1\npassword: ***\nlr: 3"},
           {{"a: 1\npassword: |\n  " S "\n  " S "\nlr: 3"}, "a: 1\npassword: ***\nlr: 3"},
           {{"a: 1\npassword:\n  " S "\nlr: 3"}, "a: 1\npassword:***\nlr: 3"},
           {{"[a]\npassword = a " S "\nb = 1"}, "[a]\npassword = ***\nb = 1"},
           {{"a:\n- --token\n- " S "\n- b"}, "a:\n- --token\n- ***\n- b"},
           {{"<token>" S "</token>"}, "<token>***</token>"},
           {{"https://h/x?a=1&token=" S "&b=2"}, "https://h/x?a=1&token=***&b=2"},
           {{"https://h/x?X-Amz-Signature=" S}, "https://h/x?X-Amz-Signature=***"},
           {{"https://h/x?se=1&sig=" S}, "https://h/x?se=1&sig=***"},
           {{"to=https%3A%2F%2Fh%3Fa%3D1%26token%3D" S}, "to=https%3A%2F%2Fh%3Fa%3D1%26token%3D***"});
}

static void shapes(void **state) {
    (void)state;
    BECOME({{"nvapi-Ab3"}, "***"}, {{"use hf_abcdef now"}, "use *** now"}, {{"sk-abc"}, "***"},
           {{"x:ghp_abc,y"}, "x:***,y"}, {{"AKIAIOSFODNN7"}, "***"}, {{"a/AKIAIOSFODNN7/b"}, "a/***"},
           {{"-tghp_0123456789abcdef"}, "-t***"}, {{"eyJhbGciOiJI.eyJzdWIi.c2ln x"}, "*** x"},
           {{"ftp://u:pa/" S "@h/x"}, "ftp://***@h/x"},
           {{"me:"
             "pw@host:80"},
            "***@host:80"},
           {{"see s3://k:s@b."}, "see s3://***@b."}, {{"https://tok@github.com/a"}, "https://***@github.com/a"},
           {{"https://hooks.slack.com/services/T/" S}, "https://hooks.slack.com/services/***"},
           {{"x Bearer abc y"}, "x Bearer *** y"}, {{"Basic dXNlcjpwYXNz"}, "Basic ***"},
           {{"a -----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY----- b"}, "a *** b"},
           {{"-----BEGIN PRIVATE KEY-----\nx"}, "***"});
}

static void names(void **state) {
    static const char *const secret[] = {"HF_TOKEN",
                                         "--api-key",
                                         "AWS_SECRET_ACCESS_KEY",
                                         "aws_access_key_id",
                                         "password",
                                         "DB_PASS",
                                         "--auth",
                                         "githubToken",
                                         "APIKEY",
                                         "Cookie",
                                         "secretKey",
                                         "accessKey",
                                         "ToKeN",
                                         "Api_Key",
                                         "TOKEN_OPENAI",
                                         "api_key_2",
                                         "pass_word",
                                         "client-secret",
                                         "X-Amz-Security-Token",
                                         "webhook_url",
                                         "AccountKey",
                                         "toke\u200bn",
                                         "t\u043eken",
                                         "\uff54oken",
                                         "--api\u2011key",
                                         "\U0001d42d\U0001d428\U0001d424\U0001d41e\U0001d427"};
    static const char *const plain[] = {"--max-tokens",
                                        "--tokenizer",
                                        "TORCH_LOGS",
                                        "KEYBOARD",
                                        "--compass",
                                        "monkey",
                                        "--author",
                                        "",
                                        "TORCHINDUCTOR_CACHE_DIR",
                                        "--num-key-value-heads",
                                        "--eos-token-id",
                                        "--pad_token",
                                        "--token-type",
                                        "--sort-key",
                                        "--text-key",
                                        "--no-auth",
                                        "--token-file",
                                        "--passthrough",
                                        "secretary",
                                        "\u0442\u043e",
                                        "turkey",
                                        "--key-dim",
                                        "tokenize",
                                        "\xff\xfe"};
    (void)state;
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        if (!secret_is_variable(slice_str(secret[i]), SLICE("abc")))
            fail_msg("%s", secret[i]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (secret_is_variable(slice_str(plain[i]), SLICE("abc")))
            fail_msg("%s", plain[i]);
    assert_false(secret_is_variable(SLICE("--key"), SLICE("8")));
    assert_false(secret_is_variable(SLICE("USE_AUTH_TOKEN"), SLICE("true")));
    assert_true(secret_is_variable(SLICE("TOKEN"), SLICE("12")));
    assert_true(secret_is_variable(SLICE("HTTPS_PROXY"), SLICE("http://user:pass@host")));
    assert_true(secret_is_variable(SLICE("CXX"), SLICE("g++ -DTOKEN=" S)));
    assert_false(secret_is_variable(SLICE("PYTHONPATH"), SLICE("/opt/secret:/opt/keys:/x")));
}

static void looks(void **state) {
    (void)state;
    BECOME({{"--toke\u200bn", S}, "--toke\u200bn\n***"}, {{"\u2014token", S}, "\u2014token\n***"},
           {{"--token\uff1d" S}, "--token\uff1d***"},
           {{"\u201capi_key\u201d: \u201c" S "\u201d"}, "\u201capi_key\u201d: \u201c***\u201d"},
           {{"\u53d8=1", "\xff=\xf0"}, "\u53d8=1\n\xff=\xf0"});
}

static void stays(void **state) {
    static const char *const plain[][WORDS_MAX] = {
        {"--tokenizer", "gpt2"},
        {"--max-tokens", "128"},
        {"--num-key-value-heads", "8"},
        {"--monkey=1"},
        {"author=x"},
        {"keyboard"},
        {"--eos-token-id", "2"},
        {"--pad-token", "<pad>"},
        {"--use-auth-token", "true"},
        {"--no-auth", "train.py"},
        {"--token=", "x.py"},
        {"hf_model", "--backend", "hf_transformers", "sk-learn", "task-1"},
        {"python", "hf_train.py"},
        {"https://host/me@there", "me@host"},
        {"https://host:8080/me@there", "tcp://10.0.0.1:29500", "http://[::1]:80/x@y"},
        {"docker", "-u", "1000:1000", "-v", "/secrets:/secrets"},
        {"nvcr.io/nvidia/pytorch:24.01@sha256:abcd"},
        {"bash", "-c", "python t.py --lr 3 --tokenizer gpt2 && echo done; ls | wc"},
        {"python", "-c", "f = lambda x: x['a']; print(f({'a': 1}))"},
        {"rsync", "-u", "host:/a"},
        {"python", "-u", "t.py"},
        {"git@github.com:a/b.git"},
        {"--key", "8"},
        {"--desc", "Basic training"},
        {"it's", "a \"b\" c", "'x' --y=1"},
        {"--lr", "3", "--token"},
        {"://", "a:b:c", "", "-"},
    };
    struct buf out = {0}, whole = {0};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        whole.len = 0;
        for (size_t k = 0; plain[i][k]; k++)
            buf_addf(&whole, "%s%s", k ? "\n" : "", plain[i][k]);
        redact(&out, plain[i]);
        assert_slices(buf_slice(&out), buf_slice(&whole));
    }
    buf_free(&out);
    buf_free(&whole);
}

/* What could be read again and again: quadratic time would be minutes here. */
static void long_arguments(void **state) {
    static const char *const parts[] = {"-u {",
                                        "-u \"",
                                        "token ",
                                        "token:",
                                        "\"token\":",
                                        "<token>",
                                        "\\",
                                        "\\\"",
                                        "'",
                                        "x://h:y/",
                                        "x://",
                                        "a:b!",
                                        "hf_",
                                        "eyJ",
                                        "sk-a_",
                                        "password: |\n ",
                                        "-----BEGIN PRIVATE KEY ",
                                        "key=1 ",
                                        "key=[",
                                        "Bearer ",
                                        "aB",
                                        "&",
                                        "$(",
                                        "token\t\t",
                                        "\xe2\x80\x8b",
                                        "a@"};
    struct buf text = {0}, out = {0};
    clock_t start = clock();
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (text.len = 0; text.len < LONG_BYTES;)
            buf_add_str(&text, parts[i]);
        struct secret_command reading = {.before = SLICE_INIT("-c")};
        secret_add_argument(&reading, &out, buf_slice(&text));
    }
    assert_true((clock() - start) / CLOCKS_PER_SEC < LONG_S);
    buf_free(&text);
    buf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(arguments), cmocka_unit_test(command_lines),
                                       cmocka_unit_test(data),      cmocka_unit_test(shapes),
                                       cmocka_unit_test(names),     cmocka_unit_test(looks),
                                       cmocka_unit_test(stays),     cmocka_unit_test(long_arguments)};
    return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
