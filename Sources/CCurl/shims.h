// libcurl, and what Swift cannot import from its headers: variadic functions, and options that came with later versions.
#ifndef QUADRILLE_CCURL_SHIMS_H
#define QUADRILLE_CCURL_SHIMS_H

// The type checks of libcurl's macros expect options that are literals.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdint.h>

// Prepares libcurl. OpenSSL, where libcurl uses it, must not free at exit() what other threads may still be using.
static inline CURLcode qd_prepare(void) {
  const uint64_t no_cleanup_at_exit = 0x00080000;
  int (*prepare)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(NULL /* any library */, "OPENSSL_init_crypto");
  if (prepare) prepare(no_cleanup_at_exit, NULL);
  return curl_global_init(CURL_GLOBAL_ALL);
}

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

// Uses a connection for one transfer at a time, and keeps up to `connections` that are idle.
static inline CURLMcode qd_multi_set_connections(CURLM *multi, long connections) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
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

// Allows http and https only, HTTP/2 where a server offers it over TLS, and no ~/.netrc. Protocols are text since libcurl 7.85;
// the other constants have had several types.
static inline CURLcode qd_easy_set_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  if (!code) code = curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  return code;
}

// Sends credentials by the Basic scheme only.
static inline CURLcode qd_easy_set_credentials(CURL *easy, const char *user, const char *password) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_USERNAME, user);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_PASSWORD, password);
  return code;
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
