/* live.h - tlparse follow --serve: the report on growing logs, over HTTP.
 *
 * Pages get server-sent events at "live.events" beside each index.html: which report is in place, and whether the logs
 * grow (web/src/live). Until the first report exists, the address shows a page that waits for it. */
#pragma once

#include "base/base.h"

struct options;
struct follower;

struct live_request {
    const struct options *options;
    const char *path; /* what is followed */
    struct follower *follower;
    void *context;
    /* Reads new records. *more: there is more to read; *end: it is time to end. */
    bool (*step)(void *context, bool *more, bool *end, struct err *err);
};

/* Calls step() repeatedly until it sets *end, or until SIGINT or SIGTERM. Prints the address on stderr. */
bool live_serve(const struct live_request *request, struct err *err);
