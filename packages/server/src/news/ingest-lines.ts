// News that is sent: one JSON object a line, each taken or refused for itself.
import { NewsLine } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import type { Tally } from '../feeds/push/feed.ts';
import { plainText } from './curation/plain-text.ts';
import type { RawItem } from './raw-item.ts';
import { SIM_SOURCE } from './sim/open.ts';

/** Clocks differ; more than this is a wrong time. */
const MAX_AHEAD_MS = 600_000;
/** An operator's own source counts like any other. */
const WEIGHT = 1;
/** As long as the contract lets it be. */
const MAX_SOURCE = 100;

/** The items of the lines; `first` is the number of the first one, `account` the source of those that name none. */
export function readNewsLines(
  lines: readonly string[],
  first: number,
  account: string,
  now: number,
  tally: Tally,
): RawItem[] {
  const items: RawItem[] = [];
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const line = first + index;
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      tally.reject(line, 'malformed_json', 'the line is not JSON');
      continue;
    }
    const parsed = NewsLine.safeParse(raw);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') ?? '';
      tally.reject(
        line,
        where === 'time' ? 'bad_time' : 'malformed_line',
        `${where && `${where}: `}${issue?.message ?? 'not an item'}`,
      );
      continue;
    }
    const { title, url, category, summary, id, time } = parsed.data;
    // It is shown like the title. Under the name of the simulated headlines nothing real may go.
    const source = plainText(parsed.data.source ?? account, MAX_SOURCE);
    if (source === '' || source === SIM_SOURCE) {
      tally.reject(line, 'malformed_line', 'source: not a name that a source can have');
      continue;
    }
    const publishedAt = timeOf(time);
    if (publishedAt !== null && publishedAt > now + MAX_AHEAD_MS) {
      tally.reject(line, 'future_time', 'the time lies in the future');
      continue;
    }
    tally.accepted++;
    items.push({
      source,
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
