#include <string.h>

#include "page_checksums.h"

// Four sums side by side, so that a processor adds to all at once. Each step is a bijection of its word, and so is the end of each
// sum: damage within one word of eight bytes is always seen, other damage but for one case in 2⁶⁴.
static const uint64_t odd[3] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9};

static uint64_t turned(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static uint64_t word(const unsigned char *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

static uint64_t step(uint64_t sum, uint64_t value) { return turned(sum + value * odd[1], 31) * odd[0]; }

static uint64_t checksum(const unsigned char *page, size_t size, uint64_t number) {
  uint64_t a = number * odd[0] + 1, b = a + odd[1], c = a + odd[2], d = a ^ odd[1];
  size_t end = size - page_checksum_length, at = 0;
  for (; at + 32 <= end; at += 32) {
    a = step(a, word(page + at));
    b = step(b, word(page + at + 8));
    c = step(c, word(page + at + 16));
    d = step(d, word(page + at + 24));
  }
  uint64_t sum = turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18);
  for (; at + 8 <= end; at += 8) sum = step(sum, word(page + at));
  sum = (sum ^ sum >> 33) * odd[1];
  sum = (sum ^ sum >> 29) * odd[2];
  sum ^= sum >> 32;
  // Nothing is what pages have that were written without.
  return sum ? sum : 1;
}

void page_checksum_put(void *page, size_t size, uint64_t number) {
  uint64_t sum = checksum(page, size, number);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  sum = __builtin_bswap64(sum);
#endif
  memcpy((unsigned char *)page + size - page_checksum_length, &sum, sizeof sum);
}

int page_checksum_holds(const void *page, size_t size, uint64_t number) {
  return word((const unsigned char *)page + size - page_checksum_length) == checksum(page, size, number);
}
