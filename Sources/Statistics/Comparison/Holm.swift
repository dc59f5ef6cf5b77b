import Glibc

/// Holm's adjustment of a family of p-values, in the order given; absent tests stay absent and do not count.
public func holm(_ family: [PValue?]) -> [PValue?] {
  let ranked = family.indices.filter { family[$0] != nil }.sorted {
    (family[$0]?.log10 ?? 0) < (family[$1]?.log10 ?? 0)
  }
  var adjusted = [PValue?](repeating: nil, count: family.count)
  var largest = -Double.infinity
  for (rank, index) in ranked.enumerated() {
    largest = max(largest, (family[index]?.log10 ?? 0) + log10(Double(ranked.count - rank)))
    adjusted[index] = PValue(log10: largest)
  }
  return adjusted
}
