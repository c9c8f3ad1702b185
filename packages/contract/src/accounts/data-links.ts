// Data links: addresses that read one path without a key, for programs that cannot send a header.
import { z } from 'zod';
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import { JSON_BODY_ERRORS } from '../common/errors.ts';
import { ItemCount, nullable, Timestamp, text, timestamp } from '../common/values.ts';
import { KeyInfo, KeyRequest } from './keys.ts';

/** Start of the address of a link; its token follows. */
export const DATA_LINK_PATH = '/link/';
/** A link to this path serves all TradingView endpoints, whose clients only take the start of an address. */
export const UDF_PATH = '/udf';
export const DEFAULT_LINK_DAYS = 90;
export const MAX_LINK_DAYS = 366;
const MAX_PATH = 2_000;

const path = text('Path and query that the link reads');

export const DataLinkRequest = z
  .object({
    name: KeyRequest.shape.name.meta({ ...KeyRequest.shape.name.meta(), description: 'Name of the link' }),
    path: z
      .string()
      .regex(/^\//)
      .max(MAX_PATH)
      .meta({
        description:
          'Path and query to read: an endpoint of market data, signals, publishers, news or the calendar that needs the scope `read`, ' +
          'such as `/api/bars/EURUSD?interval=1d&format=csv`; or `/udf` for all TradingView endpoints',
        allowed:
          'the path and query of an endpoint that reads market data, signals, publishers, news or the calendar, or /udf',
      }),
    expires_days: z
      .int()
      .min(1)
      .max(MAX_LINK_DAYS)
      .default(DEFAULT_LINK_DAYS)
      .meta({
        description: 'Days until the link expires',
        allowed: `an integer between 1 and ${MAX_LINK_DAYS}`,
      }),
  })
  .meta({ id: 'DataLinkRequest', description: 'A data link to create' });

export const DataLink = z
  .object({
    id: text('Public id of the link, the part that is not secret'),
    name: text('Name of the link'),
    path,
    state: KeyInfo.shape.state.meta({ description: '`good`: the link can be used' }),
    created_at: timestamp('Time of creation'),
    expires_at: timestamp('Time of expiry'),
    revoked_at: nullable(Timestamp, 'Time of revocation (ISO 8601, UTC); `null` if it is not revoked'),
    last_used_at: nullable(Timestamp, 'Time of the last use, to the minute (ISO 8601, UTC); `null` if never used'),
  })
  .meta({ id: 'DataLink', description: 'A data link without its secret' });
export type DataLink = z.infer<typeof DataLink>;

export const DataLinkList = z
  .object({ items: z.array(DataLink).meta({ description: 'Data links of the account' }), count: ItemCount })
  .meta({ id: 'DataLinkList', description: 'All data links of the account' });

export const IssuedDataLink = DataLink.extend({
  url: nullable(
    z.string(),
    'The address, shown only once. Anyone who has it can read the path. `null` if the request was repeated with its ' +
      'Idempotency-Key after the service was restarted',
  ),
}).meta({ id: 'IssuedDataLink', description: 'A new data link' });
export type IssuedDataLink = z.infer<typeof IssuedDataLink>;

const OWN = 'Any signed-in session can call this; a key needs the scope `admin`. It applies to your own account.';
const common = { tag: 'Keys', auth: 'key', scope: 'admin', anySession: true } as const;

export const DATA_LINK_ENDPOINTS = {
  links: endpoint({
    ...common,
    method: 'GET',
    path: '/api/links',
    summary: 'List data links',
    description: `Returns the data links of the account, without their addresses. ${OWN}`,
    response: DataLinkList,
    errors: [],
  }),
  createLink: endpoint({
    ...common,
    method: 'POST',
    path: '/api/links',
    summary: 'Create a data link',
    description:
      'Creates an address that reads one path and its query without a key, until it expires or is revoked: for spreadsheets, and ' +
      'for charting libraries that cannot send a header. Its requests count against the limits of the account. The address is ' +
      `shown only once, in this response. ${OWN}`,
    idempotent: true,
    body: DataLinkRequest,
    status: 201,
    response: IssuedDataLink,
    errors: [
      ...JSON_BODY_ERRORS,
      'store_unavailable',
      'idempotency_conflict',
      'symbol_not_found',
      'too_many_keys',
      'key_creations_exhausted',
    ],
  }),
  revokeLink: endpoint({
    ...common,
    method: 'POST',
    path: '/api/links/{link}/revoke',
    summary: 'Revoke a data link',
    description: `Revokes a link immediately. ${OWN}`,
    response: DataLink,
    errors: ['malformed_path', 'link_not_found', 'store_unavailable'],
  }),
} as const;

const link: DataLink = {
  id: '3rd9k0w7xe',
  name: 'Portfolio sheet',
  path: '/api/bars/EURUSD?interval=1d&limit=250&format=csv',
  state: 'good',
  created_at: '2026-03-02T11:24:07.318Z',
  expires_at: '2026-05-31T11:24:07.318Z',
  revoked_at: null,
  last_used_at: null,
};

export const DATA_LINK_EXAMPLES: EndpointExamples<typeof DATA_LINK_ENDPOINTS> = {
  links: {
    request: '/api/links',
    response: { items: [{ ...link, last_used_at: '2026-03-02T12:03:00.000Z' }], count: 1 },
  },
  createLink: {
    request: '/api/links',
    body: { name: link.name, path: link.path, expires_days: 90 },
    response: { ...link, url: 'https://tickwire.example/link/<TOKEN>' },
  },
  revokeLink: {
    request: '/api/links/3rd9k0w7xe/revoke',
    response: { ...link, state: 'revoked', revoked_at: '2026-03-02T11:25:00.000Z' },
  },
};
