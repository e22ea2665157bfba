#pragma once

// Marks functions that are compiled for several processors.
// The loader picks the version for the processor.
// The thread sanitizer's calls in the loader's choice would come before it is ready.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QD_NO_CLONES
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(QD_NO_CLONES)
#define QD_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define QD_CLONES
#endif
