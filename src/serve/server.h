/* server.h - the report over HTTP, until the program is told to end.
 *
 * One thread and one event loop (libevent) serve any number of clients: a slow one costs an open socket and nothing
 * else. What a client can make the server hold is bounded: headers of 16 KiB, a body of 64 KiB (it is refused anyway),
 * idle connections are closed; when the process has no file descriptors left, new clients wait until one is free.
 *
 * SIGINT and SIGTERM end server_run(); from server_create() to server_destroy() they do nothing else. One that was set
 * to be ignored stays ignored. One server at a time, for these signals are the process's.
 *
 * Life cycle: server_create, server_run, server_destroy, all by one thread. */
#ifndef TLPARSE_SERVE_SERVER_H
#define TLPARSE_SERVE_SERVER_H

#include "base/err.h"
#include "base/slice.h"

struct server_options {
    const char *host; /* address or name to listen on; NULL: 127.0.0.1 */
    bool has_port;    /* without: the first free one of 8000 to 8099 */
    uint16_t port;    /* 0: any free one */
    unsigned idle_s;  /* after which a client that does nothing is dropped; 0: a minute */
};

struct server;

/* Listens on the place from now on; clients are answered by server_run(). The folder's name is kept, not copied. NULL
 * with ERR_SYSTEM when it cannot. */
struct server *server_create(const char *folder, const struct server_options *options, struct err *err);
void server_destroy(struct server *server);
/* "http://127.0.0.1:8000/", for a browser on this machine. Valid until server_destroy(). */
const char *server_url(const struct server *server);
/* The address that others use, where the report can be reached from other machines; else NULL. As long. */
const char *server_url_for_others(const struct server *server);
/* Returns true when SIGINT or SIGTERM came, also before the call. */
bool server_run(struct server *server, struct err *err);

#endif
