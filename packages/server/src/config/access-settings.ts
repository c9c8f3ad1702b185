// Accounts, sessions and the audit log: part of the table in settings.ts.
import { z } from 'zod';

const number = z.union([z.number(), z.string().transform(Number)]);

export const ACCESS_SETTINGS = {
  public_records: {
    schema: z.enum(['on', 'off']),
    fallback: 'off',
    allowed: 'on or off',
    help: 'whether track records of publishers are public, with a page and a badge that need no sign-in',
  },
  secrets_file: {
    schema: z.string().min(1),
    fallback: null,
    allowed: 'a file',
    help: 'file for the setup link and the demo key, readable only by its owner, instead of standard output',
  },
  session_days: {
    schema: number.pipe(z.number().int().min(1).max(365)),
    fallback: 30,
    allowed: 'an integer from 1 to 365',
    help: 'days after which a session ends, however much it is used',
  },
  session_idle_hours: {
    schema: number.pipe(z.number().min(0.25).max(8_760)),
    fallback: 12,
    allowed: 'a number of hours from 0.25 to 8760',
    help: 'hours without use after which a session ends',
  },
  two_factor_key: {
    schema: z.string().min(1),
    fallback: null,
    allowed: 'a file',
    help: 'key that encrypts the secrets of two-factor sign-in (default two-factor.key in the data folder); the same for all gateways of a cluster',
  },
  audit_days: {
    schema: number.pipe(z.number().int().min(1).max(36_500)),
    fallback: 365,
    allowed: 'an integer from 1 to 36500',
    help: 'number of days to keep the audit log',
  },
  audit_entries: {
    schema: number.pipe(z.number().int().min(1_000).max(10_000_000)),
    fallback: 100_000,
    allowed: 'an integer from 1000 to 10000000',
    help: 'maximum number of entries of the audit log; the oldest failed sign-ins are deleted first',
  },
} as const;
