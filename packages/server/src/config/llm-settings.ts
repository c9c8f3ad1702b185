// The settings of a language model: part of the table in settings.ts.
import { z } from 'zod';
import { httpAddress, integerFrom, numberFrom, type Values } from './setting-kinds.ts';

const price = numberFrom(0, 1_000_000);

export const LLM_SETTINGS = {
  llm_url: {
    schema: httpAddress,
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
    ...integerFrom(100, 45_000, 'milliseconds'),
    fallback: 8_000,
    help: 'timeout of a request to the language model, including retries',
  },
  llm_requests_per_day: {
    ...integerFrom(0, 1_000_000),
    fallback: 5_000,
    help: 'requests that this process may send to the language model per day (UTC); then the local model is used',
  },
  llm_price_in: {
    ...price,
    fallback: 0,
    help: 'price of a million input tokens, for the cost metric',
  },
  llm_price_out: {
    ...price,
    fallback: 0,
    help: 'price of a million output tokens',
  },
} as const;

/** Their types in the configuration. */
export type LlmSettings = Values<typeof LLM_SETTINGS>;
