import CGnuTLS

extension Configuration.TLS {
  /// When the certificate ends, in seconds since 1970: that of the server, which is the first of its chain. nil where the text
  /// is no certificate.
  public var expiry: Int64? {
    var made: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&made) >= 0, let made else { return nil }
    defer { gnutls_x509_crt_deinit(made) }
    var bytes = Array(certificate.utf8)
    let code = bytes.withUnsafeMutableBufferPointer { bytes in
      var text = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(clamping: bytes.count))
      return gnutls_x509_crt_import(made, &text, GNUTLS_X509_FMT_PEM)
    }
    guard code >= 0 else { return nil }
    let end = gnutls_x509_crt_get_expiration_time(made)
    return end < 0 ? nil : Int64(end)
  }
}
