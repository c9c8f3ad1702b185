// Telegram's limits: 30 messages a second over all chats, 20 a minute to one group.
import { MINUTE_MS } from '@tickwire/engine';

const PER_SECOND = 30;
export const PER_GROUP_MINUTE = 20;
/** Groups remembered before those without a message in the last minute are forgotten. */
const MAX_GROUPS = 10_000;

export class TelegramPace {
  /** Times of the last messages, oldest first. */
  readonly #all: number[] = [];
  readonly #groups = new Map<number, number[]>();

  /** Milliseconds until a group may get another message; 0 if it may now, which then counts. */
  groupWait(chat: number, now: number): number {
    const times = (this.#groups.get(chat) ?? []).filter((time) => time > now - MINUTE_MS);
    if (times.length >= PER_GROUP_MINUTE) return times[0]! + MINUTE_MS - now;
    this.#groups.set(chat, [...times, now]);
    if (this.#groups.size > MAX_GROUPS) this.#forget(now);
    return 0;
  }

  /** Milliseconds until the next message over all chats may be sent. It counts. */
  nextSlot(now: number): number {
    const slot = this.#all.length < PER_SECOND ? now : Math.max(now, this.#all.shift()! + 1_000);
    this.#all.push(slot);
    return slot - now;
  }

  #forget(now: number): void {
    for (const [chat, times] of this.#groups) if (times.at(-1)! <= now - MINUTE_MS) this.#groups.delete(chat);
  }
}
