#include "cmd/live.h"

#include <time.h>

#include "base/jsonw.h"
#include "cmd/browser.h"
#include "cmd/live_report.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/report_site.h"
#include "follow/follower.h"
#include "pages/pages.h"
#include "serve/server.h"
#include "serve/site.h"

enum {
    AGAIN_MS = 10,    /* until the next step if there is more to read: clients are served between steps */
    BUSY_MS = 100,    /* while a report is being made, or the logs grow */
    PING_MS = 15000,  /* a client that is gone is noticed only when data is sent */
    STILL_MS = 5000,  /* after this time, pages show that the logs do not grow */
    GROWING_MS = 2000 /* for this time after growth, steps are frequent */
};

static const char events_name[] = "live.events";

struct live {
    const struct live_request *request;
    struct live_report report;
    struct static_root root; /* folder of the report; fd -1: there is no report yet */
    struct site site;
    struct server *server;
    int64_t made_ms, grew_ms; /* wall clock: for people */
    int64_t pinged_ms;
    uint64_t bytes;
    bool still;
    struct err *err;
    bool failed;
};

static int64_t clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void add_state(struct buf *out, const struct live *live) {
    struct jsonw w = {.out = out};
    buf_add_lit(out, "event: state\ndata: ");
    jsonw_object(&w, NULL);
    jsonw_u64(&w, "report", live->report.made);
    jsonw_i64(&w, "made_ms", live->made_ms);
    jsonw_i64(&w, "grew_ms", live->grew_ms);
    jsonw_bool(&w, "still", live->still);
    jsonw_end_object(&w);
    buf_add_lit(out, "\n\n");
}

static void send_state(struct live *live) {
    AUTO_BUF text = {0};
    add_state(&text, live);
    server_send_event(live->server, buf_slice(&text));
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

static void add_waiting(struct site_answer *answer, const struct live *live) {
    AUTO_BUF title = {0};
    buf_addf(&title, "Waiting for records in %s", live->request->path);
    answer->kind = SITE_BODY;
    answer->type = "text/html; charset=utf-8";
    answer->refresh_s = 1;
    waiting_page_add(&answer->body, buf_slice(&title));
}

static void find(void *context, struct slice path, bool folder, struct site_answer *answer) {
    struct live *live = context;
    struct err ignored = {0};
    size_t slash = slice_rfind_byte(path, '/');
    struct slice name = slash == SIZE_MAX ? path : slice_from(path, slash + 1);
    (void)folder;
    if (slice_is(name, events_name)) {
        answer->kind = SITE_EVENTS;
        buf_add_lit(&answer->body, "retry: 2000\n");
        add_state(&answer->body, live);
        return;
    }
    if (live->root.fd < 0 && !(live->report.made && static_root_open(&live->root, live->report.folder, &ignored))) {
        live->root.fd = -1;
        if (!path.len)
            add_waiting(answer, live);
        else
            report_site_add_asset(path, answer);
        return;
    }
    *answer = (struct site_answer){.kind = SITE_FILE, .root = &live->root, .path = path};
}

/* ---- the loop --------------------------------------------------------------------------------------------------- */

/* Sends changes and pings. */
static void send_news(struct live *live, int64_t now_ms, bool new_report) {
    uint64_t bytes = follower_bytes(live->request->follower);
    bool grew = bytes != live->bytes, still = follower_quiet_ms(live->request->follower) >= STILL_MS;
    live->bytes = bytes;
    if (grew)
        live->grew_ms = clock_ms(CLOCK_REALTIME);
    if (new_report)
        live->made_ms = clock_ms(CLOCK_REALTIME);
    if (new_report || still != live->still) {
        live->still = still;
        send_state(live);
        live->pinged_ms = now_ms;
    } else if (now_ms - live->pinged_ms >= PING_MS) {
        server_send_event(live->server, SLICE(":\n\n"));
        live->pinged_ms = now_ms;
    }
}

static int tick(void *context) {
    struct live *live = context;
    const struct follower *follower = live->request->follower;
    bool more = false, end = false, made = false;
    if (!live->request->step(live->request->context, &more, &end, live->err)) {
        live->failed = true;
        return -1;
    }
    const struct live_state state = {clock_ms(CLOCK_MONOTONIC), follower_quiet_ms(follower), follower_bytes(follower)};
    if (!live_report_tick(&live->report, &state, &made, live->err)) {
        live->failed = true;
        return -1;
    }
    send_news(live, state.now_ms, made);
    bool unmade = live->report.child || state.bytes > live->report.made_bytes;
    if (end && !unmade)
        return -1;
    return more ? AGAIN_MS : unmade || state.quiet_ms < GROWING_MS ? BUSY_MS : FOLLOWER_TICK_MS;
}

static void say_place(const struct live *live) {
    const char *others = server_url_for_others(live->server);
    char *text = mem_printf("serving the report at %s", server_url(live->server));
    messages_print(stderr, text);
    mem_free(text);
    if (others) {
        text = mem_printf("warning: anyone who can reach this machine can read the report at %s", others);
        messages_print(stderr, text);
        mem_free(text);
    }
}

bool live_serve(const struct live_request *request, struct err *err) {
    const struct options *options = request->options;
    struct live live = {.request = request, .root = {.fd = -1}, .err = err};
    live.site = (struct site){.context = &live, .find = find};
    live.grew_ms = clock_ms(CLOCK_REALTIME);
    live.pinged_ms = clock_ms(CLOCK_MONOTONIC);
    const struct server_watch watch = {.context = &live, .fd = follower_fd(request->follower), .tick = tick};
    const struct server_options how = {.host = options->host,
                                       .has_port = options->port.given,
                                       .port = (uint16_t)options->port.value,
                                       .site = &live.site,
                                       .watch = &watch};
    live.report.said = -1;
    live.server = server_create(NULL, &how, err); /* from here on, signals end server_run() */
    bool ok = live.server && live_report_init(&live.report, options, err);
    if (ok) {
        say_place(&live);
        if (!options->no_browser && browser_is_there())
            browser_open_url(server_url(live.server));
        ok = server_run(live.server, err) && !live.failed;
    }
    server_destroy(live.server);
    static_root_close(&live.root);
    live_report_finish(&live.report);
    return ok;
}
