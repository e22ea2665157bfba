// LibYAML, which reads settings, movies and storyboards.
#ifndef QUADRILLE_CYAML_SHIMS_H
#define QUADRILLE_CYAML_SHIMS_H

#include <yaml.h>

#endif
