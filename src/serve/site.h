/* site.h - the responses of a server that serves more than the files of one folder: pages made on request, files of
 * several folders, and a stream of events.
 *
 * The server checks the host, the method and the path before it calls the site. Called on the thread of the event loop.
 */
#pragma once

#include "serve/static_file.h"

enum site_kind {
    SITE_NOWHERE, /* 404 */
    SITE_BODY,    /* a text made for this request */
    SITE_FILE,    /* a path of a folder */
    SITE_FOLDER,  /* a folder that was requested without its '/': redirects */
    SITE_EVENTS,  /* server-sent events: the body, then the stream of server_send_event() */
};

struct site_answer {
    enum site_kind kind;
    struct buf body;          /* SITE_BODY; SITE_EVENTS: the events for a new listener. The server frees it */
    unsigned refresh_s;       /* SITE_BODY: browsers reload it after this time; 0: never */
    const char *type;         /* Content-Type of the body */
    struct static_root *root; /* SITE_FILE; lives as long as the site */
    struct slice path;        /* SITE_FILE: the path within the root, which may be a part of the request's path */
};

struct site {
    void *context;
    /* path: the path of a target (target.h); folder: it ended with a '/', or is empty. *answer is SITE_NOWHERE before
     * the call. */
    void (*find)(void *context, struct slice path, bool folder, struct site_answer *answer);
};
