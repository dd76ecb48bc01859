/* null_sink.h - a sink that accepts everything and keeps nothing. Reading a log into it fills the same model. */
#ifndef TLPARSE_SINK_NULL_SINK_H
#define TLPARSE_SINK_NULL_SINK_H

#include "sink/sink.h"

struct sink *null_sink_create(void);

#endif
