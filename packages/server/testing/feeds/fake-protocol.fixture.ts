// The protocol of one exchange, as spoken by the fake exchange.
import type { FakeQuote, FakeTape, FakeTrade } from './fake-tape.fixture.ts';

/** One client's connection as a protocol sees it. */
export interface FakeClient {
  readonly url: URL;
  /** Keys of subscriptions; their form is up to the protocol. */
  readonly subscribed: Set<string>;
  send(text: string): void;
}

export interface FakeProtocol {
  /** Frames of any kind that a client may send per second before it is disconnected; 0: no limit. */
  readonly framesPerSecond: number;
  /** Sockets that a client opens for one connection. Default: 1. */
  readonly socketsPerConnection?: number;
  /** Replies to messages that are not JSON. */
  readonly textReplies?: Readonly<Record<string, string>>;
  /** Appended to the server's address to reach the stream. */
  readonly streamPath: string;
  accepts(url: URL): boolean;
  greet(client: FakeClient): void;
  receive(client: FakeClient, message: Record<string, unknown>, tape: FakeTape): void;
  trades(client: FakeClient, trades: readonly FakeTrade[]): readonly string[];
  quote(client: FakeClient, quote: FakeQuote): string | null;
  /** A liquidation with the time, price, size and side of a trade. Left out if the venue does not publish them. */
  liquidation?(client: FakeClient, like: FakeTrade): string | null;
  /** Sent about every second, if the protocol has such messages. */
  heartbeats(client: FakeClient, tape: FakeTape): readonly string[];
  /** `null` if there is no such path. `body`: the JSON of a POST request. */
  rest(url: URL, tape: FakeTape, body?: unknown): Response | null;
  /** Valid JSON that violates the protocol. */
  invalidMessages(symbol: string): readonly string[];
  /** The frame of a trade without a valid price; `null` if the socket does not carry trades. */
  malformedTrade(client: FakeClient, trade: FakeTrade): string | null;
}

export const isoOf = (timeUs: number): string =>
  `${new Date(Math.floor(timeUs / 1_000)).toISOString().slice(0, 23)}${String(timeUs % 1_000).padStart(3, '0')}Z`;
