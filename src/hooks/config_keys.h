/* config_keys.h - what the keys of a configuration file mean. For config_read.c. */
#ifndef TLPARSE_HOOKS_CONFIG_KEYS_H
#define TLPARSE_HOOKS_CONFIG_KEYS_H

#include "hooks/config.h"

/* Reads the members of a file that was parsed. user: the file may hold commands. */
bool config_keys_read(struct config *config, const struct config_file *file, bool user, struct err *err);

#endif
