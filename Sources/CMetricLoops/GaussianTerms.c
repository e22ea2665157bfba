#include "MetricLoops.h"

#include <string.h>

#include "clones.h"

#define QD_INLINE static inline __attribute__((always_inline))

// Planes need not be aligned.
typedef uint16_t sample_16 __attribute__((aligned(1), may_alias));

// Eight numbers at a time: compilers make of this type whatever vectors the processor has.
enum { lanes = 8 };
typedef float floats __attribute__((vector_size(4 * lanes)));
typedef float stored_floats __attribute__((vector_size(4 * lanes), aligned(4)));
typedef float one_float __attribute__((vector_size(4)));
typedef float stored_one_float __attribute__((vector_size(4), aligned(4)));

#define QD_LOAD(STORED, P) (*(const STORED *)(const void *)(P))
#define QD_STORE(STORED, P, VALUE) (*(STORED *)(void *)(P) = (VALUE))

#define QD_WIDEN(NAME, SAMPLE)                                                                                        \
  QD_CLONES void NAME(const uint8_t *samples, size_t count, float scale, float *restrict output) {                    \
    const SAMPLE *from = (const void *)samples;                                                                       \
    for (size_t i = 0; i < count; i++) output[i] = (float)from[i] * scale;                                            \
  }

QD_WIDEN(qd_widen_8, uint8_t)
QD_WIDEN(qd_widen_16, sample_16)

#define QD_WEIGH_ROWS(VECTOR, STORED)                                                                                 \
  VECTOR s[5] = {{0}, {0}, {0}, {0}, {0}};                                                                            \
  for (size_t k = 0; k < taps; k++) {                                                                                 \
    VECTOR p = QD_LOAD(STORED, a + k * stride + x), q = QD_LOAD(STORED, b + k * stride + x);                          \
    VECTOR weighed_p = p * weights[k], weighed_q = q * weights[k];                                                    \
    s[0] += weighed_p;                                                                                                \
    s[1] += weighed_q;                                                                                                \
    s[2] += weighed_p * p;                                                                                            \
    s[3] += weighed_q * q;                                                                                            \
    s[4] += weighed_p * q;                                                                                            \
  }                                                                                                                   \
  for (size_t k = 0; k < 5; k++) QD_STORE(STORED, output + k * count + x, s[k]);

QD_CLONES void qd_weigh_rows(
    const float *a, const float *b, size_t stride, size_t count, const float *weights, size_t taps, float *output) {
  size_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    QD_WEIGH_ROWS(floats, stored_floats)
  }
  for (; x < count; x++) {
    QD_WEIGH_ROWS(one_float, stored_one_float)
  }
}

// Variances below 0 come from rounding. Where nothing varies, the structures are the same.
#define QD_TERMS(VECTOR, STORED, COUNT)                                                                               \
  VECTOR s[5] = {{0}, {0}, {0}, {0}, {0}};                                                                            \
  for (size_t k = 0; k < taps; k++) {                                                                                 \
    for (size_t j = 0; j < 5; j++) s[j] += QD_LOAD(STORED, rows + j * stride + x + k) * weights[k];                   \
  }                                                                                                                   \
  const VECTOR zero = {0};                                                                                            \
  VECTOR power_a = s[0] * s[0], power_b = s[1] * s[1], means = s[0] * s[1];                                           \
  VECTOR variance_a = __builtin_elementwise_max(s[2] - power_a, zero);                                                \
  VECTOR variance_b = __builtin_elementwise_max(s[3] - power_b, zero);                                                \
  VECTOR covariance = s[4] - means, deviations = __builtin_elementwise_sqrt(variance_a * variance_b);                 \
  VECTOR luminance = (2 * means + c1) / (power_a + power_b + c1);                                                     \
  VECTOR contrast = (2 * deviations + c2) / (variance_a + variance_b + c2);                                           \
  VECTOR structure = (covariance + c3) / (deviations + c3);                                                           \
  for (size_t k = 0; k < COUNT; k++) {                                                                                \
    terms.luminance += luminance[k];                                                                                  \
    terms.contrast += contrast[k];                                                                                    \
    terms.structure += deviations[k] <= 0 && covariance[k] < 0 ? 1 : structure[k];                                    \
  }

QD_CLONES qd_ssim_terms qd_terms_of_row(
    const float *rows, size_t stride, size_t count, const float *weights, size_t taps, float c1, float c2) {
  qd_ssim_terms terms = {0, 0, 0};
  float c3 = c2 / 2;
  size_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    QD_TERMS(floats, stored_floats, lanes)
  }
  for (; x < count; x++) {
    QD_TERMS(one_float, stored_one_float, 1)
  }
  return terms;
}

#define QD_BLEND_ROWS(VECTOR, STORED)                                                                                 \
  VECTOR sum = {0};                                                                                                   \
  for (size_t k = 0; k < taps; k++) sum += QD_LOAD(STORED, rows[k] + x) * weights[k];                                 \
  QD_STORE(STORED, output + x, sum);

QD_CLONES void qd_blend_rows(const float *const *rows, size_t count, const float *weights, size_t taps, float *output) {
  size_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    QD_BLEND_ROWS(floats, stored_floats)
  }
  for (; x < count; x++) {
    QD_BLEND_ROWS(one_float, stored_one_float)
  }
}

QD_CLONES void qd_blend_columns(const float *row, size_t count, const float *weights, size_t taps, float *restrict output) {
  for (size_t i = 0; i < count; i++) {
    float sum = 0;
    for (size_t k = 0; k < taps; k++) sum += row[2 * i + k] * weights[k];
    output[i] = sum;
  }
}
