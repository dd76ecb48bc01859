/* reply.h - the answer to one request.
 *
 * GET and HEAD of files of the report; everything else is refused with a line of text. An answer never shows what a
 * folder holds. Answers tell browsers to keep them to themselves: not to guess types, not to hand them to pages of
 * other sites (Cross-Origin-Resource-Policy: data/report.js is a script that any page could include otherwise), and to
 * ask again before they use a stored copy.
 *
 * The thread of the event loop. */
#ifndef TLPARSE_SERVE_REPLY_H
#define TLPARSE_SERVE_REPLY_H

#include "serve/host.h"
#include "serve/static_file.h"

struct evhttp_request;

/* What all answers of a server have in common; alive as long as it runs. */
struct reply_context {
    struct static_root root;
    struct host_rule hosts;
    const char *url; /* of the report, to be told to who used another name */
};

/* An evhttp callback; context is a struct reply_context. */
void reply_send(struct evhttp_request *request, void *context);

#endif
