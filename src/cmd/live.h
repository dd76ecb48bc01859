/* live.h - tlparse follow --serve: the report of logs that grow, over HTTP.
 *
 * Pages get server-sent events at "live.events" beside each index.html: which report is in place and whether the logs grow (web/src/live).
 * Until the first report is made, the address shows a page that waits for it. */
#pragma once

#include "base/base.h"

struct options;
struct follower;

struct live_request {
    const struct options *options;
    const char *path; /* what is followed */
    struct follower *follower;
    void *context;
    /* Reads what is new. *more: there is more; *end: it is time to end. */
    bool (*step)(void *context, bool *more, bool *end, struct err *err);
};

/* Calls step() again and again, until it says so or SIGINT or SIGTERM come. Prints the address on stderr. */
bool live_serve(const struct live_request *request, struct err *err);
