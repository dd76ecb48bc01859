/* traceback.h - parses texts written by Python's traceback module. Pure, any thread; slices of the given text. */
#ifndef TLPARSE_KINDS_TRACEBACK_H
#define TLPARSE_KINDS_TRACEBACK_H

#include "model/model.h"

/* The innermost user frame of the text. file.ptr NULL: none. */
struct place traceback_user_place(struct slice text);
/* The exception at the end of a traceback, including its type: "RuntimeError: no". */
struct slice traceback_message(struct slice text);

#endif
