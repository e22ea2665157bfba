#define _GNU_SOURCE
#include "CAss.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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
  LOAD(set_use_margins);
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

int qd_ass_spawn(const char *program, const char *argument, int *socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // Copied, the descriptor is not closed in the child; above those that are opened here, it is not overwritten.
  int child = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, child, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  // Keys on the terminal are not for it.
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char *arguments[] = {strdup(program), strdup(argument), NULL};
  pid_t process = -1;
  int code = child < 0 ? errno : posix_spawn(&process, program, &actions, &attributes, arguments, environ);
  free(arguments[0]);
  free(arguments[1]);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (child >= 0) close(child);
  if (code != 0) return close(ends[0]), -1;
  *socket = ends[0];
  return process;
}

#ifndef __has_feature
#define __has_feature(NAME) 0
#endif

void qd_ass_confine(unsigned long long bytes) {
// Sanitizers keep more than that about memory.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_DATA, &limit);
#else
  (void)bytes;
#endif
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "quadrille-text");
}
