// What a model says when asked: the sentiment of a text, a brief on an instrument; and which models there are.
import { z } from 'zod';
import { SENTIMENTS, SentimentScore } from './news.ts';
import { filledText, SymbolCode, Timestamp } from './values.ts';

/** In characters as a reader counts them. */
export const MAX_AI_TEXT = 2_000;

export const AiSentimentRequest = z
  .object({
    text: filledText(MAX_AI_TEXT).meta({
      description: 'What is to be scored, such as a headline',
      allowed: `a text of 1 to ${MAX_AI_TEXT} characters that is not blank`,
    }),
    symbol: z.string().min(1).max(64).optional().meta({
      description: 'Instrument code, in upper or lower case: what the text means for this one',
      allowed: 'the code of an instrument',
    }),
    model: z.string().min(1).max(128).optional().meta({
      description: 'Id of a model; the one that is `default` where left out',
      allowed: 'the id of a model',
    }),
  })
  .meta({ id: 'AiSentimentRequest' });
export type AiSentimentRequest = z.infer<typeof AiSentimentRequest>;

const model = z.string().meta({ description: 'Which model answered' });

export const AiSentiment = z
  .object({ sentiment: z.enum(SENTIMENTS), sentiment_score: SentimentScore, model })
  .meta({ id: 'AiSentiment' });
export type AiSentiment = z.infer<typeof AiSentiment>;

export const BriefCitation = z
  .object({
    figure: z.string().meta({ description: 'As it stands in the text' }),
    value: z.union([z.number(), z.string()]).meta({ description: 'What it was taken from, before rounding' }),
    source: z
      .string()
      .meta({ description: '`quote`, `bars:1h` and other timeframes, `orderflow`, `signals` or `news`' }),
    path: z.string().meta({ description: 'Where it can be checked: a path of the REST interface, or `/ws/orderflow`' }),
  })
  .meta({ id: 'BriefCitation' });
export type BriefCitation = z.infer<typeof BriefCitation>;

/** The `model` of a brief that no language model wrote. */
export const RULES_MODEL = 'rules';

export const AiBrief = z
  .object({
    symbol: SymbolCode,
    text: z.string().meta({ description: 'Plain text' }),
    model: model.meta({ description: `Which model wrote it; \`${RULES_MODEL}\` where no language model did` }),
    generated_at: Timestamp,
    citations: z.array(BriefCitation).meta({ description: 'Every figure of the text, in its order' }),
  })
  .meta({ id: 'AiBrief' });
export type AiBrief = z.infer<typeof AiBrief>;

export const AI_TASKS = ['sentiment', 'brief'] as const;
export type AiTask = (typeof AI_TASKS)[number];

export const AiModel = z
  .object({
    id: z.string(),
    kind: z
      .enum(['local', 'llm'])
      .meta({ description: '`local`: part of the service; `llm`: behind an endpoint of its operator' }),
    tasks: z.array(z.enum(AI_TASKS)),
    available: z.boolean().meta({ description: 'Whether it answers now' }),
    version: z.string(),
    default: z.boolean().meta({ description: 'Scores where a request names none' }),
  })
  .meta({ id: 'AiModel' });
export type AiModel = z.infer<typeof AiModel>;

export const AiModelList = z
  .object({ items: z.array(AiModel), count: z.int().meta({ description: 'Number of items in this answer' }) })
  .meta({ id: 'AiModelList' });
export type AiModelList = z.infer<typeof AiModelList>;
