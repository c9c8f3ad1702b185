// An outage of the source must neither help nor harm a signal by its timing, or because another signal is active.
import { describe, expect, test } from 'bun:test';
import { at, EURUSD, VerifierHarness } from '../../testing/verifier-harness.ts';

/** A market with a quote of 1.50 / 1.51 at noon. */
function quoted(): VerifierHarness {
  const market = new VerifierHarness();
  market.quote(0, 1.5, 1.51);
  return market;
}

describe('while the source is disconnected', () => {
  /** A buy that expires at 12:00:30; the source disconnects at 12:00:10. */
  function disconnected(): VerifierHarness {
    const market = quoted();
    market.publish('buy', { expiresAt: at(30) }, 1);
    market.disconnect(10);
    market.clock(60);
    expect(market.verdicts).toEqual([]);
    return market;
  }

  test('a deadline does not replace a stop that was reached before it', () => {
    const market = disconnected();
    market.trade(20, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 139, closedAt: at(20) });
  });

  test('a trade 5 s after the deadline closes the signal as expired, at the last price before the deadline', () => {
    const market = disconnected();
    market.trade(20, 1.45, 'sell');
    market.trade(30, 1.39, 'sell');
    expect(market.closing('buy')).toBeUndefined();
    market.trade(35, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 145, closedAt: at(30), decidedSeq: 5 });
  });

  test('a deadline takes effect at the first clock event after the outage has ended', () => {
    for (const end of [
      (market: VerifierHarness) => market.backfilled(61),
      (market: VerifierHarness) => market.gap(10, 61),
      (market: VerifierHarness) => market.failover(61),
    ]) {
      const market = disconnected();
      end(market);
      expect(market.closing('buy')).toBeUndefined();
      market.clock(62);
      expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150, closedAt: at(30) });
    }
  });

  test('a quote ends the outage and closes expired signals at the price before it', () => {
    const market = disconnected();
    market.quote(61, 1.39, 1.4);
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150, gap: null });
  });

  test('a bar judges signals but does not end the outage', () => {
    const market = disconnected();
    market.minute(-60, 1.5);
    market.clock(70);
    expect(market.closing('buy')).toBeUndefined();
    market.trade(20, 1.39, 'sell');
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss' });
  });
});

describe('a backfilled trade', () => {
  test('sets the price of its side; the other side follows by the spread of the last quote', () => {
    for (const [side, buyExit, sellExit] of [
      ['sell', 156, 157],
      ['buy', 155, 156],
    ] as const) {
      const market = quoted();
      market.publish('buy', { expiresAt: at(30) }, 1);
      market.publish(
        'sell',
        { direction: 'sell', entry: 1.5, stopLoss: 1.7, targets: [{ price: 1.3, fraction: 1 }], expiresAt: at(30) },
        1,
      );
      market.disconnect(10);
      market.trade(20, 1.56, side);
      market.backfilled(60);
      market.clock(61);
      const decided = { kind: 'trade', seq: 3, price: 1.56, side, spread: 0.01 };
      expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: buyExit, decided });
      expect(market.closing('sell')).toMatchObject({ reason: 'expired', exitPrice: sellExit, decided });
    }
  });

  test('replaces the quote before the outage, so that an expiry does not pay more than the target', () => {
    const market = quoted();
    market.publish(
      'limit',
      { entry: 1.4, stopLoss: 1.3, targets: [{ price: 1.45, fraction: 1 }], expiresAt: at(30) },
      1,
    );
    market.disconnect(10);
    market.trade(20, 1.4, 'buy');
    market.backfilled(60);
    market.clock(61);
    expect(market.closing('limit')).toMatchObject({ reason: 'expired', fill: { price: 140 }, exitPrice: 139 });
  });

  test('judges signals only by the side it took', () => {
    const market = quoted();
    market.publish('buy', {}, 1);
    market.disconnect(10);
    // The derived bid is 1.40, but no trade took place there.
    market.trade(20, 1.41, 'buy');
    expect(market.verdicts).toEqual([]);
  });

  test('is ignored while the source is connected', () => {
    const market = quoted();
    market.publish('buy', { expiresAt: at(30) }, 1);
    market.trade(20, 1.39, 'sell');
    market.clock(60);
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 150 });
  });
});

describe('a market is live', () => {
  test('from its first quote until the source disconnects, and again from the next quote', () => {
    const market = new VerifierHarness();
    const live = (): boolean => market.verifier.isLive(EURUSD);
    expect(live()).toBe(false);
    market.quote(0, 1.5, 1.51);
    expect(live()).toBe(true);
    market.trade(1, 1.5, 'sell');
    expect(live()).toBe(true);
    market.disconnect(2);
    expect(live()).toBe(false);
    market.quote(3, 1.5, 1.51);
    expect(live()).toBe(true);
  });

  test('after a backfilled trade or bar only once there is a quote', () => {
    for (const backfill of [
      (market: VerifierHarness) => market.trade(20, 1.45, 'sell'),
      (market: VerifierHarness) => market.minute(60, 1.45),
      // A minute before the quote is not the current price, but it has judged signals.
      (market: VerifierHarness) => market.minute(-60, 1.45),
    ]) {
      const market = quoted();
      market.disconnect(10);
      backfill(market);
      market.backfilled(120);
      expect(market.verifier.isLive(EURUSD)).toBe(false);
      market.quote(122, 1.46, 1.47);
      expect(market.verifier.isLive(EURUSD)).toBe(true);
    }
  });

  test('after a declared gap', () => {
    const market = quoted();
    market.disconnect(10);
    market.gap(10, 20);
    expect(market.verifier.isLive(EURUSD)).toBe(true);
  });
});

describe('a gap', () => {
  const GAP = { from: at(10), to: at(20) };

  test('applies to a signal published after it against a quote from before it, with or without other signals', () => {
    for (const others of [0, 1]) {
      const market = quoted();
      if (others) market.publish('other', {}, 1);
      market.gap(10, 20);
      expect(market.verdicts).toEqual([{ kind: 'gap', cause: 'gap', symbol: EURUSD, seq: 2, ...GAP }]);
      market.publish('late', {}, 21);
      market.quote(30, 1.39, 1.4);
      expect(market.closing('late')).toMatchObject({ reason: 'stop_loss', gap: GAP });
    }
  });

  test('still applies to the next signal after another one was removed', () => {
    const market = quoted();
    market.publish('first', { entry: 1.3, stopLoss: 1.2 }, 1);
    market.gap(10, 20);
    market.verifier.remove('first');
    market.publish('second', {}, 22);
    market.quote(30, 1.39, 1.4);
    expect(market.closing('second')).toMatchObject({ gap: GAP });
  });

  test('does not apply to a signal published against a later quote, with or without other signals', () => {
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

  test('is reported by a failover only while the first source is disconnected', () => {
    const market = quoted();
    market.failover(10);
    expect(market.verdicts).toEqual([]);
    market.disconnect(20);
    market.failover(30);
    expect(market.verdicts).toEqual([
      { kind: 'gap', cause: 'failover', symbol: EURUSD, seq: 4, from: at(0), to: at(30) },
    ]);
  });

  test('and a disconnect are verdicts once, the disconnect only if it concerns an active signal', () => {
    const market = quoted();
    market.disconnect(10);
    expect(market.disconnects).toEqual([]);
    market.quote(20, 1.5, 1.51);
    market.publish('open', {}, 21);
    market.disconnect(30);
    market.disconnect(31);
    expect(market.disconnects).toEqual([{ kind: 'disconnect', symbol: EURUSD, seq: 4, time: at(30) }]);
  });

  test('never ends before it starts, even if the clock of the venue is ahead', () => {
    const market = quoted();
    market.quote(40, 1.5, 1.51);
    market.disconnect(30);
    market.failover(35);
    expect(market.verdicts).toMatchObject([{ kind: 'gap', from: at(35), to: at(35) }]);
  });

  test('is needed while it concerns an active signal or a signal that can still be published', () => {
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
  test('restored gaps are kept while quotes are seeded, until the orders are added', () => {
    const market = quoted();
    const order = market.publish('buy', {}, 1);
    const restarted = new VerifierHarness();
    restarted.verifier.restoreGap({ symbol: EURUSD, seq: 2, from: at(10), to: at(20) });
    restarted.verifier.seedQuote(EURUSD, { kind: 'quote', seq: 3, time: at(30), bid: 1.5, ask: 1.51, source: 'venue' });
    restarted.verifier.add(order, market.verifier.find('buy')!.progress);
    restarted.seq = 3;
    restarted.quote(40, 1.39, 1.4);
    expect(restarted.closing('buy')).toMatchObject({ gap: { from: at(10), to: at(20) } });
  });

  test('a seeded bar is the current price', () => {
    const market = quoted();
    const order = market.publish('buy', { expiresAt: at(150) }, 1);
    const restarted = new VerifierHarness();
    restarted.verifier.seedQuote(EURUSD, order.accepted);
    const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
    const bar = { time: at(60), open: 1.5, high: 1.5, low: 1.44, close: 1.45, ...sums };
    restarted.verifier.seedBar(EURUSD, bar, 2, 'venue');
    restarted.verifier.add(order, market.verifier.find('buy')!.progress);
    expect(restarted.verifier.isLive(EURUSD)).toBe(false);
    restarted.clock(155);
    expect(restarted.closing('buy')).toMatchObject({ exitPrice: 145, decided: { kind: 'bar', seq: 2, spread: 0.01 } });
  });
});

test('a stop entry that is gapped beyond its target fills there and closes at the target, at a loss', () => {
  const market = quoted();
  market.publish('stop', { entry: 1.6, stopLoss: 1.5, targets: [{ price: 1.7, fraction: 1 }] }, 1);
  market.quote(10, 1.75, 1.76);
  expect(market.closing('stop')).toMatchObject({ reason: 'take_profit', fill: { price: 176 }, exitPrice: 170 });
});
