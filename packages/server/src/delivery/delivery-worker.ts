// The delivery worker leases destinations that have messages due and sends the messages of each in order, many destinations at a
// time. In a cluster several nodes have one: a destination is leased by one of them.
//
// A message that a destination accepted is not sent again, unless the process dies before the outcome is stored: delivery is at
// least once, and the id of a message is the same in every attempt.
import { SECOND_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import type { DeliveryStore, LeasedDestination, ReleasedDestination } from '../store/delivery-store.ts';
import { ATTEMPT_MS, Attempts, type AttemptsOptions } from './attempt.ts';
import { type DeliverySlotLimits, DeliverySlots, type SlotUse } from './delivery-slots.ts';
import { judgeOutcome, retryDelayMs, type Verdict } from './outcome-rules.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { OUTGOING_LIMITS } from './outgoing-http.ts';

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
/**
 * How long a stop waits for attempts: until every request has its answer, so that no receiver that answers in time gets a message
 * again after the next start. A mail server may take longer.
 */
const STOP_MS = OUTGOING_LIMITS.totalMs + OUTGOING_LIMITS.bodyMs;

export interface DeliveryWorkerOptions extends AttemptsOptions {
  readonly store: DeliveryStore;
  /** Id of the worker. If a process that starts again uses the same, it continues at once, instead of when its leases end. */
  readonly id: string;
  readonly limits?: DeliverySlotLimits & {
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
  readonly #slots: DeliverySlots;
  /** What the clock of the store is ahead of that of this machine. */
  #aheadMs = 0;
  readonly #outcomes: OutcomeWriter;
  readonly #held = new Map<string, HeldDestination>();
  readonly #running = new Set<Promise<void>>();
  #leasing: Promise<void> | null = null;
  #leaseAgain = false;
  /** Whether the store may have leases of this worker that it does not use: of an earlier run, or of a call that failed. */
  #leasesUnsure = true;
  #started = false;
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
    this.#slots = new DeliverySlots(this.#held, options.channels, limits);
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
    this.#started = true;
    this.#renewal = setInterval(() => void this.#renew(), Math.min(RENEW_MS, this.#leaseMs / 4));
    this.wake();
  }

  /** Looks for messages now: call it when messages were written. The start does so as well. */
  wake(): void {
    if (!this.#started || this.#stopping) return;
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
    if (this.#started && this.#leasesUnsure) await this.#endUnusedLeases().catch((error) => this.#complain(error));
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
        let refused = false;
        if (this.#leasesUnsure) await this.#endUnusedLeases();
        this.#leasesUnsure = true;
        const leased = await this.#store.lease({
          worker: this.#id,
          now,
          until,
          destinations: free,
          messages: MESSAGES_PER_LEASE,
          only: room.only(),
          // Its outcomes are being stored, or its lease ended while the store could not be reached: they come first.
          accepts: (destination) => {
            const accepted = !this.#held.has(destination.id) && room.take(destination);
            refused ||= !accepted;
            return accepted;
          },
        });
        this.#leasesUnsure = false;
        for (const each of leased) this.#deliver(each, until);
        if (leased.length === free || (leased.length > 0 && refused)) {
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

  /** Others would wait until they end. */
  async #endUnusedLeases(): Promise<void> {
    await this.#store.endLeases(this.#id, [...this.#held.keys()]);
    this.#leasesUnsure = false;
  }

  #deliver(leased: LeasedDestination, until: number): void {
    const { id, account, channel } = leased.destination;
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
    let next: Verdict['next'] = null;
    const turnEnds = performance.now() + (this.#options.limits?.turnMs ?? TURN_MS);
    for (const message of leased.messages) {
      if (!this.#maySend(held)) break;
      if (performance.now() > turnEnds && this.#slots.isContested(held)) break;
      const outcome = await this.attempts.make(destination, message, held.abort.signal);
      const at = this.#now();
      if (outcome.result === 'wait') {
        // Times in the store are whole milliseconds; the clock is finer.
        next = { wakeAt: at + Math.ceil(outcome.ms) };
        break;
      }
      if ('movedTo' in outcome && outcome.movedTo !== undefined) {
        const sealed = this.#options.box.seal(destination.id, outcome.movedTo);
        destination = { ...destination, sealed };
        await this.#store.changeDestination(destination.id, { sealed }).catch((error) => this.#complain(error));
      }
      // Ended by the stop of the worker or by another worker: not the fault of the destination.
      if (outcome.result === 'retry' && held.abort.signal.aborted) break;
      const verdict = judgeOutcome(outcome, message, { failures, failingSince }, at);
      ({ failures, failingSince, next } = verdict);
      this.#outcomes.add(verdict.result);
      if (verdict.unsubscribes) {
        const change = { state: 'unsubscribed' } as const;
        destination = { ...destination, ...change };
        await this.#store.changeDestination(destination.id, change).catch((error) => this.#complain(error));
      }
      if (next) break;
    }
    // Behind others that are due: a destination with many messages does not hold up those with few.
    const wakeAt = Math.max(next?.wakeAt ?? 0, this.#now());
    return { destination: destination.id, failures, failingSince, ...next, wakeAt };
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
