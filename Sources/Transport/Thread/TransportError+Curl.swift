import CCurl
import Glibc

extension TransportError {
  /// The reason for which a request failed before its answer.
  init(_ code: CURLcode, of easy: CurlEasy, host: String, options: TransportOptions) {
    let proxyStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound(host)
      case CURLE_COULDNT_RESOLVE_PROXY: .proxyNotFound
      case CURLE_COULDNT_CONNECT, CURLE_PROXY:
        easy.number(CURLINFO_OS_ERRNO) == Int(ECONNREFUSED) ? .refused : .unreachable
      case CURLE_OPERATION_TIMEDOUT: .noAnswer(seconds: options.connectLimit)
      case CURLE_PEER_FAILED_VERIFICATION: .certificate(CertificateProblem(verification: easy.number(CURLINFO_SSL_VERIFYRESULT)))
      case CURLE_SSL_CACERT_BADFILE: .certificateFile(options.certificateFile ?? "")
      case CURLE_SSL_CONNECT_ERROR: .encryption
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .notHTTP
      case CURLE_OUT_OF_MEMORY: .outOfResources("out of memory")
      case _ where proxyStatus >= 300: .proxyStatus(proxyStatus)
      case CURLE_OK, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM:
        .noResponse
      default: .other(String(cString: curl_easy_strerror(code)).lowercased())
      }
  }
}

extension CertificateProblem {
  /// The problem that OpenSSL found (X509_V_ERR_…). If it found none, libcurl compared the host's name, and
  /// leaves 1 or 0.
  init(verification code: Int) {
    self =
      switch code {
      case 0, 1, 62, 64: .wrongHost
      case 9: .notYetValid
      case 10: .expired
      case 18: .selfSigned
      case 2, 19, 20, 21, 24, 25, 26, 27, 28, 79: .untrusted
      case 23: .revoked
      default: .invalid
      }
  }
}
