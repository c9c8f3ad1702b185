// What went wrong with a feed: the one place that turns an error, a status or a venue's reply into a cause, and into the rest of a
// sentence that begins with the venue's name.
import { GetJsonError } from './get-json.ts';

export type FailureCause =
  | 'blocked-region'
  | 'forbidden'
  | 'rate-limit'
  | 'maintenance'
  | 'server-error'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'unreachable'
  | 'unknown-symbol'
  | 'silent'
  | 'closed'
  | 'other';

export interface FeedFailure {
  readonly cause: FailureCause;
  /** Follows the name of the venue, and has no full stop: `refuses connections from this region (HTTP 451)`. */
  readonly text: string;
}

/** Causes that a further attempt in a few seconds will not end. */
const LASTING: ReadonlySet<FailureCause> = new Set(['blocked-region', 'forbidden', 'unknown-symbol']);
export const isLasting = ({ cause }: FeedFailure): boolean => LASTING.has(cause);

const DETAIL_LENGTH = 160;
const STATUS = /\bstatus (?:code: )?(\d{3})\b/;

/** The first pattern that the reason matches decides. `{}` stands for the reason, `{1}` for what is in parentheses in the pattern. */
const RULES: readonly (readonly [FailureCause, RegExp, string])[] = [
  [
    'unknown-symbol',
    /^subscription refused: (.*(?:invalid symbol|handler not found|doesn.t exist|not (?:supported|valid|found)).*)/i,
    'does not offer an instrument ({1})',
  ],
  ['other', /^subscription refused: (.*)/, 'refuses the subscription ({1})'],
  [
    'blocked-region',
    /\bstatus (?:code: )?451\b|restricted location/i,
    'refuses connections from this region (HTTP 451)',
  ],
  ['forbidden', /\bstatus (?:code: )?403\b/, 'refuses this address (HTTP 403: a blocked region, or too many requests)'],
  ['rate-limit', /\bstatus (?:code: )?(429|418)\b/, 'limits the requests of this address (HTTP {1})'],
  ['rate-limit', /too many (?:requests|visits)|rate limit/i, 'limits the requests of this address'],
  ['maintenance', /\bstatus (?:code: )?503\b/, 'is down for maintenance, or overloaded (HTTP 503)'],
  ['maintenance', /maintenance|unavailable|the venue is busy/i, 'is down for maintenance, or overloaded'],
  ['server-error', /\bstatus (?:code: )?(5\d\d)\b/, 'has a fault (HTTP {1})'],
  ['dns', /ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL|getaddrinfo/, 'cannot be found: its name does not resolve (DNS)'],
  ['tls', /certificate|\bTLS\b|\bSSL\b|CERT_|EPROTO/i, 'cannot be reached securely ({})'],
  ['silent', /\bsilent\b|no heartbeat/, 'has gone silent ({})'],
  ['timeout', /\bwithin \d|timed? ?out|ETIMEDOUT/i, 'does not answer ({})'],
  [
    'unreachable',
    /E(?:CONN\w+|HOSTUNREACH|NETUNREACH|PIPE)|(?:unable|failed) to connect|no connection/i,
    'cannot be reached ({})',
  ],
  ['closed', /^(?:closed|ended) by the venue(?: \((.*)\))?$/, 'closed the connection ({1})'],
];

/** `venue`: its name in the configuration, with which some errors begin. */
export function failureOf(error: unknown, venue: string): FeedFailure {
  const reason = reasonOf(error, venue);
  for (const [cause, pattern, words] of RULES) {
    const match = pattern.exec(reason);
    if (!match) continue;
    const text = words.replace(/\{(1?)\}/, (_, group) => (group ? match[1] || 'no reason given' : reason));
    return { cause, text };
  }
  const [, status] = STATUS.exec(reason) ?? [];
  return { cause: 'other', text: status ? `refuses the request (HTTP ${status})` : `has a problem: ${reason}` };
}

function reasonOf(error: unknown, venue: string): string {
  // Its message begins with the address, which has symbols in it.
  const text = error instanceof GetJsonError ? error.reason : error instanceof Error ? error.message : String(error);
  return text
    .replace(`${venue}: `, '')
    .replace(/^(?:Error|OandaError): |^WebSocket connection to '\S+' failed: |, \d+ attempts$/g, '')
    .replace(/\b(\d+)000 ms\b/g, '$1 s')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, DETAIL_LENGTH);
}
