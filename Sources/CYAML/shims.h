// LibYAML, which reads the settings file.
#ifndef QUADRILLE_CYAML_SHIMS_H
#define QUADRILLE_CYAML_SHIMS_H

#include <yaml.h>

#endif
