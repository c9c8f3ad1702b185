// Data links: addresses that read one path without a key, for programs that cannot send a header.
import { z } from 'zod';
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import { integerBetween, namedList, namedObject, nullable, Timestamp, text, timestamp } from '../common/values.ts';
import { KeyInfo, KeyRequest } from './keys.ts';

/** Start of the address of a link; its token follows. */
export const DATA_LINK_PATH = '/link/';
/** A link to this path serves all TradingView endpoints, whose clients only take the start of an address. */
export const UDF_PATH = '/udf';
export const DEFAULT_LINK_DAYS = 90;
export const MAX_LINK_DAYS = 366;
const MAX_PATH = 2_000;

const path = text('Path and query that the link reads');

export const DataLinkRequest = namedObject('DataLinkRequest', 'A data link to create', () => ({
  name: KeyRequest.shape.name.meta({ ...KeyRequest.shape.name.meta(), description: 'Name' }),
  path: z.string().regex(/^\//).max(MAX_PATH).meta({
    description:
      'Path and query to read, such as `/api/bars/EURUSD?interval=1d&format=csv`, or `/udf` for all TradingView endpoints',
    allowed:
      'the path and query of an endpoint that reads market data, signals, publishers, news or the calendar, or /udf',
  }),
  expires_days: integerBetween(1, MAX_LINK_DAYS, 'Days until expiry').default(DEFAULT_LINK_DAYS),
}));
export type DataLinkRequest = z.infer<typeof DataLinkRequest>;

export const DataLink = namedObject('DataLink', 'A data link without its secret', () => ({
  id: text('Id'),
  name: text('Name'),
  path,
  state: KeyInfo.shape.state.meta({ description: '`good`: the link can be used' }),
  created_at: timestamp('Time of creation'),
  expires_at: timestamp('Time of expiry; `null` if never'),
  revoked_at: nullable(Timestamp, 'Time of revocation'),
  last_used_at: nullable(Timestamp, 'Last use, to the minute'),
  session_ended_at: KeyInfo.shape.session_ended_at,
}));
export type DataLink = z.infer<typeof DataLink>;

export const DataLinkList = namedList('DataLinkList', 'All data links of the account', DataLink);
export type DataLinkList = z.infer<typeof DataLinkList>;

export const IssuedDataLink = DataLink.extend({
  url: nullable(
    z.string(),
    'The address, a secret that is shown only once; `null` if the request was repeated after a restart',
  ),
}).meta({ id: 'IssuedDataLink', description: 'A new data link' });
export type IssuedDataLink = z.infer<typeof IssuedDataLink>;

const common = { tag: 'Keys', auth: 'key', scope: 'admin', anySession: true } as const;

export const DATA_LINK_ENDPOINTS = {
  links: endpoint({
    ...common,
    method: 'GET',
    path: '/api/links',
    summary: 'List data links',
    description: `Returns the data links of the account, without their addresses.`,
    response: DataLinkList,
  }),
  createLink: endpoint({
    ...common,
    method: 'POST',
    path: '/api/links',
    summary: 'Create a data link',
    description:
      'Creates an address that reads one path and its query without a key, for clients that cannot send a header. Its requests ' +
      `count against the limits of the account. The address is shown only once, in this response.`,
    idempotent: true,
    body: DataLinkRequest,
    status: 201,
    response: IssuedDataLink,
    errors: ['symbol_not_found', 'too_many_keys', 'key_creations_exhausted'],
  }),
  revokeLink: endpoint({
    ...common,
    method: 'POST',
    path: '/api/links/{link}/revoke',
    summary: 'Revoke a data link',
    description: `Revokes a link immediately.`,
    response: DataLink,
    errors: ['link_not_found'],
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
  session_ended_at: null,
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
