/* memory_scan_parts.h - shared by memory_scan.c (Python) and memory_scan_cpp.c (C++ wrappers): variables, and the tensors that they
 * refer to. */
#pragma once

#include "base/map.h"
#include "codegen/code_sizes.h"
#include "codegen/scanned_memory.h"

enum { STATEMENTS_MAX = 1 << 18, NESTING_MAX = 4, NAMES_MAX = 1 << 12 };

/* What a variable refers to. */
enum variable_kind { GONE, TENSOR, NUMBER, ITEMS, NOTHING };

struct code_variable {
    enum variable_kind kind;
    bool known;      /* of a number: it has a value */
    uint32_t tensor; /* of a tensor; of a list its first item in `lists` */
    uint32_t count;  /* of a list */
    int64_t value;
};

/* The variables of a function that runs. */
struct code_scope {
    struct map names;
    LIST(struct code_variable) variables;
    struct code_variable arguments; /* a list */
};

struct memory_scanner {
    struct slice code;
    const struct kernel_scan *kernels;
    struct arena *arena;
    struct memory_scan *scan;
    struct code_scope *scope;
    LIST(uint32_t) references; /* by tensor: the variables that hold it */
    LIST(struct code_variable) lists;
    struct map inputs; /* of the code's own benchmark: a number, or 1 + index in `input_texts` */
    LIST(struct slice) input_texts;
    uint32_t line, statements;
    unsigned depth;
    bool expect_raise;
};

/* Notes why the memory is unknown, and the line; false. */
bool memory_refuse(struct memory_scanner *s, enum memory_unknown why);
struct code_variable *memory_find(const struct memory_scanner *s, struct slice name);
/* Gives a name to a value. The old value of the name is released. */
void memory_set(struct memory_scanner *s, struct slice name, struct code_variable value);
/* Ends names: "buf0, buf1". */
bool memory_forget(struct memory_scanner *s, struct slice names);
/* Counts the names of a tensor, or of those in a list. Without one, it is freed. */
void memory_hold(struct memory_scanner *s, const struct code_variable *variable);
void memory_release(struct memory_scanner *s, const struct code_variable *variable);
/* A change of the current line. */
void memory_change(struct memory_scanner *s, uint32_t tensor, bool freed);
/* The index of "cuda:0" or "cuda" in the scan's devices; MEMORY_NONE: there are too many. */
uint32_t memory_device(struct memory_scanner *s, struct slice device);
bool memory_new_tensor(struct memory_scanner *s, struct code_tensor tensor, struct code_variable *value);
/* Sets the size of a tensor from "(512, 64)" and "(64, 1)". false: unknown. */
bool memory_size_tensor(struct memory_scanner *s, struct code_tensor *tensor, struct slice shape, struct slice strides);
/* An input of the code, as its benchmark makes it. */
bool memory_input(struct memory_scanner *s, struct slice name, struct code_variable *value);
void memory_add_value(struct memory_scanner *s, bool result, struct slice name, const struct code_variable *value);
void memory_note_fallback(struct memory_scanner *s, struct slice name);
/* The value of an expression of numbers, if it is one. */
struct code_variable memory_number(struct memory_scanner *s, struct slice text);
/* Takes the text up to the next comma outside of brackets and quotes. Returns false at the end. */
bool code_next_item(struct slice *rest, struct slice *item);
/* The text between the first `open` and the last `close`; ptr NULL: none. */
struct slice code_within(struct slice text, char open, char close);
bool code_is_name(struct slice text);

/* memory_scan_cpp.c: reads the body of the C++ function that begins in this line of the code. */
bool memory_read_cpp(struct memory_scanner *s, struct slice body);
