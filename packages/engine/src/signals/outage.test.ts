// What an outage of the source must not do: help or harm anybody by when it happened, or by who else had a signal.
import { describe, expect, test } from 'bun:test';
import { at, EURUSD, JudgedMarket } from './judged-market.fixture.ts';

/** A market at 1.50 / 1.51 that was quoted at noon. */
function quoted(): JudgedMarket {
  const market = new JudgedMarket();
  market.quote(0, 1.5, 1.51);
  return market;
}

describe('while the source is cut off', () => {
  /** A buy that expires at 12:00:30, cut off at 12:00:10. */
  function cutOff(): JudgedMarket {
    const market = quoted();
    market.publish('buy', { expiresAt: at(30) }, 1);
    market.cut(10);
    market.clock(60);
    expect(market.verdicts).toEqual([]);
    return market;
  }

  test('the passing of time does not save a signal from the stop that it had met before its deadline', () => {
    const market = cutOff();
    market.trade(20, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 139, closedAt: at(20) });
  });

  test('a trade from after the deadline ends it before that trade', () => {
    const market = cutOff();
    market.trade(20, 1.45, 'sell');
    market.trade(30, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 145, closedAt: at(30), decidedSeq: 4 });
  });

  test('a deadline waits for what ends the stretch, then for the clock', () => {
    for (const end of [
      (market: JudgedMarket) => market.backfilled(61),
      (market: JudgedMarket) => market.gap(10, 61),
      (market: JudgedMarket) => market.failover(61),
    ]) {
      const market = cutOff();
      end(market);
      expect(market.closing('buy')).toBeUndefined();
      market.clock(62);
      expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150, closedAt: at(30) });
    }
  });

  test('a quote ends the stretch and what was due before it', () => {
    const market = cutOff();
    market.quote(61, 1.39, 1.4);
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150, gap: null });
  });

  test('a bar judges and does not end the stretch', () => {
    const market = cutOff();
    market.minute(-60, 1.5);
    market.clock(70);
    expect(market.closing('buy')).toBeUndefined();
    market.trade(20, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss' });
  });

  test('nobody closes by hand: what was missed goes first, whatever it was', () => {
    const market = cutOff();
    market.publish('limit', { entry: 1.45 }, 1);
    for (const id of ['buy', 'limit']) expect(market.verifier.close(id, at(20), market.seq)).toBeNull();
    // Nor once the deadline has come.
    expect(market.verifier.close('buy', at(40), market.seq)).toBeNull();
    market.backfilled(41);
    expect(market.verifier.close('buy', at(41), market.seq)).toMatchObject({ reason: 'expired', closedAt: at(30) });
    expect(market.verifier.close('limit', at(41), market.seq)).toMatchObject({ reason: 'unfilled', closedAt: at(41) });
  });
});

describe('a missed trade', () => {
  test('moves the standing price: its own side to it, the other as far away as in the last quote', () => {
    for (const [side, buyExit, sellExit] of [
      ['sell', 156, 157],
      ['buy', 155, 156],
    ] as const) {
      const market = quoted();
      market.publish('buy', { expiresAt: at(30) }, 1);
      market.publish('sell', { direction: 'sell', entry: 1.5, stopLoss: 1.7, takeProfit: 1.3, expiresAt: at(30) }, 1);
      market.cut(10);
      market.trade(20, 1.56, side);
      market.backfilled(60);
      market.clock(61);
      const decided = { kind: 'trade', seq: 3, price: 1.56, side, spread: 0.01 };
      expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: buyExit, decided });
      expect(market.closing('sell')).toMatchObject({ reason: 'expired', exitPrice: sellExit, decided });
    }
  });

  test('leaves the price behind that a limit was far from: an expiry does not pay more than the target', () => {
    const market = quoted();
    market.publish('limit', { entry: 1.4, stopLoss: 1.3, takeProfit: 1.45, expiresAt: at(30) }, 1);
    market.cut(10);
    market.trade(20, 1.4, 'buy');
    market.backfilled(60);
    market.clock(61);
    expect(market.closing('limit')).toMatchObject({ reason: 'expired', fill: { price: 140 }, exitPrice: 139 });
  });

  test('judges by the side it took alone, wherever the other is taken to be', () => {
    const market = quoted();
    market.publish('buy', {}, 1);
    market.cut(10);
    // The bid is taken to be 1.40 then, but nobody sold there.
    market.trade(20, 1.41, 'buy');
    expect(market.verdicts).toEqual([]);
  });

  test('is no such thing while the source is there', () => {
    const market = quoted();
    market.publish('buy', { expiresAt: at(30) }, 1);
    market.trade(20, 1.39, 'sell');
    market.clock(60);
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150 });
  });
});

describe('a market is alive', () => {
  test('from its first quote, until the source is cut off, and again from the next quote', () => {
    const market = new JudgedMarket();
    const alive = (): boolean => market.verifier.isLive(EURUSD);
    expect(alive()).toBe(false);
    market.quote(0, 1.5, 1.51);
    expect(alive()).toBe(true);
    market.trade(1, 1.5, 'sell');
    expect(alive()).toBe(true);
    market.cut(2);
    expect(alive()).toBe(false);
    market.quote(3, 1.5, 1.51);
    expect(alive()).toBe(true);
  });

  test('not at a missed trade or a bar, though the source is back, until there is a quote', () => {
    for (const bridge of [
      (market: JudgedMarket) => market.trade(20, 1.45, 'sell'),
      (market: JudgedMarket) => market.minute(60, 1.45),
      // A minute from before the quote stands for no price, but it has judged.
      (market: JudgedMarket) => market.minute(-60, 1.45),
    ]) {
      const market = quoted();
      market.publish('buy', {}, 1);
      market.publish('limit', { entry: 1.42 }, 1);
      market.cut(10);
      bridge(market);
      market.backfilled(120);
      expect(market.verifier.isLive(EURUSD)).toBe(false);
      expect(market.verifier.close('buy', at(121), market.seq)).toBeNull();
      expect(market.verifier.close('limit', at(121), market.seq)).toMatchObject({ reason: 'unfilled' });
      market.quote(122, 1.46, 1.47);
      expect(market.verifier.close('buy', at(123), market.seq)).toMatchObject({ reason: 'manual', exitPrice: 146 });
    }
  });

  test('at a gap that was declared, as before it', () => {
    const market = quoted();
    market.cut(10);
    market.gap(10, 20);
    expect(market.verifier.isLive(EURUSD)).toBe(true);
  });
});

describe('a gap', () => {
  const GAP = { from: at(10), to: at(20) };

  test('is carried by a signal that is published after it against a quote from before it, whoever else had one', () => {
    for (const others of [0, 1]) {
      const market = quoted();
      if (others) market.publish('other', {}, 1);
      market.gap(10, 20);
      expect(market.verdicts).toEqual([{ kind: 'gap', symbol: EURUSD, seq: 2, ...GAP }]);
      market.publish('late', {}, 21);
      market.quote(30, 1.39, 1.4);
      expect(market.closing('late')).toMatchObject({ reason: 'stop_loss', gap: GAP });
    }
  });

  test('is still there for the next when the one that had it ends', () => {
    const market = quoted();
    market.publish('first', { entry: 1.3, stopLoss: 1.2 }, 1);
    market.gap(10, 20);
    market.verifier.close('first', at(21), market.seq);
    market.publish('second', {}, 22);
    market.quote(30, 1.39, 1.4);
    expect(market.closing('second')).toMatchObject({ gap: GAP });
  });

  test('concerns nobody who publishes against a later quote, whoever else had a signal in it', () => {
    for (const others of [0, 1]) {
      const market = quoted();
      if (others) market.publish('other', {}, 1);
      market.gap(10, 20);
      market.quote(30, 1.5, 1.51);
      market.publish('later', {}, 31);
      market.quote(40, 1.39, 1.4);
      expect(market.closing('later')!.gap).toBeNull();
      if (others) expect(market.closing('other')!.gap).toEqual(GAP);
    }
  });

  test('is a fail-over while the first source is cut off, and none while it is not', () => {
    const market = quoted();
    market.failover(10);
    expect(market.verdicts).toEqual([]);
    market.cut(20);
    market.failover(30);
    expect(market.verdicts).toEqual([{ kind: 'gap', symbol: EURUSD, seq: 4, from: at(0), to: at(30) }]);
  });

  test('is no stretch that ends before it begins, where the venue’s clock is ahead', () => {
    const market = quoted();
    market.quote(40, 1.5, 1.51);
    market.cut(30);
    market.failover(35);
    expect(market.verdicts).toMatchObject([{ kind: 'gap', from: at(35), to: at(35) }]);
  });

  test('is needed while a signal is active that is older, or one may still be published that is', () => {
    const market = quoted();
    const needed = (): number => market.verifier.gapsNeededAfter;
    expect(needed()).toBe(Number.POSITIVE_INFINITY);
    market.gap(10, 20);
    expect(needed()).toBe(1);
    market.quote(30, 1.5, 1.51);
    expect(needed()).toBe(Number.POSITIVE_INFINITY);
    market.publish('buy', {}, 31);
    market.quote(32, 1.5, 1.51);
    expect(needed()).toBe(3);
  });
});

describe('after a restart', () => {
  test('gaps of an earlier run stay through the quotes that are only set, until the orders are there', () => {
    const market = quoted();
    const order = market.publish('buy', {}, 1);
    const again = new JudgedMarket();
    again.verifier.restoreGap({ symbol: EURUSD, seq: 2, from: at(10), to: at(20) });
    again.verifier.seed(EURUSD, { kind: 'quote', seq: 3, time: at(30), bid: 1.5, ask: 1.51, source: 'venue' });
    again.verifier.add(order);
    again.seq = 3;
    again.quote(40, 1.39, 1.4);
    expect(again.closing('buy')).toMatchObject({ gap: { from: at(10), to: at(20) } });
  });

  test('a bar that stood stands again', () => {
    const market = quoted();
    const order = market.publish('buy', { expiresAt: at(150) }, 1);
    const again = new JudgedMarket();
    again.verifier.seed(EURUSD, order.accepted);
    const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
    const bar = { time: at(60), open: 1.5, high: 1.5, low: 1.44, close: 1.45, ...sums };
    again.verifier.seedMinute(EURUSD, bar, 2, 'venue');
    again.verifier.add(order);
    expect(again.verifier.isLive(EURUSD)).toBe(false);
    again.clock(150);
    expect(again.closing('buy')).toMatchObject({ exitPrice: 145, decided: { kind: 'bar', seq: 2, spread: 0.01 } });
  });
});

test('a stop entry that is gapped beyond its target fills there and closes at the target, at a loss', () => {
  const market = quoted();
  market.publish('stop', { entry: 1.6, stopLoss: 1.5, takeProfit: 1.7 }, 1);
  market.quote(10, 1.75, 1.76);
  expect(market.closing('stop')).toMatchObject({ reason: 'take_profit', fill: { price: 176 }, exitPrice: 170 });
});
