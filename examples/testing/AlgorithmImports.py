"""What Lean's module of this name exports, as far as the algorithm uses it."""

from fake_lean import *  # noqa: F403
