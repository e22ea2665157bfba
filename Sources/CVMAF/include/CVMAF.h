// What VMAF needs of C: libvmaf, loaded at run time, and calls that start a program which has it.
//
// The prototypes are our own, for libvmaf's interface of versions 2 and 3.
#ifndef QUADRILLE_CVMAF_H
#define QUADRILLE_CVMAF_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct qd_vmaf_context qd_vmaf_context;
typedef struct qd_vmaf_model qd_vmaf_model;

// Version 2 does not know the last field, and does not read it.
typedef struct {
  int log_level;
  unsigned threads, subsample;
  uint64_t cpu_mask, gpu_mask;
} qd_vmaf_configuration;

typedef struct {
  const char *_Nullable name;
  uint64_t flags;
} qd_vmaf_model_configuration;

enum { qd_vmaf_420 = 1 };

typedef struct {
  int format;
  unsigned bits;
  unsigned width[3], height[3];
  ptrdiff_t stride[3];
  void *_Nullable data[3];
  void *_Nullable reference;
  void *_Nullable own;
  // Room for fields that a later version may add.
  char reserved[256];
} qd_vmaf_picture;

// Results are 0, or an error number below 0.
typedef struct {
  const char *_Nonnull (*_Nonnull version)(void);
  int (*_Nonnull init)(qd_vmaf_context *_Nullable *_Nonnull context, qd_vmaf_configuration configuration);
  int (*_Nonnull close)(qd_vmaf_context *_Nonnull context);
  int (*_Nonnull model_load)(
      qd_vmaf_model *_Nullable *_Nonnull model, qd_vmaf_model_configuration *_Nonnull configuration,
      const char *_Nonnull version);
  void (*_Nonnull model_destroy)(qd_vmaf_model *_Nonnull model);
  int (*_Nonnull use_features_from_model)(qd_vmaf_context *_Nonnull context, qd_vmaf_model *_Nonnull model);
  int (*_Nonnull picture_alloc)(
      qd_vmaf_picture *_Nonnull picture, int format, unsigned bits, unsigned width, unsigned height);
  int (*_Nonnull picture_unref)(qd_vmaf_picture *_Nonnull picture);
  // Takes both pictures over. Null pictures end the sequence.
  int (*_Nonnull read_pictures)(
      qd_vmaf_context *_Nonnull context, qd_vmaf_picture *_Nullable reference, qd_vmaf_picture *_Nullable distorted,
      unsigned index);
  int (*_Nonnull score_at_index)(
      qd_vmaf_context *_Nonnull context, qd_vmaf_model *_Nonnull model, double *_Nonnull score, unsigned index);
} qd_vmaf_functions;

// Loads a library by its name or path and fills in its functions. Returns 1, or 0 if it cannot be loaded or lacks one of them. It
// stays loaded, since it may have threads.
int qd_vmaf_load(const char *_Nonnull library, qd_vmaf_functions *_Nonnull functions);

// In glibc since 2.34 and 2.9, but hidden from Swift.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int from);
extern int pipe2(int *_Nonnull descriptors, int flags);

#endif
