#include "scan/module_source.h"

#include "base/word.h"

/* The end of "['name']" or "[0]" at `at`, with the name without quotes; SIZE_MAX: something else. */
static size_t behind_item(struct slice source, size_t at, struct slice *name) {
    if (at + 1 >= source.len || source.ptr[at] != '[')
        return SIZE_MAX;
    char quote = source.ptr[at + 1];
    size_t end = at + 1;
    if (quote == '\'' || quote == '"') {
        end = behind_string(source, at + 1);
        *name = end >= at + 3 ? slice_make(source.ptr + at + 2, end - at - 3) : (struct slice){0};
    } else {
        end += digits_length(slice_from(source, at + 1));
        *name = slice_make(source.ptr + at + 1, end - at - 1);
    }
    return end < source.len && end > at + 1 && source.ptr[end] == ']' ? end + 1 : SIZE_MAX;
}

/* The end of ".name" at `at`; SIZE_MAX: something else. */
static size_t behind_attribute(struct slice source, size_t at, struct slice *name) {
    if (at >= source.len || source.ptr[at] != '.')
        return SIZE_MAX;
    *name = slice_first(slice_from(source, at + 1), word_length(slice_from(source, at + 1)));
    return name->len ? at + 1 + name->len : SIZE_MAX;
}

static int step_of(struct slice holder) {
    return slice_is(holder, "_modules")    ? STEP_MODULE
         : slice_is(holder, "_parameters") ? STEP_PARAMETER
         : slice_is(holder, "_buffers")    ? STEP_BUFFER
                                           : STEP_OTHER;
}

/* Reads the step at `at`: "._modules['h']", ".__dict__['_modules']['h']", ".config", "[0]". */
static size_t read_step(struct slice source, size_t at, struct module_source *read) {
    struct slice holder, name;
    size_t end = behind_attribute(source, at, &holder), item;
    read->owner = slice_first(source, at);
    if (end == SIZE_MAX) {
        read->step = STEP_OTHER;
        return behind_item(source, at, &read->name);
    }
    if (slice_is(holder, "__dict__") && (item = behind_item(source, end, &name)) != SIZE_MAX) {
        if (step_of(name) == STEP_OTHER) { /* another way to write an attribute */
            read->step = STEP_ATTRIBUTE;
            read->name = name;
            return item;
        }
        holder = name;
        end = item;
    }
    read->step = step_of(holder);
    if (read->step != STEP_OTHER && (item = behind_item(source, end, &read->name)) != SIZE_MAX)
        return item;
    read->step = STEP_ATTRIBUTE;
    read->name = holder;
    return end;
}

struct module_source module_source_read(struct slice source) {
    struct module_source read = {0};
    struct slice name;
    if (!slice_starts(source, SLICE("L[")) && !slice_starts(source, SLICE("G[")))
        return read;
    size_t at = behind_item(source, 1, &name);
    size_t module = at;
    while (at != SIZE_MAX && at < source.len) {
        at = read_step(source, at, &read);
        module = at != SIZE_MAX && read.step == STEP_MODULE ? at : module;
    }
    if (at == SIZE_MAX)
        return (struct module_source){0};
    read.module = slice_first(source, module);
    return read;
}
