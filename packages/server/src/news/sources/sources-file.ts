// Reads the operator's own list of feeds (JSON).
import { readFileSync } from 'node:fs';
import { NEWS_CATEGORIES } from '@tickwire/contract';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { z } from 'zod';
import { ConfigError } from '../../config/config.ts';
import { firstFault } from '../../errors/validation.ts';
import type { FeedSource } from './polled-source.ts';

export const DEFAULT_INTERVAL_SECONDS = 60;
/** Shorter intervals gain nothing, because publishers cache for longer, and are impolite. */
export const MIN_INTERVAL_SECONDS = 15;
const MAX_SOURCES = 500;

export const FeedUrl = z
  .string()
  .max(2_048)
  .refine(isHttp, 'must be an http or https address')
  .refine(hasNoPassword, 'must not contain a user name or password, because addresses are logged and displayed');

/** Fields of every list of polled sources: how often, and how publishers can reach the operator (sent in the User-Agent). */
export const pollingFields = (minSeconds: number, defaultSeconds: number) => ({
  interval_seconds: z
    .number()
    .min(minSeconds)
    .max(DAY_MS / SECOND_MS)
    .default(defaultSeconds),
  contact: z
    .string()
    .regex(/^[\x20-\x27\x2a-\x7e]{1,200}$/, 'must be plain ASCII without brackets')
    .nullable()
    .default(null),
});

const SourcesFile = z.strictObject({
  ...pollingFields(MIN_INTERVAL_SECONDS, DEFAULT_INTERVAL_SECONDS),
  sources: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        url: FeedUrl,
        category: z.enum(NEWS_CATEGORIES).nullable().default(null),
        weight: z.number().min(0).max(100).default(1),
      }),
    )
    .min(1)
    .max(MAX_SOURCES),
});

export interface SourceList {
  readonly intervalMs: number;
  readonly contact: string | null;
  readonly sources: readonly FeedSource[];
}

export function readSourcesFile(path: string): SourceList {
  const where = `news file ${path}`;
  return parseSources(readList(path, where), where);
}

/** The text of a file. `where` names it in error messages. */
export function readList(path: string, where: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${where}: ${(error as Error).message}`);
  }
}

/** The JSON of a list, as its schema parses it. */
export function parseList<S extends z.ZodType>(text: string, where: string, schema: S): z.output<S> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${where}: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new ConfigError(`${where}: ${firstFault(parsed.error, schema, raw, 'the file')}`);
  return parsed.data;
}

/** `where` names the file in error messages. */
export function parseSources(text: string, where: string): SourceList {
  const { interval_seconds, contact, sources } = parseList(text, where, SourcesFile);
  for (const member of ['name', 'url'] as const) {
    const seen = new Set<string>();
    for (const source of sources) {
      if (seen.has(source[member])) throw new ConfigError(`${where}: ${member} ${source[member]} occurs twice`);
      seen.add(source[member]);
    }
  }
  return {
    intervalMs: interval_seconds * SECOND_MS,
    contact,
    sources: sources.map((source) => ({ ...source, url: new URL(source.url).href, mayBePrivate: true })),
  };
}

function isHttp(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}

function hasNoPassword(address: string): boolean {
  const url = URL.parse(address);
  return !url?.username && !url?.password;
}
