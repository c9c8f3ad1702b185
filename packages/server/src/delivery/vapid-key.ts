// The key pair with which push messages are signed (VAPID, RFC 8292): from the settings, or in a file that is created on first
// use. Browsers subscribe to the public key: with another pair, every subscription would be lost.
import { createECDH } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { writePrivateFile } from '../ops/durable-file.ts';

/** Both in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** `privateKey`: from the settings; `null` for the one in the file. */
export function readVapidKeys(privateKey: string | null, file: string): VapidKeys {
  if (privateKey !== null) return pairOf(privateKey);
  if (existsSync(file)) {
    try {
      return pairOf(readFileSync(file, 'utf8').trim());
    } catch {
      throw new ConfigError(`${file} is not a key for push messages: restore it from a backup`);
    }
  }
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  // Left-padded: the runtime drops leading zeros.
  const created = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  writePrivateFile(file, `${created}\n`);
  return pairOf(created);
}

function pairOf(text: string): VapidKeys {
  const ecdh = createECDH('prime256v1');
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32) throw new Error('a private key has 32 bytes');
  ecdh.setPrivateKey(bytes);
  return { publicKey: ecdh.getPublicKey('base64url', 'uncompressed'), privateKey: bytes.toString('base64url') };
}
