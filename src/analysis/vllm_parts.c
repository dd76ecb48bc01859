#include "analysis/vllm_parts.h"

#include "base/mem.h"

/* What Dynamo writes of the whole graph, before the pieces and behind them. */
static bool is_dynamo(const struct artifact *artifact) {
    static const struct slice names[] = {{"dynamo_side_effects", 19},
                                         {"dynamo_output_graph", 19},
                                         {"dynamo_cpp_guards_str", 21},
                                         {"compilation_metrics", 19}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(artifact->name, names[i]))
            return true;
    return false;
}

static bool has_file(const struct artifact *artifact) {
    return artifact->url.ptr && !artifact->outer;
}

size_t vllm_end(const struct report *report, size_t end) {
    return end < report->artifacts.count ? end : report->artifacts.count;
}

uint32_t *vllm_owners(const struct report *report) {
    uint32_t *owner = mem_alloc((report->compiles.count + 1) * sizeof *owner);
    memset(owner, 0xff, (report->compiles.count + 1) * sizeof *owner);
    for (size_t i = report->vllm_facts->calls.count; i-- > 0;)
        owner[report->vllm_facts->calls.items[i].compile] = (uint32_t)i;
    return owner;
}

struct vllm_places vllm_dynamo(const struct report *report, size_t nth, const uint32_t *owner) {
    struct vllm_places found = {0};
    const struct vllm_call *call = &report->vllm_facts->calls.items[nth], *before = nth ? call - 1 : NULL;
    const struct compile *compile = report->compiles.items[call->compile];
    bool framed = compile->frame_id >= 0;
    size_t from = 0, end = compile->artifacts.count;
    if (!framed) {
        from = !before              ? 0
             : before->pieces.count ? before->pieces.items[before->pieces.count - 1].first
                                    : before->first;
        end = vllm_end(report, call->pieces.count ? call->pieces.items[0].first : call->end);
    } else if (owner[call->compile] != nth) {
        return found;
    }
    for (size_t i = from; i < end; i++) {
        uint32_t place = framed ? compile->artifacts.items[i] : (uint32_t)i;
        if (!has_file(&report->artifacts.items[place]) || !is_dynamo(&report->artifacts.items[place]))
            continue;
        MEM_GROW(&found.list);
        found.list.items[found.list.count++] = place;
    }
    return found;
}

bool vllm_in_piece(const struct report *report, const struct vllm_call *call, size_t place) {
    const struct artifact *artifact = &report->artifacts.items[place];
    const struct compile *own = report->compiles.items[call->compile], *compile = artifact_compile(report, artifact);
    return has_file(artifact) && !is_dynamo(artifact) && (compile == own || compile->frame_id < 0 || own->frame_id < 0);
}
