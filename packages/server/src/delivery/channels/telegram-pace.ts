// Telegram's limits: 30 messages a second over all chats, 20 a minute to one group.
import { RateLimiter } from '../../work/rate-limiter.ts';

export const PER_SECOND = 30;
export const PER_GROUP_MINUTE = 20;

export class TelegramPace {
  /** Times of the last messages, oldest first. */
  readonly #all: number[] = [];
  readonly #groups = new RateLimiter<number>({ limit: PER_GROUP_MINUTE });

  /** Milliseconds until a group may get another message; 0 if it may now, which then counts. */
  groupWait(chat: number, now: number): number {
    return this.#groups.take(chat, now);
  }

  /** Milliseconds until the next message over all chats may be sent. It counts. */
  nextSlot(now: number): number {
    const slot = this.#all.length < PER_SECOND ? now : Math.max(now, this.#all.shift()! + 1_000);
    this.#all.push(slot);
    return slot - now;
  }
}
