import { expect, setSystemTime, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const MESSAGE = { type: 'alert.fired', timestamp: '2026-03-02T10:14:07.312Z', data: { note: 'Größe €' } };
const BODY = JSON.stringify(MESSAGE);

/** Signed by the library that the service signs with. */
function signed({ body = BODY, secret = SECRET, id = 'msg_1', at = new Date() } = {}) {
  const seconds = Math.floor(at.getTime() / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1_000), body),
  };
}

test('accepts what the library signed, as text or bytes, with headers of fetch or of Node', async () => {
  const headers = signed();
  expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(MESSAGE as never);
  expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(headers), SECRET)).toEqual(MESSAGE as never);
  expect(await verifyWebhook(BODY, headers, SECRET.slice('whsec_'.length))).toEqual(MESSAGE as never);
});

test('accepts one of several signatures and one of several secrets', async () => {
  const headers = signed();
  const two = { ...headers, 'webhook-signature': `v2,AAAA v1,AAAA v1,!! ${headers['webhook-signature']}` };
  expect(await verifyWebhook(BODY, two, SECRET)).toEqual(MESSAGE as never);
  expect(await verifyWebhook(BODY, headers, [OTHER, SECRET])).toEqual(MESSAGE as never);
});

test.each([
  ['a changed body', `${BODY} `, signed()],
  ['the id of another message', BODY, { ...signed(), 'webhook-id': 'msg_2' }],
  ['another secret', BODY, signed({ secret: OTHER })],
  ['another version', BODY, { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') }],
  ['no signature', BODY, { ...signed(), 'webhook-signature': undefined }],
  ['a time that is no number', BODY, { ...signed(), 'webhook-timestamp': 'now' }],
])('refuses %s', async (_, body, headers) => {
  await expect(verifyWebhook(body, headers, SECRET)).rejects.toBeInstanceOf(WebhookVerificationError);
});

test('refuses messages that are more than five minutes off', async () => {
  const now = new Date('2026-03-02T10:20:00Z');
  setSystemTime(now);
  try {
    for (const [seconds, accepted] of [
      [-300, true],
      [-301, false],
      [300, true],
      [301, false],
    ] as const) {
      const result = verifyWebhook(BODY, signed({ at: new Date(now.getTime() + seconds * 1_000) }), SECRET);
      if (accepted) expect(await result).toEqual(MESSAGE as never);
      else await expect(result).rejects.toBeInstanceOf(WebhookVerificationError);
    }
  } finally {
    setSystemTime();
  }
});

test('says "pass the raw body" for one that was parsed, and hints at it for one that was written again', async () => {
  const refusal = verifyWebhook(MESSAGE as never, signed(), SECRET);
  await expect(refusal).rejects.toThrow(
    new TypeError('Pass the raw body, the text or bytes as they arrived. A parsed body cannot be verified'),
  );
  await expect(verifyWebhook(JSON.stringify(MESSAGE, null, 1), signed(), SECRET)).rejects.toThrow('Pass the raw body');
});

test('names a secret that cannot be one', async () => {
  await expect(verifyWebhook(BODY, signed(), 'whsec_ ?')).rejects.toBeInstanceOf(TypeError);
  await expect(verifyWebhook(BODY, signed(), '')).rejects.toBeInstanceOf(TypeError);
});
