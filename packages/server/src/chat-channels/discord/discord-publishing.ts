// Events of Discord channels and private chats with the bot. Anybody may write in a channel, so that only the messages of the person who
// linked it count; somebody who links a channel must manage it.
import type { ChatChannelRow } from '../../store/chat-store.ts';
import { LruMap } from '../../work/lru-map.ts';
import { RateLimiter } from '../../work/rate-limiter.ts';
import type { ChatChannels } from '../chat-channels.ts';
import type { ChatPublisher } from '../chat-publisher.ts';
import { linkedText, UNLINKED, WRONG_CODE } from '../chat-texts.ts';
import type { DiscordApi } from './discord-api.ts';
import type { DiscordReader } from './discord-bot.ts';
import { type DiscordEvent, type DiscordMessage, fieldsOf, timeOfId } from './discord-events.ts';
import { createBody } from './discord-messages.ts';
import { managesChannel } from './discord-permissions.ts';
import type { DiscordPresses } from './discord-presses.ts';

const TAKEN = 'This chat is linked already. Write !unlink first.';
const UNLINK = /^[/!]?unlink$/i;
/** Text channels and announcement channels. */
const LINKABLE: readonly unknown[] = [0, 5];
const MAX_TITLE = 128;
/** Codes in a chat whose authors' permissions are looked up, in a minute. */
const LOOKUPS_PER_MINUTE = 5;
const MAX_DELETIONS = 10_000;

export interface DiscordPublishingOptions {
  readonly api: DiscordApi;
  readonly channels: ChatChannels;
  readonly publisher: ChatPublisher;
  readonly presses: DiscordPresses;
  readonly now: () => number;
}

export class DiscordPublishing implements DiscordReader {
  readonly #options: DiscordPublishingOptions;
  /** Ids of messages that were deleted: one that is delivered later is not published. */
  readonly #deleted = new LruMap<string, true>(MAX_DELETIONS);
  /** Answers about wrong codes and rights that a chat is sent. */
  readonly #refusals = new RateLimiter({ limit: 1 });
  readonly #lookups = new RateLimiter({ limit: LOOKUPS_PER_MINUTE });

  constructor(options: DiscordPublishingOptions) {
    this.#options = options;
  }

  chats() {
    return this.#options.channels
      .linkedOn('discord')
      .map(({ chat, linkedAt }) => ({ chat: chat!, since: linkedAt ?? 0 }));
  }

  concerns(event: DiscordEvent): boolean {
    const channel = this.#linked(event.chat);
    if (event.kind !== 'message') return channel !== undefined;
    const { code, author } = event.message;
    return code !== null || (channel ? channel.author === author.id : event.server === null);
  }

  async take(event: DiscordEvent): Promise<void> {
    const { channels, publisher, presses } = this.#options;
    const channel = this.#linked(event.chat);
    if (event.kind === 'message') {
      const { code } = event.message;
      if (code !== null && channels.awaits('discord', code)) return this.#link(code, event);
    }
    if (!channel) return this.#explain(event);
    switch (event.kind) {
      case 'press':
        return presses.take(channel, event);
      case 'deletion':
        for (const id of event.ids) {
          this.#deleted.set(id, true);
          await publisher.remove(channel, id);
        }
        return;
      default: {
        const { id, author, text, repliesTo } = event.message;
        if (author.id !== channel.author || this.#deleted.get(id)) return;
        if (event.kind === 'message' && UNLINK.test(text.trim())) return this.#unlink(channel, event.message);
        const message = { id, text, repliesTo, sentAt: timeOfId(id), isPublic: event.server !== null };
        await (event.kind === 'edit' ? publisher.edit(channel, message) : publisher.receive(channel, message));
      }
    }
  }

  #linked(chat: string): ChatChannelRow | undefined {
    return this.#options.channels.linked('discord', chat);
  }

  /** In a private chat, every message is meant for the bot. */
  async #explain(event: DiscordEvent): Promise<void> {
    if (event.kind !== 'message' || event.server !== null) return;
    const { code } = event.message;
    await this.#refuse(
      event,
      code === null ? 'Send me the code that Tickwire shows you to link this chat.' : WRONG_CODE,
    );
  }

  async #link(code: string, event: Extract<DiscordEvent, { kind: 'message' | 'edit' }>): Promise<void> {
    const { message, chat, server } = event;
    const { author } = message;
    // Before anything is looked up: any reader may post a code, and the chat of a publisher must not wait for that.
    if (this.#linked(chat)) return this.#refuse(event, TAKEN);
    if (server !== null && this.#lookups.take(chat, this.#options.now()) > 0) return;
    const place = server === null ? { title: author.name } : await this.#managedChannel(chat, server, message);
    if ('refusal' in place) return this.#refuse(event, place.refusal);
    const linking = await this.#options.channels.link(code, {
      ...{ platform: 'discord', id: chat, title: place.title, author: author.id },
    });
    switch (linking.kind) {
      case 'linked':
        return this.#say(chat, message.id, linkedText(linking.channel.mode));
      case 'taken':
        return this.#refuse(event, TAKEN);
      case 'unknown':
        return this.#refuse(event, WRONG_CODE);
    }
  }

  /** Its title, if the author of the message manages it. */
  async #managedChannel(
    chat: string,
    server: string,
    { author, roles }: DiscordMessage,
  ): Promise<{ readonly title: string } | { readonly refusal: string }> {
    const channel = fieldsOf(await this.#options.api.read(`/channels/${chat}`));
    if (!LINKABLE.includes(channel.type)) return { refusal: 'Only a text or announcement channel can be linked.' };
    if (!managesChannel(await this.#options.api.read(`/guilds/${server}`), channel, { id: author.id, roles }))
      return { refusal: 'Only somebody with the permission Manage Channels can link this channel.' };
    return { title: `#${channel.name}`.slice(0, MAX_TITLE) };
  }

  async #unlink({ account, id, chat, platform }: ChatChannelRow, message: DiscordMessage): Promise<void> {
    await this.#options.channels.remove(account, id, platform);
    await this.#say(chat!, message.id, UNLINKED);
  }

  /** At most once a minute for a chat: nobody can make the bot write more. */
  async #refuse({ chat, message }: Extract<DiscordEvent, { kind: 'message' | 'edit' }>, text: string): Promise<void> {
    if (this.#refusals.take(chat, this.#options.now()) === 0) await this.#say(chat, message.id, text);
  }

  /** An answer that fails is not repeated. */
  async #say(chat: string, replyTo: string, text: string): Promise<void> {
    await this.#options.api.call('POST', `/channels/${chat}/messages`, createBody({ text, replyTo, asks: false }));
  }
}
