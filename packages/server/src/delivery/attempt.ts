// One attempt to send a message: opens the address, asks breaker and rate limit, calls the channel.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { Histogram } from '../ops/metrics.ts';
import type { DestinationRow, StoredMessage } from '../store/delivery-store.ts';
import type { Channel, Channels, MessageBody, SendResult } from './channel.ts';
import type { DestinationBox } from './destination-box.ts';
import { HostBreakers, hostOf } from './host-breakers.ts';
import { RateLimits } from './rate-limits.ts';

/** Longer than most channels take: a channel that hangs is stopped. */
export const ATTEMPT_MS = 15_000;

/** A message that cannot be written for its channel is given up after this many attempts. */
const INTERNAL_ATTEMPTS = 4;
/** Half of the slots of a worker: a host that is slow for many accounts leaves the others. */
const MAX_OF_HOST = 64;
const HOST_WAIT_MS = SECOND_MS / 2;
/** How long a destination waits that could not be decrypted. */
const UNOPENED_MS = MINUTE_MS;

export interface AttemptsOptions {
  readonly channels: Channels;
  readonly box: DestinationBox;
  /** Whether the account of a destination is disabled: it gets no messages. */
  readonly isDisabled?: (account: string) => boolean;
  readonly now: () => number;
  readonly log: Log;
}

export class Attempts {
  /** Attempts by channel and outcome. */
  readonly counts = new Map<string, number>();
  /** From the time at which a message was due to its acceptance by the destination. */
  readonly latency = new Histogram();
  readonly #options: AttemptsOptions;
  readonly #hosts: HostBreakers;
  readonly #rates = new RateLimits();
  /** Messages that are being sent, by host. */
  readonly #active = new Map<string, number>();
  /** Destinations that could not be decrypted. */
  readonly #unopened = new Set<string>();

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.#hosts = new HostBreakers(options.now);
  }

  /** `wait`: it was not sent, because the destination, its host or its channel has to wait. */
  async make(destination: DestinationRow, message: StoredMessage, signal: AbortSignal): Promise<SendResult> {
    const isDisabled = this.#options.isDisabled?.(destination.account) ?? false;
    const refusal = isDisabled ? 'the account is disabled' : refusalOf(destination, message);
    if (refusal !== null) return this.#counted(destination, { result: 'rejected', reason: refusal });
    const channel = this.#options.channels.get(destination.channel);
    // A worker leases only channels that it has.
    if (!channel) return { result: 'wait', ms: UNOPENED_MS };
    let address: unknown;
    try {
      address = this.#options.box.open(destination);
    } catch (error) {
      // The key is wrong, which is not the fault of the destination: another node, or the next start, may have the right one.
      if (!this.#unopened.has(destination.id))
        this.#options.log.error('a destination cannot be decrypted: its messages wait', {
          destination: destination.id,
          error,
        });
      this.#unopened.add(destination.id);
      return { result: 'wait', ms: UNOPENED_MS };
    }
    const host = hostOf(channel.name, address);
    const hostMs = this.#hosts.enter(host, destination.id);
    if (hostMs > 0) return { result: 'wait', ms: hostMs };
    if ((this.#active.get(host) ?? 0) >= MAX_OF_HOST) {
      this.#hosts.ended(host, destination.id, 'cancelled');
      return { result: 'wait', ms: HOST_WAIT_MS };
    }
    const rateMs = this.#rates.take(destination.id, channel.perMinute, this.#options.now());
    if (rateMs > 0) {
      this.#hosts.ended(host, destination.id, 'cancelled');
      return { result: 'wait', ms: rateMs };
    }
    this.#active.set(host, (this.#active.get(host) ?? 0) + 1);
    const sent = await this.#send(channel, address, message, signal);
    const active = this.#active.get(host)! - 1;
    if (active > 0) this.#active.set(host, active);
    else this.#active.delete(host);
    if (sent.result === 'wait') {
      this.#hosts.ended(host, destination.id, 'cancelled');
      return sent;
    }
    // A destination that asks to wait can be reached.
    const reached = sent.result !== 'retry' || sent.afterMs !== undefined || sent.reached === true;
    this.#hosts.ended(host, destination.id, signal.aborted ? 'cancelled' : reached ? 'reached' : 'failed');
    if (sent.result === 'delivered') this.latency.observe(Math.max(0, this.#options.now() - message.notBefore) / 1_000);
    return this.#counted(destination, sent);
  }

  async #send(channel: Channel, address: unknown, message: StoredMessage, signal: AbortSignal): Promise<SendResult> {
    const { id, type, title, createdAt, attempts } = message;
    const { attemptMs = ATTEMPT_MS } = channel;
    const tooLong = AbortSignal.timeout(attemptMs);
    try {
      const body = JSON.parse(message.body) as MessageBody;
      const outgoing = { id, type, title, createdAt, body, attempt: attempts + 1 };
      const sent = await channel.send(address, outgoing, AbortSignal.any([signal, tooLong]));
      if (sent.result !== 'retry' || !tooLong.aborted || signal.aborted) return sent;
      return { ...sent, reason: `timeout: no answer within ${attemptMs / SECOND_MS} s` };
    } catch (error) {
      this.#options.log.error('a channel failed', { channel: channel.name, message: id, error });
      // It is likely to fail each time, and must not hold up those behind it.
      return attempts + 1 < INTERNAL_ATTEMPTS
        ? { result: 'retry', reason: 'an internal error', reached: true }
        : { result: 'rejected', reason: 'an internal error' };
    }
  }

  #counted(destination: DestinationRow, outcome: SendResult): SendResult {
    const key = `${destination.channel} ${outcome.result}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return outcome;
  }
}

/** Why a message must not be sent; `null` if it may. An unverified destination gets its code and nothing else. */
function refusalOf({ state }: DestinationRow, { type }: StoredMessage): string | null {
  if (state === 'unsubscribed') return 'the destination is unsubscribed';
  return state === 'active' || type === 'code' ? null : 'the destination is not verified';
}
