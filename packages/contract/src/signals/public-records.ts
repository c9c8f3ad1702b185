// Public records: what anyone may read about a publisher without a key, if the operator allows it.
import { z } from 'zod';
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import type { ErrorCode } from '../common/errors.ts';
import { ItemCount, integerQuery, nullable, optionalIntegerQuery, text } from '../common/values.ts';
import { LogEntry } from './log.ts';
import { LOG_EXAMPLE } from './log-example.ts';
import { PUBLISHER_EXAMPLE } from './publisher-examples.ts';
import { PublisherDetail, PublisherQuery } from './publishers.ts';

const MAX_SIGNALS = 100;

const PublicSignal = z
  .object({
    signal: text('Id of the signal'),
    records: z.array(LogEntry).meta({ description: 'All its records so far, in ascending order' }),
  })
  .meta({ id: 'PublicSignal', description: 'The log records of one signal' });

export const PublicRecordPage = z
  .object({
    items: z.array(PublicSignal).meta({ description: 'Signals, newest publication first' }),
    count: ItemCount,
    next: nullable(z.int(), '`before` of the next page; `null` on the last page'),
    untrusted_sources: z.array(z.string()).meta({
      description: 'Sources of prices in these records that the operator does not trust: wins by them do not count',
    }),
  })
  .meta({ id: 'PublicRecordPage', description: 'A page of the log records of one publisher' });
export type PublicRecordPage = z.infer<typeof PublicRecordPage>;

export const PublicRecordsQuery = z.object({
  before: optionalIntegerQuery('Return only signals published by a record with a number below this', 0),
  limit: integerQuery('Maximum number of signals', 1, MAX_SIGNALS, MAX_SIGNALS),
});
export type PublicRecordsQuery = z.infer<typeof PublicRecordsQuery>;

const ERRORS = [
  'not_found',
  'malformed_path',
  'invalid_parameter',
  'publisher_not_found',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

export const PUBLIC_RECORD_ENDPOINTS = {
  publicPublisher: endpoint({
    method: 'GET',
    path: '/public/publishers/{name}',
    tag: 'Publishers',
    summary: 'Get the public record of a publisher',
    description:
      'Returns the same as `GET /api/publishers/{name}`, without a key. Available if the operator has turned on public ' +
      'records (`TICKWIRE_PUBLIC_RECORDS`); otherwise 404 `not_found`.',
    auth: 'none',
    scope: null,
    query: PublisherQuery,
    response: PublisherDetail,
    errors: ERRORS,
  }),
  publicRecords: endpoint({
    method: 'GET',
    path: '/public/publishers/{name}/records',
    tag: 'Publishers',
    summary: 'Read the log records of a publisher',
    description:
      'Returns the log records of all signals of one publisher, without a key, for recomputing its track record. To page ' +
      'back, set `before` to `next`. Available if the operator has turned on public records; otherwise 404 `not_found`. A ' +
      'process serves a few of these pages at a time; beyond that, the response is 429 `too_many_requests`.',
    auth: 'none',
    scope: null,
    query: PublicRecordsQuery,
    response: PublicRecordPage,
    errors: ERRORS,
  }),
} as const;

export const PUBLIC_RECORD_EXAMPLES: EndpointExamples<typeof PUBLIC_RECORD_ENDPOINTS> = {
  publicPublisher: { request: '/public/publishers/goldsmith', response: PUBLISHER_EXAMPLE },
  publicRecords: {
    request: '/public/publishers/goldsmith/records?limit=1',
    response: {
      items: [{ signal: 'sig_3f8t1w6c', records: [LOG_EXAMPLE.published] }],
      count: 1,
      next: LOG_EXAMPLE.published.record.n,
      untrusted_sources: [],
    },
  },
};
