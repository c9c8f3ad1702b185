// Accounts, sessions and the audit log: part of the table in settings.ts.
import { choice, integerFrom, nonEmpty, numberFrom } from './setting-kinds.ts';

export const ACCESS_SETTINGS = {
  public_records: {
    ...choice(['on', 'off']),
    fallback: 'off',
    help: 'whether track records of publishers are public, with a page and a badge that need no sign-in',
  },
  secrets_file: {
    ...nonEmpty('a file'),
    fallback: null,
    help: 'file for the setup link and the demo key, readable only by its owner, instead of standard output',
  },
  session_days: {
    ...integerFrom(1, 365),
    fallback: 30,
    help: 'days after which a session ends, however much it is used',
  },
  session_idle_hours: {
    ...numberFrom(0.25, 8_760, 'hours'),
    fallback: 12,
    help: 'hours without use after which a session ends',
  },
  two_factor_key: {
    ...nonEmpty('a file'),
    fallback: null,
    help: 'key that encrypts the secrets of two-factor sign-in (default two-factor.key in the data folder); the same for all gateways of a cluster',
  },
  audit_days: {
    ...integerFrom(1, 36_500),
    fallback: 365,
    help: 'number of days to keep the audit log',
  },
  audit_entries: {
    ...integerFrom(1_000, 10_000_000),
    fallback: 100_000,
    help: 'maximum number of entries of the audit log; the oldest failed sign-ins are deleted first',
  },
} as const;
