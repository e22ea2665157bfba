// utf8proc, which takes characters apart into letters and marks and folds their case.
#ifndef QUADRILLE_CUTF8PROC_SHIMS_H
#define QUADRILLE_CUTF8PROC_SHIMS_H

#include <utf8proc.h>

#endif
