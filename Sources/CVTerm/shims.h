#ifndef QUADRILLE_CVTERM_SHIMS_H
#define QUADRILLE_CVTERM_SHIMS_H

#include <spawn.h>
#include <vterm.h>

// Swift sees the C library without _GNU_SOURCE, which hides these; a module cannot turn that on for headers that
// another module owns. The C library has them since 2.34 (the last one), and they are what starts a program on a
// pseudo-terminal without any code between fork and exec.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *name, size_t size);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

#ifdef POSIX_SPAWN_SETSID
static const short quadrille_posix_spawn_setsid = POSIX_SPAWN_SETSID;
#else
static const short quadrille_posix_spawn_setsid = 0x80;
#endif

#endif
