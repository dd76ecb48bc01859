/* host.h - under which names the server answers.
 *
 * A page of another site can point a name of its own at this machine and then read what is served here as if it were
 * its own (DNS rebinding). It cannot choose the Host header, so a name that is not ours is refused. An address is no
 * name: a server that listens on all interfaces takes any.
 *
 * Pure; any thread. */
#ifndef TLPARSE_SERVE_HOST_H
#define TLPARSE_SERVE_HOST_H

#include "base/slice.h"

struct host_rule {
    uint16_t port;
    struct slice given;   /* what the user asked to listen on, as it stands in a URL; may be empty */
    struct slice machine; /* the name of this machine, where that is ours too; else empty */
    bool any_address;     /* "192.168.1.7", "[fd00::7]" */
};

/* `authority` is "name:port" or "name", which means port 80. 127.0.0.1, localhost and [::1] are always ours. */
bool host_is_ours(const struct host_rule *rule, struct slice authority);

#endif
