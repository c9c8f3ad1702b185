// The log: one line per entry on standard error, JSON where a machine reads it, plain where a person does.
// No secret may pass: whatever looks like a key is cut to its public part.

export const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type Level = (typeof LEVELS)[number];
export type Fields = Readonly<Record<string, unknown>>;

const KEY = /\b(tw_[0-9a-z]+)_[0-9A-Za-z]+/g;

export const withoutSecrets = (text: string): string => text.replace(KEY, '$1_…');

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** Whether entries of the level are written: spares the making of fields nobody reads. */
  writes(level: Level): boolean;
}

export interface LogOptions {
  readonly level: Level;
  /** Plain lines for a person instead of JSON. */
  readonly plain: boolean;
  readonly write: (line: string) => void;
  readonly now?: () => number;
}

export function createLog({ level, plain, write, now = Date.now }: LogOptions): Log {
  const threshold = LEVELS.indexOf(level);
  const at =
    (name: Level) =>
    (message: string, fields: Fields = {}): void => {
      if (LEVELS.indexOf(name) < threshold) return;
      const time = new Date(now()).toISOString();
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
    writes: (name) => LEVELS.indexOf(name) >= threshold,
  };
}

export const silentLog: Log = createLog({ level: 'silent', plain: true, write: () => {} });

function flat(fields: Fields): Fields {
  const errors = Object.entries(fields).filter(([, value]) => value instanceof Error);
  if (errors.length === 0) return fields;
  return {
    ...fields,
    ...Object.fromEntries(errors.map(([key, value]) => [key, (value as Error).stack ?? String(value)])),
  };
}

const pairs = (fields: Fields): string =>
  Object.entries(flat(fields))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
