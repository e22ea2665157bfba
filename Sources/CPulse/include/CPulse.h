// libpulse, loaded at run time: a program built with its headers also runs where it is not installed.
#ifndef QUADRILLE_CPULSE_H
#define QUADRILLE_CPULSE_H

#include <pulse/pulseaudio.h>

// The functions in use. The names are those of libpulse without "pa_".
#define QD_PULSE_FUNCTIONS(USE) \
  USE(context_connect) USE(context_disconnect) USE(context_errno) USE(context_get_sink_info_by_name) \
  USE(context_get_state) USE(context_new_with_proplist) USE(context_set_state_callback) USE(context_unref) \
  USE(mainloop_dispatch) USE(mainloop_free) USE(mainloop_get_api) USE(mainloop_new) USE(mainloop_poll) USE(mainloop_prepare) \
  USE(mainloop_wakeup) USE(operation_cancel) USE(operation_unref) USE(proplist_free) USE(proplist_new) USE(proplist_sets) \
  USE(strerror) USE(stream_begin_write) USE(stream_connect_playback) USE(stream_cork) USE(stream_disconnect) \
  USE(stream_get_device_name) USE(stream_get_sample_spec) USE(stream_get_state) USE(stream_get_timing_info) \
  USE(stream_new_with_proplist) USE(stream_set_buffer_attr) USE(stream_set_buffer_attr_callback) USE(stream_set_moved_callback) \
  USE(stream_set_name) USE(stream_set_state_callback) USE(stream_set_suspended_callback) USE(stream_set_underflow_callback) \
  USE(stream_set_write_callback) USE(stream_unref) USE(stream_update_timing_info) USE(stream_writable_size) USE(stream_write)

#define QD_PULSE_POINTER(name) __typeof__(pa_##name) *_Nonnull name;
struct qd_pulse {
  QD_PULSE_FUNCTIONS(QD_PULSE_POINTER)
};
#undef QD_PULSE_POINTER

// Loads libpulse, once; NULL if it is not there or too old. Safe from any thread. It stays loaded, as it has threads of its own.
const struct qd_pulse *_Nullable qd_pulse_load(void);

#endif
