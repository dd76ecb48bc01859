#include "cmd/serve_command.h"

#include "cmd/browser.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/report_site.h"
#include "serve/server.h"

static void warn_of_others(const char *url, const char *what) {
    AUTO_BUF line = {0};
    buf_addf(&line, "warning: anyone who can reach this machine can read %s at %s", what, url);
    buf_add_byte(&line, '\0');
    messages_print(stderr, line.ptr);
}

static bool say_place(const char *what, const char *url, struct err *err) {
    AUTO_BUF text = {0};
    buf_add_lit(&text, "Serving ");
    printable_add(&text, slice_str(what), SIZE_MAX);
    buf_addf(&text, " at %s\nPress Ctrl+C to stop\n", url);
    bool ok = fwrite(text.ptr, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    return ok || err_errno(err, "cannot write to standard output");
}

/* Prints where `what` is served. */
static bool serve_announce(const struct server *server, const char *what, struct err *err) {
    if (server_url_for_others(server))
        warn_of_others(server_url_for_others(server), "the report");
    return say_place(what, server_url(server), err);
}

bool serve_is_possible(bool command, const struct options *options, struct err *err) {
    if (server_is_built() || !(command || options->serve))
        return true;
    return err_set(err, ERR_USAGE, "%s needs a server, and this tlparse was built without one",
                   command ? "serve" : "--serve") ||
           err_hint(err, "open index.html of the report in a browser, or build tlparse with -Dserve=enabled");
}

static struct server_options server_options_of(const struct options *options) {
    return (struct server_options){.host = options->host,
                                   .has_port = options->port.given,
                                   .port = (uint16_t)options->port.value};
}

bool serve_report(const struct options *options, struct err *err) {
    const struct server_options how = server_options_of(options);
    struct server *server = server_create(options->out, &how, err);
    if (!server)
        return false;
    bool ok = serve_announce(server, options->out, err) && server_run(server, err);
    server_destroy(server);
    return ok;
}

static bool serve_site(const struct options *options, const char *const *paths, size_t count, struct report_site *site,
                       struct err *err) {
    struct server_options how = server_options_of(options);
    bool direct = count == 1 && site->places.items[0].report;
    char *what = count == 1 ? mem_strdup(paths[0]) : mem_printf("%zu paths", count);
    how.site = direct ? NULL : &site->site;
    struct server *server = server_create(direct ? paths[0] : NULL, &how, err);
    bool ok = server != NULL;
    if (ok && server_url_for_others(server))
        warn_of_others(server_url_for_others(server), direct ? "the report" : "the reports");
    ok = ok && say_place(what, server_url(server), err);
    if (ok && !options->no_browser && browser_is_there())
        browser_open_url(server_url(server));
    ok = ok && server_run(server, err);
    server_destroy(server);
    mem_free(what);
    return ok;
}

bool serve_run(const struct options *options, struct err *err) {
    const char *standard[] = {options->out};
    const char *const *paths = options->paths.count ? options->paths.items : standard;
    size_t count = options->paths.count ? options->paths.count : 1;
    struct report_site site;
    bool ok = report_site_open(&site, paths, count, err) && serve_site(options, paths, count, &site, err);
    report_site_finish(&site);
    return ok;
}
