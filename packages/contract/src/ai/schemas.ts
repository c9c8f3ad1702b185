// Sentiment of a text, briefs on instruments, and the list of models.
import { z } from 'zod';
import { ItemCount, nonBlankText, SymbolCode, text, timestamp } from '../common/values.ts';
import { NewsSentimentLabel, SentimentScore } from '../news/schemas.ts';

/** Maximum length in code points. */
export const MAX_AI_TEXT = 2_000;

export const AiSentimentRequest = z
  .object({
    text: nonBlankText(MAX_AI_TEXT, 'Text to score, such as a headline'),
    symbol: z.string().min(1).max(64).optional().meta({
      description: 'Instrument code (case-insensitive): score the text from the point of view of this instrument',
      allowed: 'an instrument code',
    }),
    model: z.string().min(1).max(128).optional().meta({
      description: 'Id of a model. If omitted, the default model is used',
      allowed: 'the id of a model',
    }),
  })
  .meta({ id: 'AiSentimentRequest', description: 'A text to score' });
export type AiSentimentRequest = z.infer<typeof AiSentimentRequest>;

export const AiSentiment = z
  .object({
    sentiment: NewsSentimentLabel,
    sentiment_score: SentimentScore,
    model: text('Id of the model that scored the text'),
  })
  .meta({ id: 'AiSentiment', description: 'Sentiment of a text' });
export type AiSentiment = z.infer<typeof AiSentiment>;

export const BriefCitation = z
  .object({
    figure: text('The figure as written in the text'),
    value: z.union([z.number(), z.string()]).meta({ description: 'The value before rounding' }),
    source: text('`quote`, `bars:1h` and other timeframes, `orderflow`, `signals` or `news`'),
    path: text('Where to check the figure: a REST path, or `/ws/orderflow`'),
  })
  .meta({ id: 'BriefCitation', description: 'Source of a figure in a brief' });
export type BriefCitation = z.infer<typeof BriefCitation>;

/** The `model` of a brief that was composed by rules instead of a language model. */
export const RULES_MODEL = 'rules';

export const AiBrief = z
  .object({
    symbol: SymbolCode,
    text: text('The brief, plain text'),
    model: text(`Id of the model that wrote it; \`${RULES_MODEL}\` if no language model did`),
    generated_at: timestamp('Time at which it was written'),
    citations: z.array(BriefCitation).meta({ description: 'Sources of all figures, in the order of the text' }),
  })
  .meta({ id: 'AiBrief', description: 'A short brief on one instrument' });
export type AiBrief = z.infer<typeof AiBrief>;

export const AI_TASKS = ['sentiment', 'brief'] as const;
export type AiTask = (typeof AI_TASKS)[number];

export const AiModel = z
  .object({
    id: text('Id of the model'),
    kind: z.enum(['local', 'llm']).meta({
      description: '`local`: built into the service. `llm`: a language model at an endpoint of the operator',
    }),
    tasks: z.array(z.enum(AI_TASKS)).meta({ description: 'Tasks that the model supports' }),
    available: z.boolean().meta({ description: 'Whether the model is currently available' }),
    version: text('Version of the model'),
    default: z.boolean().meta({ description: 'Whether requests that name no model use this one' }),
  })
  .meta({ id: 'AiModel', description: 'A model' });
export type AiModel = z.infer<typeof AiModel>;

export const AiModelList = z
  .object({ items: z.array(AiModel).meta({ description: 'Models' }), count: ItemCount })
  .meta({ id: 'AiModelList', description: 'All models' });
export type AiModelList = z.infer<typeof AiModelList>;
