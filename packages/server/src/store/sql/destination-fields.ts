// The columns of destinations.
import { storedFields } from './stored-fields.ts';

export const DESTINATIONS = storedFields('destinations', {
  id: 'text',
  account: 'text',
  channel: 'text',
  name: 'text',
  address: 'text',
  addressHash: 'text',
  sealed: 'text',
  state: 'text',
  codeHash: 'text',
  codeExpiresAt: 'bigint',
  wrongCodes: 'bigint',
  createdAt: 'bigint',
});
