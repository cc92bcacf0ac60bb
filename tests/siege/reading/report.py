"""The request-reading table's part of `make siege`."""

from tests.siege.reading.sending import all_results
from tests.siege.stage import Stage


def reading(stage: Stage) -> list[str]:
    """Prints every case with what came of it; those that were not as they should be."""
    victim = stage.partners["victim"]
    results = all_results(stage.port, victim["testKey"], victim["accountId"])
    print(f"\nhow {len(results)} requests are read")
    print("\n".join(f"  {result}" for result in results))
    return [f"reading: {result.case}: {result.outcome}" for result in results if not result.is_fine]
