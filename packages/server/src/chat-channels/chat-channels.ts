// The chats from which accounts publish. All of them are in memory: each message to a bot is looked up here.
import { randomBytes } from 'node:crypto';
import {
  type AuditAction,
  type ChatChannelChange,
  type ChatChannelRequest,
  type ChatPlatform,
  plural,
} from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sha256Hex } from '../ops/sha256.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { ChatChannelRow, ChatStore } from '../store/chat-store.ts';

const CODE_MS = 15 * MINUTE_MS;

export interface ChatChannelsOptions {
  readonly store: Pick<ChatStore, 'channels' | 'putChannel' | 'deleteChannel'>;
  /** Adds an entry to the audit log. */
  readonly audit: (entry: AuditEntry) => Promise<void>;
  readonly now: () => number;
}

/** A chat as its platform names it. */
export interface Chat {
  readonly platform: ChatPlatform;
  readonly id: string;
  readonly title: string;
  /** The person whose messages count; `null`: all messages of the chat do. */
  readonly author: string | null;
}

/** `taken`: the chat is linked already. */
export type Linking =
  | { readonly kind: 'linked'; readonly channel: ChatChannelRow }
  | { readonly kind: 'taken' }
  | { readonly kind: 'unknown' };

export class ChatChannels {
  readonly #options: ChatChannelsOptions;
  readonly #channels = new Map<string, ChatChannelRow>();
  /** By platform and chat. */
  readonly #linked = new Map<string, ChatChannelRow>();
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(options: ChatChannelsOptions, rows: readonly ChatChannelRow[]) {
    this.#options = options;
    for (const row of rows) this.#keep(row);
  }

  static async open(options: ChatChannelsOptions): Promise<ChatChannels> {
    return new ChatChannels(options, await options.store.channels());
  }

  get size(): number {
    return this.#linked.size;
  }

  /** Oldest first. */
  of(account: string): ChatChannelRow[] {
    return [...this.#channels.values()].filter((row) => row.account === account);
  }

  /** The channel of an account; throws a 404 for any other. */
  own(account: string, id: string): ChatChannelRow {
    const row = this.#channels.get(id);
    if (row?.account === account) return row;
    throw new ServiceError('chat_channel_not_found', 'The account has no chat channel with this id.');
  }

  get(id: string): ChatChannelRow | undefined {
    return this.#channels.get(id);
  }

  linked(platform: ChatPlatform, chat: string): ChatChannelRow | undefined {
    return this.#linked.get(`${platform} ${chat}`);
  }

  /** Channels of a platform that are linked. */
  linkedOn(platform: ChatPlatform): ChatChannelRow[] {
    return [...this.#linked.values()].filter((row) => row.platform === platform);
  }

  /** Creates a channel that waits for its chat; returns its one-time code with it. */
  create(
    { publicId: account, tier }: Pick<AccountState, 'publicId' | 'tier'>,
    request: ChatChannelRequest,
    actor: string,
  ): Promise<{ row: ChatChannelRow; code: string }> {
    const limit = tier.chat_channels;
    return this.#alone(async () => {
      const now = Math.floor(this.#options.now());
      // A code that expired is of no use, and neither is its channel.
      for (const { id, chat, codeExpiresAt } of this.of(account))
        if (chat === null && now >= (codeExpiresAt ?? 0)) await this.#delete(id);
      if (this.of(account).length >= limit)
        throw new ServiceError('too_many_chat_channels', `Your tier allows ${plural(limit, 'chat channel')}.`);
      const code = randomBytes(12).toString('base64url');
      const row: ChatChannelRow = {
        id: `chn_${randomBytes(8).toString('hex')}`,
        account,
        platform: request.platform,
        chat: null,
        title: null,
        mode: request.mode ?? 'review',
        keepText: request.keep_text ? 1 : 0,
        author: null,
        codeHash: sha256Hex(code),
        codeExpiresAt: now + CODE_MS,
        createdAt: now,
        linkedAt: null,
        problem: null,
      };
      await this.#put(row);
      await this.#audit('chat channel created', row, actor);
      return { row, code };
    });
  }

  /** Whether a channel waits for its chat with this code. */
  awaits(platform: ChatPlatform, code: string): boolean {
    const [hash, now] = [sha256Hex(code), this.#options.now()];
    return [...this.#channels.values()].some(
      (row) => row.platform === platform && row.codeHash === hash && now < (row.codeExpiresAt ?? 0),
    );
  }

  /** Links a chat to the channel that has this code. The same chat may send it again. */
  link(code: string, { platform, id, title, author }: Chat): Promise<Linking> {
    return this.#alone(async () => {
      const [hash, now] = [sha256Hex(code), Math.floor(this.#options.now())];
      const row = [...this.#channels.values()].find((each) => each.platform === platform && each.codeHash === hash);
      if (!row || now >= (row.codeExpiresAt ?? 0)) return { kind: 'unknown' };
      if (row.chat === id) return { kind: 'linked', channel: row };
      if (row.chat !== null) return { kind: 'unknown' };
      if (this.linked(platform, id)) return { kind: 'taken' };
      const channel = { ...row, chat: id, title, author, linkedAt: now };
      await this.#put(channel);
      await this.#audit('chat channel linked', channel, platform);
      return { kind: 'linked', channel };
    });
  }

  change(account: string, id: string, { mode, keep_text }: ChatChannelChange): Promise<ChatChannelRow> {
    return this.#alone(() => {
      const row = this.own(account, id);
      const keepText = keep_text === undefined ? row.keepText : keep_text ? 1 : 0;
      return this.#put({ ...row, mode: mode ?? row.mode, keepText });
    });
  }

  /** Notes why the bot cannot answer in a chat; `null` once it can. */
  setProblem(id: string, problem: string | null): Promise<void> {
    return this.#alone(async () => {
      const row = this.#channels.get(id);
      if (row && row.problem !== problem) await this.#put({ ...row, problem });
    });
  }

  /** `actor`: a key, an account, or the platform on which somebody unlinked the chat. */
  remove(account: string, id: string, actor: string): Promise<ChatChannelRow> {
    return this.#alone(async () => {
      const row = this.own(account, id);
      await this.#delete(id);
      await this.#audit('chat channel removed', row, actor);
      return row;
    });
  }

  /** Removes the channels of accounts that were deleted. */
  forget(accounts: readonly string[]): Promise<void> {
    const deleted = new Set(accounts);
    return this.#alone(async () => {
      for (const { id, account } of [...this.#channels.values()]) if (deleted.has(account)) await this.#delete(id);
    });
  }

  /** Changes follow each other: none overwrites another. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#lastChange.then(work);
    this.#lastChange = running.catch(() => {});
    return running;
  }

  #audit(action: AuditAction, { account, id, platform, title }: ChatChannelRow, actor: string): Promise<void> {
    const subject = title === null ? `${id} on ${platform}` : `${id} on ${platform}: ${title}`;
    return this.#options.audit({ at: Math.floor(this.#options.now()), actor, action, subject, account });
  }

  async #put(row: ChatChannelRow): Promise<ChatChannelRow> {
    await this.#options.store.putChannel(row);
    this.#keep(row);
    return row;
  }

  async #delete(id: string): Promise<void> {
    await this.#options.store.deleteChannel(id);
    const row = this.#channels.get(id);
    this.#channels.delete(id);
    if (row?.chat != null) this.#linked.delete(`${row.platform} ${row.chat}`);
  }

  #keep(row: ChatChannelRow): void {
    this.#channels.set(row.id, row);
    if (row.chat !== null) this.#linked.set(`${row.platform} ${row.chat}`, row);
  }
}
