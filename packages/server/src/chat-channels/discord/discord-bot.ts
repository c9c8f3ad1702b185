// Reads what happens in the Discord channels of publishers. Events of a chat are taken in order. A new session, as after a restart, does
// not deliver what was missed: then the newest messages of each linked chat are fetched, and taken like any other.
import { DAY_MS } from '@tickwire/engine';
import type { ProxySettings } from '../../config/proxy.ts';
import { type Taking, takeRepeatedly } from '../../delivery/take-repeatedly.ts';
import type { Log } from '../../ops/log.ts';
import type { DiscordApi, DiscordSettings } from './discord-api.ts';
import { type DiscordEvent, type Fields, fieldsOf, isId, readEvent, readMessage, timeOfId } from './discord-events.ts';
import { DiscordGateway } from './discord-gateway.ts';

/** Events that wait to be taken. Messages beyond are left out, and fetched once none waits. */
const MAX_WAITING = 1_000;
/** The most that Discord returns. */
const MISSED_MESSAGES = 100;
const MISSED_MS = DAY_MS;
const FETCHES_AT_ONCE = 8;
/** View Channel, Send Messages and Read Message History. */
const PERMISSIONS = (1 << 10) | (1 << 11) | (1 << 16);

export interface DiscordReader {
  /** Whether an event may have to be taken. */
  concerns(event: DiscordEvent): boolean;
  /** If it throws, the event is taken again. */
  take(event: DiscordEvent): Promise<void>;
  /** Linked chats, and since when. */
  chats(): readonly { readonly chat: string; readonly since: number }[];
}

export interface DiscordBotOptions {
  readonly api: DiscordApi;
  readonly settings: DiscordSettings;
  readonly reader: DiscordReader;
  readonly log: Log;
  readonly proxies?: ProxySettings;
  /** For tests: see `DiscordGatewayOptions`. */
  readonly waitMs?: number;
}

export class DiscordBot {
  readonly #options: DiscordBotOptions;
  readonly #gateway: DiscordGateway;
  readonly #stop = new AbortController();
  /** Chats with events that are not taken yet. */
  readonly #chats = new Map<string, Promise<void>>();
  #waiting = 0;
  /** Whether messages were left out since the last fetch began. */
  #isMissing = false;
  #fetching: Promise<void> | null = null;
  #application: string | null = null;

  constructor(options: DiscordBotOptions) {
    const { api, settings, log, proxies, waitMs } = options;
    this.#options = options;
    this.#gateway = new DiscordGateway({
      ...{ api, token: settings.token, log, proxies, waitMs },
      onEvent: (name, given) => this.#read(name, given),
      onSession: (ready) => this.#begin(ready),
    });
  }

  /** Address that adds the bot to a server; `null` while it is not known. */
  get inviteLink(): string | null {
    if (this.#application === null) return null;
    const link = new URL('/oauth2/authorize', this.#options.settings.url);
    link.search = `?client_id=${this.#application}&scope=bot&permissions=${PERMISSIONS}`;
    return link.href;
  }

  get isReading(): boolean {
    return this.#gateway.isReading;
  }

  start(): void {
    this.#gateway.start();
  }

  /** What was read and is not taken yet is fetched by the next session. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#options.api.stop();
    await this.#gateway.stop();
    await this.#fetching;
    await Promise.all(this.#chats.values());
  }

  #read(name: string, given: unknown): void {
    const event = readEvent(name, given);
    // A chat with waiting events may be about to be linked.
    if (event && (this.#chats.has(event.chat) || this.#options.reader.concerns(event))) this.#queue(event);
  }

  /** False if too many wait. */
  #queue(event: DiscordEvent): boolean {
    const { reader, log } = this.#options;
    if (this.#waiting >= MAX_WAITING) {
      if (!this.#isMissing) log.warn('too many messages of Discord wait: they are fetched later');
      this.#isMissing = true;
      return false;
    }
    this.#waiting++;
    const { chat } = event;
    const running: Promise<void> = Promise.resolve(this.#chats.get(chat))
      .then(() => takeRepeatedly(() => reader.take(event), this.#taking('take a message to the Discord bot')))
      .then(() => {
        this.#waiting--;
        if (this.#chats.get(chat) === running) this.#chats.delete(chat);
        this.#fetchIfMissing();
      });
    this.#chats.set(chat, running);
    return true;
  }

  #begin({ application }: Fields): void {
    const { id } = fieldsOf(application);
    if (isId(id)) this.#application = id;
    this.#isMissing = true;
    this.#fetchIfMissing();
  }

  /** One chat after the other, so that few of the fetched messages wait. */
  #fetchIfMissing(): void {
    if (!this.#isMissing || this.#waiting > 0 || this.#fetching || this.#stop.signal.aborted) return;
    this.#isMissing = false;
    const chats = this.#options.reader.chats().values();
    const fetchAll = async (): Promise<void> => {
      for (const { chat, since } of chats) {
        await takeRepeatedly(
          () => this.#fetchMissed(chat, since),
          this.#taking(`fetch what was missed in chat ${chat} of Discord`),
        );
        await this.#chats.get(chat);
      }
    };
    this.#fetching = Promise.all(Array.from({ length: FETCHES_AT_ONCE }, fetchAll)).then(() => {
      this.#fetching = null;
      this.#fetchIfMissing();
    });
  }

  async #fetchMissed(chat: string, linkedAt: number): Promise<void> {
    const { api, reader } = this.#options;
    const since = Math.max(linkedAt, Date.now() - MISSED_MS);
    const channel = fieldsOf(await api.read(`/channels/${chat}`, this.#stop.signal));
    const { last_message_id, guild_id } = channel;
    if (!isId(last_message_id) || timeOfId(last_message_id) <= since) return;
    const found = await api.read(`/channels/${chat}/messages?limit=${MISSED_MESSAGES}`, this.#stop.signal);
    const messages = (Array.isArray(found) ? found : []).map(readMessage).filter((message) => message !== null);
    const server = isId(guild_id) ? guild_id : null;
    for (const message of messages.toReversed()) {
      const event: DiscordEvent = { chat, server, kind: message.isEdited ? 'edit' : 'message', message };
      if (timeOfId(message.id) <= since || (event.kind === 'message' && message.text === '')) continue;
      if (reader.concerns(event) && !this.#queue(event)) return;
    }
  }

  #taking(what: string): Taking {
    return { what, signal: this.#stop.signal, log: this.#options.log, waitMs: this.#options.waitMs };
  }
}
