// libass, loaded at run time: a table of the functions in use; and a process of its own to use it in.
//
// The prototypes are our own, for libass's interface of version 9 (libass 0.13.7 and later).
#ifndef QUADRILLE_CASS_H
#define QUADRILLE_CASS_H

#include <stdint.h>

typedef struct qd_ass_library qd_ass_library;
typedef struct qd_ass_renderer qd_ass_renderer;
typedef struct qd_ass_track qd_ass_track;

// A bitmap of opacities in one colour. The last row may be shorter than `stride`.
typedef struct qd_ass_image {
  int width, height, stride;
  const unsigned char *_Nullable opacities;
  // Red, green, blue and transparency, from the highest byte down.
  uint32_t color;
  int x, y;
  const struct qd_ass_image *_Nullable next;
} qd_ass_image;

typedef struct {
  qd_ass_library *_Nullable (*_Nonnull library_init)(void);
  void (*_Nonnull library_done)(qd_ass_library *_Nonnull library);
  void (*_Nonnull set_extract_fonts)(qd_ass_library *_Nonnull library, int extract);
  void (*_Nonnull add_font)(qd_ass_library *_Nonnull library, const char *_Nonnull name, const char *_Nonnull data, int size);
  qd_ass_renderer *_Nullable (*_Nonnull renderer_init)(qd_ass_library *_Nonnull library);
  void (*_Nonnull renderer_done)(qd_ass_renderer *_Nonnull renderer);
  void (*_Nonnull set_frame_size)(qd_ass_renderer *_Nonnull renderer, int width, int height);
  void (*_Nonnull set_storage_size)(qd_ass_renderer *_Nonnull renderer, int width, int height);
  void (*_Nonnull set_pixel_aspect)(qd_ass_renderer *_Nonnull renderer, double aspect);
  void (*_Nonnull set_margins)(qd_ass_renderer *_Nonnull renderer, int top, int bottom, int left, int right);
  void (*_Nonnull set_use_margins)(qd_ass_renderer *_Nonnull renderer, int use);
  void (*_Nonnull set_line_position)(qd_ass_renderer *_Nonnull renderer, double percent);
  void (*_Nonnull set_cache_limits)(qd_ass_renderer *_Nonnull renderer, int glyphs, int megabytes);
  void (*_Nonnull set_fonts)(
      qd_ass_renderer *_Nonnull renderer, const char *_Nullable file, const char *_Nullable family, int provider,
      const char *_Nullable configuration, int update);
  // The images stay valid until the next call.
  const qd_ass_image *_Nullable (*_Nonnull render_frame)(
      qd_ass_renderer *_Nonnull renderer, qd_ass_track *_Nonnull track, long long milliseconds, int *_Nullable change);
  qd_ass_track *_Nullable (*_Nonnull new_track)(qd_ass_library *_Nonnull library);
  void (*_Nonnull free_track)(qd_ass_track *_Nonnull track);
  // The data are copied, and not written to.
  void (*_Nonnull process_codec_private)(qd_ass_track *_Nonnull track, const char *_Nonnull data, int size);
  void (*_Nonnull process_chunk)(
      qd_ass_track *_Nonnull track, const char *_Nonnull data, int size, long long milliseconds, long long duration);
  void (*_Nonnull set_check_readorder)(qd_ass_track *_Nonnull track, int check);
  void (*_Nonnull flush_events)(qd_ass_track *_Nonnull track);
  // Takes a callback with a list of arguments, which Swift cannot have: see `qd_ass_silent_library`.
  void (*_Nonnull set_message_cb)(void);
} qd_ass_functions;

enum { qd_ass_default_fonts = 1 };

// Loads a library by its name or path and fills in its functions. Returns 1, or 0 if it cannot be loaded or lacks one of them. It
// stays loaded, since libraries that it needs may not be unloaded.
int qd_ass_load(const char *_Nonnull library, qd_ass_functions *_Nonnull functions);

// Creates a library that reports nothing to stderr; NULL if memory runs out.
qd_ass_library *_Nullable qd_ass_silent_library(const qd_ass_functions *_Nonnull functions);

// Starts a program in a process of its own, which reads and writes its standard input, the other end of a socket. Its other
// standard streams are /dev/null. Returns its identifier and our end, which no other child inherits; -1 if it cannot be started.
int qd_ass_spawn(const char *_Nonnull program, const char *_Nonnull argument, int *_Nonnull socket);

// Limits the memory of this process, has it end with the thread that has started it, and names it.
void qd_ass_confine(unsigned long long bytes);

#endif
