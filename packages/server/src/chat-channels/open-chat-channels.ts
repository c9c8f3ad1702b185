// Creates all parts that publish signals from chats, and starts the reader of the Telegram bot, which alerts share.
import { DAY_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import { TelegramLink, type TelegramLinker } from '../delivery/telegram-link.ts';
import type { Log } from '../ops/log.ts';
import type { SignalService } from '../signals/signal-service.ts';
import type { Store } from '../store/store.ts';
import { ChatChannels } from './chat-channels.ts';
import { ChatPoster } from './chat-poster.ts';
import { ChatPublisher, PREVIEW_EXPIRED, PREVIEW_MS } from './chat-publisher.ts';
import { TelegramPresses } from './telegram-presses.ts';
import { TelegramPublishing } from './telegram-publishing.ts';
import { TelegramSender } from './telegram-sender.ts';

/** Messages that published nothing are kept this long. */
export const MESSAGE_DAYS = 30;

export interface OpenChatChannelsOptions {
  readonly store: Store;
  readonly service: SignalService;
  readonly delivery: Delivery;
  /** Links chats as destinations of alerts. */
  readonly linkAlerts: TelegramLinker;
  readonly accountOf: (publicId: string) => AccountState | undefined;
  readonly deletedAccounts: () => readonly string[];
  /** Address of the service; `null` if it is not known. */
  readonly publicUrl: string | null;
  readonly now: () => number;
  readonly log: Log;
}

export interface ChatPublishing {
  readonly channels: ChatChannels;
  /** What needs a bot; `null` without one. */
  readonly telegram: TelegramParts | null;
  /** Ends previews that nobody confirmed, and what deleted accounts had. */
  tidy(): Promise<void>;
  /** Deletes old messages. */
  prune(): Promise<void>;
}

export interface TelegramParts {
  readonly publisher: ChatPublisher;
  readonly poster: ChatPoster;
  linkFor(code: string): string | null;
  start(): void;
  /** Ends what brings new messages. */
  stopReading(): Promise<void>;
}

export async function openChatChannels(options: OpenChatChannelsOptions): Promise<ChatPublishing> {
  const { store, delivery, deletedAccounts, now } = options;
  const channels = await ChatChannels.open({ store: store.chat, now });
  return {
    channels,
    telegram: delivery.bot && openTelegram(options, delivery.bot, channels),
    async tidy() {
      await channels.forget(deletedAccounts());
      await store.chat.expirePreviews(Math.floor(now()) - PREVIEW_MS, PREVIEW_EXPIRED);
    },
    prune: () => store.chat.pruneMessages(Math.floor(now()) - MESSAGE_DAYS * DAY_MS),
  };
}

function openTelegram(
  { store, service, linkAlerts, accountOf, publicUrl, now, log }: OpenChatChannelsOptions,
  bot: NonNullable<Delivery['bot']>,
  channels: ChatChannels,
): TelegramParts {
  const sender = new TelegramSender(bot.api, now);
  const poster = new ChatPoster({ store: store.chat, signals: store.signals, channels, sender, now, log });
  const publisher = new ChatPublisher({
    store: store.chat,
    service,
    accountOf,
    linkOf: (id) => (publicUrl === null ? id : new URL(`/signals/${id}`, publicUrl).href),
    wake: () => poster.wake(),
    now,
  });
  const presses = new TelegramPresses({ bot, publisher, now, log });
  const publishing = new TelegramPublishing({ bot, channels, publisher, presses });
  const link = new TelegramLink({ bot, linkers: [linkAlerts, publishing.link], now });
  return {
    publisher,
    poster,
    linkFor: (code) => bot.linkFor(code),
    start() {
      poster.start();
      bot.start([publishing.take, link.take]);
    },
    stopReading: () => bot.stop(),
  };
}
