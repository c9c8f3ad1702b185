"""The rules of signals, by docs/reference/signals.md, in exact arithmetic: prices are integers of price ticks, everything else is a
fraction.

They share no code with the service. `proof/second-implementation` compares them with its engine on random scenarios.
"""
