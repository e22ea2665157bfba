#include "CPulse.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct qd_pulse functions;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define LOAD(name) \
  if (!(functions.name = (__typeof__(pa_##name) *)dlsym(library, "pa_" #name))) return;
  QD_PULSE_FUNCTIONS(LOAD)
#undef LOAD
  is_loaded = 1;
}

const struct qd_pulse *qd_pulse_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
