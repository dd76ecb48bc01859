/* config_read.h - finds and reads the configuration files. */
#ifndef TLPARSE_HOOKS_CONFIG_READ_H
#define TLPARSE_HOOKS_CONFIG_READ_H

#include "hooks/config.h"

/* Reads both files, if they exist. `directory` is the current one. Reads the environment: XDG_CONFIG_HOME, HOME. The
 * code of an error is ERR_USAGE; the configuration must be finished then, too. */
bool config_read(struct config *config, const char *directory, struct err *err);

#endif
