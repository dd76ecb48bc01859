// A hash of a sequence of numbers in the 53 bits that a number holds exactly: equal keys of a million nodes are equal things.
const HIGH = 0x100000000;

/** Both are integers of at most 53 bits, as is the result. */
export function mix(hash: number, value: number): number {
  let high = ((hash / HIGH) | 0) ^ ((value / HIGH) | 0);
  let low = Math.imul(hash ^ value ^ (high << 11), 0x9e3779b1);
  low ^= low >>> 15;
  high = Math.imul(high ^ (low >>> 7) ^ (low << 3), 0x85ebca6b);
  high ^= high >>> 13;
  low = Math.imul(low ^ high, 0xc2b2ae35);
  low ^= low >>> 16;
  return (high & 0x1fffff) * HIGH + (low >>> 0);
}
