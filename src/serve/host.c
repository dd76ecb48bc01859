#include "serve/host.h"

#include <arpa/inet.h>
#include <strings.h>

enum { PORT_OF_HTTP = 80 };

static bool is_same_name(struct slice a, struct slice b) {
    return a.len && a.len == b.len && strncasecmp(a.ptr, b.ptr, a.len) == 0;
}

static bool is_address(struct slice name) {
    char text[INET6_ADDRSTRLEN];
    unsigned char address[sizeof(struct in6_addr)];
    bool six = name.len > 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']';
    if (six)
        name = slice_make(name.ptr + 1, name.len - 2);
    if (name.len >= sizeof text)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(six ? AF_INET6 : AF_INET, text, address) == 1;
}

bool host_is_ours(const struct host_rule *rule, struct slice authority) {
    static const struct slice always[] = {SLICE_INIT("127.0.0.1"), SLICE_INIT("localhost"), SLICE_INIT("[::1]")};
    uint64_t port = PORT_OF_HTTP;
    struct slice name = slice_trim(authority);
    size_t colon = slice_rfind_byte(name, ':');
    if (colon != SIZE_MAX && name.ptr[name.len - 1] != ']') { /* "[::1]" has no port */
        if (!slice_to_u64(slice_from(name, colon + 1), &port))
            return false;
        name = slice_first(name, colon);
    }
    if (port != rule->port)
        return false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (is_same_name(name, always[i]))
            return true;
    return is_same_name(name, rule->given) || is_same_name(name, rule->machine) ||
           (rule->any_address && is_address(name));
}
