// The continuity check every client of a numbered stream can make: was anything lost?
import type { Message } from './stream-client.fixture.ts';

/** Throws at the first message whose `prev` is not the last `seq` of its symbol. */
export function expectContinuity(messages: readonly Message[]): void {
  const last = new Map<unknown, unknown>();
  for (const { symbol, seq, prev } of messages) {
    if (last.has(symbol) && last.get(symbol) !== prev)
      throw new Error(`${symbol}: ${seq} follows ${prev}, but the last seen was ${last.get(symbol)}`);
    last.set(symbol, seq);
  }
}

/** The same for a stream whose `prev` is per client. */
export function expectClientContinuity(messages: readonly Message[]): void {
  expectContinuity(messages.map(({ seq, prev }) => ({ seq, prev })));
}
