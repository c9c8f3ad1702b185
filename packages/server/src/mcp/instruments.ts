// Instruments, their quotes and the state of their markets, as the tools need them.
import { type Instrument, type InstrumentHours, iso, MAX_QUOTE_SYMBOLS, type SymbolQuote } from '@tickwire/contract';
import { MINUTE_MS, SymbolIndex } from '@tickwire/engine';
import { type Envelope, type Gap, type MarketState, shortTime } from './answer.ts';
import { type ServiceReader, ToolError } from './service.ts';

export interface DetailedInstrument extends Instrument {
  readonly digits: number;
  readonly hours: InstrumentHours;
}

/** The catalogue changes only with its hours, once a day. */
const CATALOGUE_MS = MINUTE_MS;
/** A market with a quote of this age trades, regardless of its calendar. */
const FRESH_MS = MINUTE_MS;
const MAX_SUGGESTIONS = 5;

/** Freshness of the symbols of an answer. */
export interface Freshness {
  readonly quotes: ReadonlyMap<string, SymbolQuote>;
  /** Symbols without a quote. */
  readonly missing: readonly Gap[];
  /** As of the oldest of the quotes. */
  readonly envelope: Omit<Envelope, 'gaps'>;
}

export class Instruments {
  readonly #reader: ServiceReader;
  readonly #named: (text: string) => string;
  #items: readonly DetailedInstrument[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  /** `named` puts the prefix before the names of tools. */
  constructor(reader: ServiceReader, named: (text: string) => string = (text) => text) {
    this.#reader = reader;
    this.#named = named;
  }

  async all(): Promise<readonly DetailedInstrument[]> {
    const { now } = this.#reader;
    if (now - this.#readAt < CATALOGUE_MS) return this.#items;
    const { items } = await this.#reader.get<{ items: DetailedInstrument[] }>('/api/symbols', { detail: true });
    this.#items = items;
    this.#readAt = now;
    return items;
  }

  /** Throws with similar symbols if one does not exist. Each symbol once. */
  async resolve(codes: readonly string[]): Promise<DetailedInstrument[]> {
    const all = await this.all();
    const bySymbol = new Map(all.map((item) => [item.symbol, item]));
    const index = new SymbolIndex(all);
    const unique = [...new Set(codes.map((code) => index.resolveWithVenue(code) ?? code))];
    return unique.map((code) => {
      const found = bySymbol.get(code);
      if (found) return found;
      const similar = search(all, code).slice(0, MAX_SUGGESTIONS);
      const hint = similar.length > 0 ? `Similar: ${similar.map(({ symbol }) => symbol).join(', ')}` : exampleOf(all);
      throw new ToolError(
        `Symbol not found (symbol_not_found): there is no instrument ${JSON.stringify(code)}. ${hint}. Use ${this.#named('find_instruments')} for all symbols.`,
        'symbol_not_found',
      );
    });
  }

  async freshness(items: readonly DetailedInstrument[]): Promise<Freshness> {
    const symbols = items.map(({ symbol }) => symbol);
    const list = await this.#reader.get<{ items: SymbolQuote[] }>('/api/quotes', {
      // Longer lists are not allowed; without one, the response has all.
      symbols: symbols.length > MAX_QUOTE_SYMBOLS ? undefined : symbols.join(','),
      detail: true,
    });
    const { now } = this.#reader;
    const quotes = new Map(list.items.map((quote) => [quote.symbol, quote]));
    const missing = symbols
      .filter((symbol) => !quotes.has(symbol))
      .map((symbol): Gap => ({ symbol, reason: 'no_quote' }));
    const oldest = Math.min(...list.items.map(({ timestamp }) => Date.parse(timestamp)));
    const isKnown = Number.isFinite(oldest);
    return {
      quotes,
      missing,
      envelope: {
        as_of: isKnown ? iso(oldest) : null,
        age_ms: isKnown ? Math.max(0, now - oldest) : null,
        stale: list.items.some(({ stale }) => stale === true),
        source: this.#reader.source,
        market: Object.fromEntries(items.map((item) => [item.symbol, stateOf(item, quotes.get(item.symbol), now)])),
      },
    };
  }
}

function stateOf({ hours }: DetailedInstrument, quote: SymbolQuote | undefined, now: number): MarketState {
  if (hours.calendar === 'always') return { state: 'open', until: null };
  const times = hours.sessions.map(({ open, close }) => ({ open: Date.parse(open), close: Date.parse(close) }));
  const session = times.find(({ open, close }) => open <= now && now < close);
  if (session) return { state: 'open', until: shortTime(session.close) };
  const opening = times.find(({ open }) => open > now)?.open;
  const isTrading = quote !== undefined && !quote.stale && now - Date.parse(quote.timestamp) <= FRESH_MS;
  return { state: isTrading ? 'open' : 'closed', until: opening === undefined ? null : shortTime(opening) };
}

/** Instruments that match all words, by symbol, name, type or currency; those whose symbol matches first. */
export function search(all: readonly DetailedInstrument[], query: string): DetailedInstrument[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const scored = all.flatMap((item) => {
    const symbol = item.symbol.toLowerCase();
    const text = [item.symbol, item.name, item.type, item.base, item.quote].join(' ').toLowerCase();
    if (!words.every((word) => text.includes(word) || isNear(symbol, word))) return [];
    return [{ item, score: words.filter((word) => symbol.includes(word)).length }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

/** Whether a code shares its first or last three characters with a symbol, as XAUEUR and XAUUSD. */
const isNear = (symbol: string, word: string): boolean =>
  word.length >= 5 && (symbol.startsWith(word.slice(0, 3)) || (symbol.length > 5 && symbol.endsWith(word.slice(-3))));

const exampleOf = (all: readonly DetailedInstrument[]): string =>
  `Examples: ${all
    .slice(0, MAX_SUGGESTIONS)
    .map(({ symbol }) => symbol)
    .join(', ')}`;
