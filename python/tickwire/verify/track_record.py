"""Recomputes the track record of one publisher from the log, and compares it with what the service says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ..client import TickwireClient
from ..rules.decisions import EndedTrial, RankedSignal, Trials, e_value, group, published, steps, wealths
from .recorded_signal import exact, number
from .verification import OnProgress, VerifyReport, verify_log

UNIT = 10_000


@dataclass(frozen=True)
class PublisherReport:
    """The figures of a publisher, recomputed from the log, beside those of the service. `str(report)` is a table for people."""

    publisher: str
    """Id of the publisher."""
    name: str
    """Display name."""
    verification: VerifyReport
    """The verification of the log, with the signals of this publisher judged again from the tape."""
    figures: Dict[str, Tuple[Any, Any]]
    """Each figure: recomputed, and as the service states it."""
    differences: Tuple[str, ...]
    """Names of the figures that differ."""
    comparable: bool
    """False if the track record changed while the log was read, or an open signal makes figures depend on current prices."""

    @property
    def ok(self) -> bool:
        """Whether the log has no faults and the figures agree."""
        return self.verification.ok and not self.differences

    def __str__(self) -> str:
        lines = [f"{self.name} ({self.publisher})"]
        for name, (recomputed, stated) in self.figures.items():
            mark = "" if name not in self.differences else "   DIFFERS"
            lines.append(f"  {name:<18} {_shown(recomputed):>12}  service {_shown(stated):>12}{mark}")
        lines.append(f"  result             {'agrees with the log' if self.ok else 'DOES NOT AGREE'}")
        return "\n".join(lines)


def verify_publisher(
    client: TickwireClient, name: str, *, tape: bool = True, on_progress: Optional[OnProgress] = None
) -> PublisherReport:
    """Verifies one publisher, by display name or id: the whole log, all its signals again from the tape, and the figures of its track
    record recomputed from the records.

    Figures that depend on current prices, such as the value of open signals, are not compared.

    Example:
        >>> print(tickwire.verify_publisher(client, "House Trend"))
    """
    for _ in range(3):
        stated: Mapping[str, Any] = client.publisher(name)
        publisher = str(stated.get("id") or stated.get("publisher") or name)
        signals: Dict[str, RankedSignal] = {}
        records: List[Mapping[str, Any]] = []
        trials: List[Trials] = []

        def keep(record: Mapping[str, Any]) -> None:
            if record["type"] == "opened":
                trials.append(Trials(_trusts, record["realm"] != "live"))
            if record.get("publisher") == publisher and "signal" in record:
                records.append(record)
            if trials and "signal" in record:
                trials[0].add(exact(record))

        verification = verify_log(client, tape=tape, publisher=publisher, on_progress=on_progress, on_record=keep)
        after: Mapping[str, Any] = client.publisher(name)
        unchanged = stated["signals"] == after["signals"] and stated["closed"] == after["closed"]
        if unchanged:
            break
    for record in records:
        if record["type"] == "published":
            signals[record["signal"]] = RankedSignal(exact(record))
        elif record["signal"] in signals:
            signals[record["signal"]].add(exact(record))
    trial = trials[0].ended.get(publisher) if trials else None
    recomputed, has_open = _figures(list(signals.values()), trial)
    figures = {figure: (value, stated.get(figure)) for figure, value in recomputed.items() if figure in stated}
    if "progress" in stated:
        figures["number"] = (trial.number if trial else None, stated["progress"]["number"])
    differences = () if not unchanged else tuple(figure for figure, (ours, theirs) in figures.items() if not _equal(ours, theirs))
    return PublisherReport(
        publisher, str(stated.get("name", name)), verification, figures, differences, unchanged and not has_open
    )


def _figures(signals: List[RankedSignal], trial: Optional[EndedTrial]) -> Tuple[Dict[str, Any], bool]:
    """Counts and sums of `pnl_r`, and, if no signal is open, decisions and e-value."""
    closed = [signal for signal in signals if signal.is_closed]
    ordered = sorted(closed, key=lambda signal: int(signal.closing_n))
    results = [_counted(signal) for signal in ordered]
    known = [r for r in results if r is not None]
    peak = total = fall = 0
    for r in known:
        total += r
        peak = max(peak, total)
        fall = max(fall, peak - total)
    figures: Dict[str, Any] = {
        "signals": len(signals),
        "active": len(signals) - len(closed),
        "closed": len(closed),
        "ranked_signals": len(known),
        "unfilled": sum(1 for signal in closed if signal.closed and signal.closed["reason"] == "unfilled" and not signal.voided),
        "voided": sum(1 for signal in signals if signal.voided),
        "total_r": total / UNIT,
        "max_drawdown_r": fall / UNIT,
    }
    has_open = any(signal.filled and not signal.is_closed for signal in signals)
    if not has_open:
        ranked = {signal.n: signal.result(None, _trusts) for signal in signals}
        decisions = group(signals)
        figures["decisions"] = sum(1 for each in decisions if each.complete and each.r(ranked) is not None)
        figures["e_value"] = float(published(e_value(wealths(steps(decisions, ranked, trial)))))
    return figures, has_open


def _counted(signal: RankedSignal) -> Optional[int]:
    """The result in units of 1e-4 R, with `pnl_r` in place of `rank_r` (CR3 to CR8)."""
    if signal.voided or not signal.filled or not signal.closed:
        return None
    ranked = signal.result(None, _trusts)
    if ranked is None:
        return None
    pnl = int((number(signal.closed["pnl_r"]) or Fraction(0)) * UNIT)
    # The same caps apply to both: compare what the rules made of rank_r.
    raw = signal.rank_r(None)
    if raw is None or ranked == raw:
        return pnl
    return min(pnl, -UNIT) if ranked <= -UNIT and raw > -UNIT else min(pnl, 0)


def _trusts(source: str) -> bool:
    """CR10 with the default of the service."""
    return source not in ("push", "import") and not source.startswith("push:")


def _equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return abs(ours - theirs) <= 1e-9 * max(1.0, abs(theirs))
    return bool(ours == theirs)


def _shown(value: Any) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
