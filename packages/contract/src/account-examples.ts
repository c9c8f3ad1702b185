// The examples of accounts, sessions, keys and the operator's pages.
import type { z } from 'zod';
import type { ACCOUNT_ENDPOINTS } from './account-endpoints.ts';
import { TIERS } from './tiers.ts';

type Name = keyof typeof ACCOUNT_ENDPOINTS;
type Responses = { readonly [N in Name]: z.output<(typeof ACCOUNT_ENDPOINTS)[N]['response']> };

export const ACCOUNT_REQUESTS: Readonly<Record<Name, string>> = {
  registration: '/api/account/registration',
  setUp: '/api/account/setup',
  signUp: '/api/account/sign-up',
  signIn: '/api/account/sign-in',
  signOut: '/api/account/sign-out',
  signOutEverywhere: '/api/account/sign-out-everywhere',
  changePassword: '/api/account/password',
  deleteAccount: '/api/account/delete',
  account: '/api/account',
  sessions: '/api/account/sessions',
  revokeSession: '/api/account/sessions/ses_4t9x2k7p/revoke',
  keys: '/api/keys',
  createKey: '/api/keys',
  rotateKey: '/api/keys/8fk2m4q9tz/rotate',
  revokeKey: '/api/keys/8fk2m4q9tz/revoke',
  usageHistory: '/api/usage/history?period=hour',
  accounts: '/api/admin/accounts',
  setAccountTier: '/api/admin/accounts/pub_4c9e1f7a20b3d586/tier',
  disableAccount: '/api/admin/accounts/pub_4c9e1f7a20b3d586/disable',
  enableAccount: '/api/admin/accounts/pub_4c9e1f7a20b3d586/enable',
  streams: '/api/admin/streams?limit=100',
  invitations: '/api/admin/invitations',
  createInvitation: '/api/admin/invitations',
  revokeInvitation: '/api/admin/invitations/inv_7k3m9p2x/revoke',
};

const password = '<PASSWORD>';
const token = '<TOKEN>';

export const ACCOUNT_BODIES: { readonly [N in Name]?: unknown } = {
  setUp: { token, name: 'goldsmith', password },
  signUp: { name: 'goldsmith', password, invitation: token },
  signIn: { name: 'goldsmith', password },
  changePassword: { password, new_password: '<NEW PASSWORD>' },
  deleteAccount: { password },
  createKey: { name: 'night bot', scopes: ['read', 'publish'], expires_days: 90 },
  rotateKey: { overlap_hours: 24 },
  setAccountTier: { tier: 'pro' },
  createInvitation: { tier: 'free', expires_days: 7 },
};

const account: Responses['account'] = {
  id: 'pub_4c9e1f7a20b3d586',
  name: 'goldsmith',
  tier: 'pro',
  tier_limits: TIERS.pro,
  owner: false,
  created_at: '2026-02-11T09:30:12.044Z',
  scopes: ['read', 'publish'],
  key_scopes: ['read', 'publish', 'hook'],
  session: 'ses_4t9x2k7p',
};

const session = {
  id: 'ses_4t9x2k7p',
  current: true,
  created_at: '2026-03-01T08:02:51.310Z',
  last_seen_at: '2026-03-02T11:24:00.000Z',
  expires_at: '2026-04-01T11:24:00.000Z',
  browser: 'Firefox on Linux',
  address: '192.0.2.17',
};

const key: Responses['revokeKey'] = {
  id: '8fk2m4q9tz',
  name: 'night bot',
  scopes: ['read', 'publish'],
  state: 'good',
  created_at: '2026-03-02T11:24:07.318Z',
  expires_at: '2026-05-31T11:24:07.318Z',
  revoked_at: null,
  last_used_at: null,
};

const report: Responses['setAccountTier'] = {
  id: account.id,
  name: account.name,
  tier: 'pro',
  owner: false,
  state: 'active',
  signs_in: true,
  created_at: account.created_at,
  last_seen_at: '2026-03-02T11:24:00.000Z',
  keys: 2,
  sessions: 1,
  streams: 1,
  requests_day: 4182,
  errors_day: 3,
  ai_calls_day: 2,
};

const invitation: Responses['revokeInvitation'] = {
  id: 'inv_7k3m9p2x',
  tier: 'free',
  state: 'open',
  created_at: '2026-03-02T11:24:07.318Z',
  expires_at: '2026-03-09T11:24:07.318Z',
  account: null,
};

const used = { requests: 118, errors: 1, ai_calls: 0, stream_seconds: 60 };

export const ACCOUNT_RESPONSES: Responses = {
  registration: { registration: 'invitation', setup_needed: false },
  setUp: {
    ...account,
    owner: true,
    scopes: ['read', 'publish', 'admin'],
    key_scopes: ['read', 'publish', 'ingest', 'admin', 'hook'],
  },
  signUp: account,
  signIn: account,
  signOut: { sessions_ended: 1 },
  signOutEverywhere: { sessions_ended: 3 },
  changePassword: { sessions_ended: 2 },
  deleteAccount: { sessions_ended: 1, keys_revoked: 2 },
  account,
  sessions: { items: [session], count: 1 },
  revokeSession: { sessions_ended: 1 },
  keys: { items: [key], count: 1 },
  createKey: { ...key, key: '<API_KEY>' },
  rotateKey: { ...key, key: '<API_KEY>' },
  revokeKey: { ...key, state: 'revoked', revoked_at: '2026-03-02T11:25:00.000Z' },
  usageHistory: {
    period: 'hour',
    step_seconds: 60,
    limits: TIERS.pro,
    points: [{ time: '2026-03-02T11:24:00.000Z', ...used }],
    keys: [{ key: key.id, name: key.name, ...used }],
  },
  accounts: { items: [report], count: 1, tiers: TIERS },
  setAccountTier: report,
  disableAccount: { ...report, state: 'disabled', sessions: 0, streams: 0 },
  enableAccount: report,
  streams: {
    items: [
      {
        channel: 'market',
        account: account.name,
        key: key.id,
        scopes: ['read', 'publish'],
        address: '192.0.2.17',
        since: '2026-03-02T11:02:44.120Z',
        subscriptions: 12,
        buffered_bytes: 0,
        slow: false,
      },
    ],
    count: 1,
    open: 1,
  },
  invitations: { items: [invitation], count: 1 },
  createInvitation: { ...invitation, token, link: 'https://tick.example/join?token=<TOKEN>' },
  revokeInvitation: { ...invitation, state: 'revoked' },
};
