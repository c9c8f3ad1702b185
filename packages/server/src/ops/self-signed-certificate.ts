// A self-signed X.509 certificate for the link between gateways and an ingest node, in DER (RFC 5280). It is created at each start,
// never stored, and the only certificate that gateways accept for this node, so it need not expire.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface TlsCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const NAME = 'tickwire ingest node';
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const KEY_USAGE = [0x55, 0x1d, 0x0f];
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];
/** UTCTime ends in 2049. */
const NOT_BEFORE = '20200101000000Z';
const NOT_AFTER = '21200101000000Z';

/** `host`: the name or address under which gateways reach the node. */
export function createSelfSignedCertificate(host: string): TlsCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const name = sequence(element(0x31, sequence(objectId(COMMON_NAME), element(0x0c, Buffer.from(NAME)))));
  const toBeSigned = sequence(
    element(0xa0, integer([2])),
    // Positive, as a serial number must be.
    integer([0x01, ...randomBytes(15)]),
    algorithm,
    name,
    sequence(time(NOT_BEFORE), time(NOT_AFTER)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(
      0xa3,
      sequence(
        // Not a certificate authority: it vouches for itself only.
        extension(BASIC_CONSTRAINTS, sequence()),
        // digitalSignature
        extension(KEY_USAGE, element(0x03, Buffer.from([0x07, 0x80]))),
        extension(SUBJECT_ALT_NAME, sequence(generalName(host))),
      ),
    ),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const base64 = certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** A DER element: tag, length, contents. */
function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => element(0x30, ...contents);
const integer = (bytes: readonly number[]): Buffer => element(0x02, Buffer.from(bytes));
const objectId = (bytes: readonly number[]): Buffer => element(0x06, Buffer.from(bytes));
/** UTCTime until 2049, GeneralizedTime after it. */
const time = (text: string): Buffer =>
  text < '2050' ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
const generalName = (host: string): Buffer =>
  isIP(host) === 0 ? element(0x82, Buffer.from(host)) : element(0x87, addressBytes(host));
const extension = (id: readonly number[], value: Buffer): Buffer =>
  sequence(objectId(id), element(0x01, Buffer.from([0xff])), element(0x04, value));

/** The 4 or 16 bytes of an IP address. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::') as [string, string | undefined];
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
