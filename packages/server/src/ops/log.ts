// The log: one line per entry on standard error, as JSON or, in a terminal, as plain text. It never contains secrets:
// anything that looks like a key is reduced to its public part.
import { iso } from '@tickwire/contract';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** Each with its public part first. */
const SECRETS: readonly RegExp[] = [
  // API keys, and the secrets of webhooks.
  /\b(tw_[0-9a-z]+_)[0-9A-Za-z]+/g,
  /\b(whsec_)[\w+/=-]+/g,
  // Tokens of Telegram bots.
  /\b((?:bot)?\d{5,20}:)[\w-]{20,100}/g,
  // Tokens of Discord bots.
  /\b([\w-]{18,60}\.[\w-]{4,12}\.)[\w-]{20,80}/g,
  // Addresses of Discord's and Slack's webhooks, which anybody who knows them can use.
  /(\/api\/webhooks\/\d+\/)[\w-]+/g,
  /(\/services\/T\w+\/)[\w/-]+/g,
  // Links that unsubscribe a destination.
  /(\/unsubscribe\/[\w-]{1,64}\.)[\w-]+/g,
];

export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((shown, secret) => shown.replace(secret, '$1…'), text);

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Whether entries of the level are written. Check it to avoid computing fields for nothing. */
  writes(level: LogLevel): boolean;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Plain text instead of JSON. */
  readonly plain: boolean;
  readonly write: (line: string) => void;
  readonly now?: () => number;
}

export function createLog({ level, plain, write, now = Date.now }: LogOptions): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(name) < threshold) return;
      const time = iso(now());
      const line = plain
        ? `${time.slice(11, 23)} ${name.padEnd(5)} ${message}${pairs(fields)}`
        : JSON.stringify({ time, level: name, message, ...flat(fields) });
      write(`${withoutSecrets(line)}\n`);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    writes: (name) => LOG_LEVELS.indexOf(name) >= threshold,
  };
}

/** The log on standard error: plain text in a terminal, else JSON. */
export const stderrLog = (level: LogLevel): Log =>
  createLog({ level, plain: process.stderr.isTTY, write: (line) => process.stderr.write(line) });

export const silentLog: Log = createLog({ level: 'silent', plain: true, write: () => {} });

function flat(fields: LogFields): LogFields {
  const errors = Object.entries(fields).filter(([, value]) => value instanceof Error);
  if (errors.length === 0) return fields;
  return {
    ...fields,
    ...Object.fromEntries(errors.map(([key, value]) => [key, (value as Error).stack ?? String(value)])),
  };
}

const pairs = (fields: LogFields): string =>
  Object.entries(flat(fields))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
