#include "serve/deadlines.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

struct request {
    int fd;
    dev_t device; /* identifies the socket, together with the inode: the descriptor may now belong to another one */
    ino_t inode;
    time_t began;
};

/* Data for the callback on a connection's input. evhttp does not report when it frees a connection, so this data stays,
 * and is reused for a connection at the same address. */
struct input {
    struct deadlines *deadlines;
    struct bufferevent *connection;
};

struct deadlines {
    struct event *timer;
    unsigned seconds;
    LIST(struct request) requests; /* incomplete ones */
    LIST(struct input *) inputs;
};

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static struct request *find(struct deadlines *deadlines, int fd) {
    for (size_t i = 0; i < deadlines->requests.count; i++)
        if (deadlines->requests.items[i].fd == fd)
            return &deadlines->requests.items[i];
    return NULL;
}

static void forget(struct deadlines *deadlines, struct request *request) {
    *request = deadlines->requests.items[--deadlines->requests.count];
}

static bool is_same(const struct request *request) {
    struct stat st;
    return fstat(request->fd, &st) == 0 && st.st_dev == request->device && st.st_ino == request->inode;
}

/* Called when bytes have arrived: the first ones of a request, or more of it. */
static void on_input(struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *context) {
    struct input *input = context;
    struct deadlines *deadlines = input->deadlines;
    struct stat st;
    (void)buffer;
    int fd = bufferevent_getfd(input->connection);
    if (!info->n_added || fstat(fd, &st) != 0)
        return;
    struct request *request = find(deadlines, fd);
    if (request && is_same(request))
        return;
    if (!request) {
        MEM_GROW(&deadlines->requests);
        request = &deadlines->requests.items[deadlines->requests.count++];
    }
    *request = (struct request){.fd = fd, .device = st.st_dev, .inode = st.st_ino, .began = now()};
}

static struct input *input_of(struct deadlines *deadlines, struct bufferevent *connection) {
    for (size_t i = 0; i < deadlines->inputs.count; i++)
        if (deadlines->inputs.items[i]->connection == connection)
            return deadlines->inputs.items[i];
    struct input *input = mem_alloc(sizeof *input);
    *input = (struct input){deadlines, connection};
    MEM_GROW(&deadlines->inputs);
    return deadlines->inputs.items[deadlines->inputs.count++] = input;
}

/* evhttp needs one for a new connection. */
static struct bufferevent *make_connection(struct event_base *base, void *context) {
    struct bufferevent *made = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    if (made)
        evbuffer_add_cb(bufferevent_get_input(made), on_input, input_of(context, made));
    return made;
}

static void disconnect_late(evutil_socket_t fd, short what, void *context) {
    struct deadlines *deadlines = context;
    (void)fd, (void)what;
    for (size_t i = deadlines->requests.count; i-- > 0;) {
        struct request *request = &deadlines->requests.items[i];
        bool same = is_same(request);
        if (same && now() - request->began < (time_t)deadlines->seconds)
            continue;
        if (same)
            shutdown(request->fd, SHUT_RDWR); /* evhttp sees the end, and frees the connection */
        forget(deadlines, request);
    }
}

struct deadlines *deadlines_create(struct event_base *base, struct evhttp *http, unsigned seconds) {
    static const struct timeval pause = {.tv_sec = 1};
    struct deadlines *deadlines = mem_zalloc(1, sizeof *deadlines);
    deadlines->seconds = seconds;
    deadlines->timer = event_new(base, -1, EV_PERSIST, disconnect_late, deadlines);
    if (!deadlines->timer || event_add(deadlines->timer, &pause) != 0) {
        deadlines_destroy(deadlines);
        return NULL;
    }
    evhttp_set_bevcb(http, make_connection, deadlines);
    return deadlines;
}

void deadlines_met(struct deadlines *deadlines, struct evhttp_request *request) {
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    struct request *found = find(deadlines, bufferevent_getfd(evhttp_connection_get_bufferevent(connection)));
    if (found)
        forget(deadlines, found);
}

void deadlines_destroy(struct deadlines *deadlines) {
    if (!deadlines)
        return;
    if (deadlines->timer)
        event_free(deadlines->timer);
    for (size_t i = 0; i < deadlines->inputs.count; i++)
        mem_free(deadlines->inputs.items[i]);
    mem_free(deadlines->inputs.items);
    mem_free(deadlines->requests.items);
    mem_free(deadlines);
}
