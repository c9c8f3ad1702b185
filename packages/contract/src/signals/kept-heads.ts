// Heads of the signal log that the service keeps, with the time stamps of outside authorities (RFC 3161).
import { z } from 'zod';
import { ItemCount, integerQuery, nullable, text, timestamp } from '../common/values.ts';
import { LogHead } from './log.ts';

export const HeadToken = z
  .object({
    authority: text('Address of the authority'),
    time: timestamp('Time in the token: the authority had the head then'),
    token: text(
      'RFC 3161 time-stamp token (DER, base64) of the SHA-256 of the canonical JSON of `log`, `n`, `hash` and `at`',
    ),
  })
  .meta({ id: 'HeadToken', description: 'Time stamp of a head by an outside authority' });
export type HeadToken = z.infer<typeof HeadToken>;

export const KeptHead = LogHead.extend({
  tokens: z.array(HeadToken).meta({ description: 'Time stamps; empty if no authority has stamped the head' }),
}).meta({ id: 'KeptHead', description: 'A signed head that the service keeps, with its time stamps' });
export type KeptHead = z.infer<typeof KeptHead>;

export const KeptHeadPage = z
  .object({
    items: z.array(KeptHead).meta({ description: 'Heads in ascending order of `n`' }),
    count: ItemCount,
    next: nullable(z.int(), '`after` of the next page; `null` on the last page'),
  })
  .meta({ id: 'KeptHeadPage', description: 'A page of kept heads' });
export type KeptHeadPage = z.infer<typeof KeptHeadPage>;

export const HeadsQuery = z.object({
  after: integerQuery('Return only heads whose `n` is above this', -1, Number.MAX_SAFE_INTEGER, -1),
  limit: integerQuery('Maximum number of heads', 1, 1000, 100),
});
export type HeadsQuery = z.infer<typeof HeadsQuery>;
