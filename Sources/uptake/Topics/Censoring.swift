internal import Console

extension Program.Topic {
  static let censoring = Program.Topic(
    "censoring", purpose: "why devices that have not updated are neither slow nor missing"
  ) { _ in
    """
    A device that has not updated yet will perhaps do so tomorrow. All that is known is that it took longer than the time for \
    which it was watched. Such a device is censored: it counts as waiting for as long as it was watched, and not at all after.

    Two shortcuts are wrong. Averaging those that updated leaves out everybody who is slow. Counting those that have not updated \
    as never updating makes every young release look bad. With 74% true adoption the first said 100%, the second, with \
    devices censored at their last contact, 98%; the rule used here said 72%.

    A device stops being watched when

      the cutoff         now, less the time that events usually need to arrive
      it falls silent    no contact for the reach window (28 days); its wait ends
                         a window after its last contact, not at it
      it moves           it changed its channel
      a newer release    took the place of this one, unless --estimand says else

    --censor last-seen and --censor cut-off try other rules for silent devices; --reach-window sets the length. Answers say \
    how many devices were censored, and why. Where few are still watched an estimate is marked as unstable, and beyond the \
    last of them there is none.

    See also: uptake help definitions, uptake time-to-update --help
    """
  }
}
