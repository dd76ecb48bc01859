/* The server of a build without libevent (-Dserve=disabled). The command line refuses calls that need a server before
 * any work is done. */
#include "serve/server.h"

bool server_is_built(void) {
    return false;
}

struct server *server_create(const char *folder, const struct server_options *options, struct err *err) {
    (void)folder, (void)options;
    err_set(err, ERR_SYSTEM, "this tlparse was built without a server");
    return NULL;
}

void server_destroy(struct server *server) {
    (void)server;
}

const char *server_url(const struct server *server) {
    (void)server;
    return "";
}

const char *server_url_for_others(const struct server *server) {
    (void)server;
    return NULL;
}

void server_send_event(struct server *server, struct slice event) {
    (void)server, (void)event;
}

bool server_run(struct server *server, struct err *err) {
    (void)server, (void)err;
    return false;
}
