// Settings of API keys: part of the table in settings.ts.
import { integerFrom } from './setting-kinds.ts';

export const KEY_SETTINGS = {
  key_creations_per_day: {
    ...integerFrom(1, 1_000_000),
    fallback: 200,
    help: 'keys that an account may create or rotate per UTC day over the API',
  },
  revoked_key_days: {
    ...integerFrom(1, 36_500),
    fallback: 90,
    help: 'number of days after which revoked and expired keys are deleted',
  },
} as const;
