// One request to a time-stamp authority (RFC 3161 over HTTP), limited in time and size. Redirects are not followed: the
// operator has named the address.
import { randomBytes } from 'node:crypto';
import { fromBER, Integer, OctetString, type Sequence } from 'asn1js';
import { AlgorithmIdentifier, id_sha256, MessageImprint, TimeStampReq, TimeStampResp } from 'pkijs';
import { boundedFetch } from '../../ops/bounded-fetch.ts';
import { sha256 } from '../../ops/sha256.ts';
import { MAX_TOKEN_BYTES } from './token.ts';

export const REQUEST_TIMEOUT_MS = 10_000;
/** A token and its status. */
const MAX_RESPONSE_BYTES = MAX_TOKEN_BYTES + 4_096;
const NONCE_BYTES = 8;
const [GRANTED, GRANTED_WITH_CHANGES] = [0, 1];

export interface TokenResponse {
  /** DER. It is not checked yet, except that there is one. */
  readonly token: Uint8Array;
  /** The number that the token must contain. */
  readonly nonce: bigint;
}

export async function requestToken(
  url: string,
  content: Uint8Array,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<TokenResponse> {
  // Positive, and without leading zeros.
  const random = randomBytes(NONCE_BYTES);
  random[0] = (random[0]! & 0x7f) | 0x40;
  const nonce = new Integer({ valueHex: new Uint8Array(random).buffer });
  const hash = sha256(content);
  const query = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256 }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(hash).buffer }),
    }),
    nonce,
    certReq: true,
  });
  using response = await boundedFetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
    body: query.toSchema().toBER(),
    totalMs: timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
  });
  if (response.status !== 200) throw new Error(`it responded with status ${response.status}`);
  return { token: tokenOf(await response.bytes()), nonce: nonce.toBigInt() };
}

function tokenOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  let status: number;
  try {
    status = TimeStampResp.fromBER(bytes).status.status;
  } catch {
    throw new Error('its response is not a time-stamp response');
  }
  const [, token] = (fromBER(bytes).result as Sequence).valueBlock.value;
  if ((status !== GRANTED && status !== GRANTED_WITH_CHANGES) || !token)
    throw new Error(`it refused the request with status ${status}`);
  // The bytes as they were sent: encoding them again could change what is signed.
  return token.valueBeforeDecodeView.slice();
}
