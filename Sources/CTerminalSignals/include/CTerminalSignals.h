// The part of the terminal session that must be C: signal handlers may only call async-signal-safe functions,
// which Swift code (reference counts, allocation, exclusivity checks) cannot promise.
//
// Signal dispositions belong to the process, so the state behind these functions does too: there is one set
// of handlers and one armed terminal at a time. All functions but the handlers are called from one thread.
#ifndef QUADRILLE_CTERMINALSIGNALS_H
#define QUADRILLE_CTERMINALSIGNALS_H

#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Catches SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT and SIGWINCH. Returns a descriptor that becomes readable
// when one came (it stays owned by this module), or -1 with errno; EBUSY when already installed.
int qd_signals_install(void);

// Puts the former handlers back and closes the descriptor.
void qd_signals_remove(void);

// The signals that came since the last call, as bits `1 << number`.
uint64_t qd_signals_take(void);

// Stops this process and the rest of its group as an interactive Ctrl-Z would, and returns when it was
// continued (at once when its group is orphaned, where the system does not stop).
void qd_stop_process_group(void);

// Most bytes that a restore string may have.
enum { QD_RESTORE_CAPACITY = 512 };

// From now on exit() and every signal that ends a process by default (those that are events excepted, and SIGPIPE and
// SIGXFSZ) write `bytes` to `descriptor` and set `original`, before the signal takes its default course. Copies what it is given. Returns 0, or -1 with errno (EMSGSIZE).
//
// Until then, what is printed on a standard error that is the same terminal is kept, up to 2 kB, and printed afterwards.
int qd_crash_arm(int descriptor, const void *bytes, size_t count, const struct termios *original);

// Takes that back; call it once the terminal is restored, before the descriptor is closed.
void qd_crash_disarm(void);

#endif
