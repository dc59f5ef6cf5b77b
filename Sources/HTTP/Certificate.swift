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

  /// Why a server cannot use the two, as where the key is of another certificate; nil where it can.
  public var problem: String? {
    var made: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&made) >= 0, let made else { return nil }
    defer { gnutls_certificate_free_credentials(made) }
    var (chain, secret) = (Array(certificate.utf8), Array(key.utf8))
    let code = chain.withUnsafeMutableBufferPointer { chain in
      secret.withUnsafeMutableBufferPointer { secret in
        var texts = [chain, secret].map { gnutls_datum_t(data: $0.baseAddress, size: UInt32(clamping: $0.count)) }
        return gnutls_certificate_set_x509_key_mem(made, &texts[0], &texts[1], GNUTLS_X509_FMT_PEM)
      }
    }
    return code < 0 ? String(cString: gnutls_strerror(code)) : nil
  }
}
