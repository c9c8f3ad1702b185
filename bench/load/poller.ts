// Waits for sockets that have something to read. Some may be put in front: between any two of the others they are asked for
// first, so that what they note is when their bytes came, not when their turn came among a thousand that share a core.
import { ptr } from 'bun:ffi';
import { epollControl, epollCreate, epollWait } from './libc.ts';

const EPOLLIN = 1;
const ADD = 1;
const REMOVE = 2;
const AT_ONCE = 512;
/** The struct is packed on x86-64 only; the descriptor stands behind the four bytes of flags and what pads them. */
const EVENT_INTS = process.arch === 'x64' ? 3 : 4;
const FD_AT = process.arch === 'x64' ? 1 : 2;
/** Nobody waits longer at once: loops look at their clocks in between. */
const LONGEST_WAIT_MS = 20;

export interface Readable {
  readonly fd: number;
  /** There is something to read, or the end. */
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

  /** The set as a whole is readable while one of its members is. */
  joinTo(other: Ready): void {
    other.#change(ADD, this.#epoll);
  }
}

export class Poller {
  readonly #all = new Ready();
  readonly #front = new Ready();
  /** By descriptor. */
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

  /** To be called before the descriptor is closed. */
  remove({ fd }: Readable): void {
    if (!this.#readers[fd]) return;
    this.#readers[fd] = undefined;
    (this.#inFront.delete(fd) ? this.#front : this.#all).remove(fd);
  }

  /** Reads what there is to read, after a wait where there is nothing. */
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

  /** Until it is so; throws where that takes too long. */
  runUntil(isSo: () => boolean, withinMs: number, what: string): void {
    for (const until = performance.now() + withinMs; !isSo(); this.turn(LONGEST_WAIT_MS))
      if (performance.now() > until) throw new Error(`${what} took more than ${withinMs / 1000} s`);
  }

  #readFront(): void {
    const count = this.#front.wait(0);
    for (let index = 0; index < count; index++) this.#readers[this.#front.fd(index)]?.readable();
  }
}
