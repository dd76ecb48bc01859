/* setting_values.h - values of PyTorch's settings in the log.
 *
 * One thread. */
#pragma once

#include "model/model.h"

/* Adds a setting of Dynamo as the compile logged it, "8" or "false". Returns false if it is not logged. */
bool compile_setting(struct buf *out, const struct model *model, uint32_t compile, const char *name);
bool compile_setting_is(const struct model *model, uint32_t compile, const char *name, const char *wanted);
/* Whether all configurations of this kind have this value, and no graph was compiled with a different one. The key is
 * `"compile_threads":`. False if no configuration has the key. */
bool setting_is(const struct model *model, enum config_kind kind, struct slice key, struct slice value);
/* Whether a graph has a C++ wrapper without AOTInductor. */
bool has_cpp_wrapper(const struct model *model);
