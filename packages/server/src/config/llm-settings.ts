// The settings of a language model: part of the table in settings.ts.
import { z } from 'zod';

const number = z.union([z.number(), z.string().transform(Number)]);
const price = number.pipe(z.number().min(0).max(1_000_000));

export const LLM_SETTINGS = {
  llm_url: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    allowed: 'an http or https address such as http://127.0.0.1:11434/v1',
    help: 'OpenAI-compatible endpoint of a language model (OpenAI, Ollama, vLLM, llama.cpp)',
  },
  llm_model: {
    schema: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    fallback: null,
    allowed: 'the name of a model at that endpoint, up to 128 printable characters without spaces',
    help: 'name of the model at that endpoint',
  },
  llm_key: {
    schema: z.string().regex(/^[\x21-\x7e]+$/),
    fallback: null,
    allowed: 'a key without spaces',
    help: 'API key of that endpoint, if it needs one',
  },
  llm_timeout_ms: {
    schema: number.pipe(z.number().int().min(100).max(45_000)),
    fallback: 8_000,
    allowed: 'an integer from 100 to 45000 (milliseconds)',
    help: 'timeout of a request to the language model, including retries',
  },
  llm_requests_per_day: {
    schema: number.pipe(z.number().int().min(0).max(1_000_000)),
    fallback: 5_000,
    allowed: 'an integer from 0 to 1000000',
    help: 'requests that this process may send to the language model per day (UTC); then the local model is used',
  },
  llm_price_in: {
    schema: price,
    fallback: 0,
    allowed: 'a number from 0 to 1000000',
    help: 'price of a million input tokens, for the cost metric',
  },
  llm_price_out: {
    schema: price,
    fallback: 0,
    allowed: 'a number from 0 to 1000000',
    help: 'price of a million output tokens',
  },
} as const;

/** Their types in the configuration. */
export interface LlmSettings {
  readonly llm_url: string | null;
  readonly llm_model: string | null;
  readonly llm_key: string | null;
  readonly llm_timeout_ms: number;
  readonly llm_requests_per_day: number;
  readonly llm_price_in: number;
  readonly llm_price_out: number;
}
