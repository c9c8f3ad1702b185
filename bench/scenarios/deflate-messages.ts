// The messages whose compression is measured: ticks, and news with text.
import { recordTicks, simRateFor } from './fanout-ticks.ts';

/** Bun's names: `shared` has no memory of earlier messages, `dedicated` keeps a window per connection. */
export const COMPRESSORS = [null, 'shared', 'dedicated'] as const;
export type Compressor = (typeof COMPRESSORS)[number];

export interface DeflateSpec {
  readonly messages: readonly string[];
  readonly perSecond: number;
  readonly compressor: Compressor;
  /** Publishing starts when this many readers are connected. */
  readonly readers: number;
}

export interface DeflateKind {
  readonly name: string;
  readonly messages: readonly string[];
  readonly perSecond: number;
}

const WORDS =
  'gold yields ease as traders weigh softer inflation data against hawkish remarks from the central bank while the dollar ' +
  'slips to a two week low and equity futures edge higher ahead of payrolls with analysts split on the path of rates';

export function deflateKinds(): DeflateKind[] {
  const { ticks } = JSON.parse(recordTicks(simRateFor(1_000), Date.now())) as { ticks: { body: string }[] };
  const numbered = ticks
    .slice(0, 2_000)
    .map(({ body }, at) => `${body},"seq":${at + 1},"prev":${at},"epoch":"benchmark000"}`);
  return [
    { name: 'ticks', messages: numbered, perSecond: 200 },
    { name: 'news', messages: Array.from({ length: 200 }, (_, at) => newsMessage(at)), perSecond: 20 },
  ];
}

/** About a kilobyte, with the words in a different order each time. */
function newsMessage(at: number): string {
  const words = WORDS.split(' ');
  const text = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) => words[(from * 7 + index * 5 + at) % words.length]).join(' ');
  return JSON.stringify({
    id: `news_${at}`,
    headline: text(at, 12),
    summary: text(at + 3, 110),
    category: 'macro',
    sentiment: 'bullish',
    sentiment_score: 0.42,
    timestamp: new Date(at * 60_000).toISOString(),
    url: `https://news.example/${at}/${text(at, 6).replaceAll(' ', '-')}`,
    source: 'example',
    symbols: ['XAUUSD', 'EURUSD'],
    seq: at + 1,
    prev: at,
    epoch: 'benchmark000',
  });
}
