/* browser.h - opens a report in the browser of this machine.
 *
 * Reads the environment: BROWSER, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, SSH_CONNECTION. */
#pragma once

#include "base/base.h"

/* Whether this machine can show a page. False on a remote machine without a display. */
bool browser_is_there(void);
/* Opens the file (index.html) in a detached process with no output, and does not wait for it. Returns false if no
 * program could be started, which callers do not treat as an error. */
bool browser_open(const char *file);
/* The same for a URL. */
bool browser_open_url(const char *url);
/* Adds the file:// URL of an absolute path. Pure. */
void browser_add_url(struct buf *out, struct slice path);
