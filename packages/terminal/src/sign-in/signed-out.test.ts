import { expect, test } from 'bun:test';
import { type FailureCode, TickwireError } from '@tickwire/client';
import { whySignedOut } from './signed-out.ts';

const error = (code: FailureCode, status = 401) =>
  new TickwireError({ status, code, detail: 'The message of the API.' });

test('an expired session is explained without the message of the API', () => {
  for (const code of ['invalid_session', 'session_required', 'missing_key'] as const) {
    const { title, text } = whySignedOut(error(code));
    expect(title).toBe('You were signed out');
    expect(text).not.toContain('API');
    expect(text).toEndWith('Sign in to return to this page.');
  }
});

test('a key that was revoked is not called a session', () => {
  expect(whySignedOut(error('invalid_key')).title).toBe('Your API key no longer works');
});

test('a disabled account is named', () => {
  expect(whySignedOut(error('account_disabled', 403)).text).toStartWith('This account is disabled.');
});
