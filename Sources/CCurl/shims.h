// libcurl, and what Swift cannot import from its headers: variadic functions, and options that came with later versions.
#ifndef QUADRILLE_CCURL_SHIMS_H
#define QUADRILLE_CCURL_SHIMS_H

// The type checks of libcurl's macros expect options that are literals.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt and its like are variadic.
static inline CURLcode qd_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode qd_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode qd_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode qd_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode qd_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode qd_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Sets the functions that receive headers and bytes, and those that decide about sockets and requests; all get `context`.
static inline CURLcode qd_easy_set_callbacks(CURL *easy, void *context, curl_write_callback header, curl_write_callback write,
                                             curl_opensocket_callback open_socket, curl_prereq_callback before_request) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code;
}

// Allows http and https only. The option takes text since libcurl 7.85.
static inline CURLcode qd_easy_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets a transfer end while its host name is still being looked up, without waiting for the answer (libcurl 7.87).
static inline CURLcode qd_easy_leave_resolver(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  return CURLE_OK;
#endif
}

// Part of a union.
static inline CURLcode qd_message_result(const CURLMsg *message) { return message->data.result; }

// The address follows the structure's declared size where it is longer than `struct sockaddr`.
static inline const struct sockaddr *qd_socket_address(const struct curl_sockaddr *address) { return &address->addr; }

#endif
