// The rules of docs/reference/signals.md, one by one. Prices have two digits; times are seconds after noon.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { at, EURUSD, SPEC, VerifierHarness } from '../../testing/verifier-harness.ts';
import { acceptSignal, acceptStop, type SignalTerms } from './acceptance.ts';
import type { Verdict } from './verdict.ts';

/** A market with a quote of 1.50 / 1.51 at noon. */
function quoted(): VerifierHarness {
  const market = new VerifierHarness();
  market.quote(0, 1.5, 1.51);
  return market;
}

const THREE_TARGETS = [
  { price: 1.6, fraction: 0.5 },
  { price: 1.7, fraction: 0.3 },
  { price: 1.8, fraction: 0.2 },
];
const SELL = { direction: 'sell', entry: 1.5, stopLoss: 1.6, targets: [{ price: 1.3, fraction: 1 }] } as const;

const kinds = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ kind }) => kind);

describe('later quotes only (J1)', () => {
  test('a quote that is dated back to the publication neither fills nor closes a signal', () => {
    const market = quoted();
    market.submit('market', {}, 5);
    market.publish('open', {}, 5);
    market.quote(5, 1.2, 1.21);
    expect(market.verdicts).toEqual([]);
    market.quote(5.001, 1.5, 1.51);
    expect(market.verdicts).toMatchObject([{ kind: 'filled', id: 'market', fill: { price: 151 } }]);
  });
});

describe('slippage (J12)', () => {
  const order = { entry: null, maxSlippage: 0.03 };

  test('of a market order is allowed up to its maximum; one tick more, and it ends as unfilled', () => {
    for (const [terms, within, beyond] of [
      [order, 1.54, 1.55],
      [{ ...SELL, ...order }, 1.48, 1.47],
    ] as const) {
      const [fills, slips] = [quoted(), quoted()];
      for (const market of [fills, slips]) market.submit('signal', terms, 1);
      fills.quote(2, within - 0.01, within);
      slips.quote(2, beyond - 0.01, beyond);
      expect(fills.verdicts).toMatchObject([{ kind: 'filled', fill: { at: at(2) } }]);
      expect(slips.verdicts).toMatchObject([
        {
          kind: 'closed',
          reason: 'unfilled',
          fill: null,
          exits: [],
          closedAt: at(2),
          decided: { seq: 2 },
          decidedSeq: 2,
        },
      ]);
      expect(slips.verifier.active).toBe(0);
    }
  });

  test('is decided by the first quote, a missed trade on the entry side or a missed minute', () => {
    const market = quoted();
    market.submit('buy', order, 1);
    market.disconnect(2);
    market.trade(3, 1.7, 'sell');
    expect(market.verdicts).toEqual([]);
    market.trade(4, 1.55, 'buy');
    expect(market.closing('buy')).toMatchObject({ reason: 'unfilled', closedAt: at(4), recovered: 'backfill' });
    const bars = quoted();
    bars.submit('buy', order, 1);
    bars.disconnect(2);
    // The ask is a spread above the bar.
    bars.minute(0, 1.54);
    expect(bars.closing('buy')).toMatchObject({ reason: 'unfilled', closedAt: at(60), decided: { kind: 'bar' } });
  });

  test('beyond the maximum wins over the stop and the target of the same quote', () => {
    const market = quoted();
    market.submit('buy', order, 1);
    market.quote(2, 1.8, 1.81);
    expect(kinds(market.verdicts)).toEqual(['closed']);
    expect(market.closing('buy')).toMatchObject({ reason: 'unfilled', exits: [] });
  });

  test('decides at any prices what the price of the next quote says', () => {
    // Nowhere near the stop and the target.
    const [move, size] = [fc.integer({ min: -4, max: 4 }), fc.nat(4)];
    fc.assert(
      fc.property(fc.boolean(), move, size, fc.option(size), (buy, moved, spread, most) => {
        const market = quoted();
        const terms = buy ? {} : SELL;
        const maxSlippage = most === null ? null : most / 100;
        market.submit('signal', { ...terms, entry: null, maxSlippage }, 1);
        market.quote(2, (150 + moved) / 100, (150 + moved + spread) / 100);
        const side = buy ? Math.max(151, 150 + moved + spread) : Math.min(150, 150 + moved);
        const slippage = Math.abs(side - (buy ? 151 : 150));
        const expected =
          most !== null && slippage > most
            ? { kind: 'closed', reason: 'unfilled' }
            : { kind: 'filled', fill: { price: side } };
        expect(market.verdicts).toMatchObject([expected]);
      }),
    );
  });
});

describe('no free look', () => {
  test.each([
    ['a better quote', 1.47, 1.48, 151],
    ['the same quote', 1.5, 1.51, 151],
    ['a worse quote', 1.53, 1.54, 154],
  ])('a market buy fills at the worse of both quotes: %s', (_name, bid, ask, price) => {
    const market = quoted();
    market.submit('buy', {}, 1);
    market.quote(2, bid, ask);
    expect(market.verdicts).toMatchObject([{ kind: 'filled', fill: { price, at: at(2), evidence: { seq: 2 } } }]);
  });

  test('a market sell fills at the lower bid', () => {
    for (const [bid, price] of [
      [1.48, 148],
      [1.52, 150],
    ] as const) {
      const market = quoted();
      market.submit('sell', SELL, 1);
      market.quote(2, bid, bid + 0.01);
      expect(market.verdicts).toMatchObject([{ kind: 'filled', fill: { price } }]);
    }
  });

  test('the quote that fills a market entry judges its stop and its target too', () => {
    const market = quoted();
    market.submit('stopped', {}, 1);
    market.quote(2, 1.39, 1.4);
    expect(market.verdicts).toMatchObject([
      { kind: 'filled', fill: { price: 151 } },
      { kind: 'closed', reason: 'stop_loss', exits: [{ price: 139 }] },
    ]);
    const jump = quoted();
    jump.submit('beyond', {}, 1);
    jump.quote(2, 1.75, 1.76);
    expect(jump.verdicts).toMatchObject([
      { kind: 'filled', fill: { price: 176 } },
      { kind: 'closed', reason: 'take_profit', exits: [{ price: 170 }] },
    ]);
  });

  test('a market order is entered at the entry side of the quote, and is otherwise a market entry', () => {
    for (const terms of [{}, SELL]) {
      const [market, order] = [quoted(), quoted()];
      const entered = market.submit('same', terms, 1);
      expect(order.submit('same', { ...terms, entry: null }, 1)).toEqual(entered);
    }
    expect(() => quoted().submit('outside', { entry: null, stopLoss: 1.52 }, 1)).toThrow(
      'A buy needs stop_loss < entry < take_profit. entry is the market price, 1.51.',
    );
  });

  test('a market entry without a quote within 60 s is unfilled', () => {
    const byQuote = quoted();
    byQuote.submit('buy', {}, 1);
    byQuote.quote(66, 1.5, 1.51);
    const unfilled = { reason: 'unfilled', exits: [], fill: null, closedAt: at(61), decided: { seq: 1 } };
    expect(byQuote.closing('buy')).toMatchObject(unfilled);
    const byClock = quoted();
    byClock.submit('buy', {}, 1);
    byClock.clock(65);
    expect(byClock.verdicts).toEqual([]);
    byClock.clock(66);
    expect(byClock.closing('buy')).toMatchObject(unfilled);
  });

  test('a request to close executes at the worse of the standing quote and the next one', () => {
    for (const [bid, price] of [
      [1.55, 150],
      [1.47, 147],
    ] as const) {
      const market = quoted();
      market.publish('buy', {}, 1);
      market.verifier.requestClose('buy', { at: at(2), quote: market.verifier.quote(EURUSD)! });
      market.quote(3, bid, bid + 0.01);
      expect(market.closing('buy')).toMatchObject({ reason: 'manual', exitPrice: price, closedAt: at(3) });
    }
  });

  test('a quote that is dated back to the request judges the signal, but does not execute the request', () => {
    const market = quoted();
    market.publish('buy', {}, 1);
    market.verifier.requestClose('buy', { at: at(2), quote: market.verifier.quote(EURUSD)! });
    market.quote(2, 1.45, 1.46);
    expect(market.verdicts).toEqual([]);
    market.quote(2, 1.3, 1.31);
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 130 });
  });

  test('a request comes before the stop and the target of the next quote', () => {
    for (const [bid, price] of [
      [1.8, 150],
      [1.3, 130],
    ] as const) {
      const market = quoted();
      market.publish('buy', {}, 1);
      market.verifier.requestClose('buy', { at: at(2), quote: market.verifier.quote(EURUSD)! });
      market.quote(3, bid, bid + 0.01);
      expect(market.closing('buy')).toMatchObject({ reason: 'manual', exitPrice: price });
    }
  });

  test('a withdrawn order is unfilled after the next quote', () => {
    const market = quoted();
    market.submit('limit', { entry: 1.45 }, 1);
    market.verifier.requestClose('limit', { at: at(2), quote: market.verifier.quote(EURUSD)! });
    market.clock(50);
    expect(market.verdicts).toEqual([]);
    market.quote(60, 1.5, 1.51);
    expect(market.closing('limit')).toMatchObject({ reason: 'unfilled', closedAt: at(60), decided: { seq: 3 } });
  });

  test('an order that the next quote fills is closed by the quote after it, at the worse of the two', () => {
    const market = quoted();
    market.submit('limit', { entry: 1.45 }, 1);
    market.verifier.requestClose('limit', { at: at(2), quote: market.verifier.quote(EURUSD)! });
    market.quote(3, 1.43, 1.44);
    expect(market.verdicts).toMatchObject([{ kind: 'filled', fill: { price: 145 } }]);
    market.quote(4, 1.6, 1.61);
    expect(market.closing('limit')).toMatchObject({ reason: 'manual', exitPrice: 143 });
  });

  test('a missed trade or minute does not execute a request', () => {
    const market = quoted();
    market.publish('buy', {}, 1);
    market.verifier.requestClose('buy', { at: at(2), quote: market.verifier.quote(EURUSD)! });
    market.disconnect(3);
    market.trade(4, 1.45, 'sell');
    market.minute(60, 1.46);
    expect(market.verdicts).toEqual([]);
    market.quote(130, 1.52, 1.53);
    expect(market.closing('buy')).toMatchObject({ reason: 'manual', exitPrice: 150 });
  });
});

describe('deadlines (J3)', () => {
  function due(): VerifierHarness {
    const market = quoted();
    market.publish('buy', { expiresAt: at(30) }, 1);
    market.quote(20, 1.55, 1.56);
    market.quote(30, 1.2, 1.21);
    expect(market.verdicts).toEqual([]);
    return market;
  }

  test('quotes at or after the deadline do not judge, and the signal closes at the last price before it', () => {
    const market = due();
    market.quote(34.999, 1.9, 1.91);
    expect(market.verdicts).toEqual([]);
    market.quote(35, 1.9, 1.91);
    const expired = { reason: 'expired', exitPrice: 155, closedAt: at(30), decided: { seq: 2 }, decidedSeq: 4 };
    expect(market.closing('buy')).toMatchObject(expired);
  });

  test('the clock decides the same, whenever it ticks', () => {
    for (const ticks of [[35], [29, 30, 31, 34, 35], [500]]) {
      const market = due();
      for (const second of ticks) market.clock(second);
      expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 155, closedAt: at(30) });
    }
  });

  test('a late quote from before the deadline still judges, and is the last price before it', () => {
    const stopped = due();
    stopped.quote(29.999, 1.39, 1.4);
    expect(stopped.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 139, closedAt: at(29.999) });
    const market = due();
    market.quote(25, 1.45, 1.46);
    market.quote(36, 1.9, 1.91);
    expect(market.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 145, decided: { seq: 4 } });
  });

  test('a late quote may fill an entry that is due, which then has its own deadline', () => {
    const market = quoted();
    market.submit('buy', {}, 1);
    market.clock(62);
    market.quote(60, 1.52, 1.53);
    expect(market.verdicts).toMatchObject([{ kind: 'filled', fill: { price: 153 } }]);
    market.clock(100);
    market.quote(200, 1.71, 1.72);
    expect(market.closing('buy')).toMatchObject({ reason: 'take_profit' });
  });

  test('a restart in the grace keeps the last price before the deadline', () => {
    const before = quoted();
    const order = before.publish('buy', { expiresAt: at(30) }, 1);
    const restarted = new VerifierHarness();
    restarted.verifier.add(order, before.verifier.find('buy')!.progress);
    const quote = { kind: 'quote', source: 'venue' } as const;
    restarted.verifier.seedQuote(EURUSD, { ...quote, seq: 2, time: at(20), bid: 1.55, ask: 1.56 });
    restarted.verifier.seedQuote(EURUSD, { ...quote, seq: 3, time: at(30), bid: 1.2, ask: 1.21 });
    restarted.seq = 3;
    restarted.clock(40);
    expect(restarted.closing('buy')).toMatchObject({ reason: 'expired', exitPrice: 155, decided: { seq: 2 } });
  });
});

describe('targets', () => {
  function open(terms: Partial<SignalTerms> = {}): VerifierHarness {
    const market = quoted();
    market.publish('buy', { targets: THREE_TARGETS, ...terms }, 1);
    return market;
  }

  test('each target exits its fraction; the last one closes', () => {
    const market = open();
    market.quote(10, 1.6, 1.61);
    market.quote(11, 1.65, 1.66);
    market.quote(12, 1.72, 1.73);
    expect(market.verdicts).toMatchObject([
      { kind: 'exited', target: 1, exit: { fraction: 5_000, price: 160, at: at(10) }, seq: 2 },
      { kind: 'exited', target: 2, exit: { fraction: 3_000, price: 170, at: at(12) }, seq: 4 },
    ]);
    market.quote(13, 1.9, 1.91);
    expect(market.closing('buy')).toMatchObject({
      reason: 'take_profit',
      exits: [
        { fraction: 5_000, price: 160 },
        { fraction: 3_000, price: 170 },
        { fraction: 2_000, price: 180 },
      ],
    });
  });

  test('one quote can reach all of them', () => {
    const market = open();
    market.quote(10, 1.85, 1.86);
    expect(kinds(market.verdicts)).toEqual(['exited', 'exited', 'closed']);
  });

  test('the stop closes what is still open', () => {
    const market = open();
    market.quote(10, 1.62, 1.63);
    market.quote(11, 1.35, 1.36);
    expect(market.closing('buy')).toMatchObject({
      reason: 'stop_loss',
      exits: [
        { fraction: 5_000, price: 160 },
        { fraction: 5_000, price: 135 },
      ],
    });
  });

  test('after breakeven_after targets the stop is the entry, from the next quote on', () => {
    const market = open({ breakevenAfter: 1 });
    market.quote(10, 1.6, 1.61);
    expect(market.verifier.find('buy')!.stopLoss).toBe(151);
    market.quote(11, 1.52, 1.53);
    expect(market.closing('buy')).toBeUndefined();
    market.quote(12, 1.51, 1.52);
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 151 });
  });

  test('a restart in between continues with the exits so far', () => {
    const market = open();
    market.quote(10, 1.65, 1.66);
    const { order, progress } = market.verifier.find('buy')!;
    const restarted = new VerifierHarness();
    restarted.seq = 10;
    restarted.verifier.add(order, progress);
    restarted.quote(20, 1.71, 1.72);
    expect(restarted.verdicts).toMatchObject([{ kind: 'exited', target: 2 }]);
  });

  test('a missed minute that reaches stop and target closes at the stop and states the best case', () => {
    const market = open();
    market.quote(10, 1.62, 1.63);
    market.disconnect(20);
    const bar = { time: at(60), open: 1.62, high: 1.75, low: 1.39, close: 1.5 };
    const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
    const events = [{ kind: 'minute', symbol: EURUSD, bar: { ...bar, ...sums } }] as const;
    market.verifier.read({ firstSeq: ++market.seq, events, source: 'venue' }, market.verdicts);
    expect(market.closing('buy')).toMatchObject({
      reason: 'stop_loss',
      exits: [
        { fraction: 5_000, price: 160 },
        { fraction: 5_000, price: 140 },
      ],
      bestExits: [
        { fraction: 5_000, price: 160 },
        { fraction: 3_000, price: 170 },
        { fraction: 2_000, price: 150 },
      ],
    });
  });
});

describe('amendments', () => {
  const amend = (market: VerifierHarness, stopLoss: number, second: number): void =>
    market.verifier.amend('buy', { stopLoss, at: at(second), quote: market.verifier.quote(EURUSD)! });

  test('a tighter stop judges later quotes, not one that is dated back', () => {
    const market = quoted();
    market.publish('buy', {}, 1);
    amend(market, 148, 10);
    market.quote(10, 1.45, 1.46);
    expect(market.verdicts).toEqual([]);
    market.quote(11, 1.47, 1.48);
    expect(market.closing('buy')).toMatchObject({ reason: 'stop_loss', exitPrice: 147 });
  });

  test.each([
    ['is accepted between the stop in force and the market', 1.45, { stopLoss: 145 }],
    ['that is the stop in force already changes nothing', 1.4, null],
    ['further away is rejected', 1.39, { rejected: 'stop_not_tighter' }],
    ['that the market has reached is rejected', 1.5, { rejected: 'level_reached' }],
    ['with more decimals than the instrument is rejected', 1.455, { rejected: 'finer_than_digits' }],
  ])('a stop of an open signal %s', (_name, stop, expected) => {
    const market = quoted();
    market.publish('buy', {}, 1);
    const result = acceptStop(market.verifier.find('buy')!, SPEC, market.verifier.quote(EURUSD)!, stop);
    if (expected === null) expect(result).toBeNull();
    else expect(result).toMatchObject(expected);
  });

  test('a stop of a pending signal stays on its side of the entry', () => {
    const market = quoted();
    market.submit('limit', { entry: 1.45, stopLoss: 1.3 }, 1);
    const stop = (price: number) =>
      acceptStop(market.verifier.find('limit')!, SPEC, market.verifier.quote(EURUSD)!, price);
    expect(stop(1.44)).toEqual({ stopLoss: 144 });
    expect(stop(1.45)).toMatchObject({ rejected: 'levels_out_of_order' });
  });
});

describe('acceptance', () => {
  const accept = (terms: Partial<SignalTerms>) => {
    const defaults = { direction: 'buy', entry: 1.51, stopLoss: 1.4, breakevenAfter: null, expiresAt: null } as const;
    const quote = { kind: 'quote', seq: 1, time: at(0), bid: 1.5, ask: 1.51, source: 'venue' } as const;
    return acceptSignal('id', SPEC, quote, { ...defaults, targets: THREE_TARGETS, ...terms }, at(1));
  };
  const split = (...fractions: number[]) => fractions.map((fraction, index) => ({ price: 1.6 + index / 10, fraction }));

  test.each([
    ['fractions that do not add up to 1', { targets: split(0.5, 0.4) }, 'invalid_targets'],
    ['a fraction of 0', { targets: split(1, 0) }, 'invalid_targets'],
    ['a fraction with five decimals', { targets: split(0.33333, 0.66667) }, 'invalid_targets'],
    ['targets out of order', { targets: [...THREE_TARGETS].reverse() }, 'levels_out_of_order'],
    ['breakeven_after 0', { breakevenAfter: 0 }, 'invalid_targets'],
    ['breakeven_after the last target', { breakevenAfter: 3 }, 'invalid_targets'],
    ['a target closer than the spread', { targets: [{ price: 1.51, fraction: 1 }] }, 'levels_out_of_order'],
  ])('rejects %s', (_name, terms, rejected) => {
    expect(accept(terms)).toMatchObject({ rejected });
  });

  test('accepts thirds as four decimals', () => {
    expect(accept({ targets: split(0.3333, 0.3333, 0.3334) })).toMatchObject({
      targets: [{ fraction: 3_333 }, { fraction: 3_333 }, { fraction: 3_334 }],
    });
  });

  test('gives a market entry 60 s, a pending one a day, and neither longer than expires_at', () => {
    expect(accept({})).toMatchObject({ kind: 'market', entryDeadline: at(61), deadline: at(1 + 30 * 86_400) });
    expect(accept({ entry: 1.45 })).toMatchObject({ kind: 'limit', entryDeadline: at(1 + 86_400) });
    expect(accept({ expiresAt: at(20) })).toMatchObject({ entryDeadline: at(20), deadline: at(20) });
    expect(accept({ entry: 1.45, expiresAt: at(7 * 86_400) })).toMatchObject({ entryDeadline: at(7 * 86_400) });
  });
});
