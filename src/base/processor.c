#include "base/processor.h"

#if defined __x86_64__
#include <cpuid.h>
#include <stdatomic.h>

/* Not __builtin_cpu_supports(), which Zig's library lacks. */
static unsigned find_widest(void) {
    enum { OSXSAVE = 1 << 27, AVX = 1 << 28, AVX2 = 1 << 5, AVX512F = 1 << 16, STATE_256 = 0x06, STATE_512 = 0xe6 };
    const unsigned avx512vl = 1U << 31;
    unsigned a, b, c, d, saved, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE) || !(c & AVX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 4;
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if ((saved & STATE_512) == STATE_512 && b & AVX512F && b & avx512vl)
        return 16;
    return (saved & STATE_256) == STATE_256 && b & AVX2 ? 8 : 4;
}

/* Asking the processor takes microseconds in a virtual machine. */
unsigned processor_lanes(void) {
    static _Atomic unsigned known;
    unsigned lanes = atomic_load_explicit(&known, memory_order_relaxed);
    if (!lanes)
        atomic_store_explicit(&known, lanes = find_widest(), memory_order_relaxed);
    return lanes;
}
#else
unsigned processor_lanes(void) {
    return 4;
}
#endif
