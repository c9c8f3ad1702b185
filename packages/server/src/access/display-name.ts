// The rules of display names. Publishers are known by their names, so a name must not look like another one. The store
// rejects names that look like the name of another account; this file rejects characters and reserved names.
import { MAX_NAME_LENGTH, NAME_RULE } from '@tickwire/contract';
import { lookAlike } from '../store/names/name-skeleton.ts';
import { AccessError } from './access-error.ts';

const DISPLAY_NAME = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,${MAX_NAME_LENGTH - 1}}$`, 'u');
/** Some letters are invisible, such as the Hangul filler. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
/** Signals of a deleted account show its public id as the name, so no account may have a name in that form. */
const PUBLIC_ID = /^pub_[0-9a-f]{16}$/i;

/** Names that seem to speak for the service. Only the operator may give them. */
const RESERVED = [
  'admin',
  'administrator',
  'anonymous',
  'api',
  'house',
  'moderator',
  'official',
  'operator',
  'owner',
  'root',
  'security',
  'service',
  'staff',
  'support',
  'system',
  'tickwire',
];

/** The name in the form in which it is stored (NFKC: full-width letters become plain ones). Throws an AccessError. */
export function checkName(name: string): string {
  const normalized = name.normalize('NFKC').trim();
  if (!DISPLAY_NAME.test(normalized) || IGNORABLE.test(name) || PUBLIC_ID.test(normalized))
    throw new AccessError(`${JSON.stringify(name.slice(0, 100))} is not a valid name; use ${NAME_RULE}`);
  return normalized;
}

/** Whether the name is, or looks like, one that only the operator may give. */
export const isReservedName = (name: string): boolean =>
  RESERVED.some((reserved) => lookAlike(name.replace(/[ ._-]/g, ''), reserved));
