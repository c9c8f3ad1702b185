// The market response: the newest bars from memory, older ones from the store, each known by a tag.
import type { MarketQuery, Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { MarketStore } from '../store/store.ts';
import type { MarketText, MarketView } from '../views/market-view.ts';
import { available } from './available.ts';
import { once, type Tagged } from './conditional.ts';
import { LEVEL, type PackedHead, packHead, packWith } from './gzip-parts.ts';

/** What goes out in one or two packets anyway is not worth packing. */
const LEAST_PACKED = 2_048;

export interface HistorySources {
  readonly market: MarketView;
  readonly history: Pick<MarketStore, 'bars'>;
  readonly startedAt: number;
}

/** What is kept of an instrument and a timeframe, plain or in detail: the answer last given, and the beginning last packed. */
interface Kept {
  text: MarketText | null;
  answer: Tagged | null;
  head: string;
  packedHead: PackedHead | null;
}

export class HistoryAnswers {
  readonly #market: MarketView;
  readonly #history: HistorySources['history'];
  /** Versions count from the start: those of one run are not those of another. */
  readonly #run: string;
  readonly #kept = new Map<string, Kept>();

  constructor({ market, history, startedAt }: HistorySources) {
    this.#market = market;
    this.#history = history;
    this.#run = Math.floor(startedAt).toString(36);
  }

  of(symbol: MarketSymbol, query: MarketQuery): Tagged | Promise<Tagged> {
    const { timeframe, bars, before, from, to, detail } = query;
    if (before !== undefined || from !== undefined || to !== undefined) return this.#older(symbol, query);
    const text = this.#market.market(symbol, timeframe, bars, detail);
    const kept = this.#keptOf(symbol, timeframe, detail);
    if (kept.answer && kept.text === text) return kept.answer;
    const answer: Tagged = {
      body: text.json,
      tag: `${this.#run}-${text.version.toString(36)}${detail ? '-d' : ''}`,
      ...(text.head.length >= LEAST_PACKED && { packed: once(() => packWith(headOf(kept, text.head), text.tail)) }),
    };
    kept.text = text;
    kept.answer = answer;
    return answer;
  }

  /** Bars of the range from the store, with those on top that only memory has yet. */
  async #older(symbol: MarketSymbol, query: MarketQuery): Promise<Tagged> {
    const { timeframe, bars: limit, before, from } = query;
    const start = from ?? 0;
    const end = Math.min(
      before === undefined ? Number.MAX_SAFE_INTEGER : before - 1,
      query.to ?? Number.MAX_SAFE_INTEGER,
    );
    const first = from !== undefined && before === undefined ? 'oldest' : 'newest';
    const stored = await available(() => this.#history.bars({ symbol, timeframe, from: start, to: end, limit, first }));
    const byTime = new Map(stored.map((bar) => [bar.time, bar]));
    for (const bar of this.#market.recent(symbol, timeframe, start, end)) byTime.set(bar.time, bar);
    const bars = [...byTime.values()].sort((a, b) => a.time - b.time);
    const body = this.#market.marketOf(
      symbol,
      timeframe,
      first === 'oldest' ? bars.slice(0, limit) : bars.slice(-limit),
      query.detail,
    );
    // What the store holds has no version; the hash costs little beside the query.
    const tag = Bun.hash(body).toString(36);
    if (body.length < LEAST_PACKED) return { body, tag };
    return { body, tag, packed: () => Bun.gzipSync(body, { level: LEVEL }) };
  }

  #keptOf(symbol: MarketSymbol, timeframe: Timeframe, detail: boolean): Kept {
    const key = detail ? `${symbol} ${timeframe} detail` : `${symbol} ${timeframe}`;
    let kept = this.#kept.get(key);
    if (!kept) {
      kept = { text: null, answer: null, head: '', packedHead: null };
      this.#kept.set(key, kept);
    }
    return kept;
  }
}

/** The packed beginning; it stays until a bar closes or another number of bars is asked for. */
function headOf(kept: Kept, head: string): PackedHead {
  if (!kept.packedHead || kept.head !== head) {
    kept.head = head;
    kept.packedHead = packHead(head);
  }
  return kept.packedHead;
}
