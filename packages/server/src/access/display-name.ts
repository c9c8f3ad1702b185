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
  'anonymous',
  'api',
  'help',
  'helpdesk',
  'house',
  'mod',
  'owner',
  'root',
  'service',
  'support',
  'system',
];
/** Words that do so in any name, such as "admin team". */
const RESERVED_WORDS = [
  'admin',
  'administrator',
  'moderator',
  'official',
  'operator',
  'security',
  'staff',
  'superuser',
  'sysadmin',
  'tickwire',
  'webmaster',
];

/** The name in the form in which it is stored (NFKC: full-width letters become plain ones). Throws an AccessError. */
export function checkName(name: string): string {
  const normalized = name.normalize('NFKC').trim();
  if (!DISPLAY_NAME.test(normalized) || IGNORABLE.test(name) || PUBLIC_ID.test(normalized))
    throw new AccessError(`${JSON.stringify(name.slice(0, 100))} is not a valid name; use ${NAME_RULE}`);
  return normalized;
}

/** Whether the name is, contains or looks like one that only the operator may give. */
export function isReservedName(name: string): boolean {
  const words = withoutAccents(name).split(/[ ._-]+/);
  return (
    isOneOf([...RESERVED, ...RESERVED_WORDS], words.join('')) || words.some((word) => isOneOf(RESERVED_WORDS, word))
  );
}

/** Also in the plural or with a number: "admins", "Operator 2". */
const isOneOf = (reserved: readonly string[], word: string): boolean =>
  [word, word.replace(/s?\d*$/i, '')].some((form) => reserved.some((each) => lookAlike(form, each)));

const withoutAccents = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '');
