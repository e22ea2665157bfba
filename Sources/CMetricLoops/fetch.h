#pragma once

// Blocks are walked through side by side, and their rows are too short for the processor to fetch the next ones by itself: most of
// the time would go into waiting. So each row of a block fetches the same row of the next block into the cache. Fetching never
// fails, also beyond the last block.
enum { qd_most_fetched = 512 };
#define QD_FETCH_NEXT(ROW, BYTES)                                                                                     \
  for (size_t fetched = 0; fetched < (BYTES) && fetched < qd_most_fetched; fetched += 64)                             \
    __builtin_prefetch((const uint8_t *)(ROW) + (BYTES) + fetched);
