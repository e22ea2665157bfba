// Loops of the alignment of two clips: small pictures as vectors of floats, and the steps of a path search.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_ALIGNMENTLOOPS_H
#define QUADRILLE_ALIGNMENTLOOPS_H

#include <stddef.h>
#include <stdint.h>

// The most samples that make one part of an axis.
enum { qd_most_taps = 8 };

// What a part of an axis is made of: weights of samples from `first` on. Weights beyond the last one are 0.
typedef struct {
  uint32_t first, count;
  float weights[qd_most_taps];
} qd_part;

// Makes a picture of `columns` × `rows` parts of one that is `width` samples wide. `scratch` has room for `width` floats.
void qd_resample(
    const uint8_t *picture, size_t width, const qd_part *across, size_t columns, const qd_part *down, size_t rows,
    float *scratch, float *output);

// Means of 2 × 2 samples; `width` and `height` are those of the output.
void qd_halve(const uint8_t *picture, size_t width, size_t height, float *output);

// The sums of the products of `count` rows with one vector. `length` is a multiple of 16.
void qd_inner_products(
    const float *rows, size_t count, size_t length, const float *vector, float *output);

// The same for `vector_count` vectors at once, which lie one after another as the rows do; an output row of `stride` for each.
void qd_inner_product_matrix(
    const float *rows, size_t count, size_t length, const float *vectors, size_t vector_count, float *output,
    size_t stride);

// Writes (`input` − `mean`) × `weights` × `factor`, and returns nothing.
void qd_centre(
    const float *input, float mean, const float *weights, float factor, size_t length, float *output);

// Σ weights × input, and Σ weights × input².
void qd_moments(const float *input, const float *weights, size_t length, float *sum, float *squares);

// Σ weights × (a − b)².
float qd_weighted_distance(const float *a, const float *b, const float *weights, size_t length);

// Keeps the smaller of `best` and `from` + `cost`; where that is the new one, `codes` becomes `code`.
void qd_relax(const float *from, float cost, int32_t code, size_t count, float *best, int32_t *codes);

// A fast natural logarithm of 1 + x for x ≥ 0, times a factor: its error is below 0.0002 × factor.
void qd_log1p(const float *input, float scale, float factor, size_t count, float *output);

#endif
