/* site.h - what a server answers if it serves more than the files of one folder: pages made on request, files of several folders, and a
 * stream of events.
 *
 * The server checks the host, the method and the path before it asks. Called on the thread of the event loop. */
#pragma once

#include "serve/static_file.h"

enum site_kind {
    SITE_NOWHERE, /* 404 */
    SITE_BODY,    /* a text that was made for this request */
    SITE_FILE,    /* a path of a folder */
    SITE_FOLDER,  /* a folder, requested without its '/': redirects */
    SITE_EVENTS,  /* server-sent events: the stream of server_send_event(), after the body */
};

struct site_answer {
    enum site_kind kind;
    struct buf body;          /* SITE_BODY; SITE_EVENTS: the events that a new listener gets. The server frees it */
    unsigned refresh_s;       /* SITE_BODY: browsers load it again after this time; 0: never */
    const char *type;         /* of the body: for Content-Type */
    struct static_root *root; /* SITE_FILE; lives as long as the site */
    struct slice path;        /* SITE_FILE: the path in the root, which may be a part of the request's path */
};

struct site {
    void *context;
    /* path is that of a target (target.h); folder: it ended with a '/', or is empty. *answer is SITE_NOWHERE at the call. */
    void (*find)(void *context, struct slice path, bool folder, struct site_answer *answer);
};
