// Endpoints for checking the signal log from outside: the tape of a day, and kept heads with their time stamps.
import { type EndpointExamples, endpoint, PUBLIC, READ } from '../common/endpoint.ts';
import { EvidenceLine, EvidenceQuery } from './evidence-day.ts';
import { HeadsQuery, KeptHeadPage } from './kept-heads.ts';
import { LogHead } from './log.ts';
import { HEAD_EXAMPLE } from './log-example.ts';

export const EVIDENCE_ENDPOINTS = {
  evidence: endpoint({
    ...READ,
    path: '/api/evidence/{day}/{symbol}',
    tag: 'Signals',
    summary: 'Get the tape of a day',
    description:
      'Returns the ticks of one instrument on one UTC day. If the day is sealed, the body is the sealed file, whose SHA-256 is in the log; otherwise the tape so far.',
    query: EvidenceQuery,
    etag: true,
    lineResponse: true,
    response: EvidenceLine,
    errors: ['no_evidence', 'too_many_downloads', 'no_active_ingest'],
  }),
  signalHeads: endpoint({
    ...READ,
    path: '/api/signals/heads',
    tag: 'Signals',
    summary: 'List kept heads',
    description: 'Returns the kept heads, one per hour by default, with their time stamps by RFC 3161 authorities.',
    query: HeadsQuery,
    response: KeptHeadPage,
  }),
  publicSignalHead: endpoint({
    ...PUBLIC,
    method: 'GET',
    path: '/public/signals/head',
    tag: 'Signals',
    summary: 'Get the head without a key',
    description: 'Returns the same as `GET /api/signals/head`.',
    response: LogHead,
    errors: ['no_active_ingest'],
  }),
  publicSignalHeads: endpoint({
    ...PUBLIC,
    method: 'GET',
    path: '/public/signals/heads',
    tag: 'Signals',
    summary: 'List kept heads without a key',
    description: 'Returns the same as `GET /api/signals/heads`.',
    query: HeadsQuery,
    response: KeptHeadPage,
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
  publicSignalHead: { request: '/public/signals/head', response: HEAD_EXAMPLE },
  publicSignalHeads: { request: '/public/signals/heads?after=44', response: { items: [], count: 0, next: null } },
};
