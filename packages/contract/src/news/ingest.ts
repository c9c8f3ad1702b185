// News from an operator's own sources, one JSON object per line.
import { z } from 'zod';
import { nonBlankText } from '../common/values.ts';
import { ingestAnswer, LineTime } from '../market/ingest.ts';
import { NEWS_CATEGORIES } from './schemas.ts';

/** Maximum lengths in code points. */
export const MAX_NEWS_TITLE = 1_000;
export const MAX_NEWS_SUMMARY = 10_000;

export const NewsLine = z
  .object({
    title: nonBlankText(MAX_NEWS_TITLE, 'Headline. Markup and control characters are removed'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional()
      .meta({ description: 'Address of the article', allowed: 'an http or https address of up to 2048 characters' }),
    source: nonBlankText(
      100,
      'Name of the source. The name of the account by default. The names of configured sources are reserved',
    ).optional(),
    category: z
      .enum(NEWS_CATEGORIES)
      .optional()
      .meta({
        description: 'Category. Derived from the text by default',
        allowed: `one of ${NEWS_CATEGORIES.join(', ')}`,
      }),
    summary: z
      .string()
      .max(MAX_NEWS_SUMMARY)
      .optional()
      .meta({
        description: 'Summary, used for the classification',
        allowed: `a text of up to ${MAX_NEWS_SUMMARY} characters`,
      }),
    id: nonBlankText(
      255,
      'Id of the item at its source. An item of the same account and source with the same id and another title is a revision',
    ).optional(),
    time: LineTime.optional().meta({
      description:
        'Publication time: Unix time in milliseconds, or ISO 8601 with an offset. The time of arrival by default',
    }),
  })
  .meta({ id: 'NewsLine', description: 'A pushed news item' });
export type NewsLine = z.infer<typeof NewsLine>;

/** Reasons for rejecting a line of news. Curation may still drop an accepted item. */
export const NEWS_LINE_REJECTIONS = [
  'malformed_json',
  'malformed_line',
  'bad_time',
  'future_time',
  'reserved_source',
] as const;
export type NewsLineRejection = (typeof NEWS_LINE_REJECTIONS)[number];

export const NewsIngestAnswer = ingestAnswer(NEWS_LINE_REJECTIONS).meta({
  id: 'NewsIngestAnswer',
  description: 'Result of pushing news',
});
export type NewsIngestAnswer = z.infer<typeof NewsIngestAnswer>;
