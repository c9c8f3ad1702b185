// What followers of a publisher would have had, who did everything some seconds later.
import { z } from 'zod';
import { type EndpointExamples, endpoint, READ } from '../common/endpoint.ts';
import {
  Fraction,
  ItemCount,
  integer,
  integerQuery,
  namedObject,
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';

/** Delays in seconds. */
export const FOLLOWER_DELAYS = [1, 5, 30] as const;

export const FollowersQuery = z.object({
  limit: integerQuery('Maximum number of items', 1, 200, 50),
});
export type FollowersQuery = z.infer<typeof FollowersQuery>;

export const FollowerDelay = namedObject('FollowerDelay', 'Results with one delay', () => ({
  seconds: integer('Delay in seconds; 0 is the signal itself'),
  signals: integer('Signals with a known result'),
  average_r: nullable(z.number(), 'Mean R; `null` without signals'),
  total_r: number('Sum of R'),
  win_rate: nullable(Fraction, 'Fraction of the signals with R above 0; `null` without signals'),
}));
export type FollowerDelay = z.infer<typeof FollowerDelay>;

export const FollowedSignal = namedObject('FollowedSignal', 'One signal and its followers', () => ({
  id: text('Id of the signal'),
  symbol: SymbolCode,
  closed_at: timestamp('Time of the closing'),
  pnl_r: number('R of the signal'),
  follower_r: z
    .array(z.number().nullable())
    .meta({ description: 'R with delays of 1, 5 and 30 s; `null` without quotes' }),
}));
export type FollowedSignal = z.infer<typeof FollowedSignal>;

export const FollowerResults = namedObject(
  'FollowerResults',
  'Results of acting some seconds after the signals',
  () => ({
    delays: z.array(FollowerDelay).meta({ description: 'Results by delay, of signals with prices for every delay' }),
    items: z.array(FollowedSignal).meta({ description: 'Closed signals that were filled, newest first' }),
    count: ItemCount,
    unknown: integer('Items that are not in `delays`: a result is unknown'),
  }),
);
export type FollowerResults = z.infer<typeof FollowerResults>;

export const FOLLOWER_ENDPOINTS = {
  publisherFollowers: endpoint({
    ...READ,
    path: '/api/publishers/{name}/followers',
    tag: 'Publishers',
    summary: 'Get the results of followers',
    description:
      'Returns the results of entering and exiting 1, 5 or 30 seconds after each fill and exit, at the first quote from then on, without fees.',
    query: FollowersQuery,
    response: FollowerResults,
    errors: ['publisher_not_found'],
  }),
} as const;

const delay = (seconds: number, average_r: number) => ({
  seconds,
  signals: 1,
  average_r,
  total_r: average_r,
  win_rate: 1,
});

export const FOLLOWER_EXAMPLES: EndpointExamples<typeof FOLLOWER_ENDPOINTS> = {
  publisherFollowers: {
    request: '/api/publishers/goldsmith/followers?limit=1',
    response: {
      delays: [delay(0, 2.1), delay(1, 2.08), delay(5, 2.01), delay(30, 1.64)],
      items: [
        {
          id: 'sig_3f9c2a1b5d7e8f60',
          symbol: 'XAUUSD',
          closed_at: '2026-03-01T16:41:12.054Z',
          pnl_r: 2.1,
          follower_r: [2.08, 2.01, 1.64],
        },
      ],
      count: 1,
      unknown: 0,
    },
  },
};
