// News from an operator's own sources, one JSON object a line.
import { z } from 'zod';
import { ingestAnswer, LineTime } from './ingest.ts';
import { NEWS_CATEGORIES } from './news.ts';
import { filledText } from './values.ts';

/** In characters as a reader counts them. */
export const MAX_NEWS_TITLE = 1_000;
export const MAX_NEWS_SUMMARY = 10_000;

export const NewsLine = z
  .object({
    title: filledText(MAX_NEWS_TITLE).meta({
      description: 'The headline; markup and control characters are taken out',
    }),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional(),
    source: filledText(100)
      .optional()
      .meta({ description: 'Who published it; the name of the account where left out' }),
    category: z.enum(NEWS_CATEGORIES).optional().meta({ description: 'Found from the text where left out' }),
    summary: z.string().max(MAX_NEWS_SUMMARY).optional(),
    id: filledText(255)
      .optional()
      .meta({ description: "The source's own name of the item: the same one with another title is a revision" }),
    time: LineTime.optional().meta({
      description: 'Milliseconds since 1970-01-01 UTC, or ISO 8601; that of its arrival where left out',
    }),
  })
  .meta({ id: 'NewsLine' });
export type NewsLine = z.infer<typeof NewsLine>;

/** Why a line of news was refused. One that is taken in may still be left out of the feed by curation. */
export const NEWS_LINE_REFUSALS = ['malformed_json', 'malformed_line', 'bad_time', 'future_time'] as const;
export type NewsLineRefusal = (typeof NEWS_LINE_REFUSALS)[number];

export const NewsIngestAnswer = ingestAnswer(NEWS_LINE_REFUSALS).meta({ id: 'NewsIngestAnswer' });
export type NewsIngestAnswer = z.infer<typeof NewsIngestAnswer>;
