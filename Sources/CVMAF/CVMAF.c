#include "CVMAF.h"

#include <dlfcn.h>
#include <string.h>

int qd_vmaf_load(const char *library, qd_vmaf_functions *functions) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define LOAD(NAME) \
  do { \
    void *address = dlsym(handle, "vmaf_" #NAME); \
    if (!address) return dlclose(handle), 0; \
    memcpy(&functions->NAME, &address, sizeof address); \
  } while (0)
  LOAD(version);
  LOAD(init);
  LOAD(close);
  LOAD(model_load);
  LOAD(model_destroy);
  LOAD(use_features_from_model);
  LOAD(picture_alloc);
  LOAD(picture_unref);
  LOAD(read_pictures);
  LOAD(score_at_index);
#undef LOAD
  return 1;
}
