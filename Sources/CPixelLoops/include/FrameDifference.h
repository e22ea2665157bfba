// Differences of the samples of two frames, reduced to the pixels of a smaller image.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_FRAMEDIFFERENCE_H
#define QUADRILLE_FRAMEDIFFERENCE_H

#include <stddef.h>
#include <stdint.h>

// What is made of the differences a − b in a block.
typedef enum {
  // The greatest one, without its sign.
  qd_greatest_distance,
  // The one farthest from 0; above 0 if two are equally far.
  qd_greatest_difference,
  // The mean of all, each without its sign.
  qd_mean_distance,
  // The mean of all.
  qd_mean_difference,
} qd_measure;

// Some rows of a plane of two frames: samples of 8 bits, or of 16 bits in native byte order at any address. Strides are in
// bytes.
typedef struct {
  const uint8_t *a, *b;
  ptrdiff_t a_stride, b_stride;
  size_t rows;
} qd_row_pair;

// Bytes of scratch memory for `qd_fold`, for `count` samples of either size.
size_t qd_fold_size(size_t count);

// Reduces at least one row of `count` samples each to one row of columns, in `folded`.
void qd_fold_8(qd_row_pair pair, size_t count, qd_measure measure, void *folded);
void qd_fold_16(qd_row_pair pair, size_t count, qd_measure measure, void *folded);

// Samples from `first` to before `end`, of which there is at least one.
typedef struct {
  uint32_t first, end;
} qd_block;

// The blocks of one component: its sample i is the sample `i * step + offset` of the folded row, which begins with sample
// `start` of the plane. Where `are_single` is not 0, each block is one sample and the next one follows.
typedef struct {
  const qd_block *blocks;
  size_t count, step, offset, start;
  int are_single;
} qd_blocks;

// Reduces a folded row to one value for each block, times `scale`. `count`, `measure` and `rows` are those of the fold.
void qd_reduce_8(
    const void *folded, size_t count, qd_measure measure, size_t rows, qd_blocks blocks, float scale, float *output);
void qd_reduce_16(
    const void *folded, size_t count, qd_measure measure, size_t rows, qd_blocks blocks, float scale, float *output);

// Replaces values by others that are farther from 0.
void qd_keep_greater(float *values, const float *others, size_t count);

// Values as bytes: `offset` + value × `factor`, rounded away from the offset and clamped to 0…255. Each goes into three bytes:
// thrice, by a table of 256 colours, or as one of the three.
void qd_write_grey(const float *values, size_t count, float factor, int offset, uint8_t *output);
void qd_write_colours(const float *values, size_t count, float factor, const uint8_t *table, uint8_t *output);
void qd_write_rgb(const float *const *values, size_t count, float factor, int offset, uint8_t *output);

// Rows of R, G and B, with `step` samples from one pixel to the next.
typedef struct {
  const uint8_t *red, *green, *blue;
  size_t step;
  int bits;
} qd_rgb_row;

// The brightness of pixels by the weights of BT.709, at 16 bits: that of n bits times 2^(16 − n).
void qd_luma_8(qd_rgb_row row, size_t count, uint16_t *output);
void qd_luma_16(qd_rgb_row row, size_t count, uint16_t *output);

// Some samples of a row, `step` apart, and the shifts that make them samples of the output: first right, then left.
typedef struct {
  const uint8_t *samples;
  size_t step;
  int right, left;
} qd_spread_row;

// Puts samples of one or two bytes side by side, as samples of one or two bytes.
void qd_gather_8_to_8(qd_spread_row row, size_t count, uint8_t *output);
void qd_gather_8_to_16(qd_spread_row row, size_t count, uint8_t *output);
void qd_gather_16_to_16(qd_spread_row row, size_t count, uint8_t *output);

// What makes Y′CbCr of another matrix of Y′CbCr: Y gets U and V times a factor added, U and V come from both. Factors are for
// samples of 16 bits, with the middle of U and V at 32768.
typedef struct {
  float y_u, y_v, u_u, u_v, v_u, v_v;
} qd_matrix_change;

// Changes a row of Y. There is a sample of U and V, of which there are `chroma_count`, for each 2^`shift` of Y; those between are
// interpolated.
void qd_change_luma(
    uint16_t *y, size_t count, const uint16_t *u, const uint16_t *v, size_t chroma_count, int shift, qd_matrix_change change);

// Changes a row of U and V.
void qd_change_chroma(uint16_t *u, uint16_t *v, size_t count, qd_matrix_change change);

// Copies the high bytes of samples.
void qd_high_bytes(const uint16_t *samples, size_t count, uint8_t *output);

// Copies elements of `size` bytes (1, 2, 3 or 6): from one to the next in a row of the output, the input moves by `across`
// bytes, and from one row to the next by `down` bytes.
void qd_turn(
    const uint8_t *input, ptrdiff_t across, ptrdiff_t down, size_t size, uint8_t *output, ptrdiff_t stride, size_t width,
    size_t height);

#endif
