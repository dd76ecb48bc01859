/* processor.h - how wide the processor's vectors are. Pure; any thread. */
#pragma once

/* The number of 32-bit values in the widest vectors that the processor and the system support: 16 (AVX-512), 8 (AVX2), or 4, which every
 * processor has or the compiler replaces. Asked for once. */
unsigned processor_lanes(void);
