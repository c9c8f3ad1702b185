// Heads of the signal log and where they go: part of the table in settings.ts.
import { z } from 'zod';
import { httpAddress, nonEmpty, numberFrom, words } from './setting-kinds.ts';

const withoutCredentials = (url: string): boolean => URL.parse(url)?.username === '' && URL.parse(url)?.password === '';
const place = (url: string): string => `${URL.parse(url)?.origin}${URL.parse(url)?.pathname}`;

export const HEAD_SETTINGS = {
  head_file: {
    ...nonEmpty('a file'),
    fallback: null,
    help: 'file to which signed heads of the signal log are appended',
  },
  head_webhook: {
    schema: httpAddress,
    fallback: null,
    allowed: 'an http or https address',
    help: 'URL to which signed heads of the signal log are posted',
  },
  head_telegram: {
    schema: z
      .string()
      .regex(/^\d{1,20}:[\w-]{20,100}\/(@\w{3,64}|-?\d{1,20})$/)
      .transform((text) => {
        const [token = '', chat = ''] = text.split('/');
        return { token, chat };
      }),
    fallback: null,
    allowed:
      'the token of a bot and a chat, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u/@my_channel or …/-1001234567890',
    help: 'Telegram bot and chat that get the heads of the signal log as messages',
    secret: true,
  },
  head_telegram_url: {
    schema: httpAddress.refine(withoutCredentials),
    fallback: 'https://api.telegram.org',
    allowed: 'an http or https address',
    help: 'address of the Telegram Bot API',
  },
  head_minutes: {
    ...numberFrom(0.01, 10_080, 'minutes'),
    fallback: 60,
    help: 'interval between heads',
  },
  timestamp_urls: {
    schema: words.pipe(
      z
        .array(httpAddress.refine(withoutCredentials))
        .max(8)
        .refine((urls) => new Set(urls.map(place)).size === urls.length),
    ),
    fallback: [] as readonly string[],
    allowed: 'up to 8 different http or https addresses without a user name, comma-separated',
    help: 'RFC 3161 authorities that time-stamp the heads of the signal log',
  },
  timestamp_ca: {
    ...nonEmpty('a PEM file'),
    fallback: null,
    help: 'root certificates of time-stamp authorities (default: the public roots that come with the runtime)',
  },
} as const;
