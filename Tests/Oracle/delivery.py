"""Which trigger is credited with an update: docs/statistics.md, "mechanism"."""
DELIVERIES = ("ready", "verified", "downloadCompleted")


def mechanism(asked, stay, ran, seen, release=None):
    """The trigger of the first `ready`, else `verified`, `downloadCompleted`, `applied`, none of them after it ran; nobody saw an implied update applied."""
    first = {}
    for event in stay:
        if event.get("release") == (release or asked.release) and event["at"] <= ran:
            first.setdefault(event["stage"], event["trigger"])
    delivered = any(stage in first for stage in DELIVERIES)
    stages = DELIVERIES if asked.attribution == "delivered" and delivered else ("applied",) if seen else ()
    return next((first[stage] for stage in stages if stage in first), "unknown")
