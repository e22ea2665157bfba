// uchardet, which tells text of unknown encoding by the letters that are frequent in languages.
#ifndef QUADRILLE_CUCHARDET_SHIMS_H
#define QUADRILLE_CUCHARDET_SHIMS_H

#include <uchardet/uchardet.h>

#endif
