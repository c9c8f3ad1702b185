// Accounts, keys and usage; shared by all realms.
import { type Table, table } from './table.ts';

const ACCOUNT = 'int REFERENCES accounts (id)';

export const ACCOUNTS = table(
  'accounts',
  ['id'],
  {
    id: 'int',
    // Names the account in a log that anyone may read: its number would reveal how many accounts there are.
    public_id: 'text UNIQUE',
    name: 'text',
    tier: 'text',
    created_at: 'int',
    owner: 'int DEFAULT 0',
    password: 'text?',
    disabled_at: 'int?',
    deleted_at: 'int?',
    // Example publishers have no daily limit of signals.
    house: 'int DEFAULT 0',
  },
  { counted: true, indexes: { owner: { on: 'owner', where: 'owner = 1', unique: true } } },
);

// Every display name ever given, in lower case: a name never passes to another account.
export const NAMES = table('names', ['name'], { name: 'text', account_id: ACCOUNT, given_at: 'int' });

// The skeleton of every name ever given (names/name-skeleton.ts): a name that looks like it never passes to another account.
export const NAME_SKELETONS = table('name_skeletons', ['skeleton'], { skeleton: 'text', account_id: ACCOUNT });

// demo: the key of the first start, which passes to the owner once there is one. A key with a path is a data link: it reads only
// that path, and only as a part of an address. session: the one in which it was made; session_ended_at: when that was revoked.
export const KEYS = table(
  'keys',
  ['id'],
  {
    id: 'text',
    account_id: ACCOUNT,
    name: 'text',
    hash: 'bytes',
    scopes: 'text',
    created_at: 'int',
    expires_at: 'int?',
    revoked_at: 'int?',
    last_used_at: 'int?',
    demo: 'int DEFAULT 0',
    path: 'text?',
    session: 'text?',
    session_ended_at: 'int?',
  },
  { indexes: { account: 'account_id' } },
);

// key_count: keys that the account created on the UTC day key_day.
export const USAGE = table('usage', ['account_id'], {
  account_id: ACCOUNT,
  requests: 'bytes',
  ai_day: 'int',
  ai_calls: 'int',
  key_day: 'int DEFAULT 0',
  key_count: 'int DEFAULT 0',
});

// account: the one that an entry is about (its public id). address: where the request came from.
export const AUDIT = table(
  'audit',
  ['id'],
  { id: 'int', at: 'int', actor: 'text', action: 'text', subject: 'text', account: 'text?', address: 'text?' },
  {
    counted: true,
    indexes: { at: 'at', account: { on: 'account', inOrder: true }, action: { on: 'action', inOrder: true } },
  },
);

// Responses to requests with an idempotency key, for 24 hours.
export const IDEMPOTENT_RESPONSES = table(
  'idempotent_responses',
  ['account_id', 'key'],
  { account_id: ACCOUNT, key: 'text', body_hash: 'bytes', response: 'text', at: 'int' },
  { indexes: { at: 'at' } },
);

export const SESSIONS = table('sessions', ['id'], {
  id: 'text',
  account_id: ACCOUNT,
  hash: 'bytes UNIQUE',
  created_at: 'int',
  seen_at: 'int',
  browser: 'text',
  address: 'text',
  // Until then, the password need not be repeated.
  confirmed_until: 'int DEFAULT 0',
});

// Two-factor sign-in. Active once confirmed. last_step is the newest time step of which a code was accepted.
export const TWO_FACTOR = table('two_factor', ['account_id'], {
  account_id: ACCOUNT,
  secret: 'text',
  created_at: 'int',
  confirmed_at: 'int?',
  last_step: 'int',
});

export const RECOVERY_CODES = table('recovery_codes', ['account_id', 'hash'], {
  account_id: ACCOUNT,
  hash: 'bytes',
  used_at: 'int?',
});

// Links that create one account: an invitation, or the setup link, which creates the owner.
export const INVITATIONS = table('invitations', ['id'], {
  id: 'text',
  hash: 'bytes UNIQUE',
  tier: 'text',
  owner: 'int',
  created_at: 'int',
  expires_at: 'int?',
  used_at: 'int?',
  revoked_at: 'int?',
  account_id: 'int? REFERENCES accounts (id)',
});

// What pages store for an account: a JSON object under a kind and a name. bytes: size of the value.
export const DOCUMENTS = table(
  'documents',
  ['account_id', 'kind', 'name'],
  {
    account_id: ACCOUNT,
    kind: 'text',
    name: 'text',
    revision: 'int',
    updated_at: 'int',
    bytes: 'int',
    value: 'text',
  },
  { large: true },
);

// Usage per minute and per hour; the key '' stands for signed-in sessions.
export const USAGE_HISTORY = table(
  'usage_history',
  ['account_id', 'step', 'start', 'key_id'],
  {
    account_id: ACCOUNT,
    step: 'int',
    start: 'int',
    key_id: 'text',
    requests: 'int',
    errors: 'int',
    ai_calls: 'int',
    stream_seconds: 'int',
  },
  { indexes: { start: 'step, start' } },
);

// What the command line asks the service to write to the signal log of a realm; the answer is JSON.
export const LOG_REQUESTS = table(
  'log_requests',
  ['id'],
  { id: 'int', realm: 'text', request: 'text', at: 'int', answer: 'text?' },
  { counted: 'never again', indexes: { open: { on: 'realm, id', where: 'answer IS NULL' } }, local: true },
);

// Running services, and the change up to which each has loaded keys.
export const SERVICES = table('services', ['id'], { id: 'text', loaded: 'int', seen_at: 'int' }, { local: true });

/** Referenced ones first. */
export const ACCESS_TABLES: readonly Table[] = [
  ...[ACCOUNTS, NAMES, NAME_SKELETONS, KEYS, USAGE, AUDIT, IDEMPOTENT_RESPONSES],
  ...[SESSIONS, TWO_FACTOR, RECOVERY_CODES, INVITATIONS, DOCUMENTS, USAGE_HISTORY, LOG_REQUESTS, SERVICES],
];
