// Encrypts secrets in the database, so that a copy of it alone is not enough to use them. AES-256-GCM with a key in a file,
// which is created when the first secret is encrypted. Without a file, secrets are stored as they are.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../errors/store-error.ts';
import { withFileErrors } from './sqlite/errors.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PLAIN = 'plain:';
const SEALED = 'aes-256-gcm:';

/** What a box contains, for its error messages. */
export interface BoxContents {
  /** One secret, such as `a two-factor secret`. */
  readonly one: string;
  /** The setting that names the file of the key. */
  readonly setting: string;
  /** What to do if the key is lost. */
  readonly remedy: string;
}

const TWO_FACTOR_SECRETS: BoxContents = {
  one: 'a two-factor secret',
  setting: 'two_factor_key',
  remedy: 'run "tickwire accounts reset-two-factor"',
};

export class SecretBox {
  readonly #file: string | null;
  readonly #contents: BoxContents;
  #key: Uint8Array | null = null;

  /** `file`: where the key is, or will be created; `null` for no encryption. */
  constructor(file: string | null, contents: BoxContents = TWO_FACTOR_SECRETS) {
    this.#file = file;
    this.#contents = contents;
  }

  /** `context` must be the same when the text is opened, so that nobody can move a secret to another owner. */
  seal(text: string, context: string): string {
    if (this.#file === null) return PLAIN + text;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyIn(this.#file, true), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return SEALED + sealed.toString('base64');
  }

  open(stored: string, context: string): string {
    if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
    if (this.#file === null)
      throw new StoreError(
        `${this.#contents.one} is encrypted: set ${this.#contents.setting} to the file with its key`,
      );
    const sealed = Buffer.from(stored.slice(SEALED.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#keyIn(this.#file, false), sealed.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new StoreError(
        `${this.#file} is not the key of ${this.#contents.one}: restore it from a backup, or ${this.#contents.remedy}`,
        { cause: error },
      );
    }
  }

  #keyIn(file: string, create: boolean): Uint8Array {
    this.#key ??= withFileErrors(file, () => (existsSync(file) || !create ? readKey(file) : createKey(file)));
    return this.#key;
  }
}

/** The key in a file that must exist. */
export function readKey(file: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StoreError(`${file} with the key of secrets cannot be read: ${(error as Error).message}`);
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new StoreError(
      `${file} is not a key for secrets: restore it from a backup, or create one with "openssl rand -base64 32"`,
    );
  return key;
}

function createKey(file: string): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  mkdirSync(dirname(file), { recursive: true });
  // Written completely or not at all.
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
  return key;
}
