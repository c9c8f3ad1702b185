// A book of alerts of every kind on all instruments, at various distances from the market. Seeded.
import { AlertCondition, type Timeframe } from '@tickwire/contract';
import { AlertBook, type AlertSpec, asEpochMs, CATALOGUE, type EpochMs, type MarketSymbol } from '@tickwire/engine';
import { seededRandom } from './signal-pool.ts';

/** Distances of levels from the price as fractions of it, uniform on a log scale. */
const [NEAREST, FARTHEST] = [0.0002, 0.01];
/** Distance of a level that the market does not reach during a measurement. */
const OUT_OF_REACH = 0.2;
/** Alerts from near to far beside those out of reach. */
const NEAR_ONES = 100;
const INTERVALS: readonly Timeframe[] = ['1m', '5m', '1h'];

export interface FirstQuote {
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
}

export interface AlertCrowd {
  readonly book: AlertBook;
  readonly fired: () => number;
}

/**
 * `count` alerts that fire every time, spread over the instruments of the quotes: from near to far, or all but a hundred of
 * them out of reach.
 */
export function openAlerts(quotes: readonly FirstQuote[], count: number, mostlyFar: boolean): AlertCrowd {
  let fired = 0;
  const book = new AlertBook({
    instruments: CATALOGUE,
    onFire: () => {
      fired++;
    },
  });
  const random = seededRandom(1);
  for (const { symbol, ...prices } of quotes) book.seed(symbol, prices);
  for (let n = 0; n < count; n++) {
    const quote = quotes[n % quotes.length]!;
    const far = { type: 'price', cross: 'above', level: quote.bid * (1 + OUT_OF_REACH * (1 + random())) };
    const condition = mostlyFar && n >= NEAR_ONES ? far : nearCondition(quote.bid, random);
    book.add(alertOn(quote, `a${n}`, condition));
  }
  return { book, fired: () => fired };
}

function alertOn({ symbol, time }: FirstQuote, id: string, condition: unknown): AlertSpec {
  return {
    id,
    symbol,
    condition: AlertCondition.parse(condition),
    repeat: 'every_time',
    interval: null,
    cooldownMs: 1_000,
    expiresAt: null,
    sinceSeq: 0,
    sinceTime: asEpochMs(time),
    state: null,
  };
}

const pick = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)]!;

function levelNear(price: number, random: () => number): number {
  const distance = NEAREST * (FARTHEST / NEAREST) ** random();
  return price * (1 + (random() < 0.5 ? distance : -distance));
}

const price = (bid: number, how: 'cross' | 'touch' | 'is', random: () => number): unknown => ({
  type: 'price',
  [how]: random() < 0.5 ? 'above' : 'below',
  level: levelNear(bid, random),
  side: pick(['bid', 'ask', 'trade'], random),
});

const combined = (bid: number, random: () => number): unknown => ({
  type: 'all',
  of: [price(bid, 'cross', random), price(bid, 'is', random)],
});

function nearCondition(bid: number, random: () => number): unknown {
  if (random() < 0.2) return combined(bid, random);
  const kind = random();
  const interval = pick(INTERVALS, random);
  if (kind < 0.6) return price(bid, random() < 0.5 ? 'cross' : 'touch', random);
  if (kind < 0.65)
    return { type: 'move', percent: 0.1 + random(), direction: 'either', minutes: pick([5, 15, 60], random) };
  if (kind < 0.7) return { type: 'bar_close', interval, close: 'above', level: levelNear(bid, random) };
  if (kind < 0.8)
    return { type: 'indicator', indicator: 'rsi(14)', interval, cross: 'above', value: 50 + 40 * random() };
  if (kind < 0.85) return { type: 'volume', interval, above: 10 ** (2 + 4 * random()) };
  if (kind < 0.9) return { type: 'delta', interval, above: 10 ** (2 + 4 * random()) };
  if (kind < 0.95) return { type: 'spread', above: bid * 0.001 * (1 + random()) };
  return { type: 'stale', seconds: 10 + Math.floor(random() * 100) };
}
