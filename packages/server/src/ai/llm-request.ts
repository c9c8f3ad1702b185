// Builds chat completion requests. OpenAI accepts a JSON schema, other servers only "some JSON" or neither. Reasoning models
// accept no temperature and use another name for the token limit. A server first gets the full format, and a simpler one if
// it rejects that.
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';

export interface LlmQuery<T> {
  /** Role and instructions. Must not contain text of callers or sources. */
  readonly system: string;
  /** Untrusted data, sent as JSON. */
  readonly data: unknown;
  /** Who wrote the data. Invalid responses to it pause the model for this origin, not for others. */
  readonly origin?: string | undefined;
  /** Name and JSON Schema of the response. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
  /** Throws if the response is invalid. */
  readonly read: (content: unknown) => T;
}

export interface RequestFormat {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
}

export const FULL_FORMAT: RequestFormat = { format: 'json_schema', temperature: true, tokenLimit: 'max_tokens' };

/** The next simpler format after an error with this message; `null` if there is none. */
export function simplerFormat(format: RequestFormat, message: string): RequestFormat | null {
  if (format.temperature && /temperature/i.test(message)) return { ...format, temperature: false };
  if (format.tokenLimit === 'max_tokens' && /max_(completion_)?tokens/i.test(message)) {
    return { ...format, tokenLimit: 'max_completion_tokens' };
  }
  if (format.format === 'json_schema') return { ...format, format: 'json_object' };
  return format.format === 'json_object' ? { ...format, format: 'text' } : null;
}

export function buildRequest<T>(
  query: LlmQuery<T>,
  model: string,
  { format, temperature, tokenLimit }: RequestFormat,
): ChatCompletionCreateParamsNonStreaming {
  const { system, data, name, schema, maxTokens } = query;
  // The schema is also part of the prompt: most servers constrain the output without showing the schema to the model.
  const shape = `Answer with one JSON object of this JSON Schema and nothing else: ${JSON.stringify(schema)}`;
  return {
    model,
    messages: [
      { role: 'system', content: `${system}\n${shape}` },
      { role: 'user', content: escapeData(data) },
    ],
    [tokenLimit]: maxTokens,
    ...(temperature && { temperature: 0 }),
    ...(format === 'json_schema' && {
      response_format: { type: 'json_schema', json_schema: { name, schema: { ...schema }, strict: true } },
    }),
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

/**
 * JSON without anything that looks like a chat template token (<|im_end|>, </s>, [INST]): some servers interpret those even
 * inside a message, and the text after them would no longer be data.
 */
export function escapeData(data: unknown): string {
  return JSON.stringify(data)
    .replace(/[<>|\u007f-\u009f\u2028\u2029]/g, escaped)
    .replace(/\[(?=\/?[A-Za-z_]+\])/g, escaped);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Parses the response as JSON. Reasoning before it and a code fence around it are allowed, other text is not. */
export function parseContent(content: string): unknown {
  const text = content.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const fenced = /^```(?:json)?\n([\s\S]*)\n```$/.exec(text);
  return JSON.parse(fenced?.[1] ?? text);
}
