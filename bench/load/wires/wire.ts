// How a connection of the load talks to a contender: what it sends first, how it recognises messages, and how it publishes ticks.
// Every message has the same payload, whatever the protocol, so that all contenders deliver the same bytes.

/** Receives what a connection has received. The payload is in `bytes` from `start` to `end`; valid until the call returns. */
export interface WireSink {
  /** The server has confirmed the subscription, or the connection of a feeder. */
  ready(): void;
  message(bytes: Buffer, start: number, end: number): void;
  /** Something that a reader should not get: a refusal, or a note that messages were left out. */
  complaint(text: string): void;
  /** Sends an answer that the server requires. */
  reply(bytes: Buffer): void;
}

export interface Wire {
  readonly port: number;
  /** Path and key of a WebSocket; `null` for plain TCP. */
  readonly upgrade: { readonly path: string; readonly key: string } | null;
  /** Sent when the connection is open; `null`: nothing, and the connection is ready. Without the header of a WebSocket frame. */
  readonly opening: string | Buffer | null;
  /** Calls the sink for every complete message; returns the start of the incomplete one. */
  parse(bytes: Buffer, from: number, to: number, sink: WireSink): number;
}

export interface Tick {
  readonly symbol: string;
  /** The message as Tickwire delivers it. */
  readonly payload: string;
  /** The same tick as it is pushed to Tickwire. */
  readonly line: string;
}

/** A contender's protocol: the connection of each reader, and that of the feeder. */
export interface Protocol {
  reader(symbols: readonly string[]): Wire;
  readonly feeder: Wire;
  /** The bytes of one write of the feeder. */
  publish(ticks: readonly Tick[]): Buffer;
}
