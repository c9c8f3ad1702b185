// Parses news of POST /ingest/news: one JSON object per line, each accepted or rejected on its own.
import { type NewsAccount, NewsLine } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import { firstFault } from '../errors/validation.ts';
import { type IngestTally, jsonLines } from '../market/feeds/push/push-feed.ts';
import { plainText } from './curation/plain-text.ts';
import { MAX_AHEAD_MS, type RawItem } from './news-source.ts';
import type { ReservedSources } from './reserved-sources.ts';

const WEIGHT = 1;
/** As in the contract. */
const MAX_SOURCE_LENGTH = 100;

export interface NewsLinesContext {
  /** The account that pushes. Its name is the source of lines that name none. */
  readonly account: NewsAccount;
  readonly reserved: ReservedSources;
  readonly now: number;
}

/** `first`: number of the first line, for the tally. */
export function readNewsLines(
  lines: readonly string[],
  first: number,
  { account, reserved, now }: NewsLinesContext,
  tally: IngestTally,
): RawItem[] {
  const items: RawItem[] = [];
  for (const [line, raw] of jsonLines(lines, first, tally)) {
    const parsed = NewsLine.safeParse(raw);
    if (!parsed.success) {
      const code = parsed.error.issues[0]?.path[0] === 'time' ? 'bad_time' : 'malformed_line';
      tally.reject(line, code, firstFault(parsed.error, NewsLine, raw, 'the line'));
      continue;
    }
    const { title, url, category, summary, id, time } = parsed.data;
    // Displayed like the title.
    const source = plainText(parsed.data.source ?? account.name, MAX_SOURCE_LENGTH);
    if (source === '') {
      tally.reject(line, 'malformed_line', 'source has no visible characters');
      continue;
    }
    if (reserved.has(source)) {
      tally.reject(line, 'reserved_source', `source ${source} is the name of a configured source; use another name`);
      continue;
    }
    const publishedAt = timeOf(time);
    if (publishedAt !== null && publishedAt > now + MAX_AHEAD_MS) {
      tally.reject(line, 'future_time', 'the time is in the future');
      continue;
    }
    tally.accepted++;
    items.push({
      source,
      account,
      category: category ?? null,
      weight: WEIGHT,
      guid: id ?? null,
      url: url ?? null,
      title,
      summary: summary ?? null,
      publishedAt,
      seenAt: asEpochMs(now),
    });
  }
  return items;
}

function timeOf(time: string | number | undefined): EpochMs | null {
  if (time === undefined) return null;
  return asEpochMs(typeof time === 'number' ? time : Date.parse(time));
}
