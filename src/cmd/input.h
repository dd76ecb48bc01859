/* input.h - which logs a call reads: what its paths name, or $TORCH_TRACE. */
#ifndef TLPARSE_CMD_INPUT_H
#define TLPARSE_CMD_INPUT_H

#include "cmd/options.h"
#include "trace/choose.h"

/* Finds the logs and prints on stderr what was decided. The caller finishes the choice after success. */
bool input_choose(const struct options *options, struct choice *choice, struct err *err);

#endif
