#include "SixelLoops.h"

#include <stdlib.h>
#include <string.h>

enum { bin_count = 1 << 15, no_color = 255 };

// Pixels that have their highest bits in common.
typedef struct {
  uint64_t count, sums[3];
  uint32_t number;
} bin;

typedef struct {
  size_t first, end;
  double error;
  int axis;
} box;

size_t qd_sixel_fit_scratch(void) { return bin_count * sizeof(bin); }

// Finds how much the colours of a box differ, and on which axis most.
static void measure(const bin *bins, box *part) {
  double count = 0, sums[3] = {0}, squares[3] = {0}, most = -1;
  for (size_t i = part->first; i < part->end; i++) {
    count += (double)bins[i].count;
    for (int axis = 0; axis < 3; axis++) {
      sums[axis] += (double)bins[i].sums[axis];
      squares[axis] += (double)bins[i].sums[axis] * (double)bins[i].sums[axis] / (double)bins[i].count;
    }
  }
  part->error = 0;
  for (int axis = 0; axis < 3; axis++) {
    double error = squares[axis] - sums[axis] * sums[axis] / count;
    part->error += error;
    if (error > most) {
      most = error;
      part->axis = axis;
    }
  }
}

// Puts the bins below the mean of a box first. Returns where the others begin, with at least one on each side.
static size_t divide(bin *bins, const box *part) {
  double count = 0, sum = 0;
  for (size_t i = part->first; i < part->end; i++) {
    count += (double)bins[i].count;
    sum += (double)bins[i].sums[part->axis];
  }
  size_t low = part->first;
  for (size_t i = part->first; i < part->end; i++) {
    if ((double)bins[i].sums[part->axis] * count > sum * (double)bins[i].count) continue;
    bin moved = bins[i];
    bins[i] = bins[low];
    bins[low++] = moved;
  }
  // By rounding, all may seem to be on one side.
  if (low == part->first) return low + 1;
  return low == part->end ? low - 1 : low;
}

void qd_sixel_fit(const uint8_t *rgb, size_t count, size_t limit, void *scratch, qd_sixel_map *map) {
  if (limit > qd_sixel_colors) limit = qd_sixel_colors;
  bin *bins = scratch;
  memset(bins, 0, bin_count * sizeof *bins);
  for (int value = 0; value < 256; value++) {
    map->red[value] = (uint16_t)(value >> 3 << 10);
    map->green[value] = (uint16_t)(value >> 3 << 5);
    map->blue[value] = (uint16_t)(value >> 3);
  }
  for (size_t i = 0; i < count; i++, rgb += 3) {
    bin *own = bins + map->red[rgb[0]] + map->green[rgb[1]] + map->blue[rgb[2]];
    own->count++;
    for (int axis = 0; axis < 3; axis++) own->sums[axis] += rgb[axis];
  }
  size_t used = 0;
  for (uint32_t number = 0; number < bin_count; number++) {
    if (bins[number].count == 0) continue;
    bins[used] = bins[number];
    bins[used++].number = number;
  }
  box boxes[qd_sixel_colors];
  map->count = used > 0 ? 1 : 0;
  memset(map->colors, no_color, sizeof map->colors);
  if (used == 0) return;
  boxes[0] = (box){.first = 0, .end = used};
  measure(bins, boxes);
  while (map->count < limit) {
    box *worst = NULL;
    for (size_t i = 0; i < map->count; i++) {
      box *part = boxes + i;
      if (part->end - part->first > 1 && part->error > 0 && (worst == NULL || part->error > worst->error)) worst = part;
    }
    if (worst == NULL) break;
    size_t middle = divide(bins, worst);
    box *other = boxes + map->count++;
    *other = (box){.first = middle, .end = worst->end};
    worst->end = middle;
    measure(bins, worst);
    measure(bins, other);
  }
  for (size_t color = 0; color < map->count; color++) {
    uint64_t all = 0, sums[3] = {0};
    for (size_t i = boxes[color].first; i < boxes[color].end; i++) {
      all += bins[i].count;
      for (int axis = 0; axis < 3; axis++) sums[axis] += bins[i].sums[axis];
      map->colors[bins[i].number] = (uint8_t)color;
    }
    for (int axis = 0; axis < 3; axis++) map->palette[color][axis] = (uint8_t)((sums[axis] + all / 2) / all);
  }
}

void qd_sixel_complete(qd_sixel_map *map) {
  for (int number = 0; number < bin_count; number++) {
    if (map->colors[number] != no_color) continue;
    // The middle of the bin.
    int middle[3] = {(number >> 10) * 8 + 4, (number >> 5 & 31) * 8 + 4, (number & 31) * 8 + 4}, least = 1 << 30;
    for (size_t color = 0; color < map->count; color++) {
      int distance = 0;
      for (int k = 0; k < 3; k++) distance += (middle[k] - map->palette[color][k]) * (middle[k] - map->palette[color][k]);
      if (distance >= least) continue;
      least = distance;
      map->colors[number] = (uint8_t)color;
    }
  }
}
