#include "AlignmentLoops.h"

#include <string.h>

#include "clones.h"

#define QD_INLINE static inline __attribute__((always_inline))

// Eight floats at a time, whatever the processor has: sums are then the same on all of them.
enum { lanes = 8 };
typedef float vector __attribute__((vector_size(4 * lanes), aligned(4)));

// Macros, because functions do not take vectors that not all processors have.
#define LOAD(P) (*(const vector *)(const void *)(P))
#define TOTAL(V) (((V[0] + V[4]) + (V[2] + V[6])) + ((V[1] + V[5]) + (V[3] + V[7])))

QD_CLONES void qd_resample(
    const uint8_t *picture, size_t width, const qd_part *across, size_t columns, const qd_part *down, size_t rows,
    float *restrict scratch, float *restrict output) {
  for (size_t y = 0; y < rows; y++) {
    qd_part part = down[y];
    const uint8_t *row = picture + (size_t)part.first * width;
    for (size_t x = 0; x < width; x++) scratch[x] = part.weights[0] * (float)row[x];
    for (size_t k = 1; k < part.count; k++) {
      row += width;
      float weight = part.weights[k];
      for (size_t x = 0; x < width; x++) scratch[x] += weight * (float)row[x];
    }
    for (size_t i = 0; i < columns; i++) {
      const qd_part *column = across + i;
      const float *from = scratch + column->first;
      float sum = column->weights[0] * from[0];
      for (size_t k = 1; k < column->count; k++) sum += column->weights[k] * from[k];
      *output++ = sum;
    }
  }
}

QD_CLONES void qd_halve(const uint8_t *picture, size_t width, size_t height, float *restrict output) {
  for (size_t y = 0; y < height; y++) {
    const uint8_t *a = picture + 4 * width * y, *b = a + 2 * width;
    for (size_t x = 0; x < width; x++) {
      output[x] = (float)(a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) * 0.25f;
    }
    output += width;
  }
}

QD_INLINE void products_of_four(
    const float *rows, size_t length, const float *restrict v, float *restrict output) {
  const float *a = rows, *b = a + length, *c = b + length, *d = c + length;
  vector p = {0}, q = {0}, r = {0}, s = {0};
  for (size_t i = 0; i < length; i += lanes) {
    vector x = LOAD(v + i);
    p += LOAD(a + i) * x;
    q += LOAD(b + i) * x;
    r += LOAD(c + i) * x;
    s += LOAD(d + i) * x;
  }
  output[0] = TOTAL(p);
  output[1] = TOTAL(q);
  output[2] = TOTAL(r);
  output[3] = TOTAL(s);
}

QD_INLINE float product(const float *row, size_t length, const float *restrict v) {
  vector sum = {0};
  for (size_t i = 0; i < length; i += lanes) sum += LOAD(row + i) * LOAD(v + i);
  return TOTAL(sum);
}

QD_CLONES void qd_inner_products(
    const float *rows, size_t count, size_t length, const float *v, float *restrict output) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) products_of_four(rows + i * length, length, v, output + i);
  for (; i < count; i++) output[i] = product(rows + i * length, length, v);
}

// Three vectors with four rows: twelve sums and what they are made of fit into sixteen registers.
QD_INLINE void products_of_four_with_three(
    const float *rows, size_t length, const float *restrict v, float *restrict output, size_t stride) {
  const float *a = rows, *b = a + length, *c = b + length, *d = c + length;
  const float *v1 = v + length, *v2 = v1 + length;
  vector p0 = {0}, q0 = {0}, r0 = {0}, s0 = {0}, p1 = {0}, q1 = {0}, r1 = {0}, s1 = {0}, p2 = {0}, q2 = {0}, r2 = {0},
         s2 = {0};
  for (size_t i = 0; i < length; i += lanes) {
    vector x = LOAD(v + i), y = LOAD(v1 + i), z = LOAD(v2 + i), t = LOAD(a + i);
    p0 += t * x;
    p1 += t * y;
    p2 += t * z;
    t = LOAD(b + i);
    q0 += t * x;
    q1 += t * y;
    q2 += t * z;
    t = LOAD(c + i);
    r0 += t * x;
    r1 += t * y;
    r2 += t * z;
    t = LOAD(d + i);
    s0 += t * x;
    s1 += t * y;
    s2 += t * z;
  }
  output[0] = TOTAL(p0), output[1] = TOTAL(q0), output[2] = TOTAL(r0), output[3] = TOTAL(s0);
  output += stride;
  output[0] = TOTAL(p1), output[1] = TOTAL(q1), output[2] = TOTAL(r1), output[3] = TOTAL(s1);
  output += stride;
  output[0] = TOTAL(p2), output[1] = TOTAL(q2), output[2] = TOTAL(r2), output[3] = TOTAL(s2);
}

QD_CLONES void qd_inner_product_matrix(
    const float *rows, size_t count, size_t length, const float *vectors, size_t vector_count, float *restrict output,
    size_t stride) {
  enum { tile = 48 };
  for (size_t first = 0; first < count; first += tile) {
    size_t end = first + tile < count ? first + tile : count;
    for (size_t j = 0; j < vector_count; j += 3) {
      size_t i = first;
      if (j + 3 <= vector_count) {
        for (; i + 4 <= end; i += 4) {
          products_of_four_with_three(
              rows + i * length, length, vectors + j * length, output + j * stride + i, stride);
        }
      }
      size_t last = j + 3 < vector_count ? j + 3 : vector_count;
      for (; i < end; i++) {
        for (size_t k = j; k < last; k++) {
          output[k * stride + i] = product(rows + i * length, length, vectors + k * length);
        }
      }
    }
  }
}

QD_CLONES void qd_centre(
    const float *input, float mean, const float *weights, float factor, size_t length, float *restrict output) {
  for (size_t i = 0; i < length; i++) output[i] = (input[i] - mean) * (weights[i] * factor);
}

QD_CLONES void qd_moments(
    const float *input, const float *restrict weights, size_t length, float *restrict sum, float *restrict squares) {
  vector s = {0}, q = {0};
  for (size_t i = 0; i < length; i += lanes) {
    vector x = LOAD(input + i), wx = x * LOAD(weights + i);
    s += wx;
    q += wx * x;
  }
  *sum = TOTAL(s);
  *squares = TOTAL(q);
}

QD_CLONES float qd_weighted_distance(const float *a, const float *b, const float *weights, size_t length) {
  vector s = {0};
  for (size_t i = 0; i < length; i += lanes) {
    vector d = LOAD(a + i) - LOAD(b + i);
    s += d * d * LOAD(weights + i);
  }
  return TOTAL(s);
}

QD_CLONES void qd_relax(
    const float *from, float cost, int32_t code, size_t count, float *restrict best, int32_t *restrict codes) {
  for (size_t i = 0; i < count; i++) {
    float x = from[i] + cost;
    int better = x < best[i];
    codes[i] = better ? code : codes[i];
    best[i] = better ? x : best[i];
  }
}

// The exponent, and a polynomial of the mantissa between √½ and √2.
QD_CLONES void qd_log1p(const float *input, float scale, float factor, size_t count, float *restrict output) {
  for (size_t i = 0; i < count; i++) {
    float x = 1 + input[i] * scale;
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int32_t exponent = (bits - 0x3f3504f3) >> 23;
    bits -= exponent * (1 << 23);
    float f;
    memcpy(&f, &bits, sizeof f);
    f -= 1;
    float series = f * (1 + f * (-0.5f + f * (0.33333f + f * (-0.2496f + f * (0.2018f + f * (-0.1820f + f * 0.1163f))))));
    output[i] = factor * (series + 0.6931472f * (float)exponent);
  }
}
