// Reads the lines that accounts push to POST /ingest/news and /ingest/calendar: one JSON object per line, each accepted or
// rejected on its own.
import type { NewsAccount } from '@tickwire/contract';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { firstFault } from '../errors/validation.ts';
import { jsonLines, type LineTally } from '../http/line-tally.ts';
import { plainText } from './plain-text.ts';
import { ReservedSources } from './reserved-sources.ts';

/** As in the contract. */
const MAX_SOURCE_LENGTH = 100;

export interface PushContext {
  /** The account that pushes. Its name is the source of lines that name none. */
  readonly account: NewsAccount;
  readonly reserved: ReservedSources;
  readonly now: number;
}

/** `sources`: the configured ones. */
export function pushContext(
  { account }: Caller,
  sources: readonly { readonly name: string }[],
  now: number,
): PushContext {
  const reserved = new ReservedSources(sources.map(({ name }) => name));
  return { account: { id: account.publicId, name: account.name }, reserved, now };
}

/** Why a line is rejected. */
export interface LineFault {
  readonly code: string;
  readonly detail: string;
}

/** `first`: number of the first line, for the tally. */
export type ReadLines<Item> = (
  lines: readonly string[],
  first: number,
  context: PushContext,
  tally: LineTally,
) => Item[];

export function lineReader<Line extends { readonly source?: string | undefined }, Item extends object>(
  schema: z.ZodType<Line>,
  itemOf: (line: Line, source: string, context: PushContext) => Item | LineFault,
): ReadLines<Item> {
  const read = (raw: unknown, context: PushContext): Item | LineFault => {
    const { data, error } = schema.safeParse(raw);
    if (error) {
      const code = error.issues[0]?.path[0] === 'time' ? 'bad_time' : 'malformed_line';
      return { code, detail: firstFault(error, schema, raw, 'the line') };
    }
    // Displayed like the title.
    const source = plainText(data.source ?? context.account.name, MAX_SOURCE_LENGTH);
    if (source === '') return { code: 'malformed_line', detail: 'source has no visible characters' };
    if (!context.reserved.has(source)) return itemOf(data, source, context);
    const detail = `source ${source} is the name of a configured source; use another name`;
    return { code: 'reserved_source', detail };
  };
  return (lines, first, context, tally) => {
    const items: Item[] = [];
    for (const [line, raw] of jsonLines(lines, first, tally)) {
      const item = read(raw, context);
      if ('code' in item) tally.reject(line, item.code, item.detail);
      else items.push(item);
    }
    tally.accepted += items.length;
    return items;
  };
}
