import { expect, test } from 'bun:test';
import { linkState } from './link-state.ts';

/** A client whose service has an owner or none, and answers checks of tokens as given. */
function clientWith({ setupNeeded = true, reason = '' } = {}) {
  const check = async () => (reason === '' ? { valid: true } : { valid: false, reason: reason as 'used' });
  return {
    account: {
      registration: async () => ({ registration: 'open' as const, setup_needed: setupNeeded }),
      checkSetup: check,
      checkInvitation: check,
    },
  };
}

test('a setup link is used up once there is an owner', async () => {
  expect(await linkState(clientWith({ setupNeeded: false }), 'setup', 'token')).toBe('used');
  expect(await linkState(clientWith({ setupNeeded: false }), 'setup', '')).toBe('used');
  expect(await linkState(clientWith(), 'setup', 'token')).toBe('valid');
});

test('an address without a token is no link', async () => {
  expect(await linkState(clientWith(), 'setup', '')).toBe('unknown');
  expect(await linkState(clientWith(), 'invitation', '')).toBe('unknown');
});

test('takes the reason of the service', async () => {
  for (const reason of ['used', 'expired', 'unknown'] as const) {
    expect(await linkState(clientWith({ reason }), 'setup', 'token')).toBe(reason);
    expect(await linkState(clientWith({ reason }), 'invitation', 'token')).toBe(reason);
  }
});

test('leaves it to the form if the service does not respond', async () => {
  const fail = () => Promise.reject(new Error('down'));
  const down = { account: { registration: fail, checkSetup: fail, checkInvitation: fail } };
  expect(await linkState(down, 'invitation', 'token')).toBe('valid');
  expect(await linkState(down, 'setup', 'token')).toBe('valid');
});
