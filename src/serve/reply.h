/* reply.h - responds to one request.
 *
 * Serves GET and HEAD for files of the report or of a site. Refuses everything else with a line of text. There are no
 * directory listings. Headers tell browsers not to guess types, not to give responses to pages of other sites
 * (Cross-Origin-Resource-Policy: otherwise, any page could include data/report.js as a script), and to revalidate
 * cached copies.
 *
 * Runs on the thread of the event loop. */
#pragma once

#include "serve/host.h"
#include "serve/site.h"

struct evhttp_request;
struct deadlines;
struct listeners;

/* Data that all responses of a server share. Valid while the server runs. */
struct reply_context {
    struct static_root root;     /* unless there is a site */
    const struct site *site;     /* NULL: none */
    struct listeners *listeners; /* of a site */
    struct deadlines *deadlines;
    struct host_rule hosts;
    const char *url; /* address of the report, for the response to a request with another host name */
};

/* An evhttp callback. context is a struct reply_context. */
void reply_send(struct evhttp_request *request, void *context);
