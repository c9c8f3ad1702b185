// Links Telegram chats: reads what people write to the bot (long polling) and takes one-time codes. It runs only where a bot
// is configured, and only on one node at a time: Telegram ends all polls but the newest. An update counts as read when the next
// poll confirms it, so that a restart loses none.
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { TelegramChat } from './channel.ts';
import type { TelegramApi } from './telegram-api.ts';
import { type ChatUpdate, readUpdate } from './telegram-updates.ts';

const POLL_SECONDS = 50;
/** Longer than the poll, so that an answer is never cut off. */
const POLL_MARGIN_MS = 10_000;
const UPDATES = 50;
/** Larger than a response with the largest updates. */
const RESPONSE_BYTES = 8 * 1024 * 1024;
const FIRST_WAIT_MS = 1_000;
const MAX_WRONG_CODES = 5;
const WRONG_CODES_MS = 15 * MINUTE_MS;
const MAX_WAIT_MS = MINUTE_MS;
const STOP_MS = 2_000;
const MIN_POLL_MS = 1_000;
const MAX_ATTEMPTS = 10;

export interface TelegramLinkOptions {
  readonly api: TelegramApi;
  readonly log: Log;
  /** Links the chat to the destination that has the code. False if there is none, or the code has expired. */
  readonly link: (code: string, chat: TelegramChat) => Promise<boolean>;
  /** A group got another id. */
  readonly moved?: (from: number, to: number) => Promise<void>;
  /** The bot was removed or blocked. */
  readonly left?: (chat: number) => Promise<void>;
  readonly now?: () => number;
  /** Wait after the first failure, which doubles up to a minute. Default: a second. */
  readonly waitMs?: number;
  /** Time limit of a poll. Default: a minute. */
  readonly pollMs?: number;
}

export class TelegramLink {
  readonly #options: TelegramLinkOptions;
  readonly #stop = new AbortController();
  readonly #now: () => number;
  /** Wrong codes by chat. There is no limit over all chats: codes have 96 bits, and anybody could use it up to keep others out. */
  readonly #wrong = new RateLimiter<number>({ limit: MAX_WRONG_CODES, windowMs: WRONG_CODES_MS });
  /** Refusals that a chat is sent. */
  readonly #refusals = new RateLimiter<number>({ limit: 1 });
  #running: Promise<void> | null = null;
  #offset = 0;
  #failures = 0;
  /** Attempts to take the update at the offset. */
  #attempts = 0;
  #botName: string | null = null;

  constructor(options: TelegramLinkOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Name of the bot, for links that open the chat with it; `null` while it is not known. */
  get botName(): string | null {
    return this.#botName;
  }

  /** Address that opens the chat with the bot and sends the code. */
  linkFor(code: string): string | null {
    return this.#botName === null ? null : `https://t.me/${this.#botName}?start=${encodeURIComponent(code)}`;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Confirms what was read, so that the next node does not read it again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (this.#offset === 0) return;
    const confirm = { offset: this.#offset, timeout: 0, limit: 1 };
    await this.#options.api.call('getUpdates', confirm, { signal: AbortSignal.timeout(STOP_MS) });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (this.#botName === null) await this.#askName();
      if (signal.aborted) return;
      const [before, startedAt] = [this.#offset, performance.now()];
      const failure = await this.#poll();
      if (failure === null) {
        // A server that does not wait, or ignores the offset, must not be asked all the time.
        if (this.#offset === before && performance.now() - startedAt < MIN_POLL_MS) await this.#wait(null);
        if (this.#failures > 0) this.#options.log.info('Telegram answers again');
        this.#failures = 0;
        continue;
      }
      if (signal.aborted) return;
      // Logged once per outage, not once per attempt.
      if (this.#failures++ === 0)
        this.#options.log.warn('cannot read messages to the Telegram bot', { why: failure.why });
      await this.#wait(failure.afterMs);
    }
  }

  async #askName(): Promise<void> {
    const answer = await this.#options.api.call('getMe', {}, { signal: this.#stop.signal });
    const { username } = Object(answer.ok ? answer.result : null) as { username?: unknown };
    if (typeof username === 'string' && /^\w{1,64}$/.test(username)) this.#botName = username;
  }

  /** `null` on success. */
  async #poll(): Promise<{ readonly why: string; readonly afterMs: number | null } | null> {
    const answer = await this.#options.api.call(
      'getUpdates',
      {
        offset: this.#offset,
        timeout: POLL_SECONDS,
        limit: UPDATES,
        allowed_updates: ['message', 'channel_post', 'my_chat_member'],
      },
      {
        signal: this.#stop.signal,
        totalMs: this.#options.pollMs ?? POLL_SECONDS * 1_000 + POLL_MARGIN_MS,
        responseBytes: RESPONSE_BYTES,
      },
    );
    if (!answer.ok) return { why: answer.reason, afterMs: answer.retryAfterMs };
    if (!Array.isArray(answer.result)) return { why: 'the answer is not a list of updates', afterMs: null };
    for (const given of answer.result) {
      const update = readUpdate(given);
      if (!update || update.id < this.#offset) continue;
      if (this.#stop.signal.aborted) return null;
      try {
        await this.#take(update);
      } catch (error) {
        // The store may be down: the update is read again, unless it is the reason of the failure.
        if (++this.#attempts < MAX_ATTEMPTS) return { why: (error as Error).message, afterMs: null };
        this.#options.log.error('left out a message to the Telegram bot', { why: (error as Error).message });
      }
      this.#attempts = 0;
      this.#offset = update.id + 1;
    }
    return null;
  }

  async #take(update: ChatUpdate): Promise<void> {
    const { moved, left } = this.#options;
    if (update.kind === 'moved') return moved?.(update.chat, update.to);
    if (update.kind === 'left') return left?.(update.chat);
    if (update.kind !== 'text') return;
    const { chat, code, asked } = update;
    if (code === null) {
      if (asked) await this.#refuse(chat, 'Send me the code that Tickwire shows you to receive your alerts here.');
      return;
    }
    if (this.#wrong.remaining(chat.id, this.#now()) === 0) return;
    if (chat.kind === 'group' && !(await this.#isAdministrator(update)))
      return this.#refuse(chat, 'Only an administrator of this group can link it.');
    if (await this.#options.link(code, chat)) {
      this.#wrong.forget(chat.id);
      return this.#say(chat, 'This chat is linked: Tickwire will send your alerts here.');
    }
    this.#wrong.take(chat.id, this.#now());
    await this.#refuse(chat, 'This code is not valid, or it has expired. Create a new one in Tickwire.');
  }

  /** A group gets messages only if one of those who run it wants them. */
  async #isAdministrator({ chat, from, asChat }: Extract<ChatUpdate, { kind: 'text' }>): Promise<boolean> {
    if (asChat) return true;
    if (from === null) return false;
    const { signal } = this.#stop;
    const answer = await this.#options.api.call('getChatMember', { chat_id: chat.id, user_id: from }, { signal });
    if (!answer.ok && (answer.code === null || answer.code === 429 || answer.code >= 500))
      throw new Error(answer.reason);
    const { status } = Object(answer.ok ? answer.result : null) as { status?: unknown };
    return status === 'creator' || status === 'administrator';
  }

  /** At most once a minute for a chat: nobody can make the bot write more. */
  async #refuse(chat: TelegramChat, text: string): Promise<void> {
    if (this.#refusals.take(chat.id, this.#now()) === 0) await this.#say(chat, text);
  }

  /** An answer that fails is not repeated. */
  async #say(chat: TelegramChat, text: string): Promise<void> {
    await this.#options.api.call('sendMessage', { chat_id: chat.id, text }, { signal: this.#stop.signal });
  }

  async #wait(afterMs: number | null): Promise<void> {
    const { waitMs = FIRST_WAIT_MS } = this.#options;
    const ms =
      afterMs === null ? backOffMs(this.#failures, { firstMs: waitMs, maxMs: MAX_WAIT_MS }) : Math.max(afterMs, waitMs);
    await sleep(Math.min(ms, HOUR_MS), undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}
