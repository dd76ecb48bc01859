/* browser.h - shows a report to the user who sits in front of this machine.
 *
 * Reads the environment: BROWSER, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, SSH_CONNECTION. */
#ifndef TLPARSE_CMD_BROWSER_H
#define TLPARSE_CMD_BROWSER_H

#include "base/buf.h"

/* Could anything here show a page? Not on a machine that is reached over the network and has no display. */
bool browser_is_there(void);
/* Starts whatever opens the file (index.html), with a life and an output of its own, and does not wait for it. False
 * when nothing could be started; that is no error. */
bool browser_open(const char *file);
/* Adds the file URL of an absolute path. Pure. */
void browser_add_url(struct buf *out, struct slice path);

#endif
