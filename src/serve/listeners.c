#include "serve/listeners.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>

enum { IDLE_S = 24 * 3600 }; /* a listening client sends nothing */

struct listener {
    struct listeners *all;
    struct evhttp_request *request;
};

struct listeners {
    struct listener **items;
    size_t count, cap;
};

struct listeners *listeners_create(void) {
    return mem_zalloc(1, sizeof(struct listeners));
}

static void forget(struct listener *listener) {
    struct listeners *all = listener->all;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i] == listener)
            all->items[i] = all->items[--all->count];
    mem_free(listener);
}

/* If the client closed the connection, evhttp has detached the request and leaves it to us. */
static void on_close(struct evhttp_connection *connection, void *context) {
    struct listener *listener = context;
    (void)connection;
    if (!evhttp_request_get_connection(listener->request))
        evhttp_send_reply_end(listener->request);
    forget(listener);
}

void listeners_destroy(struct listeners *listeners) {
    for (size_t i = 0; i < listeners->count; i++) {
        struct evhttp_connection *connection = evhttp_request_get_connection(listeners->items[i]->request);
        evhttp_connection_set_closecb(connection, NULL, NULL);
        mem_free(listeners->items[i]);
    }
    mem_free(listeners->items);
    mem_free(listeners);
}

static void send_chunk(struct listener *listener, struct slice text) {
    struct evbuffer *chunk = evbuffer_new();
    if (!chunk)
        mem_exhausted();
    evbuffer_add(chunk, text.ptr, text.len);
    evhttp_send_reply_chunk(listener->request, chunk);
    evbuffer_free(chunk);
}

bool listeners_add(struct listeners *listeners, struct evhttp_request *request, struct slice first) {
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    if (listeners->count == LISTENERS_MAX)
        return false;
    struct listener *listener = mem_alloc(sizeof *listener);
    *listener = (struct listener){listeners, request};
    LIST_ADD(listeners, listener);
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "text/event-stream");
    evhttp_connection_set_timeout(connection, IDLE_S);
    evhttp_connection_set_closecb(connection, on_close, listener);
    evhttp_send_reply_start(request, 200, "OK");
    send_chunk(listener, first);
    return true;
}

void listeners_send(struct listeners *listeners, struct slice event) {
    for (size_t i = listeners->count; i-- > 0;) { /* a freed connection removes itself from the list */
        struct listener *listener = listeners->items[i];
        struct evhttp_connection *connection = evhttp_request_get_connection(listener->request);
        struct evbuffer *pending = bufferevent_get_output(evhttp_connection_get_bufferevent(connection));
        if (evbuffer_get_length(pending) > LISTENERS_PENDING_BYTES)
            evhttp_connection_free(connection); /* calls on_close() */
        else
            send_chunk(listener, event);
    }
}
