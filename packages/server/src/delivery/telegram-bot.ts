// Reads what people write to the Telegram bot (long polling) and gives each update to the handlers. There is one for each bot: it runs
// only where a bot is configured, and on one node at a time, because Telegram ends all polls but the newest. An update counts as
// read when the next poll confirms it, so that a restart loses none.
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';
import { takeRepeatedly } from './take-repeatedly.ts';
import type { TelegramApi } from './telegram-api.ts';
import { type ChatUpdate, readUpdate } from './telegram-updates.ts';

const POLL_SECONDS = 50;
/** Longer than the poll, so that an answer is never cut off. */
const POLL_MARGIN_MS = 10_000;
/** The most that Telegram returns. */
const UPDATES = 100;
/** Larger than a response with the largest updates. */
const RESPONSE_BYTES = 16 * 1024 * 1024;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = MINUTE_MS;
const STOP_MS = 2_000;
const MIN_POLL_MS = 1_000;
const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
];

/** Returns whether it took the update; if not, the next handler gets it. If it throws, the update is taken again. */
export type UpdateHandler = (update: ChatUpdate) => Promise<boolean>;

export interface TelegramBotOptions {
  readonly api: TelegramApi;
  readonly log: Log;
  /** Wait after the first failure, which doubles up to a minute. Default: a second. */
  readonly waitMs?: number;
  /** Time limit of a poll. Default: a minute. */
  readonly pollMs?: number;
}

interface Failure {
  readonly why: string;
  readonly afterMs: number | null;
}

export class TelegramBot {
  readonly api: TelegramApi;
  readonly #options: TelegramBotOptions;
  readonly #stop = new AbortController();
  #handlers: readonly UpdateHandler[] = [];
  #running: Promise<void> | null = null;
  #offset = 0;
  /** Updates from the offset on that were read: at most as many as a poll returns. */
  readonly #read = new Map<number, 'queued' | 'taken'>();
  /** Chats with updates that are not taken yet. */
  readonly #chats = new Map<number | null, { readonly updates: ChatUpdate[]; readonly running: Promise<void> }>();
  #onAllTaken: () => void = () => {};
  /** Polls that failed in a row. */
  #failures = 0;
  #name: string | null = null;

  constructor(options: TelegramBotOptions) {
    this.#options = options;
    this.api = options.api;
  }

  /** Name of the bot, for links that open the chat with it; `null` while it is not known. */
  get name(): string | null {
    return this.#name;
  }

  /** Whether the name of the bot is known, and the last attempt to read messages has not failed. */
  get isReading(): boolean {
    return this.#name !== null && this.#failures === 0;
  }

  /** Address that opens the chat with the bot and sends the code. */
  linkFor(code: string): string | null {
    return this.#name === null ? null : `https://t.me/${this.#name}?start=${encodeURIComponent(code)}`;
  }

  /** The first handler that takes an update keeps it. */
  start(handlers: readonly UpdateHandler[]): void {
    this.#handlers = handlers;
    this.#running ??= this.#run();
  }

  /** Confirms what was read, so that the next node does not read it again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (this.#offset === 0) return;
    const confirm = { offset: this.#offset, timeout: 0, limit: 1 };
    await this.api.call('getUpdates', confirm, { signal: AbortSignal.timeout(STOP_MS) });
  }

  /** An answer that fails is not repeated. */
  async say(chat: number, text: string): Promise<void> {
    await this.api.call('sendMessage', { chat_id: chat, text }, { signal: this.#stop.signal });
  }

  /** Ids of the people who run a chat. Throws if Telegram does not say it. */
  async administrators(chat: number): Promise<ReadonlySet<number>> {
    const answer = await this.api.call('getChatAdministrators', { chat_id: chat }, { signal: this.#stop.signal });
    if (!answer.ok) throw new Error(answer.reason);
    const members: readonly unknown[] = Array.isArray(answer.result) ? answer.result : [];
    const ids = members.map((member) => (Object(member) as { user?: unknown }).user);
    return new Set(ids.map((user) => (Object(user) as { id?: unknown }).id).filter((id) => typeof id === 'number'));
  }

  /** Whether a person runs a chat. Throws if Telegram cannot say it now. */
  async isAdministrator(chat: number, person: number): Promise<boolean> {
    const { signal } = this.#stop;
    const answer = await this.api.call('getChatMember', { chat_id: chat, user_id: person }, { signal });
    if (!answer.ok && (answer.code === null || answer.code === 429 || answer.code >= 500))
      throw new Error(answer.reason);
    const { status } = Object(answer.ok ? answer.result : null) as { status?: unknown };
    return status === 'creator' || status === 'administrator';
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (this.#name === null) await this.#askName();
      if (signal.aborted) break;
      const [before, startedAt] = [this.#offset, performance.now()];
      const failure = await this.#poll();
      if (failure === null) {
        // A chat that takes longer holds up the others for this long at most. Until it is done, Telegram repeats its updates at once.
        await this.#settled(MIN_POLL_MS);
        this.#confirm();
        // A server that does not wait, or ignores the offset, must not be asked all the time.
        if (this.#offset === before && performance.now() - startedAt < MIN_POLL_MS) await this.#wait(null);
        if (this.#failures > 0) this.#options.log.info('Telegram answers again');
        this.#failures = 0;
        continue;
      }
      if (signal.aborted) break;
      // Logged once per outage, not once per attempt.
      if (this.#failures++ === 0)
        this.#options.log.warn('cannot read messages to the Telegram bot', { why: failure.why });
      await this.#wait(failure.afterMs);
    }
    await Promise.all([...this.#chats.values()].map(({ running }) => running));
    this.#confirm();
  }

  async #askName(): Promise<void> {
    const answer = await this.api.call('getMe', {}, { signal: this.#stop.signal });
    const { username } = Object(answer.ok ? answer.result : null) as { username?: unknown };
    if (typeof username === 'string' && /^\w{1,64}$/.test(username)) this.#name = username;
  }

  /** `null` on success. */
  async #poll(): Promise<Failure | null> {
    const answer = await this.api.call(
      'getUpdates',
      { offset: this.#offset, timeout: POLL_SECONDS, limit: UPDATES, allowed_updates: ALLOWED_UPDATES },
      {
        signal: this.#stop.signal,
        totalMs: this.#options.pollMs ?? POLL_SECONDS * 1_000 + POLL_MARGIN_MS,
        responseBytes: RESPONSE_BYTES,
      },
    );
    if (!answer.ok) return { why: answer.reason, afterMs: answer.retryAfterMs };
    if (!Array.isArray(answer.result)) return { why: 'the answer is not a list of updates', afterMs: null };
    for (const update of answer.result.map(readUpdate))
      if (update !== null && update.id >= this.#offset && !this.#read.has(update.id) && this.#read.size < UPDATES)
        this.#queue(update);
    return null;
  }

  #queue(update: ChatUpdate): void {
    this.#read.set(update.id, 'queued');
    const chat = chatOf(update);
    const waiting = this.#chats.get(chat);
    if (waiting) {
      waiting.updates.push(update);
      return;
    }
    const updates = [update];
    this.#chats.set(chat, { updates, running: this.#takeInOrder(chat, updates) });
  }

  /** Takes the updates of a chat until none is left. One that fails is taken again. */
  async #takeInOrder(chat: number | null, updates: readonly ChatUpdate[]): Promise<void> {
    for (const update of updates) {
      if (!(await this.#take(update))) break;
      this.#read.set(update.id, 'taken');
    }
    this.#chats.delete(chat);
    if (this.#chats.size === 0) this.#onAllTaken();
  }

  /** False if the bot was stopped before. */
  #take(update: ChatUpdate): Promise<boolean> {
    const { waitMs, log } = this.#options;
    const take = async () => {
      for (const handler of this.#handlers) if (await handler(update)) break;
    };
    return takeRepeatedly(take, { what: 'take a message to the Telegram bot', signal: this.#stop.signal, log, waitMs });
  }

  /** Resolves once all updates that were read are taken, or after this time. */
  async #settled(ms: number): Promise<void> {
    if (this.#chats.size === 0) return;
    const taken = new AbortController();
    this.#onAllTaken = () => taken.abort();
    const signal = AbortSignal.any([this.#stop.signal, taken.signal]);
    await sleep(ms, undefined, { signal }).catch(() => {});
  }

  /** Moves the offset behind what was taken. */
  #confirm(): void {
    const ids = [...this.#read.keys()].toSorted((a, b) => a - b);
    const first = ids.find((id) => this.#read.get(id) === 'queued');
    this.#offset = first ?? Math.max(this.#offset, ...ids.map((id) => id + 1));
    for (const id of ids) if (id < this.#offset) this.#read.delete(id);
  }

  async #wait(afterMs: number | null): Promise<void> {
    const { waitMs = FIRST_WAIT_MS } = this.#options;
    const ms =
      afterMs === null ? backOffMs(this.#failures, { firstMs: waitMs, maxMs: MAX_WAIT_MS }) : Math.max(afterMs, waitMs);
    await this.#sleep(ms);
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(Math.min(ms, HOUR_MS), undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}

/** Updates of a chat are taken in order. */
function chatOf(update: ChatUpdate): number | null {
  if (update.kind === 'other') return null;
  return update.kind === 'moved' || update.kind === 'left' ? update.chat : update.chat.id;
}
