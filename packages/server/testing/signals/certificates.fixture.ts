// Certificates of a time-stamp authority and its root, made with pkijs, so that no test needs openssl.
import { Integer, PrintableString } from 'asn1js';
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  id_BasicConstraints,
  id_ExtKeyUsage,
} from 'pkijs';

const COMMON_NAME = '2.5.4.3';
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' };

export interface Issued {
  readonly certificate: Certificate;
  readonly privateKey: CryptoKey;
  readonly pem: string;
}

export interface IssueOptions {
  readonly name: string;
  /** Default: it signs itself and is a root. */
  readonly issuer?: Issued;
  readonly from?: Date;
  readonly to?: Date;
  /** It may issue certificates itself. Default: only a root may. */
  readonly isAuthority?: boolean;
  /** Authorities that may follow below it. Default: any number. */
  readonly pathLength?: number;
  /** Extended key usage. */
  readonly purpose?: string;
}

let serial = 1;

export async function issueCertificate(options: IssueOptions): Promise<Issued> {
  const { name, issuer, from = new Date('2020-01-01'), to = new Date('2049-01-01'), purpose, pathLength } = options;
  const { isAuthority = issuer === undefined } = options;
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: serial++ });
  certificate.subject.typesAndValues.push(
    new AttributeTypeAndValue({ type: COMMON_NAME, value: new PrintableString({ value: name }) }),
  );
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject;
  certificate.notBefore.value = from;
  certificate.notAfter.value = to;
  certificate.extensions = [
    extension(
      id_BasicConstraints,
      new BasicConstraints({ cA: isAuthority, ...(pathLength !== undefined && { pathLenConstraint: pathLength }) }),
    ),
    ...(purpose ? [extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes: [purpose] }))] : []),
  ];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(issuer?.privateKey ?? privateKey, 'SHA-256');
  const base64 = Buffer.from(certificate.toSchema().toBER()).toString('base64').replaceAll(/.{64}/g, '$&\n');
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.trimEnd()}\n-----END CERTIFICATE-----\n`;
  // Parsed again, so that it has the encoded form that a certificate from a token has.
  return { certificate: Certificate.fromBER(certificate.toSchema().toBER()), privateKey, pem };
}

const extension = (extnID: string, value: BasicConstraints | ExtKeyUsage): Extension =>
  new Extension({ extnID, critical: true, extnValue: value.toSchema().toBER(), parsedValue: value });
