/* base.h - the headers that nearly every file needs: the C library without files and processes, memory, text and
 * containers.
 *
 * Code that opens files, starts threads or calls the system includes those headers itself. */
#pragma once

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/noise.h"
#include "base/path.h"
#include "base/search.h"
#include "base/slice.h"
#include "base/text.h"
#include "base/word.h"
