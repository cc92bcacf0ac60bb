"""`make bench`: what the service costs beside plain Django, as ratios measured in one run."""
