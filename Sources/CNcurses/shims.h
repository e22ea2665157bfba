// What Swift cannot use of ncurses' headers as they stand: variables, macros and sentinel pointers.
#ifndef QUADRILLE_CNCURSES_SHIMS_H
#define QUADRILLE_CNCURSES_SHIMS_H

#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <ncursesw/curses.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <term.h>
#include <wchar.h>

// Swift's type for a pointer depends on whether the struct's definition is visible, and ncurses 6.5 hides that of
// WINDOW. Swift code uses this type instead, whose definition is never visible, and the functions below.
typedef struct qd_window qd_window;

// `newscr` and `stdscr` are mutable globals, which strict concurrency rejects.
static inline qd_window *qd_newscr(void) { return (qd_window *)newscr; }
static inline qd_window *qd_stdscr(void) { return (qd_window *)stdscr; }

static inline qd_window *qd_new_pad(int height, int width) { return (qd_window *)newpad(height, width); }
static inline void qd_delete_window(qd_window *window) { delwin((WINDOW *)window); }
static inline void qd_touch_window(qd_window *window) { touchwin((WINDOW *)window); }
static inline void qd_stage_window(qd_window *window) { wnoutrefresh((WINDOW *)window); }
static inline void qd_stage_pad(
    qd_window *pad, int pad_row, int pad_column, int first_row, int first_column, int last_row, int last_column) {
  pnoutrefresh((WINDOW *)pad, pad_row, pad_column, first_row, first_column, last_row, last_column);
}
static inline void qd_draw_border(
    qd_window *window, const cchar_t *side, const cchar_t *line, const cchar_t *top_left, const cchar_t *top_right,
    const cchar_t *bottom_left, const cchar_t *bottom_right) {
  wborder_set((WINDOW *)window, side, side, line, line, top_left, top_right, bottom_left, bottom_right);
}
static inline void qd_draw_line(qd_window *window, int row, int column, const cchar_t *cell, int count) {
  mvwhline_set((WINDOW *)window, row, column, cell, count);
}
static inline void qd_write_cells(qd_window *window, int row, int column, const cchar_t *cells, int count) {
  mvwadd_wchnstr((WINDOW *)window, row, column, cells, count);
}

// Absent and cancelled strings are the pointers 0 and -1; a caller wants one answer for both.
static inline const char *qd_terminfo_string(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

// A terminal type's handle is an opaque struct behind a macro-laden header.
static inline void *qd_select_terminfo(void *entry) { return set_curterm((TERMINAL *)entry); }
static inline void qd_free_terminfo(void *entry) {
  if (entry) del_curterm((TERMINAL *)entry);
}

// Swift's view of the C library leaves wcwidth out.
static inline int qd_column_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// The parts of a cchar_t: its arrays become tuples in Swift, and the extension mark is a macro of
// curses.priv.h: the low bits of the attributes count the columns of a wide character, from 1 for its base.
static inline wchar_t qd_cell_character(const cchar_t *cell) { return cell->chars[0]; }
static inline wchar_t qd_cell_mark(const cchar_t *cell, int place) {
  return place > 0 && place < CCHARW_MAX ? cell->chars[place] : 0;
}
static inline void qd_cell_add_mark(cchar_t *cell, int place, wchar_t mark) {
  if (place > 0 && place < CCHARW_MAX) cell->chars[place] = mark;
}
static inline int qd_cell_pair(const cchar_t *cell) { return cell->ext_color; }
// A left half is told by its character: ncurses leaves the mark on what it puts in the place of a cut one.
static inline bool qd_cell_is_wide_base(const cchar_t *cell) {
  return (cell->attr & A_CHARTEXT) <= 1 && qd_column_width((uint32_t)cell->chars[0]) == 2;
}
static inline bool qd_cell_is_wide_tail(const cchar_t *cell) { return (cell->attr & A_CHARTEXT) > 1; }
static inline void qd_cell_set(cchar_t *cell, wchar_t character, int pair) {
  wchar_t text[2] = {character, 0};
  memset(cell, 0, sizeof *cell);
  setcchar(cell, text, A_NORMAL, (short)pair, NULL);
}

// mvwin_wchnstr leaves the right halves of wide characters out and so loses the columns; this keeps them.
static inline void qd_read_row(qd_window *window, int row, cchar_t *cells, int count) {
  for (int column = 0; column < count; column++) {
    if (mvwin_wch((WINDOW *)window, row, column, &cells[column]) == ERR) memset(&cells[column], 0, sizeof *cells);
  }
}

// ERR, OK, TRUE and FALSE are macros with casts.
static inline bool qd_is_error(int result) { return result == ERR; }
static inline void qd_ignore_environment_size(void) { use_env(FALSE); }

#endif
