// The tables of accounts and keys as the queries see them. The schema is in sqlite/schema.ts and postgres/schema.ts.
import type { Kysely } from 'kysely';

export interface AccessTables {
  accounts: {
    id: number;
    public_id: string;
    name: string;
    tier: string;
    created_at: number;
    owner: number;
    password: string | null;
    disabled_at: number | null;
    deleted_at: number | null;
    house: number;
  };
  names: { name: string; account_id: number; given_at: number };
  name_skeletons: { skeleton: string; account_id: number };
  keys: {
    id: string;
    account_id: number;
    name: string;
    hash: Uint8Array;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    path: string | null;
    demo: number;
  };
  usage: {
    account_id: number;
    requests: Uint8Array;
    ai_day: number;
    ai_calls: number;
    key_day: number;
    key_count: number;
  };
  access_changes: { n: number; kind: 'account' | 'key' | 'session'; id: string };
  services: { id: string; loaded: number; seen_at: number };
  sessions: {
    id: string;
    account_id: number;
    hash: Uint8Array;
    created_at: number;
    seen_at: number;
    browser: string;
    address: string;
  };
  invitations: {
    id: string;
    hash: Uint8Array;
    tier: string;
    owner: number;
    created_at: number;
    expires_at: number | null;
    used_at: number | null;
    revoked_at: number | null;
    account_id: number | null;
  };
  usage_history: {
    account_id: number;
    key_id: string;
    step: number;
    start: number;
    requests: number;
    errors: number;
    ai_calls: number;
    stream_seconds: number;
  };
  answers: { account_id: number; key: string; body_hash: Uint8Array; answer: string; at: number };
  audit: {
    id: number;
    at: number;
    actor: string;
    act: string;
    subject: string;
    account: string | null;
    address: string | null;
  };
  two_factor: {
    account_id: number;
    secret: string;
    created_at: number;
    confirmed_at: number | null;
    last_step: number;
  };
  log_requests: { id: number; realm: string; request: string; at: number; answer: string | null };
  documents: {
    account_id: number;
    kind: string;
    name: string;
    revision: number;
    updated_at: number;
    bytes: number;
    value: string;
  };
  recovery_codes: { account_id: number; hash: Uint8Array; used_at: number | null };
}

/** The database of these tables, or a transaction in it. */
export type AccessDatabase = Kysely<AccessTables>;
