// Shrinks planes of samples by averaging, and turns the small picture into RGB.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_CAREASHRINK_H
#define QUADRILLE_CAREASHRINK_H

#include <stddef.h>
#include <stdint.h>

// One axis of a plane: `parts` pixels of equal size are laid over the first `span` of `samples` samples.
typedef struct {
  size_t samples;
  double span;
  size_t parts;
} qd_axis;

// A pixel's share of an axis: the weights (0…1) of its first and its last sample; those between count fully. And one
// through the sum of all weights.
typedef struct {
  uint32_t first, last;
  float first_weight, last_weight, inverse_size;
} qd_share;

// Fills `shares` with the shares of all parts of an axis.
void qd_divide(qd_axis axis, qd_share *shares);

// Averages the samples in each pixel's share of rows and columns, which come from `qd_divide`. A row holds `step` samples
// for each column, interleaved, which go to as many outputs, each of `columns` × `rows` values from 0 to 65535: samples of
// `bits` bits are scaled to that. `scratch` has room for two rows. A row's share has fewer than 2^15 rows
// of 8-bit samples, or 2^7 of 16-bit ones (in native byte order, `stride` in bytes and even).
void qd_shrink_8(
    const uint8_t *input, ptrdiff_t stride, size_t samples, size_t step, int bits, const qd_share *column_shares,
    size_t columns, const qd_share *row_shares, size_t rows, uint16_t *const *outputs, uint32_t *scratch);
void qd_shrink_16(
    const uint8_t *input, ptrdiff_t stride, size_t samples, size_t step, int bits, const qd_share *column_shares,
    size_t columns, const qd_share *row_shares, size_t rows, uint16_t *const *outputs, uint32_t *scratch);

// What makes R, G and B (0…255) of Y, U and V (0…65535): factors, and what is taken away from Y first.
typedef struct {
  float black, y, red_v, green_u, green_v, blue_u;
} qd_yuv_matrix;

// Writes `count` pixels as bytes B, G, R, 0 (on little-endian machines, which all of this is for). Without colour planes they are grey.
void qd_yuv_to_bgr0(
    const uint16_t *y, const uint16_t *u, const uint16_t *v, size_t count, qd_yuv_matrix matrix, uint8_t *output);

#endif
