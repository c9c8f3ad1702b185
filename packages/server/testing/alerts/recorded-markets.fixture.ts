// Two recorded markets: gold with quotes alone, bitcoin with every quote and trade.
import { asEpochMs, asSymbol, CATALOGUE, type InstrumentSpec, type PriceEvent, type Side } from '@tickwire/engine';
import { importAll } from '../import/read-rows.fixture.ts';
import { fullestRecording } from '../shared-data.fixture.ts';
import type { Random } from '../signals/random.fixture.ts';
import { goldQuotes } from '../signals/real-ticks.fixture.ts';

/** Recorded ticks, of which trials take stretches. */
class Recording {
  readonly #ticks: readonly PriceEvent[];
  readonly #thinned: boolean;

  constructor(ticks: readonly PriceEvent[], thinned: boolean) {
    this.#ticks = ticks;
    this.#thinned = thinned;
  }

  /** Consecutive ticks or, of a short recording, every so many of them. */
  stretch(random: Random, count: number): PriceEvent[] {
    const all = this.#ticks;
    if (!this.#thinned || random.chance(0.2)) {
      const from = random.whole(0, all.length - count);
      return all.slice(from, from + count);
    }
    const step = Math.floor(all.length / count);
    const from = random.whole(0, step - 1);
    return Array.from({ length: count }, (_, at) => all[from + at * step]!);
  }
}

export interface RecordedMarket {
  readonly name: string;
  readonly spec: InstrumentSpec;
  readonly ticks: () => Promise<Recording>;
}

const named = (symbol: string): InstrumentSpec => CATALOGUE.find((spec) => spec.symbol === symbol)!;
const GOLD: InstrumentSpec = { ...named('XAUUSD'), digits: 3 };
const BITCOIN: InstrumentSpec = { ...named('BTCUSD'), symbol: asSymbol('BTCUSDT'), digits: 2 };

async function goldTicks(): Promise<Recording> {
  const quotes = await goldQuotes();
  const { symbol } = GOLD;
  return new Recording(
    quotes.map((quote) => ({ kind: 'quote', symbol, ...quote, bidSize: 0, askSize: 0 })),
    false,
  );
}

async function bitcoinTicks(): Promise<Recording> {
  const { symbol, digits } = BITCOIN;
  const { rows } = await importAll([fullestRecording('binance-spot/btcusdt_20240808.gz')], { symbol, digits });
  const ticks = rows.flatMap((row): PriceEvent[] => {
    if (row.kind === 'bar' || (row.kind === 'quote' && row.crossed)) return [];
    const time = asEpochMs(row.time);
    if (row.kind === 'quote') {
      const { bid, ask, bidSize, askSize } = row;
      return [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }];
    }
    return [
      { kind: 'trade', symbol, time, price: row.price, size: row.size, side: row.side as Side, sideMethod: null },
    ];
  });
  return new Recording(ticks, true);
}

/** Reads a recording once. */
function once(read: () => Promise<Recording>): () => Promise<Recording> {
  let recording: Promise<Recording> | null = null;
  return () => {
    recording ??= read();
    return recording;
  };
}

export const RECORDED_MARKETS: readonly RecordedMarket[] = [
  { name: 'recorded gold', spec: GOLD, ticks: once(goldTicks) },
  { name: 'recorded bitcoin', spec: BITCOIN, ticks: once(bitcoinTicks) },
];
