/* completion.h - scripts that complete commands, options and their values in a shell, made from the tables of commands
 * and options. Pure, any thread. */
#ifndef TLPARSE_CMD_COMPLETION_H
#define TLPARSE_CMD_COMPLETION_H

#include <stdio.h>

#include "cmd/options.h"

/* Prints the script of the shell:
 *     eval "$(tlparse --completion bash)"            or a file in bash-completion/completions
 *     eval "$(tlparse --completion zsh)"             or a file _tlparse in $fpath
 *     tlparse --completion fish | source             or a file in fish/completions */
void completion_print(enum options_shell shell, FILE *to);

#endif
