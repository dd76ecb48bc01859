/* input.h - which logs a call reads: what its paths name, or $TORCH_TRACE, or where PyTorch puts logs without it. */
#ifndef TLPARSE_CMD_INPUT_H
#define TLPARSE_CMD_INPUT_H

#include "cmd/options.h"
#include "trace/choose.h"

/* What a call without a path reads: $TORCH_TRACE; else torch_compile_debug/tlparse, where PyTorch writes with
 * TORCH_COMPILE_DEBUG=1, in the current folder or in $TORCH_COMPILE_DEBUG_DIR, if it exists. NULL: nothing. The caller frees
 * it. *variable gets the name of the environment variable that it is from, or NULL. */
char *input_fallback(const char **variable);

/* Finds the logs and prints on stderr what was decided. The caller finishes the choice after success. */
bool input_choose(const struct options *options, struct choice *choice, struct err *err);

#endif
