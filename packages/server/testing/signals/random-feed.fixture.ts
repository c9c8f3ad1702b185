// Arbitrary histories of a made-up market for fast-check: quotes, trades, bars, disconnects and gaps in any order, and
// signals whose levels lie within the range of prices.
import { asSymbol, CATALOGUE, DAY_MS, type InstrumentSpec, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { naivePrice } from './naive-arithmetic.fixture.ts';
import { livesNaively, type NaiveEvent, naiveMarketAt } from './naive-market.fixture.ts';
import type { Posting } from './verifier-run.fixture.ts';

const START = 1_700_000_000_000;
/** In ticks. 1/10,000 of it is less than any spread below, so the tolerance is always the spread. */
export const MIDDLE = 60_000;

export const madeUp = (code: string): InstrumentSpec => ({
  ...CATALOGUE[0]!,
  symbol: asSymbol(code),
  digits: 2,
  pipSize: 0.1,
});

/** Milliseconds, or milliseconds left until the end of the minute. */
type Wait = number | { readonly left: number };

const after = (time: number, wait: Wait): number =>
  typeof wait === 'number' ? time + wait : (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS - wait.left;

/** One event, relative to the one before. */
interface Step {
  readonly kind: NaiveEvent['kind'];
  /** Time since the one before. */
  readonly wait: Wait;
  /** How late it arrives: its own time is earlier by this. */
  readonly late: number;
  /** In ticks. */
  readonly move: number;
  readonly spread: number;
  readonly side: 'buy' | 'sell';
  /** Range of a bar around the price, in ticks. */
  readonly above: number;
  readonly below: number;
  /** Minute of a bar, relative to the current one. */
  readonly minute: number;
  /** Whether the minute of a bar is not over. */
  readonly partial: boolean;
}

const step = (kinds: fc.Arbitrary<NaiveEvent['kind']>): fc.Arbitrary<Step> =>
  fc.record({
    kind: kinds,
    wait: fc.oneof(
      { weight: 20, arbitrary: fc.constant(0) },
      { weight: 50, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
      { weight: 10, arbitrary: fc.record({ left: fc.integer({ min: 0, max: 1 }) }) },
      { weight: 1, arbitrary: fc.constantFrom(DAY_MS - 1, DAY_MS, 30 * DAY_MS) },
    ),
    late: fc.oneof(
      { weight: 9, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
    ),
    move: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -25, max: 25 })),
    spread: fc.integer({ min: 7, max: 12 }),
    side: fc.constantFrom('buy', 'sell'),
    above: fc.integer({ min: 0, max: 40 }),
    below: fc.integer({ min: 0, max: 40 }),
    minute: fc.integer({ min: -2, max: 1 }),
    partial: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });

/** A signal, relative to an event of the history. */
interface SignalDraft {
  readonly at: number;
  /** Whether it is published even if the market is not live, and so may be rejected. */
  readonly anyMarket: boolean;
  readonly direction: 'buy' | 'sell';
  readonly off: number;
  readonly stop: number;
  readonly target: number;
  readonly life: Wait | null;
  readonly manual: number | null;
}

const signalDraft: fc.Arbitrary<SignalDraft> = fc.record({
  at: fc.nat(),
  anyMarket: fc.boolean(),
  direction: fc.constantFrom('buy', 'sell'),
  off: fc.oneof(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -50, max: 50 })),
  stop: fc.integer({ min: 6, max: 70 }),
  target: fc.integer({ min: 6, max: 70 }),
  life: fc.option(
    fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.record({ left: fc.integer({ min: -1, max: 1 }) })),
    {
      freq: 4,
    },
  ),
  manual: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
  ),
});

export interface History {
  readonly spec: InstrumentSpec;
  /** In prices; `seq` starts at 1. */
  readonly events: readonly NaiveEvent[];
  readonly postings: readonly Posting[];
}

const QUOTES = fc.constantFrom<NaiveEvent['kind']>('quote');
const LOSSES = fc.oneof(
  { weight: 8, arbitrary: QUOTES },
  { weight: 12, arbitrary: fc.constantFrom<NaiveEvent['kind']>('trade') },
  { weight: 4, arbitrary: fc.constantFrom<NaiveEvent['kind']>('disconnect') },
  { weight: 2, arbitrary: fc.constantFrom<NaiveEvent['kind']>('bar') },
  { weight: 2, arbitrary: fc.constantFrom<NaiveEvent['kind']>('backfilled', 'gap', 'failover') },
);
const ALL = fc.oneof(
  { weight: 20, arbitrary: LOSSES },
  { weight: 1, arbitrary: fc.constantFrom<NaiveEvent['kind']>('clock') },
);

const historyOf = (kinds: fc.Arbitrary<NaiveEvent['kind']>, code: string): fc.Arbitrary<History> =>
  fc
    .tuple(
      fc.array(step(kinds), { minLength: 2, maxLength: 60, size: 'max' }),
      fc.array(signalDraft, { minLength: 1, maxLength: 8 }),
    )
    .map(([steps, drafts]) => madeHistory(steps, drafts, code));

/** Quotes only, without data loss. */
export const calmHistory = (code = 'CALM'): fc.Arbitrary<History> => historyOf(QUOTES, code);
export const wildHistory = (code = 'WILD'): fc.Arbitrary<History> => historyOf(ALL, code);
/** Without clock events, which concern all instruments. */
export const timelessHistory = (code: string): fc.Arbitrary<History> => historyOf(LOSSES, code);

function madeHistory(steps: readonly Step[], drafts: readonly SignalDraft[], code: string): History {
  const spec = madeUp(code);
  const price = (ticks: number): number => naivePrice(ticks, spec.digits);
  let time = START;
  let bid = MIDDLE;
  let last = { bid, ask: bid + 10 };
  const events: NaiveEvent[] = [{ kind: 'quote', seq: 1, time, bid: price(bid), ask: price(bid + 10) }];
  /** After each event: the time and the newest quote. */
  const moments = [{ time, quote: last }];
  for (const { kind, wait, late, move, spread, side, above, below, minute, partial } of steps) {
    const seq = events.length + 1;
    const before = time;
    time = Math.max(time, after(time, wait));
    if (kind === 'quote') {
      bid += move;
      last = { bid, ask: bid + spread };
      events.push({ kind, seq, time: time - late, bid: price(bid), ask: price(bid + spread) });
    } else if (kind === 'trade') {
      bid += move;
      events.push({ kind, seq, time: time - late, price: price(side === 'sell' ? bid : bid + spread), side });
    } else if (kind === 'bar') {
      const open = price(bid);
      const [high, low] = [price(Math.max(bid, bid + move) + above), price(Math.min(bid, bid + move) - below)];
      bid += move;
      const begin = (Math.floor(time / MINUTE_MS) + minute) * MINUTE_MS;
      events.push({ kind, seq, time: begin, open, high, low, close: price(bid), partial });
    } else if (kind === 'gap') events.push({ kind, seq, from: before, to: time });
    else events.push({ kind, seq, time });
    moments.push({ time, quote: last });
  }

  const postings: Posting[] = [];
  for (const { at, anyMarket, direction, off, stop, target, life, manual } of drafts) {
    let index = at % events.length;
    while (!anyMarket && !livesNaively(naiveMarketAt(events, index))) index--;
    const { quote, time: publishedAt } = moments[index]!;
    const sign = direction === 'buy' ? 1 : -1;
    const entry = (direction === 'buy' ? quote.ask : quote.bid) + off;
    const expires_at = life === null ? undefined : Math.max(publishedAt + 1, after(publishedAt, life));
    const closed = manual === null ? null : Math.min(events.length - 1, index + manual);
    postings.push({
      id: `${code}-${postings.length}`,
      symbol: spec.symbol,
      request: {
        direction,
        entry: price(entry),
        stop_loss: price(entry - sign * stop),
        take_profit: price(entry + sign * target),
        expires_at,
      },
      publishedAt,
      index,
      manual: closed === null ? undefined : { after: closed, time: moments[closed]!.time },
    });
  }
  return { spec, events, postings };
}

export const feedOf = ({ spec, events }: History): { symbol: MarketSymbol; event: NaiveEvent }[] =>
  events.map((event) => ({ symbol: spec.symbol, event }));
