// What every venue is made of: how it is opened, and what one of its messages can mean.
import type { MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { Source } from '../source.ts';

export type VenueEvent = QuoteEvent | TradeEvent;

/** What one raw message means. A mapper never throws: what it cannot use becomes a complaint with a name. */
export interface Mapped {
  readonly events: readonly VenueEvent[];
  readonly complaints: readonly string[];
  /** Replies to requests of ours; `error` null: granted. */
  readonly answers?: readonly { readonly request: string; readonly error: string | null }[];
  /** The venue is about to close the connection: better to leave now. */
  readonly leaving?: string;
}

export const NOTHING: Mapped = { events: [], complaints: [] };

export type Mapper = (text: string, receivedAt: number) => Mapped;

/** The venue's own spelling of a symbol → the instrument: `BTC/USD` → BTCUSD. */
export type SymbolMap = ReadonlyMap<string, MarketSymbol>;

/** Milliseconds. Tests hurry; nobody else has a reason to. */
export interface VenueTiming {
  /** From the attempt to an open socket. */
  readonly openMs: number;
  /** From the last request to the last confirmation. */
  readonly answerMs: number;
  /** Between two requests on the socket. */
  readonly requestPaceMs: number;
  /** Between two pages over REST. */
  readonly restPaceMs: number;
  readonly restTimeoutMs: number;
  /** Wait before the second attempt at a page; doubles. */
  readonly restRetryMs: number;
}

export interface VenueOptions {
  readonly symbols: SymbolMap;
  /** Other hosts of the same protocol, such as a national branch of the exchange, or a test. */
  readonly wsUrl?: string;
  readonly restUrl?: string;
  readonly timing?: Partial<VenueTiming>;
}

export interface Venue {
  create(options: VenueOptions): Source;
  /** Instrument → the venue's own spelling. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Decimals of prices where the venue has more of them than the catalogue says. */
  readonly digits: Readonly<Record<string, number>>;
}

const DETAIL_LENGTH = 60;

/** A complaint begins with its name, so that it can be counted by it; the detail is cut short and stripped of controls. */
export function complaint(name: string, detail: unknown): string {
  const text = typeof detail === 'string' ? detail : String(JSON.stringify(detail));
  return `${name}: ${text.slice(0, DETAIL_LENGTH).replace(/[^\x20-\x7e]/g, '?')}`;
}

export const complain = (name: string, detail: unknown): Mapped => ({
  events: [],
  complaints: [complaint(name, detail)],
});
