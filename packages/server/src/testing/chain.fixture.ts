// The check every numbered reader can make: has anything been lost?
import type { Message } from './stream-client.fixture.ts';

/** Throws at the first message whose `prev` is not the last `seq` seen for its symbol. */
export function expectChain(messages: readonly Message[]): void {
  const last = new Map<unknown, unknown>();
  for (const { symbol, seq, prev } of messages) {
    if (last.has(symbol) && last.get(symbol) !== prev)
      throw new Error(`${symbol}: ${seq} follows ${prev}, but the last seen was ${last.get(symbol)}`);
    last.set(symbol, seq);
  }
}

/** The same for a stream whose `prev` goes by the reader. */
export function expectReaderChain(messages: readonly Message[]): void {
  expectChain(messages.map(({ seq, prev }) => ({ seq, prev })));
}
