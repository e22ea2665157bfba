#include "MetricLoops.h"

#include "clones.h"
#include "fetch.h"

#define QD_INLINE static inline __attribute__((always_inline))

typedef uint8_t sample_8;
// Planes need not be aligned.
typedef uint16_t sample_16 __attribute__((aligned(1), may_alias));

// Values of each column of some rows are worked out first, and combined in a second loop.
enum { strip = 256 };

#define QD_ROW(SAMPLE, PLANE, Y) ((const SAMPLE *)(const void *)((PLANE).samples + (ptrdiff_t)(Y) * (PLANE).stride))

// WORD holds twelve times the greatest sample.
#define QD_TEXTURE(NAME, SAMPLE, WORD)                                                                                \
  QD_CLONES uint64_t NAME(qd_metric_plane plane, size_t width, size_t height) {                                       \
    uint64_t total = 0;                                                                                               \
    for (size_t y = 0; y < height; y++) {                                                                             \
      const SAMPLE *c = QD_ROW(SAMPLE, plane, y), *u = QD_ROW(SAMPLE, plane, (ptrdiff_t)y - 1);                       \
      const SAMPLE *d = QD_ROW(SAMPLE, plane, y + 1);                                                                 \
      uint32_t sum = 0;                                                                                               \
      QD_FETCH_NEXT(d, width * sizeof(SAMPLE))                                                                        \
      for (ptrdiff_t x = 0; x < (ptrdiff_t)width; x++) {                                                              \
        WORD cross = (WORD)(c[x - 1] + c[x + 1] + u[x] + d[x]);                                                       \
        WORD diagonal = (WORD)(u[x - 1] + u[x + 1] + d[x - 1] + d[x + 1]);                                            \
        WORD f = (WORD)(12 * c[x] - 2 * cross - diagonal);                                                            \
        sum += (uint32_t)(WORD)(f < 0 ? -f : f);                                                                      \
      }                                                                                                               \
      total += sum;                                                                                                   \
    }                                                                                                                 \
    return total;                                                                                                     \
  }

QD_TEXTURE(qd_texture_8, sample_8, int16_t)
QD_TEXTURE(qd_texture_16, sample_16, int32_t)

// The 6×6 weights are symmetric, so rows that weigh the same are added up first: the outer, the middle and the inner two.
// WORD holds 48 times the greatest sample.
#define QD_HALVED_TEXTURE(NAME, SAMPLE, WORD)                                                                         \
  QD_CLONES uint64_t NAME(qd_metric_plane plane, size_t width, size_t height) {                                       \
    uint64_t total = 0;                                                                                               \
    for (size_t y = 0; y < height; y += 2) {                                                                          \
      const SAMPLE *r[6];                                                                                             \
      for (ptrdiff_t k = 0; k < 6; k++) r[k] = QD_ROW(SAMPLE, plane, (ptrdiff_t)y + k - 2);                           \
      for (int k = 4; k < 6; k++) QD_FETCH_NEXT(r[k], width * sizeof(SAMPLE))                                         \
      for (size_t begin = 0; begin < width; begin += strip) {                                                         \
        size_t count = width - begin < strip ? width - begin : strip;                                                 \
        WORD inner[strip + 4], near[strip + 4], far[strip + 4];                                                       \
        for (size_t i = 0; i < count + 4; i++) {                                                                      \
          ptrdiff_t x = (ptrdiff_t)(begin + i) - 2;                                                                   \
          WORD a = (WORD)(r[0][x] + r[5][x]), b = (WORD)(r[1][x] + r[4][x]), c = (WORD)(r[2][x] + r[3][x]);           \
          inner[i] = (WORD)(12 * c - 3 * b - a);                                                                      \
          near[i] = (WORD)(3 * c + 2 * b + a);                                                                        \
          far[i] = (WORD)(c + b);                                                                                     \
        }                                                                                                             \
        uint32_t sum = 0;                                                                                             \
        for (size_t i = 0; i < count; i += 2) {                                                                       \
          WORD f = (WORD)(inner[i + 2] + inner[i + 3] - near[i + 1] - near[i + 4] - far[i] - far[i + 5]);             \
          sum += (uint32_t)(WORD)(f < 0 ? -f : f);                                                                    \
        }                                                                                                             \
        total += sum;                                                                                                 \
      }                                                                                                               \
    }                                                                                                                 \
    return total;                                                                                                     \
  }

QD_HALVED_TEXTURE(qd_halved_texture_8, sample_8, int16_t)
QD_HALVED_TEXTURE(qd_halved_texture_16, sample_16, int32_t)

#define QD_TEMPORAL(NAME, SAMPLE, WORD, VALUE, PLANES)                                                                \
  QD_CLONES uint64_t NAME(const qd_metric_plane *planes, size_t width, size_t height) {                               \
    uint64_t total = 0;                                                                                               \
    for (size_t y = 0; y < height; y++) {                                                                             \
      const SAMPLE *restrict a = QD_ROW(SAMPLE, planes[0], y), *restrict b = QD_ROW(SAMPLE, planes[1], y);            \
      const SAMPLE *restrict c = QD_ROW(SAMPLE, planes[PLANES - 1], y);                                               \
      for (int k = 1; k < PLANES; k++) QD_FETCH_NEXT(k > 1 ? c : b, width * sizeof(SAMPLE))                           \
      uint32_t sum = 0;                                                                                               \
      for (size_t x = 0; x < width; x++) {                                                                            \
        WORD f = (WORD)(VALUE);                                                                                       \
        sum += (uint32_t)(WORD)(f < 0 ? -f : f);                                                                      \
      }                                                                                                               \
      total += sum;                                                                                                   \
    }                                                                                                                 \
    return total;                                                                                                     \
  }

#define QD_FIRST a[x] - b[x]
#define QD_SECOND a[x] - 2 * b[x] + c[x]
QD_TEMPORAL(qd_change_8, sample_8, int32_t, QD_FIRST, 2)
QD_TEMPORAL(qd_change_16, sample_16, int32_t, QD_FIRST, 2)
QD_TEMPORAL(qd_acceleration_8, sample_8, int16_t, QD_SECOND, 3)
QD_TEMPORAL(qd_acceleration_16, sample_16, int32_t, QD_SECOND, 3)

#define QD_HALVED_TEMPORAL(NAME, SAMPLE, WORD, VALUE, PLANES)                                                         \
  QD_CLONES uint64_t NAME(const qd_metric_plane *planes, size_t width, size_t height) {                               \
    uint64_t total = 0;                                                                                               \
    for (size_t y = 0; y < height; y += 2) {                                                                          \
      for (size_t begin = 0; begin < width; begin += strip) {                                                         \
        size_t count = width - begin < strip ? width - begin : strip;                                                 \
        WORD columns[strip] = {0};                                                                                    \
        for (size_t k = 0; k < 2; k++) {                                                                              \
          const SAMPLE *restrict a = QD_ROW(SAMPLE, planes[0], y + k) + begin;                                        \
          const SAMPLE *restrict b = QD_ROW(SAMPLE, planes[1], y + k) + begin;                                        \
          const SAMPLE *restrict c = QD_ROW(SAMPLE, planes[PLANES - 1], y + k) + begin;                               \
          for (int i = 1; i < PLANES; i++) QD_FETCH_NEXT(i > 1 ? c : b, count * sizeof(SAMPLE))                       \
          for (size_t x = 0; x < count; x++) columns[x] += (WORD)(VALUE);                                             \
        }                                                                                                             \
        uint32_t sum = 0;                                                                                             \
        for (size_t x = 0; x < count; x += 2) {                                                                       \
          WORD f = (WORD)(columns[x] + columns[x + 1]);                                                               \
          sum += (uint32_t)(WORD)(f < 0 ? -f : f);                                                                    \
        }                                                                                                             \
        total += sum;                                                                                                 \
      }                                                                                                               \
    }                                                                                                                 \
    return total;                                                                                                     \
  }

QD_HALVED_TEMPORAL(qd_halved_change_8, sample_8, int16_t, QD_FIRST, 2)
QD_HALVED_TEMPORAL(qd_halved_change_16, sample_16, int32_t, QD_FIRST, 2)
QD_HALVED_TEMPORAL(qd_halved_acceleration_8, sample_8, int16_t, QD_SECOND, 3)
QD_HALVED_TEMPORAL(qd_halved_acceleration_16, sample_16, int32_t, QD_SECOND, 3)
