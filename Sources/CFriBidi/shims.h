// GNU FriBidi, which puts text that is read from right to left in the order in which it is seen.
#ifndef QUADRILLE_CFRIBIDI_SHIMS_H
#define QUADRILLE_CFRIBIDI_SHIMS_H

#include <fribidi/fribidi.h>

// Macros of several operands, and enumerators of an anonymous mixture of types.
static inline FriBidiFlags qd_bidi_flags(void) { return FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC; }
static inline FriBidiParType qd_bidi_any_direction(void) { return FRIBIDI_PAR_ON; }
static inline FriBidiParType qd_bidi_left_to_right(void) { return FRIBIDI_PAR_LTR; }
static inline FriBidiParType qd_bidi_right_to_left(void) { return FRIBIDI_PAR_RTL; }
// Stands where two letters have become one.
static inline FriBidiChar qd_bidi_fill(void) { return FRIBIDI_CHAR_FILL; }

#endif
