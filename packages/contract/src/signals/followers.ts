// What followers of a publisher would have had, who did everything some seconds later.
import { z } from 'zod';
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import {
  Fraction,
  ItemCount,
  integer,
  integerQuery,
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';

/** Delays in seconds. */
export const FOLLOWER_DELAYS = [1, 5, 30] as const;

export const FollowersQuery = z.object({
  limit: integerQuery('Number of closed signals to look at, newest first', 1, 200, 50),
});
export type FollowersQuery = z.infer<typeof FollowersQuery>;

export const FollowerResults = z
  .object({
    delays: z
      .array(
        z
          .object({
            seconds: integer('Delay in seconds; 0 is the signal itself'),
            signals: integer('Signals with a known result'),
            average_r: nullable(z.number(), 'Mean R; `null` without signals'),
            total_r: number('Sum of R'),
            win_rate: nullable(Fraction, 'Fraction of the signals with R above 0; `null` without signals'),
          })
          .meta({ id: 'FollowerDelay', description: 'Results with one delay' }),
      )
      .meta({ description: 'Results by delay, over the same signals: those whose prices are known for every delay' }),
    items: z
      .array(
        z
          .object({
            id: text('Id of the signal'),
            symbol: SymbolCode,
            closed_at: timestamp('Time of the closing'),
            pnl_r: number('R of the signal'),
            follower_r: z
              .array(z.number().nullable())
              .meta({ description: 'R with each delay of 1, 5 and 30 s; `null` if the tape has no quotes for it' }),
          })
          .meta({ id: 'FollowedSignal', description: 'One signal and its followers' }),
      )
      .meta({ description: 'Closed signals that were filled, newest first' }),
    count: ItemCount,
  })
  .meta({ id: 'FollowerResults', description: 'Results of followers who acted some seconds after the signals' });
export type FollowerResults = z.infer<typeof FollowerResults>;

export const FOLLOWER_ENDPOINTS = {
  publisherFollowers: endpoint({
    method: 'GET',
    path: '/api/publishers/{name}/followers',
    tag: 'Publishers',
    summary: 'Get the results of followers',
    description:
      'Returns what followers would have had who entered and exited 1, 5 or 30 seconds after each fill and exit, at the first quote ' +
      'of that time on the tape. Fees are not included.',
    auth: 'key',
    scope: 'read',
    query: FollowersQuery,
    response: FollowerResults,
    errors: ['invalid_parameter', 'malformed_path', 'publisher_not_found', 'store_unavailable'],
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
    },
  },
};
