#include "CAss.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>

int qd_ass_load(const char *library, qd_ass_functions *functions) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define LOAD(NAME) \
  do { \
    void *address = dlsym(handle, "ass_" #NAME); \
    if (!address) return 0; \
    memcpy(&functions->NAME, &address, sizeof address); \
  } while (0)
  LOAD(library_init);
  LOAD(library_done);
  LOAD(set_extract_fonts);
  LOAD(add_font);
  LOAD(renderer_init);
  LOAD(renderer_done);
  LOAD(set_frame_size);
  LOAD(set_storage_size);
  LOAD(set_pixel_aspect);
  LOAD(set_margins);
  LOAD(set_line_position);
  LOAD(set_cache_limits);
  LOAD(set_fonts);
  LOAD(render_frame);
  LOAD(new_track);
  LOAD(free_track);
  LOAD(process_codec_private);
  LOAD(process_chunk);
  LOAD(set_check_readorder);
  LOAD(flush_events);
  LOAD(set_message_cb);
#undef LOAD
  return 1;
}

static void ignore(int level, const char *format, va_list arguments, void *data) {
  (void)level, (void)format, (void)arguments, (void)data;
}

qd_ass_library *qd_ass_silent_library(const qd_ass_functions *functions) {
  void (*set_message_cb)(qd_ass_library *, void (*)(int, const char *, va_list, void *), void *);
  memcpy(&set_message_cb, &functions->set_message_cb, sizeof set_message_cb);
  qd_ass_library *library = functions->library_init();
  if (library) set_message_cb(library, ignore, NULL);
  return library;
}
