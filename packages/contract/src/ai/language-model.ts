// What the operator sees of the configured language model: its requests of the day, and where its labels differ from the local model.
import { z } from 'zod';
import { integer, nullable, text, timestamp } from '../common/values.ts';
import { NewsCategoryName } from '../news/schemas.ts';
import { AiSentiment } from './schemas.ts';

const category = nullable(NewsCategoryName, 'Category of the texts; `null` for texts without one');

export const LabelAgreement = z
  .object({
    category,
    compared: integer('Texts that both models have scored'),
    disagreed: integer('Those of them with different labels'),
  })
  .meta({ id: 'LabelAgreement', description: 'How often both models give the same label, in one category' });
export type LabelAgreement = z.infer<typeof LabelAgreement>;

export const LabelDisagreement = z
  .object({
    timestamp: timestamp('Time of the comparison'),
    text: text('The text, at most its first 200 characters'),
    category,
    language_model: AiSentiment.meta({ description: 'Score of the language model' }),
    local_model: AiSentiment.meta({ description: 'Score of the built-in model' }),
  })
  .meta({ id: 'LabelDisagreement', description: 'A text that both models label differently' });
export type LabelDisagreement = z.infer<typeof LabelDisagreement>;

export const LanguageModelReport = z
  .object({
    model: nullable(z.string(), 'Id of the language model; `null` if none is configured'),
    available: z.boolean().meta({
      description: 'Whether it is used now: it is not after failures, and when the requests of the day are used up',
    }),
    requests_today: integer('Requests sent to it since 00:00 UTC, retries included'),
    requests_per_day: integer('Maximum number of requests per day (`llm_requests_per_day`)'),
    resets_at: timestamp('Time at which the requests of the day start from zero'),
    since: timestamp('Start of the comparison: the start of the service'),
    agreement: z.array(LabelAgreement).meta({ description: 'By category, without those that have nothing compared' }),
    disagreements: z.array(LabelDisagreement).meta({ description: 'The latest 50 disagreements, newest first' }),
  })
  .meta({
    id: 'LanguageModelReport',
    description: 'Use of the language model, and its agreement with the local model',
  });
export type LanguageModelReport = z.infer<typeof LanguageModelReport>;
