/* listeners.h - clients that wait for server-sent events (the HTML standard, "Server-sent events").
 *
 * Their responses do not end. A client that does not read its events is disconnected, so memory is bounded; browsers
 * reconnect on their own. Runs on the thread of the event loop. */
#pragma once

#include "base/base.h"

struct evhttp_request;
struct listeners;

enum { LISTENERS_MAX = 1000, LISTENERS_PENDING_BYTES = 64 * 1024 };

struct listeners *listeners_create(void);
/* Disconnects all clients. */
void listeners_destroy(struct listeners *listeners);
/* Starts the response with these events. Returns false and does nothing if there are too many clients. */
bool listeners_add(struct listeners *listeners, struct evhttp_request *request, struct slice first);
void listeners_send(struct listeners *listeners, struct slice event);
