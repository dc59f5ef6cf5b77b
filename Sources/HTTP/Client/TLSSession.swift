import CGnuTLS
import Glibc

/// TLS over a connected socket, its certificate verified for the host's name unless that is not wanted.
final class TLSSession {
  private let session: gnutls_session_t
  private let credentials: gnutls_certificate_credentials_t

  /// - Parameter trustFile: certificates to trust; the system's where nil.
  init(
    _ descriptor: CInt, _ address: WebAddress, trustFile: String?, verifies: Bool, deadline: Int64
  ) throws(OutboundError) {
    var credentials: gnutls_certificate_credentials_t?
    var session: gnutls_session_t?
    let flags = UInt32(GNUTLS_CLIENT) | UInt32(GNUTLS_NONBLOCK.rawValue) | UInt32(GNUTLS_NO_SIGNAL.rawValue)
    guard gnutls_certificate_allocate_credentials(&credentials) >= 0, gnutls_init(&session, flags) >= 0,
      let credentials, let session
    else {
      if let credentials { gnutls_certificate_free_credentials(credentials) }
      throw OutboundError(.untrusted, address, "there is no memory for TLS")
    }
    // From here on `deinit` frees them, whatever is thrown: it runs only where all that is stored is set.
    (self.credentials, self.session, name) = (credentials, session, strdup(address.host))
    if verifies { try trust(trustFile, address) }
    gnutls_set_default_priority(session)
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    if !isNumeric(address.host) {
      gnutls_server_name_set(session, GNUTLS_NAME_DNS, address.host, address.host.utf8.count)
    }
    if verifies { gnutls_session_set_verify_cert(session, name, 0) }
    gnutls_transport_set_int2(session, descriptor, descriptor)
    try shakeHands(descriptor, address, deadline)
  }

  /// GnuTLS keeps the pointer.
  private let name: UnsafeMutablePointer<CChar>?

  deinit {
    gnutls_deinit(session)
    gnutls_certificate_free_credentials(credentials)
    free(name)
  }

  private func trust(_ file: String?, _ address: WebAddress) throws(OutboundError) {
    let trusted =
      file.map { gnutls_certificate_set_x509_trust_file(credentials, $0, GNUTLS_X509_FMT_PEM) }
      ?? gnutls_certificate_set_x509_system_trust(credentials)
    guard trusted > 0 else {
      throw OutboundError(
        .untrusted, address, "no certificates to trust in \(file ?? "the system; install ca-certificates")")
    }
  }

  private func shakeHands(_ descriptor: CInt, _ address: WebAddress, _ deadline: Int64) throws(OutboundError) {
    while true {
      let code = gnutls_handshake(session)
      if code == GNUTLS_E_SUCCESS { return }
      if code == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR { throw OutboundError(.untrusted, address, verification) }
      guard gnutls_error_is_fatal(code) != 0 else {
        guard isReady(descriptor, direction, until: deadline) else {
          throw OutboundError(.timedOut, address, "agreeing on TLS")
        }
        continue
      }
      let reason = String(cString: gnutls_strerror(code))
      let isBroken = [GNUTLS_E_PREMATURE_TERMINATION, GNUTLS_E_PULL_ERROR, GNUTLS_E_PUSH_ERROR].contains(code)
      throw OutboundError(isBroken ? .broken : .untrusted, address, reason)
    }
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    transfer(gnutls_record_send(session, bytes.baseAddress, bytes.count))
  }

  func receive(_ room: UnsafeMutableRawBufferPointer) -> Transfer {
    let count = gnutls_record_recv(session, room.baseAddress, room.count)
    // Many servers close without a word; a length or a last chunk tells whether all has come.
    return count == Int(GNUTLS_E_PREMATURE_TERMINATION) ? .ended : transfer(count)
  }

  /// Does not wait for the other side's answer.
  func sayGoodbye() { gnutls_bye(session, GNUTLS_SHUT_WR) }

  private func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .moved(count) }
    if count == 0 { return .ended }
    let code = CInt(truncatingIfNeeded: count)
    return gnutls_error_is_fatal(code) == 0 ? .wait(direction) : .failed(String(cString: gnutls_strerror(code)))
  }

  /// What the session waits for: to read, or to write.
  private var direction: CInt { CInt(gnutls_record_get_direction(session) == 0 ? POLLIN : POLLOUT) }

  /// What is wrong with the certificate, in GnuTLS' words.
  private var verification: String {
    let status = gnutls_session_get_verify_cert_status(session)
    var text = gnutls_datum_t()
    guard gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0) >= 0, let data = text.data
    else { return "its certificate does not verify" }
    defer { uptake_gnutls_free(data) }
    return String(decoding: UnsafeBufferPointer(start: data, count: Int(text.size)), as: UTF8.self)
      .split(separator: " ").joined(separator: " ")
  }
}

private func isNumeric(_ host: String) -> Bool {
  var (four, six) = (in_addr(), in6_addr())
  return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
}
