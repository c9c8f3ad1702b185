// Examples of accounts, sessions, keys and operator endpoints.
import type { z } from 'zod';
import type { EndpointExamples } from '../common/endpoint.ts';
import { TIERS } from '../common/tiers.ts';
import { AUDIT_ACTIONS } from './audit.ts';
import { DATA_LINK_EXAMPLES } from './data-links.ts';
import { DOCUMENT_EXAMPLES } from './document-endpoints.ts';
import type { ACCOUNT_ENDPOINTS } from './endpoints.ts';

type Response<N extends keyof typeof ACCOUNT_ENDPOINTS> = z.output<(typeof ACCOUNT_ENDPOINTS)[N]['response']>;

const password = '<PASSWORD>';
const token = '<TOKEN>';

const account: Response<'account'> = {
  id: 'pub_4c9e1f7a20b3d586',
  name: 'goldsmith',
  tier: 'pro',
  tier_limits: TIERS.pro,
  owner: false,
  created_at: '2026-02-11T09:30:12.044Z',
  scopes: ['read', 'alerts', 'publish'],
  key_scopes: ['read', 'alerts', 'publish', 'hook'],
  session: 'ses_4t9x2k7p',
};

const session = {
  id: 'ses_4t9x2k7p',
  current: true,
  created_at: '2026-03-01T08:02:51.310Z',
  last_seen_at: '2026-03-02T11:24:00.000Z',
  expires_at: '2026-03-02T23:24:00.000Z',
  browser: 'Firefox on Linux',
  address: '192.0.2.17',
};

const key: Response<'revokeKey'> = {
  id: '8fk2m4q9tz',
  name: 'night bot',
  scopes: ['read', 'publish'],
  state: 'good',
  created_at: '2026-03-02T11:24:07.318Z',
  expires_at: '2026-05-31T11:24:07.318Z',
  revoked_at: null,
  last_used_at: null,
  session_ended_at: null,
};

const runningMarkets: Response<'markets'> = { markets: 'simulated', changing_to: null, fixed: null, failure: null };

const report: Response<'setAccountTier'> = {
  id: account.id,
  name: account.name,
  tier: 'pro',
  owner: false,
  state: 'active',
  signs_in: true,
  created_at: account.created_at,
  last_seen_at: '2026-03-02T11:24:00.000Z',
  keys: 2,
  keys_of_revoked_sessions: [],
  sessions: 1,
  streams: 1,
  requests_day: 4182,
  errors_day: 3,
  ai_calls_day: 2,
};

const invitation: Response<'revokeInvitation'> = {
  id: 'inv_7k3m9p2x',
  tier: 'free',
  state: 'open',
  created_at: '2026-03-02T11:24:07.318Z',
  expires_at: '2026-03-09T11:24:07.318Z',
  account: null,
};

const used = { requests: 118, errors: 1, ai_calls: 0, stream_seconds: 60 };

export const ACCOUNT_EXAMPLES: EndpointExamples<typeof ACCOUNT_ENDPOINTS> = {
  ...DOCUMENT_EXAMPLES,
  registration: { request: '/api/account/registration', response: { registration: 'invitation', setup_needed: false } },
  setUp: {
    request: '/api/account/setup',
    body: { token, name: 'goldsmith', password },
    response: {
      ...account,
      owner: true,
      scopes: ['read', 'alerts', 'publish', 'admin'],
      key_scopes: ['read', 'alerts', 'publish', 'ingest', 'admin', 'hook'],
    },
  },
  checkSetup: {
    request: '/api/account/setup/check',
    body: { token },
    response: { valid: true },
  },
  checkInvitation: {
    request: '/api/account/invitation/check',
    body: { token },
    response: { valid: false, reason: 'used' },
  },
  signUp: {
    request: '/api/account/sign-up',
    body: { name: 'goldsmith', password, invitation: token },
    response: account,
  },
  signIn: { request: '/api/account/sign-in', body: { name: 'goldsmith', password }, response: account },
  signOut: { request: '/api/account/sign-out', response: { sessions_ended: 1 } },
  signOutEverywhere: { request: '/api/account/sign-out-everywhere', response: { sessions_ended: 3 } },
  changePassword: {
    request: '/api/account/password',
    body: { password, new_password: '<NEW PASSWORD>' },
    response: { sessions_ended: 2, keys_revoked: 1 },
  },
  confirmSession: {
    request: '/api/account/confirm',
    body: { password },
    response: { confirmed_until: '2026-03-02T11:29:07.318Z' },
  },
  deleteAccount: {
    request: '/api/account/delete',
    body: { password },
    response: { sessions_ended: 1, keys_revoked: 2 },
  },
  account: { request: '/api/account', response: account },
  sessions: { request: '/api/account/sessions', response: { items: [session], count: 1 } },
  revokeSession: { request: '/api/account/sessions/ses_4t9x2k7p/revoke', response: { sessions_ended: 1 } },
  keys: { request: '/api/keys', response: { items: [key], count: 1 } },
  createKey: {
    request: '/api/keys',
    body: { name: 'night bot', scopes: ['read', 'publish'], expires_days: 90 },
    response: { ...key, key: '<API_KEY>' },
  },
  rotateKey: {
    request: '/api/keys/8fk2m4q9tz/rotate',
    body: { overlap_hours: 24 },
    response: { ...key, key: '<API_KEY>' },
  },
  revokeKey: {
    request: '/api/keys/8fk2m4q9tz/revoke',
    response: { ...key, state: 'revoked', revoked_at: '2026-03-02T11:25:00.000Z' },
  },
  ...DATA_LINK_EXAMPLES,
  twoFactor: {
    request: '/api/account/two-factor',
    response: { enabled: true, enabled_at: '2026-03-01T08:05:10.000Z', recovery_codes_left: 9 },
  },
  setUpTwoFactor: {
    request: '/api/account/two-factor/set-up',
    body: { password },
    response: {
      secret: '<SECRET>',
      uri: 'otpauth://totp/Tickwire:goldsmith?issuer=Tickwire&secret=%3CSECRET%3E&algorithm=SHA1&digits=6&period=30',
      qr: { size: 49, path: 'M4 4h7v1h-7z' },
    },
  },
  confirmTwoFactor: {
    request: '/api/account/two-factor/confirm',
    body: { code: '492039' },
    response: { recovery_codes: ['<RECOVERY_CODE>'] },
  },
  disableTwoFactor: {
    request: '/api/account/two-factor/disable',
    body: { password, code: '492039' },
    response: { enabled: false, enabled_at: null, recovery_codes_left: 0 },
  },
  usageHistory: {
    request: '/api/usage/history?period=hour&detail=true',
    response: {
      period: 'hour',
      step_seconds: 60,
      limits: TIERS.pro,
      points: [{ time: '2026-03-02T11:24:00.000Z', ...used }],
      keys: [{ key: key.id, name: key.name, ...used }],
      sessions: {
        limits: { requests_per_minute: TIERS.pro.requests_per_minute, streams: TIERS.pro.streams },
        points: [{ time: '2026-03-02T11:24:00.000Z', requests: 0, errors: 0, ai_calls: 0, stream_seconds: 0 }],
      },
    },
  },
  accounts: { request: '/api/admin/accounts', response: { items: [report], count: 1, tiers: TIERS } },
  setAccountTier: { request: '/api/admin/accounts/pub_4c9e1f7a20b3d586/tier', body: { tier: 'pro' }, response: report },
  disableAccount: {
    request: '/api/admin/accounts/pub_4c9e1f7a20b3d586/disable',
    response: { ...report, state: 'disabled', sessions: 0, streams: 0 },
  },
  enableAccount: { request: '/api/admin/accounts/pub_4c9e1f7a20b3d586/enable', response: report },
  streams: {
    request: '/api/admin/streams?limit=100',
    response: {
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
  },
  invitations: { request: '/api/admin/invitations', response: { items: [invitation], count: 1 } },
  createInvitation: {
    request: '/api/admin/invitations',
    body: { tier: 'free', expires_days: 7 },
    response: { ...invitation, token, link: 'https://tick.example/join?token=<TOKEN>' },
  },
  revokeInvitation: {
    request: '/api/admin/invitations/inv_7k3m9p2x/revoke',
    response: { ...invitation, state: 'revoked' },
  },
  auditLog: {
    request: '/api/admin/audit?action=key%20created&limit=1',
    response: {
      items: [
        {
          id: 4182,
          timestamp: '2026-03-01T08:02:51.310Z',
          action: 'key created',
          actor: account.id,
          account: account.id,
          subject: `${key.id} of ${account.name} (read,publish)`,
          address: session.address,
        },
      ],
      count: 1,
      next_before: 4182,
      actions: [...AUDIT_ACTIONS],
    },
  },
  languageModel: {
    request: '/api/admin/language-model',
    response: {
      model: 'example-llm-8b',
      available: true,
      requests_today: 212,
      requests_per_day: 5_000,
      resets_at: '2026-03-03T00:00:00.000Z',
    },
  },
  markets: { request: '/api/admin/markets', response: runningMarkets },
  changeMarkets: {
    request: '/api/admin/markets',
    body: { markets: 'live' },
    response: { ...runningMarkets, markets: 'live' },
    accepted: { ...runningMarkets, changing_to: 'live' },
  },
  usage: {
    request: '/api/usage?detail=true',
    response: {
      account: 'north-desk',
      key: '9h4kq2',
      scopes: ['read'],
      tier: 'free',
      requests: { limit: 60, window_seconds: 60, remaining: 57, reset_seconds: 42 },
      streams: { limit: 2, open: 1 },
      ai_calls: { limit: 5, used: 2, remaining: 3, resets_at: '2026-03-03T00:00:00.000Z' },
      signals: { limit: 20, used: 4, remaining: 16, resets_at: '2026-03-03T00:00:00.000Z', active_per_symbol: 5 },
      limits_of: 'keys',
    },
  },
};
