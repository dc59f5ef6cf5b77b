/// `a, b, c and 12 more`: of what years of nightly builds would make a page.
public func firstFew(_ names: [String], atMost most: Int = 3) -> String {
  names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
}
