// Endpoints for checking the signal log from outside: the tape of a day, and kept heads with their time stamps.
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import { EvidenceLine, EvidenceQuery } from './evidence-day.ts';
import { HeadsQuery, KeptHeadPage } from './kept-heads.ts';
import { HEAD_EXAMPLE } from './log-example.ts';

export const EVIDENCE_ENDPOINTS = {
  evidence: endpoint({
    method: 'GET',
    path: '/api/evidence/{day}/{symbol}',
    tag: 'Signals',
    summary: 'Get the tape of a day',
    description:
      'Returns the ticks of one instrument on one UTC day as NDJSON, compressed with gzip for clients that accept it. If the ' +
      'day is sealed, the body is the sealed file, byte for byte: its SHA-256 is in the log, and `Evidence-Source` is ' +
      '`sealed`. Otherwise the body is the tape so far, and `Evidence-Source` is `tape`. An account can read two days at a ' +
      'time.',
    auth: 'key',
    scope: 'read',
    query: EvidenceQuery,
    etag: true,
    lineResponse: true,
    response: EvidenceLine,
    errors: [
      'malformed_path',
      'invalid_parameter',
      'symbol_not_found',
      'no_evidence',
      'too_many_downloads',
      'store_unavailable',
      'no_active_ingest',
    ],
  }),
  signalHeads: endpoint({
    method: 'GET',
    path: '/api/signals/heads',
    tag: 'Signals',
    summary: 'List kept heads',
    description:
      'Returns the heads that the service has kept, one per hour by default, in ascending order. Each has the time stamps of ' +
      'the RFC 3161 authorities that the operator has configured: proof by others that the log up to there existed at that ' +
      'time.',
    auth: 'key',
    scope: 'read',
    query: HeadsQuery,
    response: KeptHeadPage,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
} as const;

export const EVIDENCE_EXAMPLES: EndpointExamples<typeof EVIDENCE_ENDPOINTS> = {
  evidence: {
    request: '/api/evidence/2026-03-02/XAUUSD',
    response: { seq: 402911, time: 1772440315263, bid: 2402.92, ask: 2403.18, source: 'oanda' },
  },
  signalHeads: {
    request: '/api/signals/heads?after=40&limit=1',
    response: {
      items: [
        {
          ...HEAD_EXAMPLE,
          tokens: [
            {
              authority: 'https://tsa.example.org/tsr',
              time: '2026-03-02T11:24:08.000Z',
              // Shortened: a token has a few thousand bytes.
              token: 'MIIVtgYJKoZIhvcNAQcCoIIVpzCCFaMCAQMxDzANBglghkgBZQMEAgEFADA=',
            },
          ],
        },
      ],
      count: 1,
      next: 44,
    },
  },
};
