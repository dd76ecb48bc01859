/* memchr(), memcmp() and memcpy() of the static programs: those of musl and of Zig's runtime read a byte or a word at a time, and copy
 * large blocks slowly. Reports spend a tenth of their time in them. doc/packaging.md has the effect.
 *
 * No header of the C library declares them here, so that tests/unit/test_musl_memory.c can give them other names. */
#include <stddef.h>
#include <stdint.h>

void *memchr(const void *bytes, int c, size_t n);
int memcmp(const void *left, const void *right, size_t n);
int bcmp(const void *left, const void *right, size_t n);

enum { BLOCK = 16 };
typedef unsigned char block __attribute__((vector_size(BLOCK), aligned(1), may_alias));

/* A block may begin before, or end after, the bytes of the caller: it is in the same page as one of them. */
__attribute__((no_sanitize("address"))) static inline block block_load(const unsigned char *p) {
    return *(const block *)p;
}

/* BITS_PER_BYTE ones for each byte that is equal; the lowest bits are those of the first byte. */
#ifdef __SSE2__
#include <emmintrin.h>
enum { BITS_PER_BYTE = 1 };

static inline uint64_t block_equal(block a, block b) {
    return (uint64_t)_mm_movemask_epi8((__m128i)(a == b));
}
#else
#include <arm_neon.h>
enum { BITS_PER_BYTE = 4 };

static inline uint64_t block_equal(block a, block b) {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16((uint16x8_t)(a == b), 4)), 0);
}
#endif

static inline size_t first_byte(uint64_t bits) {
    return (size_t)__builtin_ctzll(bits) / BITS_PER_BYTE;
}

void *memchr(const void *bytes, int c, size_t n) {
    if (n == 0)
        return NULL;
    /* Aligned blocks: n may be more than there is, if the byte is known to be found before. */
    const unsigned char *from = bytes;
    size_t skipped = (uintptr_t)from % BLOCK, at = 0;
    block wanted = (block){0} + (unsigned char)c;
    uint64_t found = block_equal(block_load(from - skipped), wanted) >> skipped * BITS_PER_BYTE;
    for (size_t next = BLOCK - skipped; !found; next += BLOCK) {
        if (next >= n)
            return NULL;
        at = next;
        found = block_equal(block_load(from + at), wanted);
    }
    at += first_byte(found);
    return at < n ? (void *)(uintptr_t)(from + at) : NULL;
}

static inline int block_compare(const unsigned char *a, const unsigned char *b) {
    uint64_t equal = block_equal(block_load(a), block_load(b)), all = UINT64_MAX >> (64 - BLOCK * BITS_PER_BYTE);
    if (equal == all)
        return 0;
    size_t at = first_byte(~equal);
    return a[at] - b[at];
}

/* The first byte in memory is the highest: both targets are little-endian. */
static inline uint64_t load_8(const unsigned char *p) {
    uint64_t n;
    __builtin_memcpy(&n, p, sizeof n);
    return __builtin_bswap64(n);
}

static inline uint64_t load_4(const unsigned char *p) {
    uint32_t n;
    __builtin_memcpy(&n, p, sizeof n);
    return __builtin_bswap32(n);
}

int memcmp(const void *left, const void *right, size_t n) {
    const unsigned char *a = left, *b = right;
    if (n >= BLOCK) {
        for (size_t i = 0; i + BLOCK < n; i += BLOCK) {
            int order = block_compare(a + i, b + i);
            if (order)
                return order;
        }
        return block_compare(a + n - BLOCK, b + n - BLOCK);
    }
    if (n >= 4) {
        uint64_t x = n >= 8 ? load_8(a) : load_4(a), y = n >= 8 ? load_8(b) : load_4(b);
        if (x == y)
            x = n >= 8 ? load_8(a + n - 8) : load_4(a + n - 4), y = n >= 8 ? load_8(b + n - 8) : load_4(b + n - 4);
        return (x > y) - (x < y);
    }
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int bcmp(const void *left, const void *right, size_t n) {
    return memcmp(left, right, n);
}

#ifdef __x86_64__
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);

/* Large blocks are copied by the processor, which knows its widest registers; the start takes it about as long as 512 bytes. */
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    enum { LARGE = 1024 };
    if (n < LARGE)
        return memmove(to, from, n);
    unsigned char *target = to;
    const unsigned char *source = from;
    block head = block_load(source), tail = block_load(source + n - BLOCK);
    size_t aligned = BLOCK - (uintptr_t)target % BLOCK, words = (n - aligned) / 8;
    *(block *)target = head;
    target += aligned, source += aligned;
    __asm__ volatile("rep movsq" : "+D"(target), "+S"(source), "+c"(words) : : "memory");
    *(block *)((unsigned char *)to + n - BLOCK) = tail;
    return to;
}
#endif
