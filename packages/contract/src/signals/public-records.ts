// Public records: what anyone may read about a publisher without a key, if the operator allows it.
import { z } from 'zod';
import { type EndpointExamples, endpoint, PUBLIC } from '../common/endpoint.ts';
import { ItemCount, integerQuery, namedObject, nextPage, optionalIntegerQuery, text } from '../common/values.ts';
import { LogEntry } from './log.ts';
import { LOG_EXAMPLE } from './log-example.ts';
import { PUBLISHER_EXAMPLE } from './publisher-examples.ts';
import { PublisherDetail, PublisherQuery } from './publishers.ts';

const MAX_SIGNALS = 100;

export const PublicSignal = namedObject('PublicSignal', 'The log records of one signal', () => ({
  signal: text('Id of the signal'),
  records: z.array(LogEntry).meta({ description: 'All its records so far, in ascending order' }),
}));
export type PublicSignal = z.infer<typeof PublicSignal>;

export const PublicRecordPage = namedObject('PublicRecordPage', 'A page of the log records of one publisher', () => ({
  items: z.array(PublicSignal).meta({ description: 'Signals, newest publication first' }),
  count: ItemCount,
  next: nextPage(z.int()),
  untrusted_sources: z.array(z.string()).meta({
    description: 'Price sources that the operator does not trust: their wins do not count',
  }),
}));
export type PublicRecordPage = z.infer<typeof PublicRecordPage>;

export const PublicRecordsQuery = z.object({
  before: optionalIntegerQuery('Return only signals published by a record with a number below this', 0),
  limit: integerQuery('Maximum number of items', 1, MAX_SIGNALS, MAX_SIGNALS),
});
export type PublicRecordsQuery = z.infer<typeof PublicRecordsQuery>;

const ERRORS = ['not_found', 'publisher_not_found'] as const;

const PUBLIC_RECORD = { ...PUBLIC, method: 'GET', tag: 'Publishers' } as const;

export const PUBLIC_RECORD_ENDPOINTS = {
  publicPublisher: endpoint({
    ...PUBLIC_RECORD,
    path: '/public/publishers/{name}',
    summary: 'Get the public record of a publisher',
    description:
      'Returns the same as `GET /api/publishers/{name}`, without a key. 404 `not_found` unless `TICKWIRE_PUBLIC_RECORDS` is on.',
    query: PublisherQuery,
    response: PublisherDetail,
    errors: ERRORS,
  }),
  publicRecords: endpoint({
    ...PUBLIC_RECORD,
    path: '/public/publishers/{name}/records',
    summary: 'Read the log records of a publisher',
    description:
      'Returns the log records of all signals of one publisher, without a key. To page back, set `before` to `next`. 404 `not_found` if public records are off.',
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
