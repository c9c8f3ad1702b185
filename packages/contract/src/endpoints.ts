// The endpoint table: what can be called, with what, and what comes back. The server answers exactly these.
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts';
import { AI_ENDPOINTS } from './ai-endpoints.ts';
import { Coverage, CoverageQuery } from './coverage.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { FeedList } from './feeds.ts';
import { IngestAnswer, IngestLine } from './ingest.ts';
import { InstrumentList, MarketQuery, MarketResponse, QuoteList, QuotesQuery, SymbolQuote } from './market.ts';
import { NEWS_ENDPOINTS } from './news-endpoints.ts';
import { Health, Readiness, SessionStatistics, Usage } from './session.ts';
import { SIGNAL_ENDPOINTS } from './signal-endpoints.ts';

export const ENDPOINTS = {
  symbols: endpoint({
    method: 'GET',
    path: '/api/symbols',
    tag: 'Market',
    summary: 'Every instrument with its contract specification',
    scope: 'read',
    tagged: true,
    response: InstrumentList,
    errors: [],
  }),
  market: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}',
    tag: 'Market',
    summary: 'Price history and the current quote of one instrument',
    description:
      'Bars are aligned to UTC and ascend; the last may still be forming; an interval without data has no bar. ' +
      'Page back with `before` set to the `time` of the oldest bar you have, or forward with `from`. ' +
      '`detail=true` tells of each bar what sellers and what buyers took.',
    scope: 'read',
    tagged: true,
    query: MarketQuery,
    response: MarketResponse,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  quote: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/quote',
    tag: 'Market',
    summary: 'The current bid and ask of one instrument',
    scope: 'read',
    response: SymbolQuote,
    errors: ['malformed_path', 'symbol_not_found', 'no_quote'],
  }),
  coverage: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/coverage',
    tag: 'Market',
    summary: 'Which bars of a stretch are missing, and why',
    description:
      '`market_closed`: outside trading hours. `no_trades`: the source was connected and nothing traded. `missing`: not recorded. ' +
      'A request may look at 50,000 bars.',
    scope: 'read',
    query: CoverageQuery,
    response: Coverage,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  quotes: endpoint({
    method: 'GET',
    path: '/api/quotes',
    tag: 'Market',
    summary: 'The current bid and ask of many instruments at once',
    scope: 'read',
    query: QuotesQuery,
    response: QuoteList,
    errors: ['invalid_parameter', 'symbol_not_found'],
  }),
  ...SIGNAL_ENDPOINTS,
  ...NEWS_ENDPOINTS,
  ...AI_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  session: endpoint({
    method: 'GET',
    path: '/api/session',
    tag: 'Service',
    summary: 'Statistics of the current session',
    scope: 'read',
    response: SessionStatistics,
    errors: [],
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/usage',
    tag: 'Service',
    summary: "The key's tier and what is left of its allowances",
    scope: 'read',
    response: Usage,
    errors: [],
  }),
  feeds: endpoint({
    method: 'GET',
    path: '/api/feeds',
    tag: 'Service',
    summary: 'How the sources of prices are doing',
    scope: 'admin',
    response: FeedList,
    errors: [],
  }),
  ingestTicks: endpoint({
    method: 'POST',
    path: '/ingest/ticks',
    tag: 'Ingest',
    summary: "Takes an operator's own ticks, one JSON object a line",
    description:
      'The body is NDJSON, plain or gzip. Each line is taken or refused for itself; the answer counts the one and lists the other. ' +
      'The allowance is counted in lines, not in requests.',
    scope: 'ingest',
    lines: IngestLine,
    idempotent: true,
    response: IngestAnswer,
    errors: [
      'ingest_disabled',
      'idempotency_conflict',
      'invalid_parameter',
      'malformed_body',
      'payload_too_large',
      'unsupported_encoding',
      'store_unavailable',
    ],
  }),
  healthz: endpoint({
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Whether the process lives',
    scope: null,
    response: Health,
    errors: [],
  }),
  readyz: endpoint({
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether the service can do its work, part by part; 503 where it cannot',
    scope: null,
    response: Readiness,
    errors: [],
  }),
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

/** Errors that any endpoint which asks for a key may answer, in the order they are checked. */
export const KEYED_ERRORS = [
  'missing_key',
  'invalid_key',
  'too_many_failures',
  'invalid_session',
  'foreign_origin',
  'missing_scope',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

/** The same for an endpoint that takes a session and no key. */
export const SESSION_ERRORS = [
  'session_required',
  'invalid_session',
  'foreign_origin',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

/** Errors of the gate that an endpoint stands behind; none where anyone may call it. */
export function gateErrors({ scope, session }: Endpoint): readonly ErrorCode[] {
  if (session === 'only') return SESSION_ERRORS;
  return scope === null ? [] : KEYED_ERRORS;
}

/** Errors that any request may meet. */
export const COMMON_ERRORS = [
  'method_not_allowed',
  'uri_too_long',
  'internal',
  'shutting_down',
] as const satisfies readonly ErrorCode[];
