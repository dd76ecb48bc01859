/* traceback.h - texts that Python's traceback module writes. Pure, any thread; slices of the text that was given. */
#ifndef TLPARSE_KINDS_TRACEBACK_H
#define TLPARSE_KINDS_TRACEBACK_H

#include "model/model.h"

/* The innermost frame of the text that is no library's; file.ptr NULL: none. */
struct place traceback_user_place(struct slice text);
/* The exception at the end of a traceback, with its type: "RuntimeError: no". */
struct slice traceback_message(struct slice text);

#endif
