#include "lowering/provenance_maps.h"

void set_maps_find(struct set_maps *maps, const struct loaded *loaded) {
    *maps = (struct set_maps){0};
    graph_nodes(&maps->pre, buf_slice(&loaded->pre));
    graph_nodes(&maps->post, buf_slice(&loaded->post));
    nodes_relate(&maps->pre_to_post, loaded->mapping, "preToPost", &maps->pre, &maps->post);
    nodes_relate(&maps->post_to_pre, loaded->mapping, "postToPre", &maps->post, &maps->pre);
    kernels_read(&maps->kernels, loaded->mapping, loaded->stacks, &maps->post);
    for (size_t i = 0; i < loaded->set->code_count; i++)
        kernel_lines_find(&maps->codes[i], &maps->kernels, code_trim(buf_slice(&loaded->codes[i])),
                          loaded->set->codes[i].kind);
}

void set_maps_free(struct set_maps *maps) {
    map_free(&maps->pre);
    map_free(&maps->post);
    relation_free(&maps->pre_to_post);
    relation_free(&maps->post_to_pre);
    kernels_free(&maps->kernels);
    for (size_t i = 0; i < SET_CODES; i++)
        kernel_lines_free(&maps->codes[i]);
}

const struct kernel_body *maps_body(const struct kernel_lines *lines, uint32_t kernel) {
    size_t low = 0; /* kernels are in order */
    SEARCH(low, lines->bodies.count, middle, lines->bodies.items[middle].kernel < kernel);
    return low < lines->bodies.count && lines->bodies.items[low].kernel == kernel ? &lines->bodies.items[low] : NULL;
}
