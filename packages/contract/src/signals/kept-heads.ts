// Heads of the signal log that the service keeps, with the time stamps of outside authorities (RFC 3161).
import { z } from 'zod';
import { ItemCount, integerQuery, namedObject, nextPage, text, timestamp } from '../common/values.ts';
import { LogHead } from './log.ts';

export const HeadToken = namedObject('HeadToken', 'Time stamp of a head by an outside authority', () => ({
  authority: text('Address of the authority'),
  time: timestamp('Time in the token'),
  token: text('RFC 3161 token (DER, base64) of the SHA-256 of the canonical JSON of `log`, `n`, `hash` and `at`'),
}));

export const KeptHead = LogHead.extend({
  tokens: z.array(HeadToken).meta({ description: 'Time stamps; empty if no authority has stamped the head' }),
}).meta({ id: 'KeptHead', description: 'A signed head that the service keeps, with its time stamps' });
export type KeptHead = z.infer<typeof KeptHead>;

export const KeptHeadPage = namedObject('KeptHeadPage', 'A page of kept heads', () => ({
  items: z.array(KeptHead).meta({ description: 'Heads in ascending order of `n`' }),
  count: ItemCount,
  next: nextPage(z.int()),
}));
export type KeptHeadPage = z.infer<typeof KeptHeadPage>;

export const HeadsQuery = z.object({
  after: integerQuery('Number after which to start', -1, Number.MAX_SAFE_INTEGER, -1),
  limit: integerQuery('Maximum number of items', 1, 1000, 100),
});
export type HeadsQuery = z.infer<typeof HeadsQuery>;
