// Two-factor sign-in of accounts: the shared secret and the hashes of recovery codes. Times are milliseconds since 1970.

/** File in the data folder with the key that encrypts the secrets. */
export const TWO_FACTOR_KEY = 'two-factor.key';

export interface TwoFactorRecord {
  readonly accountId: number;
  /** The shared secret, encrypted. */
  readonly secret: string;
  readonly createdAt: number;
  /** `null` until a code confirmed the set-up. Only then sign-in asks for a code. */
  readonly confirmedAt: number | null;
}

export interface TwoFactorStore {
  twoFactorOf(accountId: number): Promise<TwoFactorRecord | null>;
  /** Starts or restarts a set-up. Returns false and changes nothing if two-factor sign-in is active. */
  startTwoFactor(record: {
    readonly accountId: number;
    readonly secret: string;
    readonly at: number;
  }): Promise<boolean>;
  /** Activates it with these recovery codes. Returns false if it is active already, or no set-up was started. */
  confirmTwoFactor(accountId: number, codeHashes: readonly Uint8Array[], at: number): Promise<boolean>;
  /**
   * Marks the time step of a code as used. Returns false if a code of this or a later step was used before: each code is
   * accepted once, with any number of concurrent callers.
   */
  useTimeStep(accountId: number, step: number): Promise<boolean>;
  /** Returns false if the code does not exist or was used before. */
  useRecoveryCode(accountId: number, hash: Uint8Array, at: number): Promise<boolean>;
  /** The number of unused recovery codes. */
  recoveryCodesLeft(accountId: number): Promise<number>;
  /** Returns whether there was anything to delete. */
  deleteTwoFactor(accountId: number): Promise<boolean>;
}
