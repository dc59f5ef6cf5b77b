/// The fields of `*.expected.json` that are checked, named as in the files.
struct Expected: Decodable, Sendable {
  let n, events, censored: Int64
  let left_truncated: Bool
  let km: [String: Curve]
  let aj: [String: Incidences?]?
  let compare: [String: Comparison]?
  let tests, tests_stratified: Tests?
  let cause_specific: [String: Tests]?

  struct Curve: Decodable, Sendable {
    let time: [Double]
    let n_risk: [Int64]
    let surv, greenwood_sum, se_surv, loglog_lower, loglog_upper: [Double?]
    let quantiles: Quantiles
    let at: At
    let rmst: [RestrictedMean]?
  }
  struct Quantiles: Decodable, Sendable {
    let p: [Double]
    let estimate_inf, lower_inf_loglog, upper_inf_loglog: [Double?]
  }
  struct At: Decodable, Sendable {
    let time: [Double]
    let n_risk: [Int64]
    let surv, se, lower, upper: [Double?]
  }
  struct RestrictedMean: Decodable, Sendable {
    let tau, rmst, se, lower, upper: Double
  }
  struct Incidences: Decodable, Sendable {
    let time: [Double]
    let n_risk: [Int64]
    let causes: [String: Incidence]
    let cov_at: [Covariances]?
  }
  struct Incidence: Decodable, Sendable {
    let cif, se_greenwood_etm, cloglog_lower, cloglog_upper: [Double?]
  }
  struct Covariances: Decodable, Sendable {
    let time: Double
    let causes: [UInt8]
    let cov: [[Double]]
  }
  struct Tests: Decodable, Sendable {
    let logrank: LogRank?
    let peto: Peto?
    let cox_efron: Cox?
  }
  struct LogRank: Decodable, Sendable {
    let groups: [String]
    let observed, expected: [Double]
    let variance: [[Double]]
    let chisq, p: Double
    let df: Int
  }
  struct Peto: Decodable, Sendable {
    let o_minus_e: Double
  }
  struct Cox: Decodable, Sendable {
    let reference: String
    let level: [String]
    let coef, se, hr, lower, upper: [Double]
    let loglik_null, loglik, score_chisq, wald_chisq, lrt_chisq: Double
  }
  struct RestrictedDifference: Decodable, Sendable {
    let tau, diff, se, lower, upper, p: Double
  }
  struct AdoptionDifference: Decodable, Sendable {
    let time: [Double]
    let diff, se, lower, upper: [Double?]
  }
  /// The key `reference` of the same object is a plain string.
  enum Comparison: Decodable, Sendable {
    case reference(String)
    case group(rmst: [RestrictedDifference], adoption: AdoptionDifference)

    private enum CodingKeys: String, CodingKey { case rmst_diff, adoption_diff }

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        self = .reference(name)
        return
      }
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      self = .group(
        rmst: try fields.decode([RestrictedDifference].self, forKey: .rmst_diff),
        adoption: try fields.decode(AdoptionDifference.self, forKey: .adoption_diff))
    }
  }
}
