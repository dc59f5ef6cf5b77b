"""What a run has shown, for docs/operations.md: each test leaves its numbers in a file, and prints them."""
import datetime
import json
import os
import pathlib

FOLDER = os.environ.get("UPTAKE_FIGURES")


def figures(**named):
    """One subject and its numbers. They are kept only where `UPTAKE_FIGURES` names a folder, as the soak does."""
    for subject, numbers in named.items():
        print(f"{subject}: " + ", ".join(f"{value} {name}" for name, value in numbers.items()))
        if FOLDER:
            pathlib.Path(FOLDER).mkdir(parents=True, exist_ok=True)
            day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            pathlib.Path(FOLDER, f"{subject}.json").write_text(json.dumps({"day": day, **numbers}, indent=1) + "\n")
