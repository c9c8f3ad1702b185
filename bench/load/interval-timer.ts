// A timer that a SocketPoller can wait for. The timeout of epoll counts whole milliseconds and starts anew with every call; this one
// keeps to its schedule to a few microseconds.
import { ptr } from 'bun:ffi';
import { closeFd, readFd, timerCreate, timerStart } from './linux-sockets.ts';
import type { Readable } from './socket-poller.ts';

const NANOSECONDS = 1_000_000_000;

export class IntervalTimer implements Readable {
  readonly fd = timerCreate();
  readonly #expired = new BigUint64Array(1);
  readonly #onTime: () => void;

  constructor(onTime: () => void) {
    this.#onTime = onTime;
  }

  /** Fires after `delayMs`, and then every `intervalMs`. */
  start(delayMs: number, intervalMs: number): void {
    timerStart(this.fd, ptr(BigInt64Array.from([...split(intervalMs), ...split(delayMs)])));
  }

  readable(): void {
    readFd(this.fd, ptr(this.#expired), this.#expired.byteLength);
    this.#onTime();
  }

  close(): void {
    closeFd(this.fd);
  }
}

/** Seconds and nanoseconds. */
function split(ms: number): [bigint, bigint] {
  const all = Math.round(ms * 1e6);
  return [BigInt(Math.floor(all / NANOSECONDS)), BigInt(all % NANOSECONDS)];
}
