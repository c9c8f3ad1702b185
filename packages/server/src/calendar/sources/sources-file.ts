// Reads the operator's own list of calendar sources (JSON).
import { dirname, resolve } from 'node:path';
import { CALENDAR_IMPACTS } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import { z } from 'zod';
import { ConfigError } from '../../config/config.ts';
import { DocumentUrl, parseList, pollingFields, readList } from '../../documents/source-list.ts';
import { currencyOfCountry } from '../currencies.ts';
import type { CalendarSource } from './calendar-source.ts';
import { zoneNamed } from './local-time.ts';
import { CALENDAR_FORMATS } from './parsed-calendar.ts';

/** Schedules change a few times a week; values appear within minutes. */
export const DEFAULT_INTERVAL_SECONDS = 900;
export const MIN_INTERVAL_SECONDS = 60;
const MAX_SOURCES = 200;

const phrases = z.array(z.string().trim().min(1).max(100).toLowerCase()).max(100).default([]);
const code = (length: RegExp) => z.string().toUpperCase().regex(length).nullable().default(null);

const SourcesFile = z.strictObject({
  ...pollingFields(MIN_INTERVAL_SECONDS, DEFAULT_INTERVAL_SECONDS),
  sources: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        url: DocumentUrl.optional(),
        file: z.string().min(1).max(1_000).optional(),
        format: z.enum(CALENDAR_FORMATS).nullable().default(null),
        country: code(/^[A-Z]{2}$/),
        currency: code(/^[A-Z]{3,5}$/),
        timezone: z
          .string()
          .refine((name) => zoneNamed(name) !== null, 'must be the name of a time zone such as Europe/London')
          .default('UTC'),
        impact: z.enum(CALENDAR_IMPACTS).default('medium'),
        impacts: z.strictObject({ high: phrases, medium: phrases, low: phrases }).prefault({}),
        include: phrases,
        match: z.enum(['id', 'title']).default('id'),
      }),
    )
    .min(1)
    .max(MAX_SOURCES),
});

export interface CalendarSourceList {
  readonly intervalMs: number;
  readonly contact: string | null;
  readonly sources: readonly CalendarSource[];
}

export function readCalendarSources(path: string): CalendarSourceList {
  const where = `calendar file ${path}`;
  return parseCalendarSources(readList(path, where), where, dirname(path));
}

/** `where` names the file in error messages; files in it are relative to `folder`. */
export function parseCalendarSources(text: string, where: string, folder: string): CalendarSourceList {
  const { interval_seconds, contact, sources } = parseList(text, where, SourcesFile);
  const names = new Set<string>();
  for (const { name, url, file, country, currency, format } of sources) {
    const fault = (problem: string): ConfigError => new ConfigError(`${where}: source ${name} ${problem}`);
    if (names.has(name)) throw fault('occurs twice');
    names.add(name);
    if ((url === undefined) === (file === undefined)) throw fault('must have either url or file');
    if (country === null && format !== 'csv')
      throw fault('must have a country, because only CSV states it for each event');
    if (country !== null && currency === null && currencyOfCountry(country) === null)
      throw fault(`must have a currency, because that of ${country} is not known`);
  }
  return {
    intervalMs: interval_seconds * SECOND_MS,
    contact,
    sources: sources.map(({ url, file, impacts, timezone, ...source }) => ({
      ...source,
      url: url === undefined ? '' : new URL(url).href,
      file: file === undefined ? null : resolve(folder, file),
      timezone: zoneNamed(timezone)!,
      impacts,
      mayBePrivate: true,
    })),
  };
}
