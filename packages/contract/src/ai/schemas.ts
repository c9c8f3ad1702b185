// Sentiment of a text, briefs on instruments, and the list of models.
import { z } from 'zod';
import { namedList, namedObject, nonBlankText, SymbolCode, text, timestamp } from '../common/values.ts';
import { NewsSentimentLabel, SentimentScore } from '../news/schemas.ts';

/** Maximum length in code points. */
export const MAX_AI_TEXT = 2_000;

export const AiSentimentRequest = namedObject('AiSentimentRequest', 'A text to score', () => ({
  text: nonBlankText(MAX_AI_TEXT, 'Text to score, such as a headline'),
  symbol: z.string().min(1).max(64).optional().meta({
    description: 'Instrument code (case-insensitive), from whose point of view the text is scored',
    allowed: 'an instrument code',
  }),
  model: z.string().min(1).max(128).optional().meta({
    description: 'Id of a model. If omitted, the default model is used',
    allowed: 'the id of a model',
  }),
}));
export type AiSentimentRequest = z.infer<typeof AiSentimentRequest>;

export const AiSentiment = namedObject('AiSentiment', 'Sentiment of a text', () => ({
  sentiment: NewsSentimentLabel,
  sentiment_score: SentimentScore,
  model: text('Id of the model'),
}));
export type AiSentiment = z.infer<typeof AiSentiment>;

export const BriefCitation = namedObject('BriefCitation', 'Source of a figure in a brief', () => ({
  figure: text('The figure as written in the text'),
  value: z.union([z.number(), z.string()]).meta({ description: 'The value before rounding' }),
  source: text('`quote`, `bars:1h` and other timeframes, `orderflow`, `signals` or `news`'),
  path: text('Where to check the figure: a REST path, or `/ws/orderflow`'),
}));
export type BriefCitation = z.infer<typeof BriefCitation>;

/** The `model` of a brief that was composed by rules instead of a language model. */
export const RULES_MODEL = 'rules';

export const AiBrief = namedObject('AiBrief', 'A short brief on one instrument', () => ({
  symbol: SymbolCode,
  text: text('The brief, plain text'),
  model: text(`Id of the model that wrote it; \`${RULES_MODEL}\` if no language model did`),
  generated_at: timestamp('Time at which it was written'),
  citations: z.array(BriefCitation).meta({ description: 'Sources of all figures, in the order of the text' }),
}));
export type AiBrief = z.infer<typeof AiBrief>;

const AI_TASKS = ['sentiment', 'brief'] as const;

export const AiModel = namedObject('AiModel', 'A model', () => ({
  id: text('Id'),
  kind: z.enum(['local', 'llm']).meta({
    description: '`local`: built into the service. `llm`: a language model at an endpoint of the operator',
  }),
  tasks: z.array(z.enum(AI_TASKS)).meta({ description: 'Tasks that the model supports' }),
  available: z.boolean().meta({ description: 'Whether the model is currently available' }),
  version: text('Version of the model'),
  default: z.boolean().meta({ description: 'Whether requests that name no model use this one' }),
}));
export type AiModel = z.infer<typeof AiModel>;

export const AiModelList = namedList('AiModelList', 'All models', AiModel);
export type AiModelList = z.infer<typeof AiModelList>;
