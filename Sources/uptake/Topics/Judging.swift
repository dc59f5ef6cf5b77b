internal import Console

extension Program.Topic {
  static let verdict = Program.Topic(
    "verdict", purpose: "what go on, wait and stop rest on"
  ) { _ in
    """
    A verdict weighs, worst first: crashes and rollbacks since the launch, first attempts that fail, how fresh the data \
    are, adoption against an objective and against the release before at the same age.

      stop      something harms more devices than its limit, for certain
      wait      too few devices or too short a time to say, or devices went silent
      go on     what can harm is below its limits, and nothing else is the matter

    Limits come from --limit and --harm-limit, else from what past releases of the channel did, else from a standard that is \
    said to be one. The tests may be looked at every minute: a release that keeps its limits is stopped in 5% of rollouts \
    at most, over the whole rollout, not at each look. Slow adoption never stops a release by itself.

    Each verdict names its reasons with figures and limits, when to look again, and what would change it. It describes what \
    was measured; whether to widen a rollout is yours to decide.

    See also: uptake verdict --help, uptake status --help, uptake failures --help
    """
  }
}
