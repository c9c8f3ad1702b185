// Pushes ticks to a contender over one connection, each write when it is due. It is read before all readers, so that a crowd of them
// does not delay it.
import { percentile } from '../measure/statistics.ts';
import type { FeedSchedule } from './feed-schedule.ts';
import { IntervalTimer } from './interval-timer.ts';
import { sendSome } from './linux-sockets.ts';
import type { SocketPoller } from './socket-poller.ts';
import type { Protocol } from './wires/wire.ts';
import { openWire, type WireConnection, type WireListener } from './wires/wire-socket.ts';

const OPEN_MS = 10_000;
/** From the start to the first write. */
const LEAD_MS = 20;
const MAX_WRITES = 1_000_000;

export class Feeder implements WireListener {
  /** When the first tick is due, by performance.now(). */
  startedAt = Number.POSITIVE_INFINITY;
  writes = 0;
  complaints = 0;
  firstComplaint: string | null = null;
  readonly #poller: SocketPoller;
  readonly #protocol: Protocol;
  readonly #schedule: FeedSchedule;
  readonly #connection: WireConnection;
  readonly #timer = new IntervalTimer(() => this.#writeDue());
  readonly #lateness = new Float64Array(MAX_WRITES);
  /** Bytes that the socket has not taken yet. */
  #backlog: Buffer = Buffer.alloc(0);
  #ready = false;

  constructor(poller: SocketPoller, protocol: Protocol, schedule: FeedSchedule) {
    this.#poller = poller;
    this.#protocol = protocol;
    this.#schedule = schedule;
    this.#connection = openWire(protocol.feeder, this);
    poller.add(this.#connection);
    poller.runUntil(() => this.#ready, OPEN_MS, 'connecting the feeder');
  }

  start(): void {
    this.startedAt = performance.now() + LEAD_MS;
    this.#timer.start(LEAD_MS, this.#schedule.stepMs);
    this.#poller.add(this.#timer, true);
  }

  /** Writes no more ticks; what the socket has not taken yet is still sent by `flush`. */
  stop(): void {
    this.#poller.remove(this.#timer);
    this.#timer.close();
  }

  flush(): void {
    if (this.#backlog.length > 0) this.#backlog = this.#backlog.subarray(sendSome(this.#connection.fd, this.#backlog));
  }

  close(): void {
    this.#poller.remove(this.#connection);
    this.#connection.close();
  }

  /** By how much writes came later than they were due, in milliseconds. */
  lateness(share: number): number {
    return percentile(this.#lateness.slice(0, Math.min(this.writes, MAX_WRITES)).sort(), share);
  }

  ready(): void {
    this.#ready = true;
  }

  message(): void {}

  complaint(text: string): void {
    this.complaints++;
    this.firstComplaint ??= text;
  }

  lost(reason: string): void {
    throw new Error(`the connection of the feeder was lost: ${reason}`);
  }

  /** A late feeder catches up, with one write for each that was missed. */
  #writeDue(): void {
    this.flush();
    const wallClock = Date.now();
    for (;;) {
      const late = performance.now() - this.startedAt - this.writes * this.#schedule.stepMs;
      if (late < 0) return;
      this.#write(this.#protocol.publish(this.#schedule.ticksOf(this.writes, wallClock)));
      if (this.writes < MAX_WRITES) this.#lateness[this.writes] = late;
      this.writes++;
    }
  }

  #write(bytes: Buffer): void {
    if (this.#backlog.length > 0) this.#backlog = Buffer.concat([this.#backlog, bytes]);
    else {
      const sent = sendSome(this.#connection.fd, bytes);
      if (sent < bytes.length) this.#backlog = Buffer.from(bytes.subarray(sent));
    }
  }
}
