internal import Console

extension Program.Topic {
  static let verdict = Program.Topic(
    "verdict", purpose: "what go on, wait and stop rest on"
  ) { _ in
    """
    A verdict weighs, worst first: crashes and rollbacks since the launch, first attempts that fail, devices that take it and \
    fall silent, how fresh the data are, whether devices still run it, adoption against an objective and against the release \
    before at the same age.

      stop      it harms more devices than permitted, or silences them, for sure
      wait      too few devices or too short a time to say, no device heard of for
                hours, or adoption behind the objective or the release before
      go on     what can harm is below its limits, and nothing else is the matter

    Crashes and rollbacks have two limits: --harm-limit, and one that past releases of the channel set by what they did. Either \
    stops; no option lifts the second. First attempts have one: --limit, else what past releases set, else none, and then nothing \
    is decided by them.

    The tests may be looked at every minute. Over the whole rollout, not at each look, a release that keeps its limits, and harms no \
    sooner than past releases did or no more than half as often as its limits permit, is stopped \
    by first attempts in 5% of rollouts at most, by crashes and rollbacks in 1%, and 1% more where it came to several platforms. \
    Such a stop stays once it was reached. Slow adoption never stops a release by itself.

    Each verdict names its reasons with figures and limits, when to look again, and what would change it. It describes what \
    was measured; whether to widen a rollout is yours to decide.

    See also: uptake verdict --help, uptake status --help, uptake failures --help
    """
  }
}
