// Makes the password hashes of a test file cheap: a true one takes 50 ms of processor time. `passwords.test.ts` tests the cost.
import { afterAll, beforeAll, type Mock, spyOn } from 'bun:test';

/** For a file whose service runs in this process. The hash for unknown names stays as it is. */
export function useCheapPasswords(): void {
  const { hash } = Bun.password;
  let spy: Mock<typeof hash>;
  beforeAll(() => {
    spy = spyOn(Bun.password, 'hash').mockImplementation((password) =>
      hash(password, { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 }),
    );
  });
  afterAll(() => spy.mockRestore());
}
