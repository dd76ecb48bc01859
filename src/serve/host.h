/* host.h - the host names that the server answers for.
 *
 * A page of another site can resolve its own name to this machine, and then read the served files as same-origin
 * content (DNS rebinding). It cannot choose the Host header, so requests for other names are refused. An address is not
 * a name, so a server that listens on all interfaces accepts any address.
 *
 * Pure; any thread. */
#pragma once

#include "base/base.h"

struct host_rule {
    uint16_t port;
    struct slice given;   /* the host that the user asked to listen on, in URL form; may be empty */
    struct slice machine; /* the name of this machine if it is accepted; otherwise empty */
    bool any_address;     /* accept any address, such as "192.168.1.7" or "[fd00::7]" */
};

/* `authority` is "name:port" or "name", which means port 80. 127.0.0.1, localhost and [::1] are always accepted. */
bool host_is_ours(const struct host_rule *rule, struct slice authority);
