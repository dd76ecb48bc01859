/* error_text.h - what PyTorch's texts about graph breaks and errors say.
 *
 * One form has many uses: a dynamo_graph_break_reason, the fail_reason of metrics and a restart reason all hold
 *
 *     REASON
 *       Explanation: …
 *       Hint: …
 *       Developer debug context: …
 *      For more details about this graph break, please visit: …/gb0170.html
 *
 * perhaps followed by "*** While handling this graph break, another graph break occurred: ***" and the same again, by a traceback of
 * the user's code and one of PyTorch's own. Nothing of it must be there. Slices are of the text; pure, any thread. */
#ifndef TLPARSE_SCAN_ERROR_TEXT_H
#define TLPARSE_SCAN_ERROR_TEXT_H

#include "base/buf.h"
#include "trace/stack.h"

enum { HINTS_MAX = 16 };

struct break_part {
    struct slice reason, explanation, context, url; /* ptr NULL where there is none */
};

struct break_text {
    struct break_part cause; /* the innermost: what Dynamo could not trace */
    struct break_part
        then; /* what came of it while it was handled: GB7000, "graph break in loop"; reason.ptr NULL: nothing */
    struct slice hints[HINTS_MAX];
    size_t hint_count; /* of the cause */
    bool skipped;      /* the text says that the frame is skipped and runs eagerly */
};

/* `bare`: the text begins with the reason, as a fail_reason does; an artifact says before it where the break is. */
void break_text_read(struct slice text, bool bare, struct break_text *found);
/* Adds "GB0123" for an address ".../gb/gb0123.html"; false where it is none. */
bool break_id_add(struct buf *out, struct slice url);
/* The hint that says what the user can do, the shortest; ptr NULL where none does. */
struct slice break_hint(const struct slice *hints, size_t count);

/* "ValueError('no')" → its type, and the message as Python prints it, added to `message`. False for another text. */
bool exception_read(struct slice text, struct slice *type, struct buf *message);

/* What a cudagraph_skip_reason says: "skipping cudagraphs due to cpu device (arg0_1). Found from : \n   File …" →
 * "cpu device (arg0_1)", added to `out`, and the traceback behind "Found from" (ptr NULL: none). PyTorch may put its own words
 * before the reason more than once, and writes several reasons as a list of Python. */
void cudagraph_skip_read(struct slice text, struct buf *out, struct slice *trace);
/* Why a trace began again, as people read it: PyTorch logs a text, or the class of an exception that has none. "<class
 * 'torch._dynamo.exc.TensorifyScalarRestartAnalysis'>" → "TensorifyScalarRestartAnalysis"; another text as it is. */
struct slice restart_reason(struct slice text);

/* Takes one frame of a Python traceback: '  File "x.py", line 3, in f', and the code behind it. */
bool traceback_take(struct slice *rest, struct frame *frame);
/* The innermost frame of the user's own in the tracebacks of a text; those in "from user code:" are looked at alone where there is
 * such. False where there is none. */
bool traceback_user_frame(struct slice text, struct frame *frame);
/* The frame of a traceback at that line, and the user's own frame nearest outside of it (file.ptr NULL: none). False where no frame
 * is there. */
bool traceback_frame_at(struct slice text, struct slice file, uint64_t line, struct frame *frame, struct frame *caller);
/* The last frame of the last traceback. */
bool traceback_last_frame(struct slice text, struct frame *frame);

#endif
