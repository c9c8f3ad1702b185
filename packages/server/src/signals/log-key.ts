// The Ed25519 key pair of a signal log. Created at the first start and stored beside the log, readable only by its
// owner. The holder of the private key can sign heads in the name of the log, so it never leaves the machine; the
// public key is in the first record.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import { writePrivateFile } from '../ops/durable-file.ts';
import { withFileErrors } from '../store/sqlite/errors.ts';

export interface LogKey {
  readonly privateKey: KeyObject;
  /** 32 bytes, hex. */
  readonly publicKey: string;
}

/** Where the key is, by the settings. */
export const logKeyFile = ({ log_key, data, realm }: Pick<Config, 'log_key' | 'data' | 'realm'>): string =>
  log_key ?? join(data, realm, 'log-key.pem');

/** Reads the key from `file` (PKCS#8, PEM). If there is no such file, creates a key and writes it there. */
export function openLogKey(file: string): LogKey {
  return withFileErrors(file, () => (existsSync(file) ? readLogKey(file) : createLogKey(file)));
}

function readLogKey(file: string): LogKey {
  const damaged = (why: string): StoreError =>
    new StoreError(
      `${file} is not the key of a signal log (${why}): restore it from a backup, because heads cannot be signed without it`,
    );
  const text = readFileSync(file, 'utf8');
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: text, format: 'pem' });
  } catch {
    throw damaged('it contains no private key');
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw damaged(`its type is ${privateKey.asymmetricKeyType}`);
  return { privateKey, publicKey: publicHex(privateKey) };
}

function createLogKey(file: string): LogKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(file), { recursive: true });
  // Written completely or not at all: a partial key would prevent every later start.
  writePrivateFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  return { privateKey, publicKey: publicHex(privateKey) };
}

const publicHex = (privateKey: KeyObject): string =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url').toString('hex');
