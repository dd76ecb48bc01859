#include "sink/sinks.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"

/* A name must not be reused while another run looks at the folder that had it. */
enum { NAME_SHOWN = 200, HOST_CHARS = 4, RANDOM_CHARS = 8, OLD_CHARS = 6 };

static const struct slice staging_mark = SLICE_INIT(".tlparse-");

bool staging_name_parse(struct slice entry, const char *name, enum staging_kind *kind) {
    size_t shown = strnlen(name, NAME_SHOWN), head = 1 + shown + staging_mark.len;
    if (entry.len <= head || entry.ptr[0] != '.' || memcmp(entry.ptr + 1, name, shown) != 0 ||
        !slice_starts(slice_from(entry, 1 + shown), staging_mark))
        return false;
    char last = entry.ptr[entry.len - 1];
    bool aside = last == STAGING_WHOLE_ASIDE || last == STAGING_ENTRIES_ASIDE;
    size_t chars = entry.len - head - aside;
    last = aside ? last : '\0';
    if (chars != HOST_CHARS + RANDOM_CHARS && chars != OLD_CHARS)
        return false;
    *kind = (enum staging_kind)last;
    return true;
}

bool staging_is_of(struct slice entry, const char *name) {
    enum staging_kind kind;
    return staging_name_parse(entry, name, &kind);
}

bool staging_is_deleted(struct slice path) {
    enum { HEX_CHARS = 24 }; /* the number of the file, and a counter */
    size_t slash = slice_rfind_byte(path, '/');
    struct slice name = slash == SIZE_MAX ? path : slice_from(path, slash + 1);
    if (!slice_starts(name, SLICE(".nfs")) || name.len != 4 + HEX_CHARS)
        return false;
    for (size_t i = 4; i < name.len; i++)
        if (!((name.ptr[i] >= '0' && name.ptr[i] <= '9') || (name.ptr[i] >= 'a' && name.ptr[i] <= 'f')))
            return false;
    return true;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";

static void name_host(char text[HOST_CHARS]) {
    struct utsname host;
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = uname(&host) < 0 ? "" : host.nodename; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (int i = 0; i < HOST_CHARS; i++, hash /= 32)
        text[i] = letters[hash % 32];
}

bool staging_name_is_ours(struct slice entry) {
    char host[HOST_CHARS];
    size_t end = slice_rfind_byte(entry, '-') + 1; /* of the mark */
    name_host(host);
    return slice_starts(slice_from(entry, end), slice_make(host, sizeof host));
}

char *staging_name_make(const char *name) {
    unsigned char random[RANDOM_CHARS];
    char text[HOST_CHARS + RANDOM_CHARS + 1] = "";
    if (!compat_random(random, sizeof random)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t mix = (uint64_t)now.tv_nsec * 2654435761u ^ (uint64_t)getpid();
        static_assert(sizeof mix == sizeof random, "the time has as many bytes as are needed");
        memcpy(random, &mix, sizeof random);
    }
    for (int i = 0; i < RANDOM_CHARS; i++)
        text[HOST_CHARS + i] = letters[random[i] % 32];
    name_host(text);
    return mem_printf(".%.*s%s%s", NAME_SHOWN, name, staging_mark.ptr, text);
}
