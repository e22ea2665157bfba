#include "CellFit.h"

#include "clones.h"

#define QD_INLINE static inline __attribute__((always_inline))

// Eight cells at a time, one in each lane.
enum { lanes = 8, width = qd_cell_width, height = qd_cell_height };
typedef float reals __attribute__((vector_size(4 * lanes)));
typedef int32_t wholes __attribute__((vector_size(4 * lanes)));

// A colour's three components in each lane.
typedef struct {
  reals r, g, b;
} colors;

QD_INLINE colors sum(colors a, colors b) { return (colors){a.r + b.r, a.g + b.g, a.b + b.b}; }
QD_INLINE colors difference(colors a, colors b) { return (colors){a.r - b.r, a.g - b.g, a.b - b.b}; }
QD_INLINE colors scaled(colors a, float by) { return (colors){a.r * by, a.g * by, a.b * by}; }

// Sums of samples less their share of the cell's, so that the squared error that a shape saves depends on one sum alone.
typedef struct {
  // Of the left and the right half of each row, and of each column.
  colors rows[height][2], columns[width];
  // The means of the cells.
  colors mean;
} cell_sums;

// Loads `count` cells (1…8); lanes beyond are those of the last.
QD_INLINE void load(const uint8_t *samples, ptrdiff_t stride, size_t count, int step, int red, int blue, cell_sums *sums) {
  int32_t rows[height][2][3][lanes], columns[width][3][lanes];
  for (size_t lane = 0; lane < lanes; lane++) {
    const uint8_t *first = samples + (lane < count ? lane : count - 1) * (size_t)(width * step);
    const int parts[3] = {red, 1, blue};
    for (int k = 0; k < 3; k++) {
      int32_t own[width] = {0};
      const uint8_t *p = first + parts[k];
      for (int y = 0; y < height; y++, p += stride) {
        int32_t a = p[0], b = p[step], c = p[2 * step], d = p[3 * step];
        own[0] += a, own[1] += b, own[2] += c, own[3] += d;
        rows[y][0][k][lane] = a + b;
        rows[y][1][k][lane] = c + d;
      }
      for (int x = 0; x < width; x++) columns[x][k][lane] = own[x];
    }
  }
#define QD_COLORS(ARRAY)                                                                                              \
  (colors) {                                                                                                          \
    __builtin_convertvector(*(wholes *)(ARRAY)[0], reals), __builtin_convertvector(*(wholes *)(ARRAY)[1], reals),     \
        __builtin_convertvector(*(wholes *)(ARRAY)[2], reals)                                                         \
  }
  colors total = QD_COLORS(columns[0]);
  for (int x = 1; x < width; x++) total = sum(total, QD_COLORS(columns[x]));
  sums->mean = scaled(total, 1.0f / (width * height));
  colors half_row = scaled(sums->mean, width / 2), column = scaled(sums->mean, height);
  for (int y = 0; y < height; y++) {
    for (int side = 0; side < 2; side++) sums->rows[y][side] = difference(QD_COLORS(rows[y][side]), half_row);
  }
  for (int x = 0; x < width; x++) sums->columns[x] = difference(QD_COLORS(columns[x]), column);
}

// The best shape so far in each lane, what it saves, and the sum of its ink.
typedef struct {
  reals saved;
  wholes shape;
} choice;

// Offers a shape whose ink covers `area` of 1.
QD_INLINE void offer(choice *best, colors ink, float area, int shape) {
  reals saved = (ink.r * ink.r + ink.g * ink.g + ink.b * ink.b) * (1 / (width * height * area * (1 - area)));
  wholes better = saved > best->saved;
  best->saved = __builtin_elementwise_max(saved, best->saved);
  best->shape = (best->shape & ~better) | (better & (wholes){shape, shape, shape, shape, shape, shape, shape, shape});
}

// The parts of one cell's shape that may be its ink, in sums of `count` parts.
typedef struct {
  colors quadrants[4], lower[8], left[8], sextants[6], octants[8];
} parts;

QD_INLINE void divide(const cell_sums *sums, unsigned families, parts *parts) {
  colors quarters[4][2];
  for (int y = 0; y < 4; y++) {
    for (int side = 0; side < 2; side++) {
      quarters[y][side] = sum(sums->rows[2 * y][side], sums->rows[2 * y + 1][side]);
      if (families & qd_fit_octants) parts->octants[2 * y + side] = quarters[y][side];
    }
  }
  for (int n = 0; n < 4; n++) parts->quadrants[n] = sum(quarters[n / 2 * 2][n % 2], quarters[n / 2 * 2 + 1][n % 2]);
  colors below = {0};
  for (int k = 1; k < 8; k++) {
    below = sum(below, sum(sums->rows[8 - k][0], sums->rows[8 - k][1]));
    parts->lower[k] = below;
  }
  colors before = {0};
  for (int x = 0; x < width; x++) {
    colors half = scaled(sums->columns[x], 0.5f);
    parts->left[2 * x + 1] = sum(before, half);
    before = sum(before, sums->columns[x]);
    if (x + 1 < width) parts->left[2 * x + 2] = before;
  }
  if (families & qd_fit_sextants) {
    for (int side = 0; side < 2; side++) {
      const float third = 1.0f / 3;
      colors r2 = scaled(sums->rows[2][side], third), r5 = scaled(sums->rows[5][side], third);
      parts->sextants[side] =
          sum(sum(sums->rows[0][side], sums->rows[1][side]), difference(sums->rows[2][side], r2));
      parts->sextants[2 + side] = sum(sum(r2, r5), sum(sums->rows[3][side], sums->rows[4][side]));
      parts->sextants[4 + side] =
          sum(sum(sums->rows[6][side], sums->rows[7][side]), difference(sums->rows[5][side], r5));
    }
  }
}

int qd_octant_is_inverted(unsigned mask) {
  return mask == 1 || mask == 2 || mask == 20 || mask == 40 || mask == 64;
}

int qd_octant_is_redundant(unsigned mask) {
  switch (mask) {
  case 3: case 5: case 10: case 15: case 63: case 80: case 85: case 90: case 95: return 1;
  default: return 0;
  }
}

// What a shape has to save to be worth a second colour, and one of four bytes to be better than one of three.
static const float worth = 16;

QD_INLINE void find_shapes(const parts *parts, unsigned families, wholes *shapes) {
  choice best = {.saved = (reals){0} + worth};
  for (int mask = 1; mask < 8; mask++) {
    colors ink = {0};
    for (int n = 0; n < 3; n++) if (mask >> n & 1) ink = sum(ink, parts->quadrants[n]);
    offer(&best, ink, (float)__builtin_popcount((unsigned)mask) / 4, mask);
  }
  for (int k = 1; k < 8; k++) {
    if (k == 4) continue;
    int place = k - 1 - (k > 4);
    offer(&best, parts->lower[k], (float)k / 8, qd_shape_lower + place);
    offer(&best, parts->left[k], (float)k / 8, qd_shape_left + place);
  }
  best.saved += worth / 2;
  // In the order of a Gray code, one part comes or goes at a time.
  if (families & qd_fit_sextants) {
    colors ink = {0};
    unsigned mask = 0;
    for (unsigned n = 1; n < 32; n++) {
      int part = __builtin_ctz(n);
      mask ^= 1u << part;
      ink = mask >> part & 1 ? sum(ink, parts->sextants[part]) : difference(ink, parts->sextants[part]);
      if (mask != 21) offer(&best, ink, (float)__builtin_popcount(mask) / 6, qd_shape_sextant + (int)mask);
    }
  }
  if (families & qd_fit_octants) {
    colors ink = {0};
    unsigned mask = 0;
    for (unsigned n = 1; n < 128; n++) {
      int part = __builtin_ctz(n);
      mask ^= 1u << part;
      ink = mask >> part & 1 ? sum(ink, parts->octants[part]) : difference(ink, parts->octants[part]);
      if (qd_octant_is_redundant(mask)) continue;
      offer(&best, ink, (float)__builtin_popcount(mask) / 8, qd_shape_octant + (int)mask);
    }
  }
  *shapes = best.shape;
}

// One component of a sum in one lane.
QD_INLINE float at(const colors *sums, int component, size_t lane) { return ((const float *)sums)[component * lanes + (int)lane]; }

QD_INLINE uint8_t level(float value) {
  value = value < 0 ? 0 : value > 255 ? 255 : value;
  return (uint8_t)(value + 0.5f);
}

// Fills a cell with the colours that fit its shape best.
QD_INLINE void color(const parts *parts, const colors *mean, int shape, size_t lane, qd_cell *cell) {
  static const uint8_t eighths[6] = {1, 2, 3, 5, 6, 7};
  float ink[3] = {0}, area = 0;
  const colors *pieces = parts->quadrants;
  unsigned mask = (unsigned)shape;
  float share = 1.0f / 4;
  int inverted = 0;
  if (shape >= qd_shape_octant) {
    pieces = parts->octants, mask = (unsigned)shape - qd_shape_octant, share = 1.0f / 8;
    inverted = qd_octant_is_inverted(mask);
  } else if (shape >= qd_shape_sextant) {
    pieces = parts->sextants, mask = (unsigned)shape - qd_shape_sextant, share = 1.0f / 6;
  } else if (shape >= qd_shape_lower) {
    int k = eighths[shape >= qd_shape_left ? shape - qd_shape_left : shape - qd_shape_lower];
    pieces = (shape >= qd_shape_left ? parts->left : parts->lower) + k, mask = 1, share = (float)k / 8;
  }
  for (; mask; mask >>= 1, pieces++) {
    if (!(mask & 1)) continue;
    area += share;
    for (int k = 0; k < 3; k++) ink[k] += at(pieces, k, lane);
  }
  const float samples = width * height;
  cell->shape = (uint8_t)shape;
  cell->unused[0] = cell->unused[1] = 0;
  for (int k = 0; k < 3; k++) {
    float own = at(mean, k, lane);
    uint8_t rest = level(shape ? own - ink[k] / (samples * (1 - area)) : own);
    uint8_t inked = level(shape ? own + ink[k] / (samples * area) : own);
    float above = (at(parts->quadrants, k, lane) + at(parts->quadrants + 1, k, lane)) * (2 / samples);
    cell->upper[2 - k] = (int8_t)(above < 0 ? above - 0.5f : above + 0.5f);
    cell->foreground[2 - k] = inverted ? rest : inked;
    cell->background[2 - k] = inverted ? inked : rest;
  }
}

QD_INLINE void fit(
    const uint8_t *samples, ptrdiff_t stride, size_t count, unsigned families, int step, int red, int blue, qd_cell *output) {
  for (size_t n = 0; n < count; n += lanes) {
    size_t some = count - n < lanes ? count - n : lanes;
    cell_sums sums;
    load(samples + n * (size_t)(width * step), stride, some, step, red, blue, &sums);
    parts parts;
    divide(&sums, families, &parts);
    wholes shapes;
    find_shapes(&parts, families, &shapes);
    for (size_t lane = 0; lane < some; lane++) color(&parts, &sums.mean, shapes[lane], lane, output + n + lane);
  }
}

QD_CLONES void qd_fit_rgb(const uint8_t *samples, ptrdiff_t stride, size_t count, unsigned families, qd_cell *output) {
  fit(samples, stride, count, families, 3, 0, 2, output);
}

QD_CLONES void qd_fit_bgr0(const uint8_t *samples, ptrdiff_t stride, size_t count, unsigned families, qd_cell *output) {
  fit(samples, stride, count, families, 4, 2, 0, output);
}
