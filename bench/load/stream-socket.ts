// A client on a raw TCP socket that parses what it receives in place. Allocates no object per chunk: all sockets of the process
// receive into one buffer, and only an incomplete message is copied until the rest arrives.
import { type Pointer, ptr } from 'bun:ffi';
import { CLOSED, closeFd, connectTo, receive, sendAll, WOULD_BLOCK } from './linux-sockets.ts';
import type { Readable } from './socket-poller.ts';

const INBOX_BYTES = 256 * 1024;
const LEAST_HELD = 512;

const inbox = Buffer.allocUnsafeSlow(INBOX_BYTES);
const inboxAt = ptr(inbox);
/** Pointers are plain numbers. */
const behind = (length: number): Pointer => (inboxAt + length) as Pointer;

export abstract class StreamSocket implements Readable {
  readonly fd: number;
  /** Time at which the current chunk was received, by performance.now(). */
  static chunkAt = 0;
  #held: Buffer | null = null;
  #heldBytes = 0;

  constructor(port: number) {
    this.fd = connectTo(port);
  }

  /** Handles every complete message in `bytes`; returns the start of the incomplete one. */
  protected abstract parse(bytes: Buffer, from: number, to: number): number;

  /** The server has closed the connection; the descriptor is still open. */
  protected abstract closed(reason: string): void;

  /** Whether all bytes were sent. */
  sendBytes(bytes: Uint8Array): boolean {
    return sendAll(this.fd, bytes);
  }

  readable(): void {
    const kept = this.#heldBytes;
    if (kept > 0) this.#held!.copy(inbox, 0, 0, kept);
    const count = receive(this.fd, behind(kept), INBOX_BYTES - kept);
    if (count === WOULD_BLOCK) return;
    if (count === CLOSED) {
      this.closed(kept === INBOX_BYTES ? 'a message was larger than the inbox' : 'gone');
      return;
    }
    StreamSocket.chunkAt = performance.now();
    this.#heldBytes = 0;
    const to = kept + count;
    this.#hold(this.parse(inbox, 0, to), to);
  }

  close(): void {
    closeFd(this.fd);
  }

  #hold(from: number, to: number): void {
    const length = to - from;
    if (length === 0) return;
    if (!this.#held || this.#held.length < length) this.#held = Buffer.alloc(Math.max(LEAST_HELD, length * 2));
    inbox.copy(this.#held, 0, from, to);
    this.#heldBytes = length;
  }
}
