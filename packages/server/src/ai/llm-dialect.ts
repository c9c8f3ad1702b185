// What a server of language models understands. OpenAI takes a JSON schema, others only "some JSON" or nothing of the kind;
// reasoning models take no temperature, and another name for the bound on tokens. A server is asked in the fullest way, and
// in a plainer one where it refuses that.
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';

export interface Question<T> {
  /** Who it is and what it must do. Nothing of a caller or a source may stand in here. */
  readonly system: string;
  /** What it is about: data of others, which goes out as JSON. */
  readonly data: unknown;
  /** Name and JSON Schema of the answer. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
  /** Throws where the answer is not what was asked for. */
  readonly read: (answer: unknown) => T;
}

export interface Dialect {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  readonly bound: 'max_tokens' | 'max_completion_tokens';
}

export const FULLEST: Dialect = { format: 'json_schema', temperature: true, bound: 'max_tokens' };

/** A plainer way to ask, after a refusal with these words; null where there is none. */
export function plainer(dialect: Dialect, complaint: string): Dialect | null {
  if (dialect.temperature && /temperature/i.test(complaint)) return { ...dialect, temperature: false };
  if (dialect.bound === 'max_tokens' && /max_(completion_)?tokens/i.test(complaint)) {
    return { ...dialect, bound: 'max_completion_tokens' };
  }
  if (dialect.format === 'json_schema') return { ...dialect, format: 'json_object' };
  return dialect.format === 'json_object' ? { ...dialect, format: 'text' } : null;
}

export function requestOf<T>(
  question: Question<T>,
  model: string,
  { format, temperature, bound }: Dialect,
): ChatCompletionCreateParamsNonStreaming {
  const { system, data, name, schema, maxTokens } = question;
  // The schema stands in the words too: most servers that take one constrain the answer without telling the model.
  const shape = `Answer with one JSON object of this JSON Schema and nothing else: ${JSON.stringify(schema)}`;
  return {
    model,
    messages: [
      { role: 'system', content: `${system}\n${shape}` },
      { role: 'user', content: asData(data) },
    ],
    [bound]: maxTokens,
    ...(temperature && { temperature: 0 }),
    ...(format === 'json_schema' && {
      response_format: { type: 'json_schema', json_schema: { name, schema: { ...schema }, strict: true } },
    }),
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

/**
 * JSON in which nothing looks like the marks of a chat template (<|im_end|>, </s>, [INST]): some servers read those even
 * inside a message, and what follows would no longer be data.
 */
export function asData(data: unknown): string {
  return JSON.stringify(data)
    .replace(/[<>|\u007f-\u009f\u2028\u2029]/g, escaped)
    .replace(/\[(?=\/?[A-Za-z_]+\])/g, escaped);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What the model said as JSON. Thoughts before it and a fence around it are let pass, any other word is not. */
export function parseAnswer(content: string): unknown {
  const said = content.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const fenced = /^```(?:json)?\n([\s\S]*)\n```$/.exec(said);
  return JSON.parse(fenced?.[1] ?? said);
}
