// libasound, loaded at run time: a program built with its headers also runs where it is not installed.
#ifndef QUADRILLE_CALSA_H
#define QUADRILLE_CALSA_H

#include <alsa/asoundlib.h>
// To wake a thread that polls a device.
#include <sys/eventfd.h>

// The functions in use. The names are those of libasound without "snd_".
#define QD_ALSA_FUNCTIONS(USE) \
  USE(pcm_avail_update) USE(pcm_close) USE(pcm_delay) USE(pcm_drop) USE(pcm_hw_params) USE(pcm_hw_params_any) \
  USE(pcm_hw_params_free) USE(pcm_hw_params_get_buffer_size) USE(pcm_hw_params_get_period_size) \
  USE(pcm_hw_params_get_rate) USE(pcm_hw_params_malloc) USE(pcm_hw_params_set_access) \
  USE(pcm_hw_params_set_buffer_time_near) USE(pcm_hw_params_set_channels) USE(pcm_hw_params_set_format) \
  USE(pcm_hw_params_set_period_time_near) USE(pcm_hw_params_set_rate_near) USE(pcm_open) \
  USE(pcm_poll_descriptors) USE(pcm_poll_descriptors_count) USE(pcm_prepare) \
  USE(pcm_rewind) USE(pcm_rewindable) USE(pcm_start) USE(pcm_sw_params) \
  USE(pcm_sw_params_current) USE(pcm_sw_params_free) USE(pcm_sw_params_malloc) USE(pcm_sw_params_set_avail_min) \
  USE(pcm_sw_params_set_start_threshold) USE(pcm_type) USE(pcm_writei) USE(strerror)

#define QD_ALSA_POINTER(name) __typeof__(snd_##name) *_Nonnull name;
struct qd_alsa {
  QD_ALSA_FUNCTIONS(QD_ALSA_POINTER)
};
#undef QD_ALSA_POINTER

// Loads libasound, once; NULL if it is not there or too old. Safe from any thread. It stays loaded, and no longer prints errors.
const struct qd_alsa *_Nullable qd_alsa_load(void);

#endif
