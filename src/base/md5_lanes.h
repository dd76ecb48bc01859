/* md5_lanes.h - the body of a function that hashes several texts at once. md5_many.c includes it once for each width.
 *
 * Before: LANES (4, 8 or 16), ATTRIBUTES (what the functions may use of the processor), and IN_PARTS(m), a list of m(p)
 * for the places p = 0, 4, … of the 128-bit parts of a vector. It defines hash_blocks_<LANES>(). */

#define NAME_(name, lanes) name##_##lanes
#define NAME_OF(name, lanes) NAME_(name, lanes)
#define NAME(name) NAME_OF(name, LANES)
#define V NAME(vector)

typedef uint32_t V __attribute__((vector_size(LANES * 4)));

/* Of two vectors: the first or last two words of each part, in turns; the first or last halves of each part. */
#define WORDS_LOW(p) p, LANES + p, p + 1, LANES + p + 1
#define WORDS_HIGH(p) p + 2, LANES + p + 2, p + 3, LANES + p + 3
#define HALVES_LOW(p) p, p + 1, LANES + p, LANES + p + 1
#define HALVES_HIGH(p) p + 2, p + 3, LANES + p + 2, LANES + p + 3

/* x[w] = the words `first + w` of the blocks of all lanes. */
ATTRIBUTES static inline void NAME(load_four)(V x[4], const unsigned char *const at[LANES], size_t offset) {
    V rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = NAME(load_parts)(at + i, offset);
    V low = __builtin_shufflevector(rows[0], rows[1], IN_PARTS(WORDS_LOW));
    V high = __builtin_shufflevector(rows[0], rows[1], IN_PARTS(WORDS_HIGH));
    V low2 = __builtin_shufflevector(rows[2], rows[3], IN_PARTS(WORDS_LOW));
    V high2 = __builtin_shufflevector(rows[2], rows[3], IN_PARTS(WORDS_HIGH));
    x[0] = __builtin_shufflevector(low, low2, IN_PARTS(HALVES_LOW));
    x[1] = __builtin_shufflevector(low, low2, IN_PARTS(HALVES_HIGH));
    x[2] = __builtin_shufflevector(high, high2, IN_PARTS(HALVES_LOW));
    x[3] = __builtin_shufflevector(high, high2, IN_PARTS(HALVES_HIGH));
}

/* Four steps of a round, whose first is the i-th of it. The words follow in steps of `stride` from `start`. */
#define STEP(f, a, b, c, d, round, i, stride, start, shift)                                                            \
    a += f(b, c, d) + x[((i)*stride + start) % 16] + md5_constants[16 * round + (i)];                                  \
    a = (a << shift | a >> (32 - shift)) + b;
#define ROUND(f, round, stride, start, s1, s2, s3, s4)                                                                 \
    for (unsigned i = 0; i < 16; i += 4) {                                                                             \
        STEP(f, a, b, c, d, round, i, stride, start, s1)                                                               \
        STEP(f, d, a, b, c, round, i + 1, stride, start, s2)                                                           \
        STEP(f, c, d, a, b, round, i + 2, stride, start, s3)                                                           \
        STEP(f, b, c, d, a, round, i + 3, stride, start, s4)                                                           \
    }

ATTRIBUTES static void NAME(hash_blocks)(uint32_t state[4][MOST_LANES], const unsigned char *const at[MOST_LANES],
                                         size_t blocks) {
    V a, b, c, d;
    memcpy(&a, state[0], sizeof a);
    memcpy(&b, state[1], sizeof b);
    memcpy(&c, state[2], sizeof c);
    memcpy(&d, state[3], sizeof d);
    for (size_t offset = 0; offset < blocks * MD5_BLOCK; offset += MD5_BLOCK) {
        V x[16], a0 = a, b0 = b, c0 = c, d0 = d;
        for (unsigned w = 0; w < 16; w += 4)
            NAME(load_four)(x + w, at, offset + 4 * w);
        ROUND(CHOOSE_BY_FIRST, 0, 1, 0, 7, 12, 17, 22)
        ROUND(CHOOSE_BY_LAST, 1, 5, 1, 5, 9, 14, 20)
        ROUND(PARITY, 2, 3, 5, 4, 11, 16, 23)
        ROUND(INVERSE, 3, 7, 0, 6, 10, 15, 21)
        a += a0;
        b += b0;
        c += c0;
        d += d0;
    }
    memcpy(state[0], &a, sizeof a);
    memcpy(state[1], &b, sizeof b);
    memcpy(state[2], &c, sizeof c);
    memcpy(state[3], &d, sizeof d);
}

#undef NAME_
#undef NAME_OF
#undef NAME
#undef V
#undef WORDS_LOW
#undef WORDS_HIGH
#undef HALVES_LOW
#undef HALVES_HIGH
#undef STEP
#undef ROUND
#undef LANES
#undef ATTRIBUTES
#undef IN_PARTS
