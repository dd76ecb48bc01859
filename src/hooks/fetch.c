#include "hooks/fetch.h"

#include "hooks/hooks.h"
#include "hooks/words.h"

enum { SCHEME_MAX = 64, REST_MAX = 1 };

struct fetch {
    struct child child;
    struct child_request request;
    char **argv;
    char *shown; /* source_shown() of the address */
};

static char *const *command_of(const struct fetcher *fetcher, const char *address, struct err *err) {
    char scheme[SCHEME_MAX + 1];
    size_t len = (size_t)(strstr(address, "://") - address);
    snprintf(scheme, sizeof scheme, "%.*s", (int)(len < SCHEME_MAX ? len : SCHEME_MAX), address);
    char *const *words = config_command_of(&fetcher->config->fetch, scheme);
    if (words)
        return words;
    err_set(err, ERR_INPUT, "cannot open %.*s: no command is configured for %s://", SLICE_ARG(source_shown(address)),
            scheme);
    const char *example = strcmp(scheme, "s3") == 0 ? "\"aws\", \"s3\", \"cp\", \"{url}\", \"-\""
                        : strcmp(scheme, "gs") == 0 ? "\"gcloud\", \"storage\", \"cat\", \"{url}\""
                        : str_after(scheme, "http") ? "\"curl\", \"-sSfL\", \"{url}\""
                                                    : "\"PROGRAM\", \"{url}\"";
    err_hint(err, "add {\"fetch\": {\"%s\": [%s]}} to %s", scheme, example,
             fetcher->config->user.path ? fetcher->config->user.path : "~/.config/tlparse/config.json");
    return NULL;
}

static void *fetch_open(const struct source_remote *remote, const char *address, struct err *err) {
    const struct fetcher *fetcher = (const struct fetcher *)remote;
    struct err why = {0};
    char *const *words = command_of(fetcher, address, err);
    if (!words)
        return NULL;
    struct fetch *fetch = mem_zalloc(1, sizeof *fetch);
    fetch->shown = mem_printf("%.*s", SLICE_ARG(source_shown(address)));
    fetch->argv = words_fill(words, "url", address);
    fetch->request = (struct child_request){.argv = (const char *const *)fetch->argv,
                                            .in = CHILD_NULL,
                                            .out = CHILD_PIPE,
                                            .errs = CHILD_PIPE,
                                            .silence_ms = (int64_t)fetcher->config->timeouts.fetch_ms};
    if (child_start(&fetch->child, &fetch->request, &why))
        return fetch;
    err_set(err, ERR_INPUT, "cannot fetch %s: %s", fetch->shown, why.text);
    words_free(fetch->argv);
    mem_free(fetch->shown);
    mem_free(fetch);
    return NULL;
}

static size_t fetch_read(void *stream, char *to, size_t bytes) {
    struct fetch *fetch = stream;
    return child_read(&fetch->child, to, bytes);
}

static bool fetch_close(void *stream, struct err *err) {
    struct fetch *fetch = stream;
    struct child_end end;
    AUTO_BUF rest = {0};
    if (!err)
        child_signal(&fetch->child, SIGKILL);
    fetch->child.out_max = REST_MAX;
    bool ok = child_finish(&fetch->child, &rest, &end);
    if (!ok && err) {
        char *what = mem_printf("cannot fetch %s", fetch->shown);
        hook_failed(what, fetch->argv[0], &fetch->request, &fetch->child, &end, err);
        mem_free(what);
    }
    buf_free(&fetch->child.said);
    words_free(fetch->argv);
    mem_free(fetch->shown);
    mem_free(fetch);
    return ok;
}

void fetcher_init(struct fetcher *fetcher, const struct user_config *config) {
    *fetcher = (struct fetcher){{fetch_open, fetch_read, fetch_close}, config};
}
