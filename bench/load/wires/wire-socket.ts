// A connection of the load in the protocol of a contender, over WebSocket or plain TCP.
import { BINARY, CLOSE, TEXT, textFrame } from '../frames.ts';
import type { Readable } from '../socket-poller.ts';
import { StreamSocket } from '../stream-socket.ts';
import { type WsListener, WsSocket } from '../ws-socket.ts';
import type { Wire, WireSink } from './wire.ts';

export interface WireListener extends Omit<WireSink, 'reply'> {
  lost(reason: string): void;
}

export interface WireConnection extends Readable {
  close(): void;
}

export const openWire = (wire: Wire, listener: WireListener): WireConnection =>
  wire.upgrade ? new WsWire(wire, wire.upgrade, listener) : new TcpWire(wire, listener);

class TcpWire extends StreamSocket implements WireConnection {
  readonly #wire: Wire;
  readonly #listener: WireListener;
  readonly #sink: WireSink;

  constructor(wire: Wire, listener: WireListener) {
    super(wire.port);
    this.#wire = wire;
    this.#listener = listener;
    this.#sink = sinkOf(listener, (bytes) => this.sendBytes(bytes));
    if (wire.opening === null) listener.ready();
    else this.sendBytes(Buffer.from(wire.opening));
  }

  protected parse(bytes: Buffer, from: number, to: number): number {
    return this.#wire.parse(bytes, from, to, this.#sink);
  }

  protected closed(reason: string): void {
    this.#listener.lost(reason);
  }
}

class WsWire implements WireConnection, WsListener {
  readonly #wire: Wire;
  readonly #listener: WireListener;
  readonly #sink: WireSink;
  readonly #socket: WsSocket;

  constructor(wire: Wire, upgrade: NonNullable<Wire['upgrade']>, listener: WireListener) {
    this.#wire = wire;
    this.#listener = listener;
    this.#sink = sinkOf(listener, (bytes) => this.#socket.sendBytes(textFrame(bytes)));
    this.#socket = new WsSocket({ port: wire.port, ...upgrade }, this);
  }

  get fd(): number {
    return this.#socket.fd;
  }

  readable(): void {
    this.#socket.readable();
  }

  close(): void {
    this.#socket.close();
  }

  opened(): void {
    const { opening } = this.#wire;
    if (opening === null) this.#listener.ready();
    else this.#socket.sendBytes(textFrame(opening));
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === CLOSE) this.#listener.complaint(`closed with ${bytes.readUInt16BE(start)}`);
    if (opcode !== TEXT && opcode !== BINARY) return;
    // A message that continues in the next frame would be counted wrongly.
    if (this.#wire.parse(bytes, start, end, this.#sink) !== end) throw new Error('a frame ends within a message');
  }

  lost(reason: string): void {
    this.#listener.lost(reason);
  }
}

const sinkOf = (listener: WireListener, reply: WireSink['reply']): WireSink => ({
  ready: () => listener.ready(),
  message: (bytes, start, end) => listener.message(bytes, start, end),
  complaint: (text) => listener.complaint(text),
  reply,
});
