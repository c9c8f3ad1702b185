// Real ticks through the engine, as the journal has them, with the accidents of a feed: late ticks, outages that are backfilled
// as minutes, clock steps; and between them headlines, signals and a calendar.
import {
  type AlertInput,
  asEpochMs,
  type Bar,
  type CalendarInput,
  Engine,
  type EngineEvent,
  type EngineInput,
  type HeadlineInput,
  type InstrumentSpec,
  MINUTE_MS,
  type PriceEvent,
  type QuoteEvent,
  SECOND_MS,
  type SignalInput,
  type TradeEvent,
} from '@tickwire/engine';
import type { Random } from '../signals/random.fixture.ts';

const HEADLINES = [
  'Gold rises as the Fed holds rates',
  'Dollar slips after weak U.S. jobs data',
  'Bitcoin jumps; traders cite ETF inflows',
  'ECB cuts rates, euro falls',
  'OPEC+ extends output cuts',
] as const;
const CATEGORIES = ['forex', 'gold', 'crypto', 'macro'] as const;
const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;

export const PUBLISHERS = [
  { id: 'pub_1', name: 'goldsmith' },
  { id: 'pub_2', name: 'Northwind' },
] as const;

/** Mixes accidents into a stretch of ticks and runs it through a new engine. */
export function recordedEvents(spec: InstrumentSpec, ticks: readonly PriceEvent[], random: Random): AlertInput[] {
  const engine = new Engine([spec]);
  const out: AlertInput[] = [];
  let clock = 0;
  for (const input of withAccidents(spec, ticks, random)) {
    if (input.kind === 'quote' || input.kind === 'trade') {
      for (const time of clocksBefore(clock, input.time)) {
        engine.apply({ kind: 'clock', time: asEpochMs(time) }, out as EngineEvent[]);
        clock = time;
        if (random.chance(0.02)) out.push(occurrence(spec, time, out.length, random));
      }
    }
    engine.apply(input, out as EngineEvent[]);
  }
  return out;
}

/** Every full second, but no more than a few hundred in a pause. */
function* clocksBefore(clock: number, time: number): Generator<number> {
  const last = time - (time % SECOND_MS);
  if (clock === 0) yield last;
  else {
    const step = Math.max(1, Math.ceil((last - clock) / SECOND_MS / 300)) * SECOND_MS;
    for (let at = clock + step; at <= last; at += step) yield at;
  }
}

function withAccidents(spec: InstrumentSpec, ticks: readonly PriceEvent[], random: Random): EngineInput[] {
  const inputs: EngineInput[] = [];
  const held: { readonly tick: PriceEvent; readonly until: number }[] = [];
  for (let at = 0; at < ticks.length; at++) {
    while (held.length > 0 && held[0]!.until <= at) inputs.push(held.shift()!.tick);
    const tick = ticks[at]!;
    if (random.chance(0.01)) held.push({ tick, until: at + random.whole(1, 40) });
    else if (random.chance(0.001)) at = outage(spec, ticks, at, random, inputs);
    else inputs.push(tick);
  }
  return inputs;
}

/** Leaves out some ticks. Backfills the minutes that lie in between. Returns the last tick that is missing. */
function outage(
  { symbol }: InstrumentSpec,
  ticks: readonly PriceEvent[],
  from: number,
  random: Random,
  inputs: EngineInput[],
): number {
  const to = Math.min(ticks.length - 2, from + random.whole(20, 200));
  if (to <= from) return from;
  const [start, end] = [ticks[from]!.time, ticks[to + 1]!.time];
  if (random.chance(0.3)) inputs.push({ kind: 'gap', symbols: [symbol], from: start, to: end, time: end });
  else
    for (let minute = start - (start % MINUTE_MS); minute < end; minute += MINUTE_MS) {
      const bar = minuteOf(ticks.slice(from, to + 1), minute);
      if (bar) inputs.push({ kind: 'minute', symbol, bar });
    }
  return to;
}

function minuteOf(ticks: readonly PriceEvent[], minute: number): Bar | null {
  const within = ticks.filter(({ time }) => time >= minute && time < minute + MINUTE_MS);
  const trades = within.filter((tick): tick is TradeEvent => tick.kind === 'trade');
  const quotes = within.filter((tick): tick is QuoteEvent => tick.kind === 'quote');
  const prices = trades.length > 0 ? trades.map(({ price }) => price) : quotes.map(({ bid }) => bid);
  if (prices.length === 0) return null;
  const sum = (side?: 'buy' | 'sell'): number =>
    trades.reduce((total, trade) => total + (side === undefined || trade.side === side ? trade.size : 0), 0);
  return {
    time: asEpochMs(minute),
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
    volume: sum(),
    bidVolume: sum('sell'),
    askVolume: sum('buy'),
    basis: trades.length > 0 ? 'trade' : 'bid',
  };
}

function occurrence(
  { symbol }: InstrumentSpec,
  time: number,
  n: number,
  random: Random,
): HeadlineInput | SignalInput | CalendarInput {
  const symbols = random.chance(0.5) ? [symbol] : [];
  const at = asEpochMs(time);
  if (random.chance(0.3))
    return {
      kind: 'headline',
      id: `n${random.whole(1, 20)}`,
      time: asEpochMs(time - random.whole(0, 5_000)),
      title: random.of(HEADLINES),
      category: random.of(CATEGORIES),
      sentiment: random.of(SENTIMENTS),
      sentiments: new Map(symbols.map((each) => [each, random.of(SENTIMENTS)])),
    };
  if (random.chance(0.4))
    return {
      kind: 'signal_happening',
      n,
      happening: random.of(['published', 'filled', 'closed'] as const),
      publisher: random.of(PUBLISHERS),
      symbol,
      time: at,
      price: random.chance(0.5) ? 1 : null,
    };
  return {
    kind: 'calendar_item',
    id: `e${random.whole(1, 12)}`,
    time: asEpochMs(time - (time % SECOND_MS) + random.whole(-2, 20) * 30 * SECOND_MS),
    title: 'Nonfarm payrolls',
    impact: random.of(['low', 'medium', 'high'] as const),
    country: random.of(['US', 'DE', null]),
    symbols,
    allDay: random.chance(0.1),
    cancelled: random.chance(0.1),
  };
}
