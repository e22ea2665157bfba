#define _GNU_SOURCE
#include "CTerminalSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const int event_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
// Signals that end a process at once: crashes, and what is sent from outside without a wish to be answered. The
// real-time signals do, too. SIGKILL cannot be caught; SIGPIPE and SIGXFSZ are the program's to ignore.
static const int ending_signals[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGTRAP, SIGABRT, SIGSYS, SIGQUIT,  SIGXCPU,
                                     SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT};

enum {
  event_count = sizeof event_signals / sizeof *event_signals,
  ending_count = sizeof ending_signals / sizeof *ending_signals,
  restore_patience_ms = 300,
  crash_stack_bytes = 64 * 1024,
};

// ---- Signals as events ----------------------------------------------------------------------------------

static _Atomic int event_descriptor = -1;
// A set of bits, not a pipe of numbers: a flood of SIGWINCH can never crowd out a SIGTERM.
static _Atomic uint64_t pending_signals;
static struct sigaction former_events[event_count];

static void on_event(int number) {
  int saved_errno = errno;
  atomic_fetch_or(&pending_signals, (uint64_t)1 << number);
  uint64_t one = 1;
  ssize_t written = write(atomic_load(&event_descriptor), &one, sizeof one);
  (void)written;  // Only a counter that is full refuses, and then it is readable anyway.
  errno = saved_errno;
}

int qd_signals_install(void) {
  if (atomic_load(&event_descriptor) >= 0) {
    errno = EBUSY;
    return -1;
  }
  int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (descriptor < 0) return -1;
  atomic_store(&pending_signals, 0);
  atomic_store(&event_descriptor, descriptor);
  struct sigaction action = {.sa_handler = on_event, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < event_count; i++) sigaction(event_signals[i], &action, &former_events[i]);
  return descriptor;
}

void qd_signals_remove(void) {
  int descriptor = atomic_load(&event_descriptor);
  if (descriptor < 0) return;
  for (int i = 0; i < event_count; i++) sigaction(event_signals[i], &former_events[i], NULL);
  atomic_store(&event_descriptor, -1);
  close(descriptor);
}

uint64_t qd_signals_take(void) {
  uint64_t count;
  ssize_t got = read(atomic_load(&event_descriptor), &count, sizeof count);
  (void)got;  // Nothing to read means nothing is pending, or a bit whose counter was read already.
  return atomic_exchange(&pending_signals, 0);
}

void qd_stop_process_group(void) {
  struct sigaction mine, wakening, ignore = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL};
  sigset_t stop, former;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  // First the others (a wrapping script must stop too, or the shell would not get its prompt), then this
  // process by a signal to this very thread: raise() returns only after the stop, kill() might return before.
  sigaction(SIGTSTP, &ignore, &mine);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &standard, NULL);
  // The wake-up is told by the return. Its handler might run on another thread, later than that.
  sigaction(SIGCONT, &standard, &wakening);
  pthread_sigmask(SIG_UNBLOCK, &stop, &former);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  sigaction(SIGCONT, &wakening, NULL);
  sigaction(SIGTSTP, &mine, NULL);
  atomic_fetch_and(&pending_signals, ~((uint64_t)1 << SIGCONT | (uint64_t)1 << SIGTSTP));
}

// ---- A sudden end ------------------------------------------------------------------------------------------

// Written only while `armed` is false; the handlers read it only after they have taken `armed`.
static struct {
  int descriptor;
  size_t count;
  unsigned char bytes[QD_RESTORE_CAPACITY];
  struct termios original;
} plan;
static atomic_bool armed;
static bool handlers_are_set, exit_is_hooked;
static struct sigaction former_endings[_NSIG];
// Stack overflow leaves no stack to handle it on. This one is for the thread that arms; other threads bring theirs.
static _Alignas(16) char crash_stack[crash_stack_bytes];

// ---- Messages of libraries ---------------------------------------------------------------------------------

// Messages that libraries print on a standard error that is the terminal would spoil the screen. They are kept until it is left:
// only the first lines, so that they fit even if the terminal does not read.
enum { kept_bytes = 2048 };
static _Atomic int former_error = -1, kept_messages = -1;

static void keep_messages(int terminal) {
  struct stat screen, error;
  if (former_error >= 0 || fstat(terminal, &screen) != 0 || fstat(STDERR_FILENO, &error) != 0) return;
  if (!S_ISCHR(error.st_mode) || screen.st_rdev != error.st_rdev) return;
  int kept = memfd_create("messages", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int former = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept >= 0 && former >= 0 && ftruncate(kept, kept_bytes) == 0 && fcntl(kept, F_ADD_SEALS, F_SEAL_GROW) == 0 &&
      dup2(kept, STDERR_FILENO) >= 0) {
    kept_messages = kept;
    former_error = former;
    return;
  }
  if (kept >= 0) close(kept);
  if (former >= 0) close(former);
}

// Prints what was kept, without control characters, and lets the rest pass. Handlers call it, too.
static void release_messages(void) {
  int former = atomic_exchange(&former_error, -1);
  if (former < 0) return;
  int kept = atomic_exchange(&kept_messages, -1);
  off_t end = lseek(kept, 0, SEEK_CUR);
  dup2(former, STDERR_FILENO);
  close(former);
  unsigned char bytes[512], last = 0;
  ssize_t got;
  for (off_t at = 0; at < end; at += got) {
    got = pread(kept, bytes, end - at < (off_t)sizeof bytes ? (size_t)(end - at) : sizeof bytes, at);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; last = bytes[i++]) {
      bool is_c1 = last == 0xc2 && bytes[i] >= 0x80 && bytes[i] < 0xa0;
      if ((bytes[i] < 0x20 && bytes[i] != '\n') || bytes[i] == 0x7f || is_c1) bytes[i] = '?';
    }
    struct pollfd wait = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&wait, 1, restore_patience_ms) <= 0 || write(STDERR_FILENO, bytes, (size_t)got) < 0) break;
  }
  close(kept);
}

static void restore_terminal(void) {
  if (!atomic_exchange(&armed, false)) return;
  // A process in the background would be stopped by SIGTTOU instead of restoring.
  sigset_t output, former;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &output, &former);
  // What the terminal has not read yet are frames; without this its queue might be too full for the rest.
  tcflush(plan.descriptor, TCOFLUSH);
  size_t done = 0;
  while (done < plan.count) {
    ssize_t written = write(plan.descriptor, plan.bytes + done, plan.count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd wait = {.fd = plan.descriptor, .events = POLLOUT};
      if (poll(&wait, 1, restore_patience_ms) <= 0) break;
    } else if (written == 0 || errno != EINTR) {
      break;
    }
  }
  tcsetattr(plan.descriptor, TCSANOW, &plan.original);
  release_messages();
  pthread_sigmask(SIG_SETMASK, &former, NULL);
}

// The signals that end a process, counted through; 0 after the last.
static int ending_signal(int index) {
  if (index < ending_count) return ending_signals[index];
  // The C library keeps the lowest of them for itself.
  int number = SIGRTMIN + index - ending_count;
  return number <= SIGRTMAX ? number : 0;
}

static void on_end(int number) {
  restore_terminal();
  // The signal is blocked while its handler runs: raised again it waits for the return, then kills.
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(number, &standard, NULL);
  raise(number);
}

int qd_crash_arm(int descriptor, const void *bytes, size_t count, const struct termios *original) {
  if (count > QD_RESTORE_CAPACITY) {
    errno = EMSGSIZE;
    return -1;
  }
  atomic_store(&armed, false);
  plan.descriptor = descriptor;
  plan.count = count;
  memcpy(plan.bytes, bytes, count);
  plan.original = *original;
  if (!handlers_are_set) {
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
      stack_t own = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
      sigaltstack(&own, NULL);
    }
    struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0, number; (number = ending_signal(i)) != 0; i++) {
      sigaction(number, NULL, &former_endings[number]);
      // What whoever started the program had it ignore stays ignored.
      if (former_endings[number].sa_handler != SIG_IGN) sigaction(number, &action, NULL);
    }
    handlers_are_set = true;
  }
  if (!exit_is_hooked) exit_is_hooked = atexit(restore_terminal) == 0;
  keep_messages(descriptor);
  atomic_store(&armed, true);
  return 0;
}

void qd_crash_disarm(void) {
  atomic_store(&armed, false);
  release_messages();
  if (!handlers_are_set) return;
  for (int i = 0, number; (number = ending_signal(i)) != 0; i++) sigaction(number, &former_endings[number], NULL);
  handlers_are_set = false;
}
