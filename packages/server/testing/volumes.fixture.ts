// Sums of published and received volumes. They must be equal, whatever was conflated or skipped.
import { type FlowEvent, roundSize, type TickEvent } from '@tickwire/engine';
import { type Message, ofSymbol } from './stream-client.fixture.ts';

/** Sums of the published events of a symbol: volume, bid volume, ask volume. */
export const publishedVolumes = (events: readonly (TickEvent | FlowEvent)[], symbol: string): number[] => {
  const sums = { volume: 0, bid: 0, ask: 0 };
  for (const event of events) {
    if (event.symbol !== symbol) continue;
    if (event.kind === 'tick') sums.volume += event.volume;
    else sums[event.side === 'buy' ? 'ask' : 'bid'] += event.size;
  }
  return Object.values(sums).map(roundSize);
};
/** The same sums of the received messages. */
export const receivedVolumes = (messages: readonly Message[], symbol: string): number[] => {
  const sum = (field: string): number =>
    roundSize(messages.filter(ofSymbol(symbol)).reduce((total, message) => total + Number(message[field] ?? 0), 0));
  return ['volume', 'bid_volume', 'ask_volume'].map(sum);
};
