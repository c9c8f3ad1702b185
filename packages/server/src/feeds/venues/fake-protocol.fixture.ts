// What one exchange's protocol is to the fake exchange that speaks it.
import type { FakeQuote, FakeTape, FakeTrade } from './fake-tape.fixture.ts';

/** One client's connection as a protocol sees it. */
export interface FakeClient {
  readonly url: URL;
  /** Names of subscriptions, in the protocol's own terms. */
  readonly subscribed: Set<string>;
  send(text: string): void;
}

export interface FakeProtocol {
  /** Frames of any kind a client may send in a second before it is thrown out; 0: no limit. */
  readonly framesPerSecond: number;
  /** What is added to the address of the server to reach the stream. */
  readonly streamPath: string;
  accepts(url: URL): boolean;
  greet(client: FakeClient): void;
  hear(client: FakeClient, message: Record<string, unknown>, tape: FakeTape): void;
  trades(client: FakeClient, trades: readonly FakeTrade[]): readonly string[];
  quote(client: FakeClient, quote: FakeQuote): string | null;
  /** Sent about every second where the protocol has such messages. */
  heartbeats(client: FakeClient, tape: FakeTape): readonly string[];
  /** null: no such path. */
  rest(url: URL, tape: FakeTape): Response | null;
  /** Well-formed JSON that is wrong in the protocol's own terms. */
  nonsense(symbol: string): readonly string[];
  /** A trade's frame with its price spoilt. */
  mangled(client: FakeClient, trade: FakeTrade): string;
}

export const isoOf = (timeUs: number): string =>
  `${new Date(Math.floor(timeUs / 1_000)).toISOString().slice(0, 23)}${String(timeUs % 1_000).padStart(3, '0')}Z`;
