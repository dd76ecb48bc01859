/* null_sink.h - a sink that takes everything and keeps nothing. A log read into it fills the same model as any other. */
#ifndef TLPARSE_SINK_NULL_SINK_H
#define TLPARSE_SINK_NULL_SINK_H

#include "sink/sink.h"

struct sink *null_sink_create(void);

#endif
