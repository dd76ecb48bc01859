/* Any line: what glog_parse() accepts is a prefix, and its parts are within the line. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "trace/glog.h"

static bool digits(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return text.len > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice line = {(const char *)data, size};
    struct glog glog;
    if (!glog_parse(line, &glog))
        return 0;
    MUST(glog.lead.ptr == line.ptr);
    MUST(glog.date.ptr == line.ptr + glog.lead.len + 1 && glog.date.len == 4 && digits(glog.date));
    MUST(glog.time.ptr == glog.date.ptr + 5 && glog.time.len == 15 && glog.time.ptr[2] == ':' &&
         glog.time.ptr[8] == '.');
    MUST(memchr("VIWEC", line.ptr[glog.lead.len], 5));
    MUST(fuzz_inside(glog.pathname, line) && glog.pathname.len > 0 && glog.pathname.ptr > glog.time.ptr);
    MUST(!memchr(glog.pathname.ptr, ':', glog.pathname.len) && glog.pathname.ptr[glog.pathname.len] == ':');
    MUST(fuzz_inside(glog.rest, line) && glog.rest.ptr + glog.rest.len == line.ptr + line.len);
    MUST(glog.rest.ptr[-1] == ' ' && glog.rest.ptr[-2] == ']');
    /* The number before "] " is all digits and equals the parsed one. */
    struct slice number = slice_make(glog.pathname.ptr + glog.pathname.len + 1, 0);
    number.len = (size_t)(glog.rest.ptr - 2 - number.ptr);
    uint64_t value;
    MUST(digits(number) && glog.lineno == (slice_to_u64(number, &value) ? value : UINT64_MAX));
    /* The prefix is the first one of the line: there is none before it. */
    struct glog other;
    MUST(!glog_parse(glog.lead, &other));
    return 0;
}
