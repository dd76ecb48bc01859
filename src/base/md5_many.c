#include "base/md5_many.h"

#include <md5.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/processor.h"

enum { MOST_LANES = 16, MD5_BLOCK = 64, MD5_LENGTH = 8 };

typedef void hash_function(uint32_t state[4][MOST_LANES], const unsigned char *const at[MOST_LANES], size_t blocks);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* floor(2^32 |sin(i + 1)|) */
static const uint32_t md5_constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/* The functions of the four rounds. */
#define CHOOSE_BY_FIRST(b, c, d) (d ^ (b & (c ^ d)))
#define CHOOSE_BY_LAST(b, c, d) (c ^ (d & (b ^ c)))
#define PARITY(b, c, d) (b ^ c ^ d)
#define INVERSE(b, c, d) (c ^ (b | ~d))

typedef uint32_t part __attribute__((vector_size(16)));

static inline part load_part(const unsigned char *from) {
    part to;
    memcpy(&to, from, sizeof to);
    return to;
}

#define load_parts_4(at, offset) load_part((at)[0] + (offset))
#define LANES 4
#define ATTRIBUTES
#define IN_PARTS(m) m(0)
#include "base/md5_lanes.h"

#if defined __x86_64__
#define load_parts_8(at, offset)                                                                                       \
    __builtin_shufflevector(load_part((at)[0] + (offset)), load_part((at)[4] + (offset)), 0, 1, 2, 3, 4, 5, 6, 7)
#define LANES 8
#define ATTRIBUTES __attribute__((target("avx2")))
#define IN_PARTS(m) m(0), m(4)
#include "base/md5_lanes.h"

#define load_parts_16(at, offset)                                                                                      \
    __builtin_shufflevector(load_parts_8(at, offset), load_parts_8((at) + 8, offset), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,    \
                            10, 11, 12, 13, 14, 15)
#define LANES 16
#if defined __clang__ /* which otherwise halves the vectors */
#define ATTRIBUTES __attribute__((target("avx512f,avx512vl"), min_vector_width(512)))
#else
#define ATTRIBUTES __attribute__((target("avx512f,avx512vl")))
#endif
#define IN_PARTS(m) m(0), m(4), m(8), m(12)
#include "base/md5_lanes.h"
#endif
#endif

/* The function of a width, or NULL if the processor has none. */
static hash_function *function_of(unsigned lanes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (lanes == 4)
        return hash_blocks_4;
#if defined __x86_64__
    if (lanes == 8 && processor_lanes() >= 8)
        return hash_blocks_8;
    if (lanes == 16 && processor_lanes() >= 16)
        return hash_blocks_16;
#endif
#endif
    (void)lanes;
    return NULL;
}

/* A text in a lane. Its whole blocks come first, then its end, to which MD5 adds a bit and the length. */
struct lane {
    struct md5_text *text; /* NULL: the lane is idle */
    size_t blocks;         /* left of this part */
    bool at_end;
    unsigned char end[2 * MD5_BLOCK];
};

struct lanes {
    unsigned count, busy;
    struct lane items[MOST_LANES];
    uint32_t state[4][MOST_LANES];
    const unsigned char *at[MOST_LANES]; /* what each lane hashes next */
};

static void start_end(struct lanes *lanes, unsigned i) {
    struct lane *lane = &lanes->items[i];
    struct slice text = lane->text->text, rest = slice_from(text, text.len / MD5_BLOCK * MD5_BLOCK);
    size_t size = rest.len + 1 + MD5_LENGTH <= MD5_BLOCK ? MD5_BLOCK : 2 * MD5_BLOCK;
    uint64_t bits = (uint64_t)text.len * 8;
    memset(lane->end, 0, size);
    if (rest.len)
        memcpy(lane->end, rest.ptr, rest.len);
    lane->end[rest.len] = 0x80;
    for (unsigned k = 0; k < MD5_LENGTH; k++)
        lane->end[size - MD5_LENGTH + k] = (unsigned char)(bits >> 8 * k);
    lane->at_end = true;
    lane->blocks = size / MD5_BLOCK;
    lanes->at[i] = lane->end;
}

static void start_text(struct lanes *lanes, unsigned i, struct md5_text *text) {
    static const uint32_t first[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    struct lane *lane = &lanes->items[i];
    lane->text = text;
    lane->at_end = false;
    lane->blocks = text->text.len / MD5_BLOCK;
    lanes->at[i] = (const unsigned char *)text->text.ptr;
    for (int k = 0; k < 4; k++)
        lanes->state[k][i] = first[k];
    if (!lane->blocks)
        start_end(lanes, i);
}

static void take_result(struct lanes *lanes, unsigned i) {
    struct lane *lane = &lanes->items[i];
    for (int k = 0; k < MD5_BYTES; k++)
        lane->text->md5[k] = (unsigned char)(lanes->state[k / 4][i] >> 8 * (k % 4));
    lane->text = NULL;
}

/* Ends what is complete, and starts further texts. Returns the number of blocks that all busy lanes have, or 0 if none
 * is busy. */
static size_t next_blocks(struct lanes *lanes, struct md5_text **texts, size_t *left) {
    size_t blocks = SIZE_MAX;
    const unsigned char *any = NULL;
    lanes->busy = 0;
    for (unsigned i = 0; i < lanes->count; i++) {
        struct lane *lane = &lanes->items[i];
        if (lane->text && !lane->blocks && !lane->at_end)
            start_end(lanes, i);
        else if (lane->text && !lane->blocks)
            take_result(lanes, i);
        if (!lane->text && *left)
            start_text(lanes, i, texts[--*left]);
        if (!lane->text)
            continue;
        lanes->busy++;
        any = lanes->at[i];
        blocks = lane->blocks < blocks ? lane->blocks : blocks;
    }
    for (unsigned i = 0; i < lanes->count && any; i++)
        if (!lanes->items[i].text)
            lanes->at[i] = any; /* an idle lane repeats what another one does */
    return any ? blocks : 0;
}

/* A text that is alone takes less time without a vector. */
static void hash_alone(struct lanes *lanes, size_t blocks) {
    uint32_t state[4];
    unsigned i = 0;
    while (!lanes->items[i].text)
        i++;
    for (int k = 0; k < 4; k++)
        state[k] = lanes->state[k][i];
    for (size_t block = 0; block < blocks; block++)
        MD5Transform(state, lanes->at[i] + block * MD5_BLOCK);
    for (int k = 0; k < 4; k++)
        lanes->state[k][i] = state[k];
}

static int by_length(const void *a, const void *b) {
    const struct md5_text *x = *(struct md5_text *const *)a, *y = *(struct md5_text *const *)b;
    return x->text.len < y->text.len ? -1 : x->text.len > y->text.len;
}

bool md5_many_with(unsigned lane_count, struct md5_text *texts, size_t count) {
    hash_function *hash_blocks = function_of(lane_count);
    struct lanes lanes = {.count = lane_count};
    size_t left = count;
    if (!hash_blocks && lane_count != 1)
        return false;
    struct md5_text **sorted = mem_alloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &texts[i];
    qsort(sorted, count, sizeof *sorted, by_length); /* the longest comes first, so that it is not the last alone */
    for (size_t blocks; (blocks = next_blocks(&lanes, sorted, &left));) {
        if (lanes.busy == 1)
            hash_alone(&lanes, blocks);
        else
            hash_blocks(lanes.state, lanes.at, blocks);
        for (unsigned i = 0; i < lanes.count; i++) {
            lanes.at[i] += blocks * MD5_BLOCK;
            lanes.items[i].blocks -= lanes.items[i].text ? blocks : 0;
        }
    }
    mem_free(sorted);
    return true;
}

void md5_many(struct md5_text *texts, size_t count) {
    unsigned lanes = count > 8 ? 16 : count > 4 ? 8 : 4;
    while (!md5_many_with(lanes, texts, count)) /* one lane always succeeds */
        lanes /= 2;
}
