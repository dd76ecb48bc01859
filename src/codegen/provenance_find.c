#include "codegen/provenance_find.h"

enum { ROOT = 0, NONE = 0, HITS_MAX = 4 << 20 }; /* the root is no state's child, so 0 means "no child" */

struct state {
    uint32_t child, sibling; /* the first child; the next child of the same parent */
    uint32_t fail;           /* the longest proper suffix of this state's text that is a state */
    uint32_t ends;           /* 1 + index of the name that ends here; 0: none */
    uint32_t next_end;       /* the next state along the failure links at which a name ends; ROOT: none */
    unsigned char byte;
};

struct names {
    struct state *states;
    size_t state_count;
    uint32_t first[256]; /* children of the root */
    bool stops[256];     /* bytes that matter at the root: those of its children, and the end of a line */
    size_t count;
    uint32_t *same_as; /* per name: index of the first given name with the same text; UINT32_MAX: not searched for */
};

static uint32_t child_of(const struct names *n, uint32_t state, unsigned char byte) {
    if (state == ROOT)
        return n->first[byte];
    uint32_t child = n->states[state].child;
    while (child != NONE && n->states[child].byte != byte)
        child = n->states[child].sibling;
    return child;
}

static uint32_t add_child(struct names *n, uint32_t parent, unsigned char byte) {
    uint32_t child = (uint32_t)n->state_count++;
    n->states[child] = (struct state){.byte = byte, .sibling = n->states[parent].child};
    n->states[parent].child = child;
    if (parent == ROOT)
        n->first[byte] = child, n->stops[byte] = true;

    return child;
}

static void add_name(struct names *n, struct slice name, uint32_t index) {
    uint32_t state = ROOT;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char byte = (unsigned char)name.ptr[i];
        uint32_t child = child_of(n, state, byte);
        state = child != NONE ? child : add_child(n, state, byte);
    }
    if (!n->states[state].ends)
        n->states[state].ends = index + 1;
    n->same_as[index] = n->states[state].ends - 1;
}

/* Breadth first, because failure links lead to states of smaller depth. */
static void link_failures(struct names *n) {
    uint32_t *queue = mem_alloc(n->state_count * sizeof *queue);
    size_t head = 0, tail = 0;
    queue[tail++] = ROOT;
    while (head < tail) {
        uint32_t parent = queue[head++];
        for (uint32_t child = n->states[parent].child; child != NONE; child = n->states[child].sibling) {
            struct state *state = &n->states[child];
            uint32_t fail = parent == ROOT ? ROOT : n->states[parent].fail, to = NONE;
            while (parent != ROOT && (to = child_of(n, fail, state->byte)) == NONE && fail != ROOT)
                fail = n->states[fail].fail;
            state->fail = to;
            state->next_end = n->states[to].ends ? to : n->states[to].next_end;
            queue[tail++] = child;
        }
    }
    mem_free(queue);
}

struct names *names_create(const struct slice *names, size_t count) {
    struct names *n = mem_zalloc(1, sizeof *n);
    size_t bytes = 0, usable = 0;
    for (; usable < count && bytes + names[usable].len <= NAMES_BYTES; usable++)
        bytes += names[usable].len;
    n->states = mem_zalloc(bytes + 1, sizeof *n->states);
    n->state_count = 1;
    n->stops['\n'] = true;
    n->count = count;
    n->same_as = mem_zalloc(count + 1, sizeof *n->same_as);
    for (size_t i = 0; i < count; i++) {
        n->same_as[i] = UINT32_MAX;
        if (i < usable && names[i].len)
            add_name(n, names[i], (uint32_t)i);
    }
    link_failures(n);
    return n;
}

void names_destroy(struct names *names) {
    if (!names)
        return;
    mem_free(names->states);
    mem_free(names->same_as);
    mem_free(names);
}

/* Notes all names that end in this state. Returns false if there are too many matches. */
static bool note(const struct names *n, uint32_t state, uint32_t line, struct name_lines *lines, size_t *hits) {
    if (!n->states[state].ends)
        state = n->states[state].next_end;
    for (; state != ROOT; state = n->states[state].next_end) {
        struct name_lines *list = &lines[n->states[state].ends - 1];
        if (list->count && list->items[list->count - 1] == line)
            break; /* noted before, and so were its suffixes */
        if (++*hits > HITS_MAX)
            return false;
        LIST_ADD(list, line);
    }
    return true;
}

struct name_lines *names_find(const struct names *n, struct slice text) {
    struct name_lines *lines = mem_zalloc(n->count + 1, sizeof *lines);
    uint32_t state = ROOT, line = 1;
    size_t hits = 0;
    for (size_t i = 0; i < text.len; i++) {
        while (state == ROOT && i < text.len && !n->stops[(unsigned char)text.ptr[i]])
            i++;
        if (i == text.len)
            break;
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte == '\n') {
            state = ROOT;
            line++;
            continue;
        }
        uint32_t to;
        while ((to = child_of(n, state, byte)) == NONE && state != ROOT)
            state = n->states[state].fail;
        state = to;
        if (state != ROOT && !note(n, state, line, lines, &hits))
            break;
    }
    return lines;
}

const struct name_lines *names_lines(const struct names *names, const struct name_lines *lines, size_t name) {
    static const struct name_lines none;
    return names->same_as[name] == UINT32_MAX ? &none : &lines[names->same_as[name]];
}

void name_lines_free(const struct names *names, struct name_lines *lines) {
    for (size_t i = 0; lines && i < names->count; i++)
        mem_free(lines[i].items);
    mem_free(lines);
}
