// The format of a response with history: the parameter `format`, or what the header Accept prefers.
import { HISTORY_FORMATS, type HistoryFormat } from '@tickwire/contract';

const MEDIA_TYPES: Readonly<Record<HistoryFormat, readonly string[]>> = {
  json: ['application/json'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/jsonlines'],
  csv: ['text/csv'],
  parquet: ['application/vnd.apache.parquet', 'application/x-parquet'],
};

export function formatOf(format: HistoryFormat | undefined, accept: string | null): HistoryFormat {
  return format ?? (accept === null ? 'json' : preferred(accept));
}

/** The format with the highest weight; JSON among equals, and if none is accepted. */
function preferred(accept: string): HistoryFormat {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, weight: q === undefined ? 1 : Math.min(1, Number(q.slice(2)) || 0) };
    });
  let best: { format: HistoryFormat; weight: number } = { format: 'json', weight: 0 };
  for (const format of HISTORY_FORMATS) {
    const weight = Math.max(...MEDIA_TYPES[format].map((type) => weightOf(type, ranges)));
    if (weight > best.weight) best = { format, weight };
  }
  return best.format;
}

/** The most specific range counts. */
function weightOf(type: string, ranges: readonly { readonly type: string; readonly weight: number }[]): number {
  for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.filter((range) => range.type === pattern);
    if (found.length > 0) return Math.max(...found.map(({ weight }) => weight));
  }
  return 0;
}
