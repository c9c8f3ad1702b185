// A push service that decrypts what it gets, as a browser would (RFC 8291, written from the text of the RFC and not from the
// library under test), and verifies the signature of the sender (VAPID, RFC 8292).
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { PushSubscription } from '@tickwire/contract';
import { FakeHttp, type FakeReply, type FakeRequest } from './fake-http.fixture.ts';

interface Browser {
  readonly keys: ECDH;
  readonly auth: Buffer;
}

export interface ReceivedPush {
  readonly browser: string;
  readonly payload: unknown;
  readonly ttl: string;
  /** Claims of the signed token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Public key of the sender. */
  readonly sender: string;
}

export class FakePush implements AsyncDisposable {
  readonly received: ReceivedPush[] = [];
  /** Why requests were refused. */
  readonly refused: string[] = [];
  readonly server = new FakeHttp((request) => this.#handle(request));
  readonly #browsers = new Map<string, Browser>();

  static async open(): Promise<FakePush> {
    const push = new FakePush();
    await push.server.listen();
    return push;
  }

  subscribe(): PushSubscription {
    const name = randomBytes(8).toString('hex');
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16);
    this.#browsers.set(name, { keys, auth });
    return {
      endpoint: this.server.url(`/push/${name}`),
      keys: { p256dh: keys.getPublicKey('base64url', 'uncompressed'), auth: auth.toString('base64url') },
    };
  }

  unsubscribe({ endpoint }: PushSubscription): void {
    this.#browsers.delete(endpoint.split('/').at(-1)!);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #handle(request: FakeRequest): FakeReply {
    const name = request.path.split('/').at(-1)!;
    const browser = this.#browsers.get(name);
    if (!browser) return { status: 410 };
    try {
      if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
      const { claims, sender } = verifiedClaims(request.headers.authorization ?? '');
      if (claims.aud !== new URL(this.server.url('/')).origin) throw new Error('wrong audience');
      const exp = Number(claims.exp) * 1_000;
      if (!(exp > Date.now() && exp <= Date.now() + 86_400_000)) throw new Error('wrong expiry');
      const ttl = request.headers.ttl;
      if (ttl === undefined) throw new Error('no TTL');
      const payload: unknown = JSON.parse(decrypted(request.body, browser).toString('utf8'));
      this.received.push({ browser: name, payload, ttl, claims, sender });
      return { status: 201 };
    } catch (error) {
      this.refused.push((error as Error).message);
      return { status: 400 };
    }
  }
}

function verifiedClaims(header: string): { claims: Record<string, unknown>; sender: string } {
  const [, token = '', sender = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(header) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const raw = Buffer.from(sender, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: raw.subarray(1, 33).toString('base64url'),
    y: raw.subarray(33).toString('base64url'),
  };
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
    throw new Error('wrong signature');
  return { claims: JSON.parse(Buffer.from(body, 'base64url').toString('utf8')), sender };
}

function decrypted(body: Buffer, { keys, auth }: Browser): Buffer {
  const salt = body.subarray(0, 16);
  const length = body[20]!;
  const sender = body.subarray(21, 21 + length);
  const content = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(content.subarray(-16));
  const padded = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0) throw new Error('no delimiter');
  return padded.subarray(0, end);
}
