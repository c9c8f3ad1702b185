// The corpus of messages in signal-messages/, and the market that they are read against.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CATALOGUE,
  fromTicks,
  type InstrumentSpec,
  type MarketPrice,
  type MarketSymbol,
  toTicks,
} from '@tickwire/engine';

const FOLDER = join(import.meta.dir, 'signal-messages');

/** Middle of the quote. */
const PRICES: Readonly<Record<string, number>> = {
  EURUSD: 1.085,
  GBPUSD: 1.27,
  USDJPY: 150.2,
  USDCHF: 0.88,
  AUDUSD: 0.655,
  USDCAD: 1.365,
  NZDUSD: 0.6,
  EURGBP: 0.854,
  EURJPY: 163,
  GBPJPY: 190.8,
  EURCHF: 0.955,
  EURAUD: 1.655,
  AUDJPY: 98.4,
  CADJPY: 110,
  AUDNZD: 1.09,
  XAUUSD: 3333,
  XAGUSD: 30.5,
  BTCUSD: 68_000,
  ETHUSD: 3500,
  SOLUSD: 150,
  BNBUSD: 600,
  XRPUSD: 0.52,
  ADAUSD: 0.45,
  DOGEUSD: 0.15,
  LTCUSD: 85,
  US500: 5200,
  NAS100: 18_200,
  US30: 39_000,
  GER40: 18_500,
  UK100: 8200,
  JPN225: 38_500,
  USOIL: 78,
  UKOIL: 82,
  NATGAS: 2.2,
};

const SPECS: ReadonlyMap<string, InstrumentSpec> = new Map(CATALOGUE.map((spec) => [spec.symbol, spec]));

/** The quote of the corpus: two pips wide at most. */
export function corpusPrice(symbol: MarketSymbol): MarketPrice {
  const { digits, pipSize } = SPECS.get(symbol)!;
  const middle = toTicks(PRICES[symbol]!, digits);
  const half = Math.max(1, toTicks(pipSize, digits));
  return { bid: fromTicks(middle - half, digits), ask: fromTicks(middle + half, digits) };
}

export interface ExpectedSignal {
  readonly direction: string;
  readonly symbol: string;
  /** `null`: a market order. */
  readonly entry: number | null;
  readonly stopLoss: number;
  readonly targets: readonly number[];
  readonly fractions: readonly number[] | null;
  readonly breakevenAfter: number | null;
  readonly notes: number;
}

export interface CorpusMessage {
  /** Why this is expected. */
  readonly because: string;
  readonly text: string;
  readonly expected:
    | { readonly kind: 'signals'; readonly signals: readonly ExpectedSignal[] }
    | { readonly kind: 'unclear'; readonly reason: string }
    | { readonly kind: 'update'; readonly update: string };
}

export const corpus = (file: string): readonly CorpusMessage[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((entry) => {
      const [header, ...lines] = entry.split('\n');
      const [expectation, because] = header!.split(' # ');
      return { because: because!, text: lines.join('\n').trim(), expected: parseExpectation(expectation!) };
    });

function parseExpectation(text: string): CorpusMessage['expected'] {
  const [kind, value] = text.split(' ');
  if (kind === 'refused') return { kind: 'unclear', reason: value! };
  if (kind === 'update') return { kind: 'update', update: value! };
  return { kind: 'signals', signals: text.split(' & ').map(parseSignal) };
}

/** `buy XAUUSD 3330 sl 3322 tp 3340 3350 parts 0.5 0.5 be 1 notes 1`. */
function parseSignal(text: string): ExpectedSignal {
  const [direction, symbol, entry, ...words] = text.split(' ');
  const numbersAfter = (label: string): number[] | null => {
    const from = words.indexOf(label);
    if (from < 0) return null;
    const numbers = words.slice(from + 1).map(Number);
    const end = numbers.findIndex(Number.isNaN);
    return numbers.slice(0, end < 0 ? undefined : end);
  };
  return {
    direction: direction!,
    symbol: symbol!,
    entry: entry === 'market' ? null : Number(entry),
    stopLoss: numbersAfter('sl')![0]!,
    targets: numbersAfter('tp')!,
    fractions: numbersAfter('parts'),
    breakevenAfter: numbersAfter('be')?.[0] ?? null,
    notes: numbersAfter('notes')?.[0] ?? 0,
  };
}
