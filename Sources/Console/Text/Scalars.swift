extension String {
  /// With other texts in place of some scalars, whatever stands beside them. To Swift a quote below an accent, or a line
  /// feed after a carriage return, is another character; to shells, spreadsheets and parsers it is not.
  public func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
    }
  }
}
