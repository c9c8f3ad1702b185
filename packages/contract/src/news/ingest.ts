// News from an operator's own sources, one JSON object per line.
import { z } from 'zod';
import { choice, namedObject, nonBlankText } from '../common/values.ts';
import { ingestAnswer, LineSource, LineTime, lineUrl } from '../market/ingest.ts';
import { NEWS_CATEGORIES } from './schemas.ts';

/** Maximum lengths in code points. */
export const MAX_NEWS_TITLE = 1_000;
const MAX_NEWS_SUMMARY = 10_000;

export const NewsLine = namedObject('NewsLine', 'A pushed news item', () => ({
  title: nonBlankText(MAX_NEWS_TITLE, 'Headline. Markup and control characters are removed'),
  url: lineUrl('Address'),
  source: LineSource,
  category: choice(NEWS_CATEGORIES, 'Category. Derived from the text by default').optional(),
  summary: z
    .string()
    .max(MAX_NEWS_SUMMARY)
    .optional()
    .meta({
      description: 'Summary, used for the classification',
      allowed: `a text of up to ${MAX_NEWS_SUMMARY} characters`,
    }),
  id: nonBlankText(255, 'Id at its source. An item with the same id and another title is a revision').optional(),
  time: LineTime.optional().meta({
    description: 'Time of publication, as Unix time in milliseconds or ISO 8601. Default: the time of arrival',
  }),
}));
export type NewsLine = z.infer<typeof NewsLine>;

/** Reasons for rejecting a line of news. Curation may still drop an accepted item. */
const NEWS_LINE_REJECTIONS = [
  'malformed_json',
  'malformed_line',
  'bad_time',
  'future_time',
  'reserved_source',
] as const;

export const NewsIngestAnswer = ingestAnswer(NEWS_LINE_REJECTIONS).meta({
  id: 'NewsIngestAnswer',
  description: 'Result of pushing news',
});
export type NewsIngestAnswer = z.infer<typeof NewsIngestAnswer>;
