// A time-stamp authority that speaks RFC 3161 over HTTP on loopback, and misbehaves on request.
import { createHash } from 'node:crypto';
import { Set as AsnSet, Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  Accuracy,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  MessageImprint,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { type Issued, issueCertificate, TIME_STAMPING } from './certificates.fixture.ts';

export type Misbehaviour =
  | 'wrong_imprint'
  | 'wrong_nonce'
  | 'wrong_certificate'
  | 'expired_certificate'
  | 'other_purpose'
  | 'unknown_root'
  | 'chain_too_long'
  | 'changed_time'
  | 'refused'
  | 'garbage'
  | 'empty'
  | 'status_500'
  | 'redirect'
  | 'huge'
  | 'silent';

export interface FakeAuthority {
  readonly url: string;
  /** Of its root certificate. */
  readonly rootPem: string;
  /** Requests so far. */
  requests: number;
  /** What it does wrong from now on; `null`: nothing. */
  misbehaviour: Misbehaviour | null;
  /** Its clock, in milliseconds since 1970. */
  now: () => number;
  /** A token for these bytes, without a request. */
  token(content: Uint8Array): Promise<Uint8Array>;
  stop(): Promise<void>;
}

interface Signers {
  readonly good: Issued;
  readonly expired: Issued;
  readonly tls: Issued;
  readonly stranger: Issued;
  /** Issued by an authority below one that allows no further ones. */
  readonly distant: Issued;
  readonly between: readonly Issued[];
}

export async function startAuthority(): Promise<FakeAuthority> {
  const root = await issueCertificate({ name: 'Test Root' });
  const otherRoot = await issueCertificate({ name: 'Other Root' });
  const signer = { name: 'Test Authority', issuer: root, purpose: TIME_STAMPING };
  const narrow = await issueCertificate({ name: 'Narrow', issuer: root, isAuthority: true, pathLength: 0 });
  const between = await issueCertificate({ name: 'Between', issuer: narrow, isAuthority: true });
  const signers: Signers = {
    good: await issueCertificate(signer),
    expired: await issueCertificate({ ...signer, to: new Date('2021-01-01') }),
    tls: await issueCertificate({ ...signer, purpose: '1.3.6.1.5.5.7.3.1' }),
    stranger: await issueCertificate({ ...signer, issuer: otherRoot }),
    distant: await issueCertificate({ ...signer, issuer: between }),
    between: [between, narrow],
  };
  const roots = { root, otherRoot };
  const answer = async (query: TimeStampReq): Promise<ArrayBuffer> => {
    if (authority.misbehaviour === 'refused')
      return new TimeStampResp({ status: new PKIStatusInfo({ status: 2 }) }).toSchema().toBER();
    const status = new PKIStatusInfo({ status: 0 });
    const timeStampToken = await sign(query, signers, roots, authority.misbehaviour, authority.now());
    return new TimeStampResp({ status, timeStampToken }).toSchema().toBER();
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      authority.requests++;
      if (request.headers.get('content-type') !== 'application/timestamp-query')
        return new Response(null, { status: 415 });
      const body = await request.arrayBuffer();
      switch (authority.misbehaviour) {
        case 'silent':
          return new Promise<Response>(() => {});
        case 'status_500':
          return new Response('out of order', { status: 500 });
        case 'redirect':
          return Response.redirect('http://127.0.0.1:9/', 307);
        case 'garbage':
          return reply(new TextEncoder().encode('<html>not a token</html>'));
        case 'empty':
          return reply(new Uint8Array());
        case 'huge':
          return reply(new Uint8Array(4 * 1024 * 1024));
        default:
          return reply(await answer(TimeStampReq.fromBER(body)));
      }
    },
  });
  const authority: FakeAuthority = {
    url: `${server.url}tsr`,
    rootPem: root.pem,
    requests: 0,
    misbehaviour: null,
    now: Date.now,
    async token(content) {
      const hash = createHash('sha256').update(content).digest();
      const query = new TimeStampReq({ version: 1, messageImprint: imprintOf(hash), certReq: true });
      const token = await sign(query, signers, roots, authority.misbehaviour, authority.now());
      return new Uint8Array(token.toSchema().toBER());
    },
    stop: () => server.stop(true),
  };
  return authority;
}

const reply = (body: BodyInit): Response =>
  new Response(body, { headers: { 'Content-Type': 'application/timestamp-reply' } });

const imprintOf = (hash: Uint8Array): MessageImprint => {
  const imprint = new MessageImprint({ hashedMessage: new OctetString({ valueHex: new Uint8Array(hash).buffer }) });
  imprint.hashAlgorithm.algorithmId = '2.16.840.1.101.3.4.2.1';
  return imprint;
};

async function sign(
  query: TimeStampReq,
  { good, expired, tls, stranger, distant, between }: Signers,
  { root, otherRoot }: { readonly root: Issued; readonly otherRoot: Issued },
  misbehaviour: Misbehaviour | null,
  now: number,
): Promise<ContentInfo> {
  const { certificate, privateKey } =
    misbehaviour === 'expired_certificate'
      ? expired
      : misbehaviour === 'other_purpose'
        ? tls
        : misbehaviour === 'unknown_root'
          ? stranger
          : misbehaviour === 'chain_too_long'
            ? distant
            : good;
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint: misbehaviour === 'wrong_imprint' ? imprintOf(new Uint8Array(32)) : query.messageImprint,
    serialNumber: new Integer({ value: 7 }),
    genTime: new Date(now),
    accuracy: new Accuracy({ seconds: 1 }),
    ...(query.nonce && { nonce: misbehaviour === 'wrong_nonce' ? new Integer({ value: 42 }) : query.nonce }),
  });
  const content = info.toSchema().toBER();
  const hash = (data: ArrayBuffer): ArrayBuffer =>
    new Uint8Array(createHash('sha256').update(new Uint8Array(data)).digest()).buffer;
  const named = misbehaviour === 'wrong_certificate' ? root : { certificate };
  const certificateId = new Sequence({
    value: [
      new Sequence({
        value: [new Sequence({ value: [new OctetString({ valueHex: hash(named.certificate.toSchema().toBER()) })] })],
      }),
    ],
  });
  const attributes = [
    new Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: id_eContentType_TSTInfo })] }),
    new Attribute({ type: '1.2.840.113549.1.9.4', values: [new OctetString({ valueHex: hash(content) })] }),
    new Attribute({ type: '1.2.840.113549.1.9.16.2.47', values: [certificateId] }),
  ];
  const attributesDer = new AsnSet({ value: attributes.map((each) => each.toSchema()) }).toBER();
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_eContentType_TSTInfo,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes, encodedValue: attributesDer }),
      }),
    ],
    certificates: [
      certificate,
      ...(misbehaviour === 'chain_too_long' ? between.map((each) => each.certificate) : []),
      misbehaviour === 'unknown_root' ? otherRoot.certificate : root.certificate,
    ],
  });
  await signed.sign(privateKey, 0, 'SHA-256');
  if (misbehaviour === 'changed_time') {
    info.genTime = new Date(now - 3_600_000);
    signed.encapContentInfo.eContent = new OctetString({ valueHex: info.toSchema().toBER() });
  }
  return new ContentInfo({ contentType: id_ContentType_SignedData, content: signed.toSchema(true) });
}
