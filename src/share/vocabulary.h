/* vocabulary.h - the words that a redacted report may contain (vocabulary.txt, made by tools/vocabulary.py): those of our own messages and schemas,
 * and PyTorch's names. No word comes from a log. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Whether the word, possibly capitalized at the start of a sentence, is in the list. */
bool vocabulary_has(struct slice word);
/* Whether the word is the name of one of PyTorch's settings (settings.txt), and has an underscore: "debug" may be
 * anything. */
bool vocabulary_is_setting(struct slice word);
/* Whether the word is one of torch_names.txt: a module, function or name of PyTorch's own files that vocabulary_has()
 * does not have. A program may use it for anything, so it counts only in PyTorch's files. */
bool vocabulary_is_torch(struct slice word);
