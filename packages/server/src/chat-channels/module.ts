// Publishing from chats: linked chats, their messages, and edits of the messages of signals.
import type { ChatPlatform } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import { writerRoutes } from '../http/handler.ts';
import type { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import type { Module } from '../module/module.ts';
import { notFound } from '../signals/signal-requests.ts';
import type { Store } from '../store/store.ts';
import { chatChannelHandlers, editJson, listJson } from './chat-channel-handlers.ts';
import type { ChatBot, ChatPublishing } from './open-chat-channels.ts';

export interface ChatChannelsModuleOptions {
  /** `null` on a gateway node. */
  readonly writer: ChatPublishing | null;
  readonly store: Pick<Store, 'chat' | 'signals'>;
  readonly secrets: IdempotentSecrets;
}

export function chatChannelsModule({ writer, store, secrets }: ChatChannelsModuleOptions): Module {
  const handlers = writer && chatChannelHandlers({ chats: writer, store: store.chat, secrets });
  const platforms = writer?.platforms ?? new Map<ChatPlatform, ChatBot>();
  const bots = [...platforms.values()];
  return {
    routes: {
      ...writerRoutes(handlers, {
        chatChannels: (each, call) => each.chatChannels(call),
        createChatChannel: (each, call) => each.createChatChannel(call),
        changeChatChannel: (each, call) => each.changeChatChannel(call),
        deleteChatChannel: (each, call) => each.deleteChatChannel(call),
        chatMessages: (each, call) => each.chatMessages(call),
      }),
      async signalEdits({ params }) {
        const id = params.id!;
        return withStoreErrors(async () => {
          const edits = await store.chat.edits(id);
          if (edits.length === 0 && !(await store.signals.signal(id))) throw notFound(id);
          return listJson(edits.map(editJson));
        });
      },
    },
    readers: bots.map(({ poster }) => ({ phase: 'lists', read: poster.read })),
    metrics(metrics) {
      if (!writer) return;
      metrics.gauge('tickwire_chat_channels', 'Chats linked for publishing', () => writer.channels.size);
      metrics.gauge('tickwire_chat_bot_ok', '1 while the bot of a platform can read messages', () =>
        [...platforms].map(([platform, bot]) => [{ platform }, bot.isReading() ? 1 : 0] as const),
      );
      metrics.counter('tickwire_chat_messages_total', 'Messages read from linked chats, by outcome', () =>
        [...writer.publisher.counts].map(([outcome, count]) => [{ outcome }, count] as const),
      );
      metrics.counter('tickwire_chat_posts_total', 'Messages sent to linked chats', () =>
        bots.reduce((sum, { poster }) => sum + poster.posted, 0),
      );
      metrics.counter(
        'tickwire_chat_post_failures_total',
        'Attempts to send a message to a linked chat that failed',
        () => bots.reduce((sum, { poster }) => sum + poster.failed, 0),
      );
    },
    start(timers) {
      if (!writer) return;
      timers.every(MINUTE_MS, 'ending previews of chats', () => writer.tidy());
      timers.every(HOUR_MS, 'deleting old messages of chats', () => writer.prune());
      for (const bot of bots) bot.start();
    },
    async stop() {
      await Promise.all(bots.map((bot) => bot.stopReading()));
    },
    async drain() {
      await Promise.all(bots.map(({ poster }) => poster.stop()));
    },
  };
}
