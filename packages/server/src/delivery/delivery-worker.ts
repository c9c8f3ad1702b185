// The delivery worker leases destinations that have messages due and sends the messages of each in order, many destinations at a
// time. In a cluster several nodes have one: a destination is leased by one of them.
//
// A message that a destination accepted is not sent again, unless the process dies before the outcome is stored: delivery is at
// least once, and the id of a message is the same in every attempt.
import { SECOND_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import type { DeliveryStore, LeasedDestination, ReleasedDestination } from '../store/delivery-store.ts';
import { ATTEMPT_MS, Attempts, type AttemptsOptions } from './attempt.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { GIVE_UP_MS, isGivenUp, retryDelayMs } from './retry-schedule.ts';
import { type SlotLimits, Slots, type SlotUse } from './slots.ts';

const MESSAGES_PER_LEASE = 16;
/** Destinations per transaction, which blocks the event loop on SQLite. */
const LEASED_AT_ONCE = 32;
/** How long a destination may be sent to while others wait for its slot. */
const TURN_MS = 2 * SECOND_MS;
const LEASE_MS = 30 * SECOND_MS;
const RENEW_MS = 5 * SECOND_MS;
/** Messages that another process wrote, or that were replayed by it, are found by polling. */
const POLL_MS = SECOND_MS;
const MIN_POLL_MS = 20;
/** How long a stop waits for attempts. */
const STOP_MS = 5 * SECOND_MS;

export interface DeliveryWorkerOptions extends AttemptsOptions {
  readonly store: DeliveryStore;
  /** Id of the worker. If a process that starts again uses the same, it continues at once, instead of when its leases end. */
  readonly id: string;
  readonly limits?: SlotLimits & {
    readonly turnMs?: number;
    readonly leaseMs?: number;
    readonly stopMs?: number;
  };
}

interface HeldDestination extends SlotUse {
  /** End of the lease as far as the worker knows. */
  until: number;
  readonly abort: AbortController;
  lost: boolean;
}

export class DeliveryWorker {
  readonly attempts: Attempts;
  readonly #store: DeliveryStore;
  readonly #id: string;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #options: DeliveryWorkerOptions;
  readonly #leaseMs: number;
  readonly #slots: Slots;
  /** What the clock of the store is ahead of that of this machine. */
  #aheadMs = 0;
  readonly #outcomes: OutcomeWriter;
  readonly #held = new Map<string, HeldDestination>();
  readonly #running = new Set<Promise<void>>();
  #leasing: Promise<void> | null = null;
  #leaseAgain = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #renewal: ReturnType<typeof setInterval> | null = null;
  #stopping = false;
  #failing = false;

  constructor(options: DeliveryWorkerOptions) {
    const { store, id, now, log, limits = {} } = options;
    this.#options = options;
    this.attempts = new Attempts(options);
    this.#store = store;
    this.#id = id;
    this.#now = () => Math.floor(now() + this.#aheadMs);
    this.#log = log;
    this.#slots = new Slots(this.#held, options.channels, limits);
    this.#leaseMs = limits.leaseMs ?? LEASE_MS;
    this.#outcomes = new OutcomeWriter({
      store,
      worker: id,
      log,
      onReleased: (destinations) => {
        for (const destination of destinations) this.#held.delete(destination);
        this.wake();
      },
    });
  }

  /** Destinations that are being sent to. */
  get active(): number {
    return this.#held.size;
  }

  async start(): Promise<void> {
    await this.#readClock();
    await this.#store.endLeases(this.#id).catch((error) => this.#complain(error));
    this.#renewal = setInterval(() => void this.#renew(), Math.min(RENEW_MS, this.#leaseMs / 4));
    this.wake();
  }

  /** Looks for messages now: call it when messages were written. */
  wake(): void {
    if (this.#stopping) return;
    this.#leaseAgain = true;
    this.#leasing ??= this.#lease().finally(() => {
      this.#leasing = null;
      // Woken after the last look.
      if (this.#leaseAgain) this.wake();
    });
  }

  /** Waits for attempts that are under way, for a limited time, and gives everything back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#leasing;
    const finished = Promise.all(this.#running);
    const late = setTimeout(() => {
      for (const { abort } of this.#held.values()) abort.abort('stopped');
    }, this.#options.limits?.stopMs ?? STOP_MS);
    await finished;
    clearTimeout(late);
    if (!(await this.#outcomes.flush()))
      this.#log.error('outcomes of deliveries are lost: some messages will be sent again');
    if (this.#renewal) clearInterval(this.#renewal);
  }

  async #lease(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    let nextMs = POLL_MS;
    try {
      while (this.#leaseAgain && !this.#stopping) {
        this.#leaseAgain = false;
        const free = Math.min(this.#slots.free, LEASED_AT_ONCE);
        // A release wakes the worker.
        if (free <= 0) break;
        const now = this.#now();
        const until = now + this.#leaseMs;
        const room = this.#slots.room();
        const leased = await this.#store.lease({
          worker: this.#id,
          now,
          until,
          destinations: free,
          messages: MESSAGES_PER_LEASE,
          only: room.only(),
          accepts: room.take,
        });
        for (const each of leased) this.#deliver(each, until);
        if (leased.length === free || (leased.length > 0 && room.refused)) {
          this.#leaseAgain = true;
          // Lets other work run.
          await new Promise(setImmediate);
        } else {
          const due = await this.#store.nextDue(room.only());
          nextMs = due === null ? POLL_MS : Math.min(Math.max(due - this.#now(), MIN_POLL_MS), POLL_MS);
        }
      }
      this.#failing = false;
    } catch (error) {
      this.#complain(error);
    }
    if (!this.#stopping) this.#timer = setTimeout(() => this.wake(), nextMs);
  }

  #deliver(leased: LeasedDestination, until: number): void {
    const { id, account, channel } = leased.destination;
    // A lease of its own that ended while the store could not be reached: the outcomes come first.
    if (this.#held.has(id)) return;
    const held: HeldDestination = { account, channel, until, abort: new AbortController(), lost: false };
    this.#held.set(id, held);
    const done = this.#sendAll(leased, held)
      .catch((error): ReleasedDestination => {
        this.#log.error('a delivery failed', { destination: id, error });
        const { failures, failingSince } = leased;
        return { destination: id, wakeAt: this.#now() + retryDelayMs(failures + 1), failures, failingSince };
      })
      .then((released) => {
        this.#running.delete(done);
        this.#outcomes.release(released);
      });
    this.#running.add(done);
  }

  async #sendAll(leased: LeasedDestination, held: HeldDestination): Promise<ReleasedDestination> {
    let { destination } = leased;
    let { failures, failingSince } = leased;
    let wakeAt = 0;
    let giveUp: ReleasedDestination['giveUp'];
    const turnEnds = performance.now() + (this.#options.limits?.turnMs ?? TURN_MS);
    for (const message of leased.messages) {
      if (!this.#maySend(held)) break;
      if (performance.now() > turnEnds && this.#slots.isContested(held)) break;
      const outcome = await this.attempts.make(destination, message, held.abort.signal);
      const at = this.#now();
      if (outcome.result === 'wait') {
        // Times in the store are whole milliseconds; the clock is finer.
        wakeAt = at + Math.ceil(outcome.ms);
        break;
      }
      if ('movedTo' in outcome && outcome.movedTo !== undefined) {
        const sealed = this.#options.box.seal(destination.id, outcome.movedTo);
        destination = { ...destination, sealed };
        await this.#store.changeDestination(destination.id, { sealed }).catch((error) => this.#complain(error));
      }
      if (outcome.result === 'delivered') {
        this.#outcomes.add({ id: message.id, result: 'delivered', at });
        [failures, failingSince] = [0, null];
      } else if (outcome.result === 'rejected') {
        this.#outcomes.add({ id: message.id, result: 'dead', at, reason: outcome.reason });
        if (!outcome.unsubscribe) continue;
        destination = { ...destination, state: 'unsubscribed' };
        const change = { state: 'unsubscribed' } as const;
        await this.#store.changeDestination(destination.id, change).catch((error) => this.#complain(error));
      } else {
        // Ended by the stop of the worker or by another worker: not the fault of the destination.
        if (held.abort.signal.aborted) break;
        failures++;
        failingSince ??= at;
        const nextAt = at + retryDelayMs(failures, outcome.afterMs);
        const { reason } = outcome;
        // Also for messages that come before this one in the meantime.
        wakeAt = nextAt;
        if (isGivenUp(message, at)) {
          const given = `given up after 24 hours: ${reason}`;
          this.#outcomes.add({ id: message.id, result: 'dead', at, reason: given });
          giveUp = { notAfter: at - GIVE_UP_MS, reason: given };
        } else this.#outcomes.add({ id: message.id, result: 'retry', at, nextAt, reason });
        break;
      }
    }
    // Behind others that are due: a destination with many messages does not hold up those with few.
    return {
      ...{ destination: destination.id, wakeAt: Math.max(wakeAt, this.#now()), failures, failingSince },
      ...(giveUp && { giveUp }),
    };
  }

  /** An attempt must end before the lease does. */
  #maySend(held: HeldDestination): boolean {
    const spare = Math.min(ATTEMPT_MS, this.#leaseMs / 2);
    return !this.#stopping && !held.lost && held.until - this.#now() > spare;
  }

  /** Leases of several nodes are compared by one clock. */
  async #readClock(): Promise<void> {
    try {
      const started = performance.now();
      const clock = await this.#store.clock();
      if (clock !== null) this.#aheadMs = clock + (performance.now() - started) / 2 - this.#options.now();
    } catch (error) {
      this.#complain(error);
    }
  }

  async #renew(): Promise<void> {
    await this.#readClock();
    const held = [...this.#held];
    if (held.length === 0) return;
    const until = this.#now() + this.#leaseMs;
    try {
      const kept = new Set(
        await this.#store.renew(
          this.#id,
          held.map(([id]) => id),
          until,
        ),
      );
      for (const [id, destination] of held) {
        if (kept.has(id)) destination.until = until;
        // Still held by this worker? A release may have ended the lease in the meantime.
        else if (this.#held.get(id) === destination) {
          destination.lost = true;
          destination.abort.abort('another worker has the destination, or it unsubscribed');
        }
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Once until the store answers again. */
  #complain(error: unknown): void {
    if (!this.#failing) this.#log.error('messages cannot be delivered: the store failed', { error });
    this.#failing = true;
  }
}
