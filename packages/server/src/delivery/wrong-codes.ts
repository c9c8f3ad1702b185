// Limits guesses of one-time codes, and refusals that a chat is sent. There is no limit over all chats: codes have 96 bits, and
// anybody could use it up to keep others from linking.
import { MINUTE_MS } from '@tickwire/engine';

export const MAX_WRONG_CODES = 5;
export const WRONG_CODES_MS = 15 * MINUTE_MS;
const REFUSAL_MS = MINUTE_MS;
const MAX_CHATS = 10_000;

export class WrongCodes {
  readonly #now: () => number;
  readonly #chats = new Map<number, number[]>();
  readonly #refusedAt = new Map<number, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  mayTry(chat: number): boolean {
    const since = this.#now() - WRONG_CODES_MS;
    const recent = (this.#chats.get(chat) ?? []).filter((time) => time > since);
    if (recent.length > 0) this.#chats.set(chat, recent);
    else this.#chats.delete(chat);
    return recent.length < MAX_WRONG_CODES;
  }

  count(chat: number): void {
    keep(this.#chats, chat, [...(this.#chats.get(chat) ?? []), this.#now()]);
  }

  forget(chat: number): void {
    this.#chats.delete(chat);
  }

  /** Whether a chat may be sent a refusal now: once a minute. */
  mayRefuse(chat: number): boolean {
    const now = this.#now();
    if (now - (this.#refusedAt.get(chat) ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return false;
    keep(this.#refusedAt, chat, now);
    return true;
  }
}

/** Forgets the oldest entry if there are too many. */
function keep<T>(map: Map<number, T>, chat: number, value: T): void {
  map.delete(chat);
  map.set(chat, value);
  if (map.size > MAX_CHATS) map.delete(map.keys().next().value!);
}
