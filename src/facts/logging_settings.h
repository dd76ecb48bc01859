/* logging_settings.h - settings that only decide what is logged, where to, or which files are kept for debugging, and
 * where a library is. They change neither graphs nor kernels, so they explain no divergence. */
#ifndef TLPARSE_FACTS_LOGGING_SETTINGS_H
#define TLPARSE_FACTS_LOGGING_SETTINGS_H

#include <stdbool.h>

#include "base/slice.h"

/* name: without the name of its configuration, as in "trace.enabled". */
bool is_logging_setting(struct slice name);

#endif
