/* deadlines.h - disconnects clients that send a request too slowly.
 *
 * A request must be complete DEADLINE seconds after its first byte, so a client that sends a byte now and then loses
 * its connection: evhttp's own timeout restarts with each byte. A connection is identified by its socket, which must
 * still be the same.
 *
 * Runs on the thread of the event loop. */
#pragma once

#include "base/base.h"

struct deadlines;
struct evhttp;
struct evhttp_request;
struct event_base;

/* Watches all connections of `http` from now on. NULL if there is no event for it. Destroy it after http. */
struct deadlines *deadlines_create(struct event_base *base, struct evhttp *http, unsigned seconds);
/* Reports that the request is complete. */
void deadlines_met(struct deadlines *deadlines, struct evhttp_request *request);
void deadlines_destroy(struct deadlines *deadlines);
