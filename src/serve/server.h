/* server.h - serves a report, or a site, over HTTP until the program is told to stop.
 *
 * One thread and one event loop (libevent) serve any number of clients. A slow client costs only an open socket.
 * Resources per client are limited: 16 KiB of headers, and a body of 64 KiB (which is refused anyway). Idle connections
 * are closed. If the process has no file descriptors left, new clients wait until one is free.
 *
 * SIGINT and SIGTERM end server_run(). From server_create() to server_destroy(), they have no other effect. An ignored
 * signal stays ignored. One server at a time, because signals belong to the process.
 *
 * Life cycle: server_create, server_run, server_destroy, all on one thread. */
#pragma once

#include "base/base.h"

struct site;

/* The caller's work while the server runs, on the thread of the event loop. */
struct server_watch {
    void *context;
    int fd; /* tick() is also called when it is readable; -1: none */
    /* Returns the milliseconds to the next call, or -1 to end server_run(). */
    int (*tick)(void *context);
};

struct server_options {
    const char *host; /* address or name to listen on; NULL: 127.0.0.1 */
    bool has_port;    /* otherwise the first free port from 8000 to 8099 */
    uint16_t port;    /* 0: any free port */
    unsigned idle_s;  /* seconds after which an inactive client, or one whose request is not complete, is
                       * disconnected; 0: 60 */
    const struct server_watch *watch; /* NULL: none. Valid until server_destroy() */
    const struct site *site; /* answers requests instead of the folder; NULL: none. Valid until server_destroy() */
};

struct server;

/* Whether this program has a server. Without one (built with -Dserve=disabled), server_create() fails. */
bool server_is_built(void);
/* Starts to listen; server_run() responds. Keeps the pointer to the folder's name, which is NULL if there is a site.
 * Returns NULL with ERR_SYSTEM on failure. */
struct server *server_create(const char *folder, const struct server_options *options, struct err *err);
void server_destroy(struct server *server);
/* "http://127.0.0.1:8000/", for a browser on this machine. Valid until server_destroy(). */
const char *server_url(const struct server *server);
/* The address for other machines, or NULL if they cannot reach the report. Valid until server_destroy(). */
const char *server_url_for_others(const struct server *server);
/* Sends an event ("event: …\ndata: …\n\n", or a comment) to all clients that asked for SITE_EVENTS. */
void server_send_event(struct server *server, struct slice event);
/* Returns true after SIGINT or SIGTERM, even if the signal came before the call. */
bool server_run(struct server *server, struct err *err);
