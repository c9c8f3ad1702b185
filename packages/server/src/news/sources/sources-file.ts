// Reads the operator's own list of feeds (JSON).
import { NEWS_CATEGORIES } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import { z } from 'zod';
import { ConfigError } from '../../config/config.ts';
import { DocumentUrl, parseList, pollingFields, readList } from '../../documents/source-list.ts';
import type { FeedSource } from './polled-source.ts';

export const DEFAULT_INTERVAL_SECONDS = 60;
/** Shorter intervals gain nothing, because publishers cache for longer, and are impolite. */
export const MIN_INTERVAL_SECONDS = 15;
const MAX_SOURCES = 500;

const SourcesFile = z.strictObject({
  ...pollingFields(MIN_INTERVAL_SECONDS, DEFAULT_INTERVAL_SECONDS),
  sources: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        url: DocumentUrl,
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
