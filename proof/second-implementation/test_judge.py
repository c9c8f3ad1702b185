"""Examples of docs/reference/signals.md, worked out by hand. Run with: python3 -m unittest discover -s proof/second-implementation"""

import unittest
from fractions import Fraction

from judge import judge

INSTRUMENT = {"digits": 5, "pip_size": Fraction(1, 10_000)}
T = 1_772_450_640_000  # a full minute
REQUEST = {"direction": "buy", "entry": "1.1", "stop_loss": "1.099", "take_profit": "1.102"}


def price(ticks):
    return Fraction(ticks, 100_000)


def quote(seq, seconds, bid, spread=10, **more):
    return {"type": "quote", "seq": seq, "time": T + seconds * 1000, "bid": price(bid), "ask": price(bid + spread), **more}


def publish(seconds=0, **changes):
    return {"type": "publish", "at": T + seconds * 1000, "signal": "s", "publisher": "p", "request": {**REQUEST, **changes}}


def request(kind, seconds, **more):
    return {"type": kind, "at": T + seconds * 1000, "signal": "s", **more}


def notice(kind, seq, seconds, **more):
    return {"type": kind, "seq": seq, "time": T + seconds * 1000, **more}


def bar(seq, seconds, prices, **more):
    names = ("open", "high", "low", "close")
    return notice("bar", seq, seconds, **{name: price(ticks) for name, ticks in zip(names, prices)}, **more)


def run(*events):
    return judge({"instrument": INSTRUMENT, "events": list(events)})[0]


START = quote(1, 0, 109_990)  # ask 1.10000


class Examples(unittest.TestCase):
    def test_market_entry_fills_at_the_worse_price_and_reaches_its_target(self):
        said = run(START, publish(), quote(2, 1, 110_000), quote(3, 2, 110_250))
        self.assertEqual(said["order"], "market")
        self.assertEqual(said["filled"], {"entry_price": price(110_010), "filled_at": T + 1000, "filled": 2})
        closed = said["closed"]
        self.assertEqual((closed["reason"], closed["exit_price"], closed["pnl"]), ("take_profit", price(110_200), 19))
        self.assertEqual(closed["pnl_r"], Fraction("1.9"))
        self.assertEqual(closed["pnl_percent"], Fraction("0.1727"))

    def test_market_order_fills_up_to_its_slippage(self):
        terms = {"direction": "buy", "order": "market", "max_slippage": "0.0002", "stop_loss": "1.099", "take_profit": "1.102"}
        order = {**publish(), "request": terms}
        said = run(START, order, quote(2, 1, 110_010))
        self.assertEqual(said["filled"], {"entry_price": price(110_020), "filled_at": T + 1000, "filled": 2})
        said = run(START, order, quote(2, 1, 110_011), quote(3, 2, 110_000))
        self.assertIsNone(said["filled"])
        closed = said["closed"]
        self.assertEqual((closed["reason"], closed["closed_at"], closed["decided"]), ("unfilled", T + 1000, 2))

    def test_backdated_quote_does_not_judge(self):
        said = run(START, publish(1), quote(2, 1, 110_000), quote(3, 0, 110_000))
        self.assertEqual(said["state"], "pending")

    def test_stop_is_gapped_through(self):
        said = run(START, publish(), quote(2, 1, 109_990), quote(3, 2, 109_000))
        self.assertEqual((said["closed"]["reason"], said["closed"]["pnl_r"]), ("stop_loss", -10))

    def test_targets_breakeven_and_weighted_exit(self):
        targets = [{"price": "1.101", "fraction": "0.25"}, {"price": "1.102", "fraction": "0.75"}]
        said = run(
            START, publish(targets=targets, breakeven_after=1), quote(2, 1, 109_990), quote(3, 2, 110_100), quote(4, 3, 109_999)
        )
        self.assertEqual([e["target"] for e in said["exits"]], [1])
        self.assertEqual(said["closed"]["reason"], "stop_loss")
        self.assertEqual(said["closed"]["exit_price"], Fraction("1.1002425"))
        self.assertEqual(said["closed"]["last_exit"], {"fraction": Fraction("0.75"), "price": price(109_999)})

    def test_grace_after_the_deadline(self):
        limit = publish(entry="1.0985", stop_loss="1.0975", take_profit="1.1", expires_at=T + 10_000)
        fill = quote(4, 9, 109_840)
        ignored = quote(3, 10, 109_840)
        self.assertEqual(run(START, limit, ignored)["state"], "pending")
        said = run(START, limit, ignored, fill, notice("clock", 5, 14.999))
        self.assertEqual(said["state"], "open")
        said = run(START, limit, ignored, fill, notice("clock", 5, 15))
        self.assertEqual((said["closed"]["reason"], said["closed"]["closed_at"]), ("expired", T + 10_000))
        self.assertEqual(said["closed"]["exit_price"], price(109_840))
        self.assertEqual((said["closed"]["decided"], said["closed"]["decided_seq"]), (4, 5))

    def test_request_closes_with_the_next_quote_at_the_worse_price(self):
        said = run(START, publish(), quote(2, 1, 109_990), request("close", 1.5), quote(3, 2, 110_050))
        self.assertEqual((said["closed"]["reason"], said["closed"]["exit_price"]), ("manual", price(109_990)))

    def test_pending_signal_is_withdrawn_unless_the_quote_fills_it(self):
        limit = publish(entry="1.0985", stop_loss="1.0975", take_profit="1.1")
        said = run(START, limit, request("close", 1), quote(2, 2, 109_990))
        self.assertEqual((said["closed"]["reason"], said["closed"]["closed_at"]), ("unfilled", T + 2000))
        said = run(START, limit, request("close", 1), quote(2, 2, 109_840), quote(3, 3, 109_830))
        self.assertEqual((said["closed"]["reason"], said["closed"]["exit_price"]), ("manual", price(109_830)))

    def test_amendment_must_be_tighter_and_counts_from_the_next_event(self):
        amend = request("amend", 1.5, stop_loss=price(109_950))
        said = run(START, publish(), quote(2, 1, 109_990), amend, quote(3, 1, 109_940), quote(4, 2, 109_945))
        self.assertEqual(said["requests"][0]["rejected"], [])
        self.assertEqual((said["closed"]["decided"], said["closed"]["exit_price"]), (4, price(109_945)))
        loose = request("amend", 1.5, stop_loss=price(109_800))
        self.assertEqual(run(START, publish(), quote(2, 1, 109_990), loose)["requests"][0]["rejected"], ["A2"])

    def test_missed_trade_knows_one_side(self):
        trade = {"price": price(109_900), "source": "x"}
        events = [START, publish(), quote(2, 1, 109_990), notice("disconnect", 3, 2)]
        said = run(*events, notice("trade", 4, 3, side="buy", **trade))
        self.assertEqual(said["state"], "open")
        said = run(*events, notice("trade", 4, 3, side="sell", **trade))
        self.assertEqual(said["closed"]["reason"], "stop_loss")
        said = run(START, publish(), quote(2, 1, 109_990), notice("trade", 4, 3, side="sell", **trade))
        self.assertEqual(said["state"], "open")

    def test_bar_that_reaches_stop_and_target(self):
        said = run(START, publish(), quote(2, 1, 109_990), bar(3, 60, (110_000, 110_300, 109_800, 110_100)))
        self.assertEqual((said["closed"]["pnl"], said["closed"]["pnl_best"]), (-10, 20))
        self.assertEqual(said["closed"]["closed_at"], T + 120_000)

    def test_uncertain_bar_reaches_no_target(self):
        said = run(START, publish(), quote(2, 61, 109_990), bar(3, 60, (110_000, 110_300, 109_950, 110_100)))
        self.assertEqual(said["state"], "pending")  # the deadline of the market entry came before the quote

    def test_gap_and_failover(self):
        said = run(
            START,
            publish(),
            quote(2, 1, 109_990),
            notice("gap", 3, 3, **{"from": T + 1000, "to": T + 3000}),
            notice("disconnect", 4, 4),
            notice("failover", 5, 15),
            quote(6, 16, 109_000),
        )
        self.assertEqual((said["closed"]["gap_from"], said["closed"]["gap_to"]), (T + 1000, T + 15_000))

    def test_void(self):
        said = run(START, publish(), quote(2, 1, 109_990), request("void", 2), request("void", 3))
        self.assertEqual((said["state"], said["voided"]["closed_at"]), ("closed", T + 2000))
        self.assertEqual([r["rejected"] for r in said["requests"]], [[], ["V2"]])

    def test_rejections(self):
        self.assertEqual(run(START, publish(stop_loss="1.1"))["rejected"], ["P2", "P4", "P5"])
        self.assertEqual(run(START, publish(61))["rejected"], ["P1"])
        self.assertEqual(run(START, publish(breakeven_after=1))["rejected"], ["P7"])
        self.assertEqual(run(START, publish(entry="1.100001"))["rejected"], ["fields"])
        half = [{"price": "1.101", "fraction": "0.5"}]
        self.assertEqual(run(START, publish(take_profit=None, targets=half))["rejected"], ["P6"])


if __name__ == "__main__":
    unittest.main()
