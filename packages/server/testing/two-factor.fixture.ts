// An authenticator app, and a person who sets up two-factor sign-in with it.
import type { TwoFactorConfirmed } from '@tickwire/contract';
import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person } from './person.fixture.ts';

/** The code that an app shows, `steps` of 30 seconds from now. */
export const appCode = (secret: string, steps = 0, now = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 });

export interface EnabledTwoFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Confirms with the code of the previous step, so that the current and the next one are still unused. */
export async function enableTwoFactor(person: Person): Promise<EnabledTwoFactor> {
  const { secret } = await person.must<{ secret: string }>(
    200,
    person.post('/api/account/two-factor/set-up', { password: PASSWORD }),
  );
  const confirmed = await person.must<TwoFactorConfirmed>(
    200,
    person.post('/api/account/two-factor/confirm', { code: appCode(secret, -1) }),
  );
  return { secret, recoveryCodes: confirmed.recovery_codes };
}
