#include "cmd/serve.h"
#include "base/printable.h"

#include <stdio.h>

#include "cmd/messages.h"
#include "cmd/options.h"
#include "serve/server.h"

static void warn_of_others(const char *url) {
    struct buf line = {0};
    buf_addf(&line, "warning: anyone who can reach this machine can read the report at %s", url);
    buf_add_byte(&line, '\0');
    messages_print(stderr, line.ptr);
    buf_free(&line);
}

static bool say_place(const char *folder, const char *url, struct err *err) {
    struct buf text = {0};
    buf_add_lit(&text, "Serving ");
    printable_add(&text, slice_str(folder), SIZE_MAX);
    buf_addf(&text, " at %s\nPress Ctrl+C to stop\n", url);
    bool ok = fwrite(text.ptr, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    buf_free(&text);
    return ok || err_errno(err, "cannot write to standard output");
}

bool serve_report(const struct options *options, struct err *err) {
    const struct server_options how = {.host = options->host,
                                       .has_port = options->port.given,
                                       .port = (uint16_t)options->port.value};
    struct server *server = server_create(options->out, &how, err);
    if (!server)
        return false;
    if (server_url_for_others(server))
        warn_of_others(server_url_for_others(server));
    bool ok = say_place(options->out, server_url(server), err) && server_run(server, err);
    server_destroy(server);
    return ok;
}
