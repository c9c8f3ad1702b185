// The key pair of a log: Ed25519, made at the first start, kept beside the log, readable by its owner alone. Whoever has it
// can sign heads in the log's name, so it never leaves the machine; the public half stands in the log's first record.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { explained } from '../store/sqlite/database.ts';
import { StoreError } from '../store/store.ts';

export interface LogKey {
  readonly privateKey: KeyObject;
  /** 32 bytes, hex. */
  readonly publicKey: string;
}

/** The key in `file` (PKCS#8, PEM); a new one, written there, where there is none. */
export function openLogKey(file: string): LogKey {
  return explained(file, () => (existsSync(file) ? readLogKey(file) : makeLogKey(file)));
}

function readLogKey(file: string): LogKey {
  const damaged = (why: string): StoreError =>
    new StoreError(
      `${file} is not the key of a signal log (${why}): restore it from a backup, heads cannot be signed without it`,
    );
  const text = readFileSync(file, 'utf8');
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: text, format: 'pem' });
  } catch {
    throw damaged('it holds no private key');
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw damaged(`its type is ${privateKey.asymmetricKeyType}`);
  return { privateKey, publicKey: publicHex(privateKey) };
}

function makeLogKey(file: string): LogKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(file), { recursive: true });
  // Whole or not at all: half a key would keep the service from ever starting again.
  const draft = `${file}.${process.pid}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
  return { privateKey, publicKey: publicHex(privateKey) };
}

/** A rename is kept over a power cut once its folder is on the disk. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const publicHex = (privateKey: KeyObject): string =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url').toString('hex');
