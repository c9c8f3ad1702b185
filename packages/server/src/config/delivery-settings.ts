// Channels over which messages are delivered, and bots: part of the table in settings.ts.
import { createECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { flag, httpAddress, nonEmpty } from './setting-kinds.ts';

const ADDRESS = /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+\.[^\s\p{Cc}@<>,;:"()[\]\\]+$/u;
/** `Name <address>`, or the address alone. Neither part can start another header. */
const MAILBOX = /^(?:([^\p{Cc}<>"]{1,64}?)\s*<([^<>]+)>|([^<>]+))$/u;

const botApi = httpAddress.refine((text) => URL.parse(text)?.username === '' && URL.parse(text)?.search === '');

export const DELIVERY_SETTINGS = {
  delivery_allow_private: {
    ...flag,
    fallback: false,
    help: 'whether webhooks may have private and link-local addresses, such as those of this machine and its network',
  },
  delivery_key: {
    ...nonEmpty('a file'),
    fallback: null,
    help: 'key that encrypts addresses and secrets of destinations (default delivery.key in the data folder); the same for all nodes of a cluster',
  },
  telegram_bot_token: {
    schema: z.string().regex(/^\d{1,20}:[\w-]{20,100}$/),
    fallback: null,
    allowed: 'the token of a bot, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u',
    help: 'Telegram bot that delivers messages and links chats',
    secret: true,
  },
  telegram_api_url: {
    schema: botApi,
    fallback: 'https://api.telegram.org',
    allowed: 'an http or https address',
    help: 'address of the Telegram Bot API for deliveries',
  },
  discord_bot_token: {
    schema: z.string().regex(/^[\w-]{18,60}\.[\w-]{4,12}\.[\w-]{20,80}$/),
    fallback: null,
    allowed: 'the token of a bot: three parts separated by dots',
    help: 'Discord bot from whose channels accounts publish',
    secret: true,
  },
  discord_api_url: {
    schema: botApi,
    fallback: 'https://discord.com',
    allowed: 'an http or https address',
    help: 'address of the Discord API, without /api',
  },
  smtp_url: {
    schema: z.string().refine(isSmtpAddress),
    fallback: null,
    allowed: 'an address such as smtps://user:password@mail.example.org, or smtp:// for STARTTLS',
    help: 'mail server that delivers e-mail; needs mail_from and public_url',
    secret: true,
  },
  mail_from: {
    schema: z.string().max(320).refine(isMailbox).transform(readMailbox),
    fallback: null,
    allowed: 'an e-mail address, such as alerts@example.org or Tickwire <alerts@example.org>',
    help: 'sender of e-mail',
  },
  vapid_subject: {
    schema: z.string().max(320).refine(isVapidSubject),
    fallback: null,
    allowed: 'a contact that push services accept: mailto: with an e-mail address, or a public https address',
    help: 'contact for push services (VAPID subject); enables push messages',
  },
  vapid_private_key: {
    schema: z.string().refine(isPrivateKey),
    fallback: null,
    allowed: 'a P-256 private key: 32 bytes in base64url',
    help: 'key that signs push messages (default vapid.key in the data folder); the same for all nodes of a cluster',
    secret: true,
  },
} as const;

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

function readMailbox(text: string): Mailbox {
  const [, name = '', bracketed, bare] = MAILBOX.exec(text.trim()) ?? [];
  return { name, address: bracketed ?? bare ?? '' };
}

function isMailbox(text: string): boolean {
  return ADDRESS.test(readMailbox(text).address);
}

function isSmtpAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return url.search === '' && url.hash === '' && /^\/?$/.test(url.pathname) && decodes(url.username + url.password);
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** RFC 8292, 2.1. Push services refuse contacts that nobody outside this machine can reach. */
function isVapidSubject(text: string): boolean {
  const isPublicName = (name: string): boolean =>
    /^[^.]+(\.[^.]+)+$/.test(name) && isIP(name) === 0 && !/\.(localhost|local|internal|localdomain)$/i.test(name);
  if (text.startsWith('mailto:')) {
    const address = text.slice('mailto:'.length);
    return ADDRESS.test(address) && isPublicName(address.split('@')[1]!);
  }
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && isPublicName(url.hostname);
}

function isPrivateKey(text: string): boolean {
  if (!/^[\w-]{43}=?$/.test(text)) return false;
  try {
    createECDH('prime256v1').setPrivateKey(Buffer.from(text, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
