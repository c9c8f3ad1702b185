// WebSocket data messages as text. `body` has no closing brace, so that the continuity fields can follow where they were
// asked for: one encoding serves both variants.
import { type FlowEvent, roundTo, type TickEvent } from '@tickwire/engine';
import type { SignalClosedEvent, SignalEvent } from '../journal/journal.ts';

const seconds = (time: number): number => Math.floor(time / 1000);

export function tickBody({ symbol, bid, ask, time }: TickEvent, volume: number, digits: number): string {
  return `{"symbol":"${symbol}","bid":${bid},"ask":${ask},"spread":${roundTo(ask - bid, digits)},"time":${seconds(time)},"volume":${volume}`;
}

export function flowBody({
  symbol,
  price,
  size,
  side,
  time,
  cumulativeDelta,
  imbalance,
  absorption,
  sideMethod,
}: FlowEvent): string {
  const bid = side === 'sell' ? size : 0;
  const ask = side === 'buy' ? size : 0;
  const method = sideMethod ? `,"side_method":"${sideMethod}"` : '';
  return `{"symbol":"${symbol}","bid_volume":${bid},"ask_volume":${ask},"delta":${ask - bid},"cumulative_delta":${cumulativeDelta},"price":${price},"time":${seconds(time)},"imbalance":${imbalance},"absorption":${absorption ? `"${absorption}"` : 'null'}${method}`;
}

/** The state of the flow before anything new: what a subscription starts with. */
export function flowSnapshotBody({ symbol, price, time, cumulativeDelta, imbalance }: FlowEvent): string {
  return `{"symbol":"${symbol}","bid_volume":0,"ask_volume":0,"delta":0,"cumulative_delta":${cumulativeDelta},"price":${price},"time":${seconds(time)},"imbalance":${imbalance},"absorption":null`;
}

export const signalBody = ({ signal }: SignalEvent | SignalClosedEvent): string => JSON.stringify(signal).slice(0, -1);

export const plain = (body: string): string => `${body}}`;

export const sequenced = (body: string, seq: number, prev: number, epoch: string): string =>
  `${body},"seq":${seq},"prev":${prev},"epoch":"${epoch}"}`;
