// Checks time-stamp tokens (RFC 3161): the hash they are about, the signature, and the chain of certificates up to a trusted
// root, at the time in the token. Revocation is not checked.
import { createHash, X509Certificate } from 'node:crypto';
import { type AsnType, OctetString, Sequence } from 'asn1js';
import {
  type BasicConstraints,
  Certificate,
  CertificateChainValidationEngine,
  ContentInfo,
  id_BasicConstraints,
  id_ExtKeyUsage,
  id_eContentType_TSTInfo,
  id_sha256,
  SignedData,
  type SignerInfo,
  TSTInfo,
} from 'pkijs';
import { sha256, sha256Hex } from '../../ops/sha256.ts';

/** Tokens with their certificates have a few thousand bytes. */
export const MAX_TOKEN_BYTES = 64 * 1024;

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
/** Attributes that name the certificate of the signer by its hash (RFC 5035): with SHA-1, and with any hash. */
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const HASHES: Readonly<Record<string, string>> = {
  [id_sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The token proves nothing. The message completes the sentence "the token …". */
export class TokenError extends Error {
  override name = 'TokenError';
}

export interface CheckedToken {
  /** When the authority had the hash, in milliseconds since 1970. */
  readonly time: number;
  /** How far the time may be off, in milliseconds. */
  readonly accuracyMs: number;
  readonly nonce: bigint | null;
}

/** Interval in which a signer with its chain is valid, in milliseconds since 1970. */
interface ValidChain {
  readonly from: number;
  readonly to: number;
}

export class TokenChecker {
  readonly #roots: Certificate[];
  /** Chains that were found valid, by the certificate of the signer. Checking a chain takes most of the time. */
  readonly #chains = new Map<string, ValidChain>();

  /** `roots`: trusted certificates in PEM. */
  constructor(roots: readonly string[]) {
    this.#roots = roots.map((pem) => Certificate.fromBER(new X509Certificate(pem).raw));
  }

  /** Throws a TokenError unless the token (DER) proves that its authority had exactly these bytes. */
  async check(token: Uint8Array, content: Uint8Array): Promise<CheckedToken> {
    const { signed, signer, info } = parse(token);
    const { hashAlgorithm, hashedMessage } = info.messageImprint;
    if (hashAlgorithm.algorithmId !== id_sha256) throw new TokenError('does not use SHA-256');
    const imprint = sha256(content);
    if (!imprint.equals(bytesOf(hashedMessage))) throw new TokenError('is about something else');
    const time = info.genTime.getTime();
    if (!Number.isFinite(time)) throw new TokenError('has no valid time');
    const certificate = await this.#signature(signed, content);
    const der = derOf(certificate);
    checkCertificate(certificate, der, signer);
    await this.#checkChain(certificate, der, signed, time);
    return { time, accuracyMs: accuracyOf(info), nonce: info.nonce?.toBigInt() ?? null };
  }

  /** Checks the signature and returns the certificate of the signer. */
  async #signature(signed: SignedData, content: Uint8Array): Promise<Certificate> {
    const data = new Uint8Array(content).buffer;
    const result = await signed.verify({ signer: 0, data, extendedMode: true }).catch((error: Error) => error);
    if (result instanceof Error || !result.signatureVerified || !result.signerCertificate)
      throw new TokenError(`has no valid signature${result.message ? ` (${result.message})` : ''}`);
    return result.signerCertificate;
  }

  async #checkChain(certificate: Certificate, der: Uint8Array, signed: SignedData, time: number): Promise<void> {
    const name = sha256Hex(der);
    const known = this.#chains.get(name);
    if (known && time >= known.from && time <= known.to) return;
    const others = (signed.certificates ?? []).filter((each) => each instanceof Certificate && each !== certificate);
    const engine = new CertificateChainValidationEngine({
      trustedCerts: this.#roots,
      // The engine takes the last one as the certificate to check.
      certs: [...(others as Certificate[]), certificate],
      checkDate: new Date(time),
    });
    const { result, resultMessage, certificatePath } = await engine.verify();
    if (!result || !certificatePath)
      throw new TokenError(
        `is signed by a certificate that no trusted root has issued for that time: ${resultMessage}`,
      );
    if (!hasAllowedLength(certificatePath))
      throw new TokenError('is signed through more authorities than a certificate of its chain allows');
    this.#chains.set(name, {
      from: Math.max(...certificatePath.map(({ notBefore }) => notBefore.value.getTime())),
      to: Math.min(...certificatePath.map(({ notAfter }) => notAfter.value.getTime())),
    });
  }
}

function parse(token: Uint8Array): { signed: SignedData; signer: SignerInfo; info: TSTInfo } {
  if (token.byteLength > MAX_TOKEN_BYTES) throw new TokenError(`has more than ${MAX_TOKEN_BYTES} bytes`);
  try {
    const signed = new SignedData({ schema: ContentInfo.fromBER(new Uint8Array(token)).content });
    const { eContent, eContentType } = signed.encapContentInfo;
    if (eContentType !== id_eContentType_TSTInfo || !eContent || signed.signerInfos.length !== 1)
      throw new TokenError('is no time stamp with one signature');
    // The library reads only an octet string in one piece.
    const content = eContent.getValue();
    signed.encapContentInfo.eContent = new OctetString({ valueHex: content });
    return { signed, signer: signed.signerInfos[0]!, info: TSTInfo.fromBER(content) };
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError('cannot be parsed');
  }
}

/**
 * Whether each authority allows the authorities between it and the signer (RFC 5280, 4.2.1.9): those that issued themselves do not
 * count. `path` starts with the signer. The library does not check this.
 */
function hasAllowedLength([, ...authorities]: readonly Certificate[]): boolean {
  let below = 0;
  return authorities.every(({ extensions, subject, issuer }) => {
    const constraints = extensions?.find(({ extnID }) => extnID === id_BasicConstraints)?.parsedValue;
    const most = (constraints as BasicConstraints | undefined)?.pathLenConstraint;
    const allowed = typeof most !== 'number' || below <= most;
    if (!subject.isEqual(issuer)) below++;
    return allowed;
  });
}

/** The certificate is for time stamps only, and the signature names it. */
function checkCertificate(certificate: Certificate, der: Uint8Array, { signedAttrs }: SignerInfo): void {
  const usage = certificate.extensions?.find(({ extnID }) => extnID === id_ExtKeyUsage);
  const purposes = (usage?.parsedValue as { keyPurposes?: string[] } | undefined)?.keyPurposes;
  if (!usage?.critical || purposes?.length !== 1 || purposes[0] !== TIME_STAMPING)
    throw new TokenError('is signed by a certificate that is not for time stamps');
  const attributeOf = (type: string): AsnType | undefined =>
    signedAttrs?.attributes.find((attribute) => attribute.type === type)?.values[0] as AsnType | undefined;
  if (
    String((attributeOf(CONTENT_TYPE) as { getValue?: () => string } | undefined)?.getValue?.()) !==
    id_eContentType_TSTInfo
  )
    throw new TokenError('has no signature of a time stamp');
  const [v2, v1] = [attributeOf(SIGNING_CERTIFICATE_V2), attributeOf(SIGNING_CERTIFICATE)];
  const named = v2 ?? v1;
  if (!named || !namesCertificate(named, v2 ? 'sha256' : 'sha1', der))
    throw new TokenError('does not name the certificate it is signed by');
}

/** Whether the first entry of the attribute is the hash of the certificate. */
function namesCertificate(attribute: AsnType, defaultHash: string, certificate: Uint8Array): boolean {
  const [entry] = childrenOf(childrenOf(attribute)[0]);
  const [first, second] = childrenOf(entry);
  const algorithm = childrenOf(first)[0];
  const [hash, value] = algorithm
    ? [HASHES[String((algorithm as { getValue?: () => string }).getValue?.())], second]
    : [defaultHash, first];
  if (hash === undefined || !value) return false;
  return createHash(hash)
    .update(certificate)
    .digest()
    .equals(bytesOf(value as OctetString));
}

const childrenOf = (value: AsnType | undefined): readonly AsnType[] =>
  value instanceof Sequence ? (value.valueBlock.value as AsnType[]) : [];
const bytesOf = ({ valueBlock }: OctetString): Uint8Array => valueBlock.valueHexView;
const derOf = (certificate: Certificate): Uint8Array => new Uint8Array(certificate.toSchema().toBER());

const accuracyOf = ({ accuracy }: TSTInfo): number =>
  (accuracy?.seconds ?? 0) * 1_000 + (accuracy?.millis ?? 0) + (accuracy?.micros ?? 0) / 1_000;
