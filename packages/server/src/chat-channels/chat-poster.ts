// Posts what the chats of a platform are owed: answers to messages, then fills, partial exits and the closing of each published signal. What is owed is in
// the store, so that a restart loses nothing; a message can only be repeated if the process dies right after sending it.

import type { ChatPlatform, LogRecord, PublishedRecord } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { type Batch, isSignalEvent } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import { parseRecord } from '../signals/log-records.ts';
import type { ChatMessageRow, ChatPosting, ChatStore } from '../store/chat-store.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { backOffMs } from '../work/back-off.ts';
import type { ChatChannels } from './chat-channels.ts';
import type { ChatSender, OutgoingMessage } from './chat-platform.ts';
import { closedText, exitedText, filledText, VOIDED } from './chat-texts.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = MINUTE_MS;
/** An answer that could not be sent for so long is given up. */
const GIVE_UP_MS = DAY_MS;
/** How long the loop sleeps at most: work of other processes does not wake it. */
const IDLE_MS = MINUTE_MS;

export interface ChatPosterOptions {
  /** A slow platform holds up no other. */
  readonly platform: ChatPlatform;
  readonly store: ChatStore;
  readonly signals: Pick<SignalStore, 'records'>;
  readonly channels: ChatChannels;
  readonly sender: ChatSender;
  readonly now: () => number;
  readonly log: Log;
}

/** A channel that must wait. */
interface Pause {
  readonly until: number;
  readonly failures: number;
}

export class ChatPoster {
  posted = 0;
  failed = 0;
  readonly #options: ChatPosterOptions;
  readonly #stop = new AbortController();
  /** Signals whose events are posted. */
  readonly #watched = new Set<string>();
  /** Those of them that may have news. */
  readonly #changed = new Set<string>();
  readonly #pauses = new Map<string, Pause>();
  /** When the first pause ends of a channel that was left out in this round. */
  #resumeAt = Number.POSITIVE_INFINITY;
  #wakeUp: () => void = () => {};
  #isAwake = false;
  #running: Promise<void> | null = null;

  constructor(options: ChatPosterOptions) {
    this.#options = options;
  }

  /** Signals whose events are posted. */
  get watched(): number {
    return this.#watched.size;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (!isSignalEvent(event) || !this.#watched.has(event.signal.id)) continue;
      this.#changed.add(event.signal.id);
      this.wake();
    }
  };

  /** Something is to be posted. */
  wake(): void {
    this.#isAwake = true;
    this.#wakeUp();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { platform, store, log } = this.#options;
    let failures = 0;
    let isLoaded = false;
    while (!this.#stop.signal.aborted) {
      this.#isAwake = false;
      this.#resumeAt = Number.POSITIVE_INFINITY;
      try {
        if (!isLoaded) for (const signal of await store.watched(platform)) this.#watch(signal);
        isLoaded = true;
        for (const channel of await store.answering(platform)) await this.#answer(channel);
        for (const signal of [...this.#changed]) await this.#postEvents(signal);
        failures = 0;
      } catch (error) {
        if (failures++ === 0) log.warn('messages to chats wait', { error });
      }
      await this.#wait(failures > 0 ? backOffMs(failures, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS }) : null);
    }
  }

  #watch(signal: string): void {
    this.#watched.add(signal);
    this.#changed.add(signal);
  }

  /** Sends the answers of a channel, oldest first. */
  async #answer(channel: string): Promise<void> {
    const { store, now } = this.#options;
    while (!this.#isPaused(channel) && !this.#stop.signal.aborted) {
      const row = await store.nextAnswer(channel);
      if (!row) return;
      const follows: ChatPosting = row.outcome === 'published' ? 'watched' : 'done';
      const isOld = now() - row.receivedAt > GIVE_UP_MS;
      const answer = isOld ? null : await this.#send(row, row.reply ?? '', row.outcome === 'preview');
      if (answer === undefined) return;
      // Before the row says so: an event between the two would be missed.
      if (follows === 'watched' && row.signal !== null) this.#watched.add(row.signal);
      await store.answered(row, answer, follows);
      if (follows === 'watched' && row.signal !== null) this.#changed.add(row.signal);
    }
  }

  /** Posts what happened to a signal since the last time. */
  async #postEvents(signal: string): Promise<void> {
    const { store, signals } = this.#options;
    const row = await store.publishedBy(signal);
    if (row?.posting !== 'watched') {
      this.#changed.delete(signal);
      if (row?.posting !== 'answer') this.#watched.delete(signal);
      return;
    }
    if (this.#isPaused(row.channel)) return;
    this.#changed.delete(signal);
    const records = (await signals.records([signal])).get(signal) ?? [];
    const parsed = records.map((record) => ({ n: record.n, record: parseRecord<LogRecord>(record) }));
    const published = parsed.find(({ record }) => record.type === 'published')?.record as PublishedRecord | undefined;
    for (const { n, record } of parsed) {
      if (n <= row.posted) continue;
      const text = eventText(record, published?.instrument.digits ?? 0);
      if (text !== null && (await this.#send(row, `${text}\n${signal}`, false)) === undefined) {
        this.#changed.add(signal);
        return;
      }
      const isOver = record.type === 'closed' || record.type === 'voided';
      await store.setPosted(row, n, isOver ? 'done' : 'watched');
      if (isOver) this.#watched.delete(signal);
    }
  }

  /** The id of what was sent, `null` if it cannot be sent, undefined if it must wait. */
  async #send(row: ChatMessageRow, text: string, asks: boolean): Promise<string | null | undefined> {
    const { channels, sender, now, log } = this.#options;
    const channel = channels.get(row.channel);
    if (channel?.chat == null) return null;
    const message: OutgoingMessage = { text, replyTo: row.message, asks };
    const outcome = await sender.send(channel.chat, message, this.#stop.signal);
    if (outcome.kind === 'sent') {
      this.posted++;
      this.#pauses.delete(row.channel);
      await channels.setProblem(row.channel, null);
      return outcome.id;
    }
    if (this.#stop.signal.aborted) return undefined;
    this.failed++;
    if (outcome.kind === 'refused') {
      log.warn('a message to a chat was refused', { channel: row.channel, why: outcome.reason });
      await channels.setProblem(row.channel, outcome.reason);
      return null;
    }
    const failures = (this.#pauses.get(row.channel)?.failures ?? 0) + 1;
    const waitMs = outcome.afterMs ?? backOffMs(failures, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS });
    this.#pauses.set(row.channel, { until: now() + waitMs, failures });
    this.#isPaused(row.channel);
    return undefined;
  }

  /** A channel that is left out is looked at again when its pause ends. */
  #isPaused(channel: string): boolean {
    const { until = 0 } = this.#pauses.get(channel) ?? {};
    if (this.#options.now() >= until) return false;
    this.#resumeAt = Math.min(this.#resumeAt, until);
    return true;
  }

  /** Until something is to be posted, or a pause ends. */
  async #wait(failedMs: number | null): Promise<void> {
    const { now, channels } = this.#options;
    for (const [channel] of this.#pauses) if (!channels.get(channel)) this.#pauses.delete(channel);
    const ms = failedMs ?? Math.min(IDLE_MS, Math.max(1, this.#resumeAt - now()));
    if (this.#stop.signal.aborted || (this.#isAwake && failedMs === null)) return;
    const woken = Promise.withResolvers<void>();
    this.#wakeUp = woken.resolve;
    const timer = setTimeout(woken.resolve, ms);
    await woken.promise;
    clearTimeout(timer);
  }
}

/** `null` for a record that is not posted. */
function eventText(record: LogRecord, digits: number): string | null {
  switch (record.type) {
    case 'filled':
      return filledText(record, digits);
    case 'exited':
      return exitedText(record, digits);
    case 'closed':
      return closedText(record);
    case 'voided':
      return VOIDED;
    default:
      return null;
  }
}
