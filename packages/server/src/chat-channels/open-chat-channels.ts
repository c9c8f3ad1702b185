// Creates all parts that publish signals from chats. The reader of the Telegram bot is shared with alerts.
import type { ChatPlatform } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Config } from '../config/config.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import { TelegramLink, type TelegramLinker } from '../delivery/telegram-link.ts';
import type { Log } from '../ops/log.ts';
import type { SignalService } from '../signals/signal-service.ts';
import type { Store } from '../store/store.ts';
import { ChatChannels } from './chat-channels.ts';
import type { ChatSender } from './chat-platform.ts';
import { ChatPoster } from './chat-poster.ts';
import { ChatPublisher, PREVIEW_EXPIRED, PREVIEW_MS } from './chat-publisher.ts';
import { DiscordApi, type DiscordSettings } from './discord/discord-api.ts';
import { DiscordBot } from './discord/discord-bot.ts';
import { DiscordPresses } from './discord/discord-presses.ts';
import { DiscordPublishing } from './discord/discord-publishing.ts';
import { DiscordSender } from './discord/discord-sender.ts';
import { TelegramPresses } from './telegram-presses.ts';
import { TelegramPublishing } from './telegram-publishing.ts';
import { TelegramSender } from './telegram-sender.ts';

/** Messages that published nothing are kept this long. */
export const MESSAGE_DAYS = 30;

export interface OpenChatChannelsOptions {
  readonly config: Pick<Config, 'discord_bot_token' | 'discord_api_url' | 'proxies'>;
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
  readonly publisher: ChatPublisher;
  /** Those with a bot. */
  readonly platforms: ReadonlyMap<ChatPlatform, ChatBot>;
  /** Ends previews that nobody confirmed, and what deleted accounts had. */
  tidy(): Promise<void>;
  /** Deletes old messages. */
  prune(): Promise<void>;
}

export interface ChatBot {
  readonly poster: ChatPoster;
  isReading(): boolean;
  linkFor(code: string): string | null;
  start(): void;
  /** Ends what brings new messages. */
  stopReading(): Promise<void>;
}

/** What the bots share. */
interface Shared extends OpenChatChannelsOptions {
  readonly channels: ChatChannels;
  readonly publisher: ChatPublisher;
  posterOf(platform: ChatPlatform, sender: ChatSender): ChatPoster;
}

export async function openChatChannels(options: OpenChatChannelsOptions): Promise<ChatPublishing> {
  const { config, store, service, delivery, accountOf, deletedAccounts, publicUrl, now, log } = options;
  const channels = await ChatChannels.open({ store: store.chat, audit: (entry) => store.access.audit(entry), now });
  const platforms = new Map<ChatPlatform, ChatBot>();
  const publisher = new ChatPublisher({
    store: store.chat,
    service,
    accountOf,
    linkOf: (id) => (publicUrl === null ? id : new URL(`/signals/${id}`, publicUrl).href),
    wake() {
      for (const { poster } of platforms.values()) poster.wake();
    },
    now,
  });
  const shared: Shared = {
    ...options,
    channels,
    publisher,
    posterOf: (platform, sender) =>
      new ChatPoster({ platform, store: store.chat, signals: store.signals, channels, sender, now, log }),
  };
  if (delivery.bot) platforms.set('telegram', openTelegram(shared, delivery.bot));
  const { discord_bot_token: token, discord_api_url: url } = config;
  if (token !== null) platforms.set('discord', openDiscord(shared, { token, url }));
  return {
    channels,
    publisher,
    platforms,
    async tidy() {
      await channels.forget(deletedAccounts());
      await store.chat.expirePreviews(Math.floor(now()) - PREVIEW_MS, PREVIEW_EXPIRED);
    },
    prune: () => store.chat.pruneMessages(Math.floor(now()) - MESSAGE_DAYS * DAY_MS),
  };
}

function openTelegram(
  { channels, publisher, posterOf, linkAlerts, now, log }: Shared,
  bot: NonNullable<Delivery['bot']>,
): ChatBot {
  const poster = posterOf('telegram', new TelegramSender(bot.api, now));
  const presses = new TelegramPresses({ bot, publisher, now, log });
  const publishing = new TelegramPublishing({ bot, channels, publisher, presses });
  const link = new TelegramLink({ bot, linkers: [linkAlerts, publishing.link], now });
  return {
    poster,
    isReading: () => bot.isReading,
    linkFor: (code) => bot.linkFor(code),
    start() {
      poster.start();
      bot.start([publishing.take, link.take]);
    },
    stopReading: () => bot.stop(),
  };
}

function openDiscord(
  { config, channels, publisher, posterOf, delivery, now, log }: Shared,
  settings: DiscordSettings,
): ChatBot {
  const api = new DiscordApi({ http: delivery.http, settings, now });
  const poster = posterOf('discord', new DiscordSender(api));
  const presses = new DiscordPresses({ api, publisher, now, log });
  const publishing = new DiscordPublishing({ api, channels, publisher, presses, now });
  const bot = new DiscordBot({ api, settings, reader: publishing, log, proxies: config.proxies });
  return {
    poster,
    isReading: () => bot.isReading,
    linkFor: () => bot.inviteLink,
    start() {
      poster.start();
      bot.start();
    },
    stopReading: () => bot.stop(),
  };
}
