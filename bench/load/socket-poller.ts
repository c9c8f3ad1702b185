// Waits for readable sockets. Priority sockets are polled before each of the others, so that their timestamps show when their
// bytes arrived and not when their turn came among a thousand on one core.
import { ptr } from 'bun:ffi';
import { epollControl, epollCreate, epollWait } from './linux-sockets.ts';

const EPOLLIN = 1;
const ADD = 1;
const REMOVE = 2;
const AT_ONCE = 512;
/** The struct is packed only on x86-64. The descriptor follows four bytes of flags and their padding. */
const EVENT_INTS = process.arch === 'x64' ? 3 : 4;
const FD_AT = process.arch === 'x64' ? 1 : 2;
/** Maximum duration of one wait, so that callers can check their clocks. */
const LONGEST_WAIT_MS = 20;

export interface Readable {
  readonly fd: number;
  /** Called if there are bytes to read, or the end of the stream. */
  readable(): void;
}

class Ready {
  readonly #epoll = epollCreate();
  readonly #events = new Int32Array(AT_ONCE * EVENT_INTS);
  readonly #address = ptr(this.#events);
  size = 0;

  add(fd: number): void {
    this.#change(ADD, fd);
    this.size++;
  }

  remove(fd: number): void {
    this.#change(REMOVE, fd);
    this.size--;
  }

  wait(timeoutMs: number): number {
    return epollWait(this.#epoll, this.#address, AT_ONCE, timeoutMs);
  }

  fd(index: number): number {
    return this.#events[index * EVENT_INTS + FD_AT]!;
  }

  #change(operation: number, fd: number): void {
    const event = new Int32Array(EVENT_INTS);
    event[0] = EPOLLIN;
    event[FD_AT] = fd;
    epollControl(this.#epoll, operation, fd, ptr(event));
  }

  /** The set itself is readable while one of its members is. */
  joinTo(other: Ready): void {
    other.#change(ADD, this.#epoll);
  }
}

export class SocketPoller {
  readonly #all = new Ready();
  readonly #front = new Ready();
  /** Sockets by descriptor. */
  readonly #readers: (Readable | undefined)[] = [];
  readonly #inFront = new Set<number>();

  constructor() {
    this.#front.joinTo(this.#all);
  }

  add(reader: Readable, inFront = false): void {
    this.#readers[reader.fd] = reader;
    if (inFront) this.#inFront.add(reader.fd);
    (inFront ? this.#front : this.#all).add(reader.fd);
  }

  /** Call it before the descriptor is closed. */
  remove({ fd }: Readable): void {
    if (!this.#readers[fd]) return;
    this.#readers[fd] = undefined;
    (this.#inFront.delete(fd) ? this.#front : this.#all).remove(fd);
  }

  /** Reads everything that is readable; waits if nothing is. */
  turn(timeoutMs: number): void {
    const count = this.#all.wait(timeoutMs);
    for (let index = 0; index < count; index++) {
      if (this.#front.size > 0) this.#readFront();
      this.#readers[this.#all.fd(index)]?.readable();
    }
  }

  run(ms: number): void {
    for (const until = performance.now() + ms; ; ) {
      const left = until - performance.now();
      if (left <= 0) return;
      this.turn(Math.min(LONGEST_WAIT_MS, Math.ceil(left)));
    }
  }

  /** Polls until the condition holds; throws after a timeout. */
  runUntil(isSo: () => boolean, withinMs: number, what: string): void {
    for (const until = performance.now() + withinMs; !isSo(); this.turn(LONGEST_WAIT_MS))
      if (performance.now() > until) throw new Error(`${what} took more than ${withinMs / 1000} s`);
  }

  #readFront(): void {
    const count = this.#front.wait(0);
    for (let index = 0; index < count; index++) this.#readers[this.#front.fd(index)]?.readable();
  }
}
