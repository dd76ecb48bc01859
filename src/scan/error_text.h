/* error_text.h - parses PyTorch's texts about graph breaks and errors.
 *
 * A dynamo_graph_break_reason, the fail_reason of metrics and a restart reason share one format:
 *
 *     REASON
 *       Explanation: …
 *       Hint: …
 *       Developer debug context: …
 *      For more details about this graph break, please visit: …/gb0170.html
 *
 * It may be followed by "*** While handling this graph break, another graph break occurred: ***" and the same format
 * again, by a traceback of the user's code, and by one of PyTorch's own code. Every part is optional. Slices point into
 * the text. Pure, any thread. */
#pragma once

#include "trace/stack.h"

enum { HINTS_MAX = 16 };

struct break_part {
    struct slice reason, explanation, context, url; /* ptr NULL if there is none */
};

struct break_text {
    struct break_part cause; /* the innermost break: the construct that Dynamo could not trace */
    /* The break that resulted from handling it: GB7000, "graph break in loop"; reason.ptr NULL: none */
    struct break_part then;
    struct slice hints[HINTS_MAX];
    size_t hint_count; /* of the cause */
    bool skipped;      /* the text says that the frame is skipped and runs eagerly */
    bool announced; /* "WON'T CONVERT …": an exception of the compiler; another text says how it breaks the graph */
};

/* `bare`: the text begins with the reason, like a fail_reason. An artifact begins with the location of the break. */
void break_text_read(struct slice text, bool bare, struct break_text *found);
/* Adds "GB0123" for an address ".../gb/gb0123.html". Returns false for other addresses. */
bool break_id_add(struct buf *out, struct slice url);
/* Whether the user can act on the hint: it neither asks to report an issue nor says that nothing can be done. */
bool break_hint_is_advice(struct slice hint);
/* The first hint that the user can act on. ptr NULL if there is none. */
struct slice break_hint(const struct slice *hints, size_t count);

/* "ValueError('no')" → its type. Adds the message as Python prints it to `message`. Returns false for other texts. */
bool exception_read(struct slice text, struct slice *type, struct buf *message);

/* The length of the type in "torch._dynamo.exc.Unsupported: no"; 0: another line. */
size_t exception_type_length(struct slice line);

/* Parses a cudagraph_skip_reason: "skipping cudagraphs due to cpu device (arg0_1). Found from : \n   File …". Adds
 * "cpu device (arg0_1)" to `out`; *trace is the traceback after "Found from" (ptr NULL: none). PyTorch may repeat its
 * own prefix, and writes several reasons as a Python list. */
void cudagraph_skip_read(struct slice text, struct buf *out, struct slice *trace);
/* The readable reason of a restart. PyTorch logs a text, or the class of an exception without a message: "<class
 * 'torch._dynamo.exc.TensorifyScalarRestartAnalysis'>" → "TensorifyScalarRestartAnalysis". Returns other texts
 * unchanged. */
struct slice restart_reason(struct slice text);

/* Parses and removes one frame of a Python traceback: '  File "x.py", line 3, in f', and the following source line. */
bool traceback_take(struct slice *rest, struct frame *frame);
/* The innermost user frame in the tracebacks of a text. If the text has "from user code:", only that traceback is
 * searched. Returns false if there is none. */
bool traceback_user_frame(struct slice text, struct frame *frame);
/* The frame of a traceback at this line, and the nearest enclosing user frame (file.ptr NULL: none). Returns false if
 * the traceback has no such frame. */
bool traceback_frame_at(struct slice text, struct slice file, uint64_t line, struct frame *frame, struct frame *caller);
/* The last frame of the last traceback. */
bool traceback_last_frame(struct slice text, struct frame *frame);
/* The function that Dynamo ran and that raised the exception: the text has its arguments as
 * "fn(*(a.as_python_constant() …))". Returns false, and leaves *called unset, if Dynamo ran none. */
bool traceback_called(struct slice text, struct frame *called);
