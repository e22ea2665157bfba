// Writes pixels as sixels: rows of characters, each of which sets up to six pixels, one above the other, to one colour.
//
// In C because it goes through every pixel of every frame.
#ifndef QUADRILLE_SIXELLOOPS_H
#define QUADRILLE_SIXELLOOPS_H

#include <stddef.h>
#include <stdint.h>

// The levels of red, green and blue in the palette, which has all their combinations. The eye sees green best.
enum { qd_sixel_reds = 6, qd_sixel_greens = 7, qd_sixel_blues = 6, qd_sixel_colors = 252 };

// One level's value, 0…255.
uint8_t qd_sixel_level(int level, int levels);

// The bytes of memory that encoding rows of `width` pixels takes.
size_t qd_sixel_scratch(size_t width);

// The most bytes that one band of six rows of `width` pixels takes.
size_t qd_sixel_band_capacity(size_t width);

// Writes one band as at most `qd_sixel_band_capacity` bytes, and returns their number. `rgb` has `source_width` pixels of R, G and B in
// each of its `source_height` rows; each is `side` pixels wide and high. The band begins `top` pixels below the first row, and has
// `rows` (1…6) rows of `width` pixels.
size_t qd_sixel_band(
    const uint8_t *rgb, size_t source_width, size_t source_height, size_t side, size_t top, size_t rows, size_t width, void *scratch,
    uint8_t *output);

#endif
