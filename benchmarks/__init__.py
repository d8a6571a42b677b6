"""What affray costs, as ratios to bare yardsticks measured in the same run. `make bench`."""
