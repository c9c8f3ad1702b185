// Signs requests about signals, for accounts with a signing key. The private key stays in this process. Uses WebCrypto, which
// knows Ed25519 in Node.js 20, Bun and current browsers.
import { canonicalJson } from '../common/canonical-json.ts';
import type { AmendRequest, RequestSignature, SignalRequest } from '../common/contract.ts';
import { hex } from '../common/hex.ts';
import { plainSymbol } from '../common/plain-symbol.ts';

const ALGORITHM = 'Ed25519';
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** A key pair to sign with. */
export interface SigningKeyPair {
  /** Keep it secret. Export it with `crypto.subtle.exportKey('pkcs8', privateKey)`. */
  readonly privateKey: CryptoKey;
  /** 32 bytes, hex: register it with {@link AccountApi.setSigningKey}. */
  readonly publicKey: string;
}

/**
 * Creates a key pair.
 * @example const { privateKey, publicKey } = await createSigningKey();
 */
export async function createSigningKey(): Promise<SigningKeyPair> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  return { privateKey: pair.privateKey, publicKey: hex(await crypto.subtle.exportKey('raw', pair.publicKey)) };
}

/**
 * Imports a private key in PKCS #8 form (DER), as `crypto.subtle.exportKey` and `openssl` write it.
 * @example const privateKey = await importSigningKey(pkcs8);
 */
export function importSigningKey(pkcs8: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), ALGORITHM, false, ['sign']);
}

/**
 * Signs the requests of one publisher. Each signature is valid for 30 seconds and for one request.
 * @example const signer = new Signer('pub_8w2k5n1d', privateKey);
 */
export class Signer {
  readonly #publisher: string;
  readonly #privateKey: CryptoKey;
  #last = 0;

  /** `publisher` is the id of the account. */
  constructor(publisher: string, privateKey: CryptoKey) {
    this.#publisher = publisher;
    this.#privateKey = privateKey;
  }

  /**
   * The request with its signature.
   * @example await client.publishSignal(await signer.publish({ symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081, take_profit: 1.09 }));
   */
  async publish(request: SignalRequest): Promise<SignalRequest> {
    const { signed: _, symbol, note, expires_at, ...sent } = request;
    const fields = {
      ...sent,
      symbol: plainSymbol(symbol),
      ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
      ...(note !== undefined && { note_sha256: hex(await crypto.subtle.digest('SHA-256', utf8(note))) }),
    };
    return { ...request, signed: await this.#sign('publish', fields) };
  }

  /**
   * The request with its signature.
   * @example await client.amendSignal('sig_1', await signer.amend('sig_1', { stop_loss: 1.0825 }));
   */
  async amend(signal: string, { stop_loss }: AmendRequest): Promise<AmendRequest> {
    return { stop_loss, signed: await this.#sign('amend', { signal, stop_loss }) };
  }

  /**
   * The signature of a request to close.
   * @example await client.closeSignal('sig_1', { signed: await signer.close('sig_1') });
   */
  close(signal: string): Promise<RequestSignature> {
    return this.#sign('close', { signal });
  }

  async #sign(action: string, fields: object): Promise<RequestSignature> {
    this.#last = Math.max(Date.now(), this.#last + 1);
    const signed_at = new Date(this.#last).toISOString();
    const text = canonicalJson({ action, publisher: this.#publisher, signed_at, ...fields });
    return { signed_at, signature: hex(await crypto.subtle.sign(ALGORITHM, this.#privateKey, utf8(text))) };
  }
}
