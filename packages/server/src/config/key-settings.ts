// Settings of API keys: part of the table in settings.ts.
import { z } from 'zod';

const number = z.union([z.number(), z.string().transform(Number)]);

export const KEY_SETTINGS = {
  key_creations_per_day: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 200,
    allowed: 'an integer from 1 to 1000000',
    help: 'keys that an account may create or rotate per UTC day over the API',
  },
  revoked_key_days: {
    schema: number.pipe(z.number().int().min(1).max(36_500)),
    fallback: 90,
    allowed: 'an integer from 1 to 36500',
    help: 'number of days after which revoked and expired keys are deleted',
  },
} as const;
