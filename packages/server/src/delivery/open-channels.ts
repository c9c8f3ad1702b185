// Opens the channels that are configured. Webhooks, Discord and Slack need no settings.
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { VAPID_KEY } from '../store/delivery-store.ts';
import type { Channel, Channels } from './channel.ts';
import { discordChannel } from './channels/discord.ts';
import { emailChannel } from './channels/email.ts';
import { pushChannel } from './channels/push.ts';
import { slackChannel } from './channels/slack.ts';
import { telegramChannel } from './channels/telegram.ts';
import { webhookChannel } from './channels/webhook.ts';
import { OutgoingHttp } from './outgoing-http.ts';
import { TelegramApi } from './telegram-api.ts';
import { readVapidKeys } from './vapid-key.ts';

export type ChannelSettings = Pick<
  Config,
  | 'data'
  | 'delivery_allow_private'
  | 'telegram_bot_token'
  | 'telegram_api_url'
  | 'smtp_url'
  | 'mail_from'
  | 'vapid_subject'
  | 'vapid_private_key'
  | 'proxies'
>;

export interface OpenChannels {
  readonly channels: Channels;
  /** Checks addresses of new destinations. */
  readonly http: OutgoingHttp;
  /** For `pushManager.subscribe`; `null` if push is not configured. */
  readonly pushKey: string | null;
  /** For linking chats; `null` without a bot. */
  readonly telegram: TelegramApi | null;
}

/** Throws `ConfigError` if a key cannot be read. */
export function openChannels(settings: ChannelSettings): OpenChannels {
  const { delivery_allow_private, telegram_bot_token, telegram_api_url, smtp_url, mail_from, proxies } = settings;
  const { vapid_subject, vapid_private_key, data } = settings;
  const http = new OutgoingHttp({ allowPrivate: delivery_allow_private, proxies });
  const channels: Channel[] = [webhookChannel(http), discordChannel(http), slackChannel(http)];
  const telegram =
    telegram_bot_token === null ? null : new TelegramApi(http, { token: telegram_bot_token, url: telegram_api_url });
  if (telegram) channels.push(telegramChannel(telegram));
  if (smtp_url !== null && mail_from !== null) channels.push(emailChannel({ url: smtp_url, from: mail_from }));
  const keys = vapid_subject === null ? null : readVapidKeys(vapid_private_key, join(data, VAPID_KEY));
  if (keys && vapid_subject !== null) channels.push(pushChannel(http, { subject: vapid_subject, ...keys }));
  return {
    channels: new Map(channels.map((channel) => [channel.name, channel])),
    http,
    pushKey: keys?.publicKey ?? null,
    telegram,
  };
}
