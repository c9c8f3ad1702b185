// What the operator sees of the configured language model: its requests of the day.
import { z } from 'zod';
import { integer, namedObject, nullable, timestamp } from '../common/values.ts';

export const LanguageModelReport = namedObject('LanguageModelReport', 'Use of the language model', () => ({
  model: nullable(z.string(), 'Id of the language model; `null` if none is configured'),
  available: z.boolean().meta({
    description: 'Whether it is used now',
  }),
  requests_today: integer('Requests sent to it since 00:00 UTC, retries included'),
  requests_per_day: integer('Requests per day (`llm_requests_per_day`)'),
  resets_at: timestamp('Start of the next day'),
}));
export type LanguageModelReport = z.infer<typeof LanguageModelReport>;
