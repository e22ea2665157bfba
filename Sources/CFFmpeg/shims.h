// What Swift cannot import from FFmpeg's headers: macros that are expressions, and fields that moved between FFmpeg 5.1 and
// 7.1. scripts/test runs with the FFmpeg of the system; scripts/check-headers compiles against other versions.
#ifndef QUADRILLE_CFFMPEG_SHIMS_H
#define QUADRILLE_CFFMPEG_SHIMS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/murmur3.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/video_enc_params.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

// memfd_create is declared for _GNU_SOURCE only, and syscall is variadic. 1 is MFD_CLOEXEC.
static inline int qd_memory_file(void) { return (int)syscall(SYS_memfd_create, "quadrille", 1u); }

// AVERROR(e), AVERROR_EOF and the like are macros over expressions.
static inline int qd_averror(int posix_error) { return AVERROR(posix_error); }
static inline int qd_averror_eof(void) { return AVERROR_EOF; }
static inline int qd_averror_exit(void) { return AVERROR_EXIT; }
static inline int qd_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int qd_averror_encoder_not_found(void) { return AVERROR_ENCODER_NOT_FOUND; }
// The status that a server has refused with, of those that libavformat tells apart; 499 and 599 for others; 0 for other errors.
static inline int qd_http_status(int code) {
  if (code == AVERROR_HTTP_BAD_REQUEST) return 400;
  if (code == AVERROR_HTTP_UNAUTHORIZED) return 401;
  if (code == AVERROR_HTTP_FORBIDDEN) return 403;
  if (code == AVERROR_HTTP_NOT_FOUND) return 404;
  if (code == AVERROR_HTTP_OTHER_4XX) return 499;
  return code == AVERROR_HTTP_SERVER_ERROR ? 599 : 0;
}

// AV_NOPTS_VALUE is a cast of a literal.
static inline int64_t qd_nopts(void) { return AV_NOPTS_VALUE; }

// The duration field was renamed in libavutil 57.30 (FFmpeg 6.0).
static inline int64_t qd_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

// Channels became a layout in libavutil 57.24 (FFmpeg 5.1).
static inline int qd_frame_channels(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100)
  return frame->ch_layout.nb_channels;
#else
  return frame->channels;
#endif
}

// Interlacing and key marks became flags in libavutil 58.7 (FFmpeg 6.1).
static inline int qd_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

static inline int qd_frame_is_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first;
#endif
}

static inline int qd_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame;
#endif
}

// A number that travels with a packet to the frame it becomes: one field of the context until FFmpeg 6, then
// the packet's own opaque pointer.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 3, 100)
static inline void qd_tag_packets(AVCodecContext *context) { context->flags |= AV_CODEC_FLAG_COPY_OPAQUE; }
static inline void qd_tag_packet(AVCodecContext *context, AVPacket *packet, int64_t tag) {
  (void)context;
  packet->opaque = (void *)(intptr_t)tag;
}
static inline int64_t qd_frame_tag(const AVFrame *frame) { return (int64_t)(intptr_t)frame->opaque; }
#else
static inline void qd_tag_packets(AVCodecContext *context) { (void)context; }
static inline void qd_tag_packet(AVCodecContext *context, AVPacket *packet, int64_t tag) {
  (void)packet;
  context->reordered_opaque = tag;
}
static inline int64_t qd_frame_tag(const AVFrame *frame) { return frame->reordered_opaque; }
#endif

// Tells that memory for a frame was short: decoders take that for damaged data and pass it over. `note`, which has to
// outlive the context, becomes 1 then, from any of the decoder's threads.
static inline int qd_get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int code = avcodec_default_get_buffer2(context, frame, flags);
  if (code == AVERROR(ENOMEM)) __atomic_store_n((int32_t *)context->opaque, 1, __ATOMIC_RELAXED);
  return code;
}
static inline void qd_note_memory(AVCodecContext *context, int32_t *note) {
  context->opaque = note;
  context->get_buffer2 = qd_get_buffer;
#if FF_API_THREAD_SAFE_CALLBACKS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  context->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}
static inline int32_t qd_take_note(int32_t *note) { return __atomic_exchange_n(note, 0, __ATOMIC_RELAXED); }

// Discards all frames that a decoder holds. Since libavcodec 61 (FFmpeg 7), flushing leaves frames of HEVC in an output queue,
// which would arrive as the first ones from the new place.
static inline void qd_flush_decoder(AVCodecContext *context) {
  avcodec_flush_buffers(context);
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 0, 0)
  AVFrame *frame = av_frame_alloc();
  while (frame && avcodec_receive_frame(context, frame) >= 0) av_frame_unref(frame);
  av_frame_free(&frame);
#endif
}

// Side data of a stream moved to its codec parameters in libavformat 60.15 (FFmpeg 6.1).
// Returns NULL if there are fewer bytes than `least`.
static inline const uint8_t *qd_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t least) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVPacketSideData *side = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  return side && side->size >= least ? side->data : NULL;
#else
  size_t size = 0;
  const uint8_t *data = av_stream_get_side_data(stream, type, &size);
  return data && size >= least ? data : NULL;
#endif
}

static inline int qd_set_stream_display_matrix(AVStream *stream, const uint8_t *matrix) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  AVPacketSideData *side = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX, 36, 0);
  uint8_t *data = side ? side->data : NULL;
#else
  uint8_t *data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36);
#endif
  if (!data) return AVERROR(ENOMEM);
  for (int i = 0; i < 36; i++) data[i] = matrix[i];
  return 0;
}

// The pixel formats that an encoder takes, ended by AV_PIX_FMT_NONE; NULL where it does not say. The field was deprecated
// in libavcodec 61.13 (FFmpeg 7.1) in favour of a query.
static inline const enum AVPixelFormat *qd_encoder_pixel_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  int code = avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL);
  return code < 0 ? NULL : (const enum AVPixelFormat *)formats;
#else
  return codec->pix_fmts;
#endif
}

// The sample formats, ended by AV_SAMPLE_FMT_NONE, and the sample rates, ended by 0, that an encoder accepts; NULL if it takes any.
static inline const enum AVSampleFormat *qd_encoder_sample_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  int code = avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &formats, NULL);
  return code < 0 ? NULL : (const enum AVSampleFormat *)formats;
#else
  return codec->sample_fmts;
#endif
}

static inline const int *qd_encoder_sample_rates(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *rates = NULL;
  int code = avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, &rates, NULL);
  return code < 0 ? NULL : (const int *)rates;
#else
  return codec->supported_samplerates;
#endif
}

// Opaque structs' constants and flag macros with casts.
static inline int qd_pix_fmt_has_alpha(enum AVPixelFormat format) {
  const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
  return d && (d->flags & AV_PIX_FMT_FLAG_ALPHA);
}

static inline int qd_pix_fmt_is_rgb(enum AVPixelFormat format) {
  const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
  return d && (d->flags & AV_PIX_FMT_FLAG_RGB);
}

#endif
