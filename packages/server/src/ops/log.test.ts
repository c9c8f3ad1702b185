import { expect, test } from 'bun:test';
import { withoutSecrets } from './log.ts';

test('the log contains no secrets', () => {
  const shown = (text: string): string => withoutSecrets(text);
  expect(shown('key tw_abc123_Secret99 used')).toBe('key tw_abc123_… used');
  expect(shown('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.')).toBe('whsec_….');
  expect(shown('https://api.telegram.org/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u/getMe')).toBe(
    'https://api.telegram.org/bot123456:…/getMe',
  );
  expect(shown('Bot MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs')).toBe(
    'Bot MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.…',
  );
  expect(shown('https://discord.com/api/webhooks/112233/abc-DEF_9?wait=true')).toBe(
    'https://discord.com/api/webhooks/112233/…?wait=true',
  );
  expect(shown('GET /unsubscribe/dst_1.AbCd-EfGh')).toBe('GET /unsubscribe/dst_1.…');
  expect(shown('https://hooks.slack.com/services/T000/B000/XXXX')).toBe('https://hooks.slack.com/services/T000/…');
  expect(shown('2026-03-02T10:14:07.312Z 127.0.0.1:54321 10:14')).toBe(
    '2026-03-02T10:14:07.312Z 127.0.0.1:54321 10:14',
  );
});
