#include "serve/server.h"

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <unistd.h>

#include "base/fd.h"
#include "serve/deadlines.h"
#include "serve/listeners.h"
#include "serve/reply.h"

enum {
    PORT_FIRST = 8000,
    PORT_LAST = 8099,
    IDLE_S = 60,
    HEADER_BYTES = 16 * 1024,
    BODY_BYTES = 64 * 1024,
    PAUSE_US = 100 * 1000, /* pause if there are no file descriptors left */
    OPEN_FILES = 16 * 1024,
    END_SIGNALS = 2,
    METHODS = 0xffff, /* all: reply_send() refuses unsupported ones */
};

struct server {
    struct reply_context context;
    struct event_base *base;
    struct evhttp *http;
    struct event *ends[END_SIGNALS]; /* NULL for an ignored signal */
    const struct server_watch *watch;
    struct event *timer, *readable; /* of the watch; NULL: none */
    struct listeners *listeners;
    char *given, *url, *url_for_others;
    char machine[256];
};

/* ---- listening -------------------------------------------------------------------------------------------------- */

static uint16_t *port_of(struct sockaddr *address) {
    return address->sa_family == AF_INET6 ? &((struct sockaddr_in6 *)(void *)address)->sin6_port
                                          : &((struct sockaddr_in *)(void *)address)->sin_port;
}

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family != AF_INET6)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127);
}

static bool is_any(const struct sockaddr *address) {
    if (address->sa_family != AF_INET6)
        return ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

/* A listening socket, or -1 with errno. Its connections inherit TCP_NODELAY, so the last bytes of a file do not wait
 * for the acknowledgment of the headers. */
static int listen_at(const struct addrinfo *place, uint16_t port) {
    const int on = 1;
    int fd = socket(place->ai_family, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    *port_of(place->ai_addr) = htons(port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (evutil_make_socket_nonblocking(fd) == 0 && evutil_make_socket_closeonexec(fd) == 0 &&
        bind(fd, place->ai_addr, place->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    int failed = errno;
    close(fd);
    errno = failed;
    return -1;
}

/* Listens on the first free port of the first address that has one. */
static int listen_first(const struct addrinfo *places, uint16_t from, uint16_t to) {
    int fd = -1;
    errno = EADDRINUSE;
    for (uint32_t port = from; fd < 0 && port <= to && errno == EADDRINUSE; port++)
        for (const struct addrinfo *place = places; fd < 0 && place; place = place->ai_next)
            fd = listen_at(place, (uint16_t)port);
    return fd;
}

static int listen_somewhere(const struct server_options *options, struct err *err) {
    const char *host = options->host ? options->host : "127.0.0.1";
    const struct addrinfo hints = {.ai_flags = AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    uint16_t from = options->has_port ? options->port : PORT_FIRST, to = options->has_port ? options->port : PORT_LAST;
    struct addrinfo *places;
    int failed = getaddrinfo(host, "0", &hints, &places);
    if (failed) {
        err_set(err, ERR_SYSTEM, "cannot listen on '%s': %s", host, gai_strerror(failed));
        return -1;
    }
    int fd = listen_first(places, from, to);
    if (fd < 0 && !options->has_port && errno == EADDRINUSE) {
        err_set(err, ERR_SYSTEM, "cannot listen on %s: no port from %d to %d is free", host, PORT_FIRST, PORT_LAST);
        err_hint(err, "choose another one with --port");
    } else if (fd < 0) {
        err_errno(err, "cannot listen on %s, port %u", host, from);
    }
    freeaddrinfo(places);
    return fd;
}

/* ---- accepted names --------------------------------------------------------------------------------------------- */

/* The URL form of a host. */
static char *url_host(const char *host) {
    return strchr(host, ':') ? mem_printf("[%s]", host) : mem_strdup(host);
}

static void set_names(struct server *server, const char *host, const struct sockaddr *address, uint16_t port) {
    struct host_rule *rule = &server->context.hosts;
    server->given = url_host(host);
    rule->port = port;
    rule->given = slice_str(server->given);
    rule->any_address = is_any(address);
    if (rule->any_address && gethostname(server->machine, sizeof server->machine - 1) == 0)
        rule->machine = slice_str(server->machine);
    server->url = mem_printf("http://%s:%u/", rule->any_address ? "127.0.0.1" : server->given, port);
    if (!is_loopback(address))
        server->url_for_others = mem_printf("http://%s:%u/", rule->machine.len ? server->machine : server->given, port);
    server->context.url = server->url;
}

static bool set_place(struct server *server, const char *host, int fd, struct err *err) {
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    struct sockaddr *any = (struct sockaddr *)&address;
    memset(&address, 0, sizeof address);
    if (getsockname(fd, any, &len) != 0)
        return err_errno(err, "cannot listen on %s", host);
    set_names(server, host, any, ntohs(*port_of(any)));
    return true;
}

/* ---- the event loop --------------------------------------------------------------------------------------------- */

static void go_on(evutil_socket_t fd, short what, void *listener) {
    (void)fd, (void)what;
    evconnlistener_enable(listener);
}

/* Called if no connection can be accepted, usually because there are no file descriptors left. The loop would retry
 * immediately. */
static void pause_accepting(struct evconnlistener *listener, void *context) {
    const struct timeval pause = {.tv_usec = PAUSE_US};
    (void)context;
    if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, go_on, listener, &pause) == 0)
        evconnlistener_disable(listener);
}

static void end_loop(evutil_socket_t number, short what, void *base) {
    (void)number, (void)what;
    event_base_loopbreak(base);
}

/* Calls the watch, and sets the time of the next call. */
static void tick(evutil_socket_t fd, short what, void *context) {
    struct server *server = context;
    (void)fd, (void)what;
    int ms = server->watch->tick(server->watch->context);
    struct timeval wait = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    if (ms < 0 || event_add(server->timer, &wait) != 0)
        event_base_loopbreak(server->base);
}

static bool start_watch(struct server *server) {
    const struct timeval now = {0};
    if (!server->watch)
        return true;
    server->timer = evtimer_new(server->base, tick, server);
    if (server->watch->fd >= 0)
        server->readable = event_new(server->base, server->watch->fd, EV_READ | EV_PERSIST, tick, server);
    return server->timer && event_add(server->timer, &now) == 0 &&
           (!server->readable || event_add(server->readable, NULL) == 0);
}

static bool watch_signals(struct server *server) {
    static const int numbers[END_SIGNALS] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < END_SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN)
            continue;
        server->ends[i] = evsignal_new(server->base, numbers[i], end_loop, server->base);
        if (!server->ends[i] || event_add(server->ends[i], NULL) != 0)
            return false;
    }
    return true;
}

/* Takes ownership of the socket. */
static bool set_up_http(struct server *server, int fd, unsigned idle_s, struct err *err) {
    server->base = event_base_new();
    server->http = server->base ? evhttp_new(server->base) : NULL;
    struct evhttp_bound_socket *bound = server->http ? evhttp_accept_socket_with_handle(server->http, fd) : NULL;
    if (!bound)
        close(fd);
    if (!bound || !watch_signals(server) || !start_watch(server))
        return err_set(err, ERR_SYSTEM, "cannot start the event loop");
    evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound), pause_accepting);
    evhttp_set_allowed_methods(server->http, METHODS);
    evhttp_set_default_content_type(server->http, NULL);
    evhttp_set_max_headers_size(server->http, HEADER_BYTES);
    evhttp_set_max_body_size(server->http, BODY_BYTES);
    evhttp_set_timeout(server->http, (int)(idle_s ? idle_s : IDLE_S));
    evhttp_set_gencb(server->http, reply_send, &server->context);
    server->context.deadlines = deadlines_create(server->base, server->http, idle_s ? idle_s : IDLE_S);
    return server->context.deadlines || err_set(err, ERR_SYSTEM, "cannot start the event loop");
}

bool server_is_built(void) {
    return true;
}

struct server *server_create(const char *folder, const struct server_options *options, struct err *err) {
    struct server *server = mem_zalloc(1, sizeof *server);
    const char *host = options->host ? options->host : "127.0.0.1";
    server->context.root.fd = -1;
    server->context.site = options->site;
    server->watch = options->watch;
    server->context.listeners = server->listeners = listeners_create();
    bool ok = options->site || static_root_open(&server->context.root, folder, err);
    int fd = ok ? listen_somewhere(options, err) : -1;
    ok = fd >= 0 && set_place(server, host, fd, err);
    if (fd >= 0 && !ok)
        close(fd);
    if (ok && set_up_http(server, fd, options->idle_s, err))
        return server;
    server_destroy(server);
    return NULL;
}

void server_destroy(struct server *server) {
    if (!server)
        return;
    for (size_t i = 0; i < END_SIGNALS; i++)
        if (server->ends[i])
            event_free(server->ends[i]);
    if (server->timer)
        event_free(server->timer);
    if (server->readable)
        event_free(server->readable);
    listeners_destroy(server->listeners);
    if (server->http)
        evhttp_free(server->http); /* also closes its sockets */
    deadlines_destroy(server->context.deadlines);
    if (server->base)
        event_base_free(server->base);
    static_root_close(&server->context.root);
    mem_free(server->given);
    mem_free(server->url);
    mem_free(server->url_for_others);
    mem_free(server);
}

void server_send_event(struct server *server, struct slice event) {
    listeners_send(server->listeners, event);
}

const char *server_url(const struct server *server) {
    return server->url;
}

const char *server_url_for_others(const struct server *server) {
    return server->url_for_others;
}

bool server_run(struct server *server, struct err *err) {
    fd_allow(OPEN_FILES); /* each client needs a socket and a file */
    return event_base_dispatch(server->base) == 0 || err_set(err, ERR_SYSTEM, "the event loop failed");
}
