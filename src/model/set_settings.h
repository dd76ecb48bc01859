/* set_settings.h - the settings that fx_graph_runnable sets.
 *
 * That program repeats the compile of one graph, so it sets each setting of Dynamo, Inductor and AOTAutograd that was
 * set at that moment: by the program, by an environment variable, by torch.compile(mode=, options=) or by PyTorch
 * itself. Only the configuration of the metrics is logged otherwise, and it does not have what was set for one compile
 * alone. What PyTorch sets in every compile is left out. Each distinct value is stored once. One thread. */
#pragma once

#include "model/model.h"

enum { SET_SETTINGS_MAX = 4096, SET_VALUE_MAX = 400 }; /* distinct values of a log; bytes of one */

struct set_setting {
    enum config_kind kind;
    struct slice name;
    struct slice value;   /* as JSON: a number, boolean, null or text; of what is none of them, its Python text */
    bool simple;          /* it is one of them */
    LIST(uint32_t) users; /* indices of compiles; consecutive repetitions are stored once */
};

struct set_settings {
    LIST(struct set_setting) list;
    struct map map;
    LIST(uint32_t) programs; /* compiles with such a program; consecutive repetitions are stored once */
    uint64_t more;           /* settings of compiles that are not stored */
    struct map first;        /* by process: the compile of its first program */
    struct map first_set;    /* the process and setting of all that the first programs set */
};

/* Reads the program that was logged for the compile. */
void set_settings_note(struct model *model, uint32_t compile, struct slice program);
/* The compile of the process's first program, if that leaves the setting as it was: nobody had set it, so it had its
 * default. UINT32_MAX: there is none. Restoring a setting does not unset it: later programs set its default. */
uint32_t set_settings_first_without(const struct model *model, uint64_t process, enum config_kind kind,
                                    struct slice name);
/* Whether PyTorch itself may set it in every compile, so that it may have been left out. */
bool set_setting_is_usual(enum config_kind kind, struct slice name);
/* Adds a value that Python prints as JSON. Returns false if it is no number, boolean, None or plain text: then it adds
 * the text itself. `quoted`: texts are in quotes, as in repr(); otherwise every text counts. */
bool python_value_add(struct buf *json, struct slice value, bool quoted);
