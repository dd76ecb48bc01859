#include "codegen/provenance_lines.h"

/* ---- graphs ----------------------------------------------------------------------------------------------------- */

static struct slice before(struct slice text, char mark) {
    const char *at = text.len ? memchr(text.ptr, mark, text.len) : NULL;
    return at ? slice_first(text, (size_t)(at - text.ptr)) : text;
}

void graph_nodes(struct map *nodes, struct slice graph) {
    struct slice line;
    for (uint32_t number = 1; slice_next_line(&graph, &line); number++) {
        struct slice text = slice_trim(line), name = slice_trim(before(before(text, '='), ':'));
        if (name.len && text.ptr[0] != '#')
            *map_put(nodes, name, number, NULL) = number;
    }
}

static uint32_t line_of(const struct map *nodes, struct slice name) {
    return name.ptr ? map_get(nodes, name) : MAP_NONE;
}

/* Adds the lines of the named nodes as a row. */
static void add_nodes(struct relation *r, uint32_t from, yyjson_val *names, const struct map *nodes) {
    size_t i, max;
    yyjson_val *name;
    relation_begin(r, from);
    yyjson_arr_foreach(names, i, max, name) {
        uint32_t line = line_of(nodes, json_text(name));
        if (line != MAP_NONE && !relation_add(r, line))
            break;
    }
    relation_end(r);
}

void nodes_relate(struct relation *r, yyjson_val *mapping, const char *key, const struct map *from,
                  const struct map *to) {
    size_t i, max;
    yyjson_val *name, *names;
    yyjson_obj_foreach(json_get(mapping, key), i, max, name, names) {
        uint32_t line = line_of(from, json_text(name));
        if (line != MAP_NONE)
            add_nodes(r, line, names, to);
    }
    relation_sort(r);
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

struct member {
    struct slice name;
    size_t place; /* index in the object: if a name occurs twice, the last one wins */
    yyjson_val *value;
};

static int by_name(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    int order = slice_cmp(x->name, y->name);
    return order ? order : x->place < y->place ? -1 : 1;
}

void kernels_read(struct kernels *kernels, yyjson_val *mapping, yyjson_val *further, const struct map *post) {
    yyjson_val *object = json_get(mapping, "cppCodeToPost"), *key, *value;
    size_t i, max, count = 0;
    struct member *members = mem_zalloc(yyjson_obj_size(object) + yyjson_obj_size(further) + 1, sizeof *members);
    yyjson_obj_foreach(further, i, max, key, value) {
        members[count] = (struct member){json_text(key), count, NULL};
        count++;
    }
    yyjson_obj_foreach(object, i, max, key, value) {
        members[count] = (struct member){json_text(key), count, value};
        count++;
    }
    if (count)
        qsort(members, count, sizeof *members, by_name);
    kernels->items = mem_zalloc(count + 1, sizeof *kernels->items);
    for (i = 0; i < count; i++) {
        if (i + 1 < count && slice_eq(members[i].name, members[i + 1].name))
            continue;
        uint32_t place = (uint32_t)kernels->count++;
        struct slice name = members[i].name;
        size_t colon = slice_rfind_byte(name, ':');
        kernels->items[place] =
            (struct kernel){name, before(name, ':'), colon == SIZE_MAX ? name : slice_first(name, colon)};
        map_put(&kernels->places, members[i].name, place, NULL);
        add_nodes(&kernels->nodes, place, members[i].value, post);
    }
    relation_sort(&kernels->nodes);
    mem_free(members);
}

void kernels_free(struct kernels *kernels) {
    mem_free(kernels->items);
    map_free(&kernels->places);
    relation_free(&kernels->nodes);
    *kernels = (struct kernels){0};
}

void code_to_post(struct relation *r, const struct kernels *kernels, const struct relation *calls) {
    for (size_t i = 0; i < calls->rows.count; i++) { /* in the order of the kernels */
        const struct relation_row *row = &calls->rows.items[i];
        bool room = relation_row(&kernels->nodes, row->from) != NULL;
        for (size_t c = 0; room && c < row->count; c++) {
            relation_begin(r, calls->to.items[row->first + c]);
            room = relation_add_row(r, &kernels->nodes, row->from);
            relation_end(r);
        }
    }
    relation_sort(r);
}

void post_to_code(struct relation *r, yyjson_val *mapping, const struct map *post, const struct kernels *kernels,
                  const struct relation *calls) {
    size_t i, j, max, names_max;
    yyjson_val *node, *names, *name;
    yyjson_obj_foreach(json_get(mapping, "postToCppCode"), i, max, node, names) {
        uint32_t line = line_of(post, json_text(node));
        if (line == MAP_NONE)
            continue;
        relation_begin(r, line);
        yyjson_arr_foreach(names, j, names_max, name) {
            uint32_t kernel = line_of(&kernels->places, json_text(name));
            if (kernel != MAP_NONE && !relation_add_row(r, calls, kernel))
                break;
        }
        relation_end(r);
    }
    relation_sort(r);
}
