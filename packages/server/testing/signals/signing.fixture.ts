// A publisher with a signing key: registers it, and signs requests as docs/reference/signals.md says.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, type RequestSignature } from '@tickwire/contract';
import { requestOfLog } from '../../src/cli/log-request.ts';
import type { TestPublisher } from '../publisher.fixture.ts';
import type { RunningService } from '../service.fixture.ts';

export class SigningPublisher {
  readonly publicKey: string;
  readonly #publisher: string;
  readonly #privateKey: KeyObject;
  #last = 0;

  private constructor(publisher: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#publisher = publisher;
    this.#privateKey = privateKey;
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  }

  /** With a key that the service knows. */
  static async of({ app }: RunningService, { id }: TestPublisher, realm = 'live'): Promise<SigningPublisher> {
    const signer = new SigningPublisher(id);
    await requestOfLog(app.store.access, realm, { kind: 'signing key', publisher: id, public_key: signer.publicKey });
    return signer;
  }

  signed(action: string, fields: object, at = this.#later()): RequestSignature {
    const signed_at = new Date(at).toISOString();
    const text = canonicalJson({ action, publisher: this.#publisher, signed_at, ...fields });
    return { signed_at, signature: sign(null, Buffer.from(text), this.#privateKey).toString('hex') };
  }

  /** A publication with its signature. The symbol is in capitals, the expiry in UTC with milliseconds. */
  publication(terms: Readonly<Record<string, unknown>>, at?: number): Record<string, unknown> {
    const { note, ...rest } = terms;
    const hash = note === undefined ? {} : { note_sha256: createHash('sha256').update(String(note)).digest('hex') };
    return { ...terms, signed: this.signed('publish', { ...rest, ...hash }, at) };
  }

  #later(): number {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return this.#last;
  }
}
