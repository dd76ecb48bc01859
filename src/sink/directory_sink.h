/* directory_sink.h - a sink that writes files to a directory. */
#ifndef TLPARSE_SINK_DIRECTORY_SINK_H
#define TLPARSE_SINK_DIRECTORY_SINK_H

#include "sink/sink.h"

/* The caller owns the descriptor and keeps it open until sink_destroy(). */
struct sink *directory_sink_create(int dirfd);

#endif
