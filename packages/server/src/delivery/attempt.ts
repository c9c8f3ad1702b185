// One attempt to send a message: opens the address, asks breaker and rate limit, calls the channel.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { Histogram } from '../ops/metrics.ts';
import type { DestinationRow, StoredMessage } from '../store/delivery-store.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { fairShare, Slots } from '../work/slots.ts';
import type { Channel, Channels, MessageBody, SendResult } from './channel.ts';
import type { DestinationBox } from './destination-box.ts';
import { OriginBreakers, originOf } from './origin-breakers.ts';

/** Longer than most channels take: a channel that hangs is stopped. */
export const ATTEMPT_MS = 15_000;

/** A message that cannot be written for its channel is given up after this many attempts. */
const INTERNAL_ATTEMPTS = 4;
/** One slow origin may use at most half of the slots of a worker. The accounts that use it share them. */
const MAX_OF_ORIGIN = 64;
const ORIGIN_WAIT_MS = SECOND_MS / 2;
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
  readonly #breakers: OriginBreakers;
  /**
   * Messages per minute to one destination, by the limit of its channel. Counted by the worker that has the lease; another worker
   * starts over, and then the destination itself asks to wait.
   */
  readonly #rates = new RateLimiter({ limit: 0, maxKeys: 100_000 });
  /** Messages that are being sent, by origin, and by account and origin. */
  readonly #active = new Slots({ perKey: MAX_OF_ORIGIN });
  /** Destinations that could not be decrypted. */
  readonly #unopened = new Set<string>();

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.#breakers = new OriginBreakers(options.now);
  }

  /** `wait`: it was not sent, because the destination, its origin or its channel has to wait. */
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
    const origin = originOf(channel.name, address);
    const key = `${destination.account} ${origin}`;
    const breakerMs = this.#breakers.enter(key, destination.id);
    if (breakerMs > 0) return { result: 'wait', ms: breakerMs };
    const { perMinute } = channel;
    const release = this.#takeSlot(origin, key);
    const rateMs =
      release && perMinute !== undefined ? this.#rates.take(destination.id, this.#options.now(), perMinute) : 0;
    if (!release || rateMs > 0) {
      release?.();
      this.#breakers.ended(key, destination.id, 'cancelled');
      return { result: 'wait', ms: release ? rateMs : ORIGIN_WAIT_MS };
    }
    const sent = await this.#send(channel, address, message, signal).finally(release);
    if (sent.result === 'wait') {
      this.#breakers.ended(key, destination.id, 'cancelled');
      return sent;
    }
    // A destination that asks to wait can be reached.
    const reached = sent.result !== 'retry' || sent.afterMs !== undefined || sent.reached === true;
    this.#breakers.ended(key, destination.id, signal.aborted ? 'cancelled' : reached ? 'reached' : 'failed');
    if (sent.result === 'delivered') this.latency.observe(Math.max(0, this.#options.now() - message.notBefore) / 1_000);
    return this.#counted(destination, sent);
  }

  #takeSlot(origin: string, key: string): (() => void) | null {
    const ofOrigin = this.#active.take(origin);
    const ofAccount = ofOrigin && this.#active.take(key, fairShare(MAX_OF_ORIGIN - this.#active.usedBy(origin)));
    if (!ofAccount) ofOrigin?.();
    return (
      ofAccount &&
      (() => {
        ofOrigin?.();
        ofAccount();
      })
    );
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
