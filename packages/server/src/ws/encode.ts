// WebSocket data messages as text. A body has no closing brace, so that the continuity fields can be appended for subscribers
// that requested them: one encoding serves both variants.
import type { StreamChannel, StreamPosition, Timeframe } from '@tickwire/contract';
import { type Bar, type FlowEvent, type MarketSymbol, roundSize, roundTo, type TickEvent } from '@tickwire/engine';
import type { AnySignalEvent } from '../journal/journal.ts';

const seconds = (time: number): number => Math.floor(time / 1000);

export type TickFields = Pick<TickEvent, 'symbol' | 'bid' | 'ask' | 'time'>;

export function tickBody({ symbol, bid, ask, time }: TickFields, volume: number, digits: number): string {
  return `{"symbol":"${symbol}","bid":${bid},"ask":${ask},"spread":${roundTo(ask - bid, digits)},"time":${seconds(time)},"volume":${volume}`;
}

export type FlowFields = Pick<
  FlowEvent,
  'symbol' | 'price' | 'time' | 'cumulativeDelta' | 'imbalance' | 'absorption' | 'sideMethod'
>;

export function flowBody(
  { symbol, price, time, cumulativeDelta, imbalance, absorption, sideMethod }: FlowFields,
  bidVolume: number,
  askVolume: number,
): string {
  const method = sideMethod ? `,"side_method":"${sideMethod}"` : '';
  return `{"symbol":"${symbol}","bid_volume":${bidVolume},"ask_volume":${askVolume},"delta":${roundSize(askVolume - bidVolume)},"cumulative_delta":${cumulativeDelta},"price":${price},"time":${seconds(time)},"imbalance":${imbalance},"absorption":${absorption ? `"${absorption}"` : 'null'}${method}`;
}

/** Order flow without new volume, as the first message of a subscription. */
export function flowSnapshotBody({ symbol, price, time, cumulativeDelta, imbalance }: FlowFields): string {
  return `{"symbol":"${symbol}","bid_volume":0,"ask_volume":0,"delta":0,"cumulative_delta":${cumulativeDelta},"price":${price},"time":${seconds(time)},"imbalance":${imbalance},"absorption":null`;
}

export type BarFields = Pick<Bar, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

export function barBody(symbol: MarketSymbol, timeframe: Timeframe, bar: BarFields, closed: boolean): string {
  const { time, open, high, low, close, volume } = bar;
  return `{"channel":"bars","symbol":"${symbol}","timeframe":"${timeframe}","time":${seconds(time)},"open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume},"closed":${closed}`;
}

/** A bar with the values of indicators, which are JSON already. */
export const withIndicators = (body: string, indicators: string): string => `${body},"indicators":${indicators}`;

export const signalBody = ({ signal }: AnySignalEvent): string => JSON.stringify(signal).slice(0, -1);

/** A message and the time of its event in milliseconds; `null` for messages whose times are ISO strings. */
export interface Encoded {
  readonly body: string;
  readonly time: number | null;
}

/** Names the channel of the message, for connections that carry several. */
export const naming = (channel: StreamChannel, body: string): string => `{"channel":"${channel}",${body.slice(1)}`;

/** Adds the milliseconds for subscribers that requested them. */
export const withMs = (body: string, time: number | null): string =>
  time === null ? body : `${body},"time_ms":${Math.floor(time)}`;

export const plain = (body: string): string => `${body}}`;

export const sequenced = (body: string, seq: number, prev: number, epoch: string): string =>
  `${body},"seq":${seq},"prev":${prev},"epoch":"${epoch}"}`;

/** Where a message is in its channel. */
export interface EncodedPosition extends StreamPosition {
  readonly channel: StreamChannel;
}

const CHANNEL_START = '{"channel":"';
const SEQ_START = ',"seq":';

/** The position of a message with its channel and its sequence numbers; `null` of any other. A quote inside a text is escaped. */
export function positionIn(text: string): EncodedPosition | null {
  const at = text.lastIndexOf(SEQ_START);
  if (at < 0 || !text.startsWith(CHANNEL_START)) return null;
  const channel = text.slice(CHANNEL_START.length, text.indexOf('"', CHANNEL_START.length)) as StreamChannel;
  const [seq, , epoch] = text.slice(at + SEQ_START.length, -1).split(',');
  return { channel, seq: Number(seq), epoch: epoch!.slice('"epoch":"'.length, -1) };
}
