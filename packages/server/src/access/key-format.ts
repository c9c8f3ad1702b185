// The format of API keys: tw_<public id>_<secret><checksum>. The id may be shown and logged. The secret has 160 bits and is
// stored only as a hash. The checksum rejects mistyped keys without a lookup.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../ops/sha256.ts';

/** Crockford's alphabet: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^tw_([${ALPHABET}]{${ID_LENGTH}})_[${ALPHABET}]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

/** One character per byte. 256 is a multiple of 32, so all characters are equally likely. */
const encode = (bytes: Uint8Array): string => Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');

const checksum = (body: string): string => encode(sha256(`tickwire:${body}`).subarray(0, CHECK_LENGTH));

export interface MintedKey {
  readonly id: string;
  readonly key: string;
  readonly hash: Uint8Array;
}

export function mintKey(): MintedKey {
  const id = encode(randomBytes(ID_LENGTH));
  const body = `tw_${id}_${encode(randomBytes(SECRET_LENGTH))}`;
  const key = body + checksum(body);
  return { id, key, hash: hashKey(key) };
}

/** 160 random bits as text, for links and session tokens. */
export const randomSecret = (): string => encode(randomBytes(SECRET_LENGTH));

/** A public id for something other than a key or an account: `<prefix>_…`. */
export const randomId = (prefix: string): string => `${prefix}_${encode(randomBytes(ID_LENGTH))}`;

/** A few characters that make a name unique. */
export const randomSuffix = (): string => encode(randomBytes(6));

/** The secret has 160 random bits and cannot be guessed, so a fast hash is enough. */
export const hashKey = (key: string): Uint8Array => sha256(key);

/** The public id of a well-formed key, or `undefined` if the key is malformed. */
export function keyId(key: string): string | undefined {
  const id = SHAPE.exec(key)?.[1];
  return id && checksum(key.slice(0, -CHECK_LENGTH)) === key.slice(-CHECK_LENGTH) ? id : undefined;
}

export const matchesHash = (key: string, hash: Uint8Array): boolean => timingSafeEqual(hashKey(key), hash);
