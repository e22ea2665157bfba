#include "CALSA.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct qd_alsa functions;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Errors are reported by their codes. Printed, they would be seen in the middle of a terminal's screen.
static void ignore_error(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static void load(void) {
  void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define LOAD(name) \
  if (!(functions.name = (__typeof__(snd_##name) *)dlsym(library, "snd_" #name))) return;
  QD_ALSA_FUNCTIONS(LOAD)
#undef LOAD
  __typeof__(snd_lib_error_set_handler) *set_handler =
      (__typeof__(snd_lib_error_set_handler) *)dlsym(library, "snd_lib_error_set_handler");
  if (!set_handler) return;
  set_handler(ignore_error);
  is_loaded = 1;
}

const struct qd_alsa *qd_alsa_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
