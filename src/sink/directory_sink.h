/* directory_sink.h - a sink whose files lie below a directory. */
#ifndef TLPARSE_SINK_DIRECTORY_SINK_H
#define TLPARSE_SINK_DIRECTORY_SINK_H

#include "sink/sink.h"

/* The descriptor stays the caller's and must be open until sink_destroy(). */
struct sink *directory_sink_create(int dirfd);

#endif
