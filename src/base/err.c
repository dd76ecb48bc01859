#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...) {
    va_list args;
    err->code = code;
    err->hint[0] = '\0';
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool err_errno(struct err *err, const char *format, ...) {
    int number = errno;
    char why[128];
    va_list args;
    err->code = ERR_SYSTEM;
    err->hint[0] = '\0';
    va_start(args, format);
    int len = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (strerror_r(number, why, sizeof why) != 0)
        snprintf(why, sizeof why, "error %d", number);
    if (len >= 0 && (size_t)len < sizeof err->text)
        snprintf(err->text + len, sizeof err->text - (size_t)len, ": %s", why);
    return false;
}

bool err_hint(struct err *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(err->hint, sizeof err->hint, format, args);
    va_end(args);
    return false;
}
