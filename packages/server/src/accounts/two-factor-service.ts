// Two-factor sign-in as a signed-in person manages it: set up, confirm, disable.
import { type Confirmation, isoOrNull, type TwoFactorStatus } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { TwoFactorStore } from '../store/two-factor-store.ts';
import type { AccountAudit } from './account-audit.ts';
import type { AccountService } from './account-service.ts';
import { type NewSecret, type TwoFactor, wrongCode } from './two-factor.ts';

export interface TwoFactorServiceOptions {
  readonly store: TwoFactorStore;
  readonly twoFactor: TwoFactor;
  readonly accounts: Pick<AccountService, 'confirm' | 'countAttempt'>;
  readonly audit: AccountAudit;
  readonly now: () => number;
}

export class TwoFactorService {
  readonly #options: TwoFactorServiceOptions;

  constructor(options: TwoFactorServiceOptions) {
    this.#options = options;
  }

  async status({ account: { id } }: Caller): Promise<TwoFactorStatus> {
    const { store } = this.#options;
    const record = await withStoreErrors(() => store.twoFactorOf(id));
    const confirmedAt = record?.confirmedAt ?? null;
    return {
      enabled: confirmedAt !== null,
      enabled_at: isoOrNull(confirmedAt),
      recovery_codes_left: await withStoreErrors(() => store.recoveryCodesLeft(id)),
    };
  }

  /** Needs the password: a stolen session must not be able to lock its owner out. */
  async setUp({ account }: Caller, confirmation: Confirmation, address: string): Promise<NewSecret> {
    const { accounts, twoFactor, now } = this.#options;
    if (await withStoreErrors(() => twoFactor.isActive(account.id))) throw alreadyEnabled();
    await accounts.confirm(account, confirmation, address);
    const started = await withStoreErrors(() => twoFactor.start(account, now()));
    if (!started) throw alreadyEnabled();
    return started;
  }

  /** Returns the recovery codes, which are shown only once. */
  async confirm({ account }: Caller, code: string, address: string): Promise<string[]> {
    const { accounts, twoFactor, store, audit, now } = this.#options;
    const record = await withStoreErrors(() => store.twoFactorOf(account.id));
    if (!record) throw notEnabled('Start the set-up first.');
    if (record.confirmedAt !== null) throw alreadyEnabled();
    const attempt = await accounts.countAttempt(account);
    const kind = await withStoreErrors(() => twoFactor.use(account.id, code, now())).catch((error): never => {
      attempt.abandon();
      throw error;
    });
    if (kind === null) {
      attempt.fail();
      throw wrongCode();
    }
    attempt.succeed(now());
    const codes = await withStoreErrors(() => twoFactor.activate(account.id, now()));
    if (!codes) throw alreadyEnabled();
    await audit.record(account, 'two-factor enabled', address);
    return codes;
  }

  async disable({ account }: Caller, confirmation: Confirmation, address: string): Promise<void> {
    const { accounts, twoFactor, store, audit } = this.#options;
    if (!(await withStoreErrors(() => twoFactor.isActive(account.id))))
      throw notEnabled('Two-factor sign-in is not enabled.');
    await accounts.confirm(account, confirmation, address);
    await withStoreErrors(() => store.deleteTwoFactor(account.id));
    await audit.record(account, 'two-factor disabled', address);
  }
}

const alreadyEnabled = (): ServiceError =>
  new ServiceError('two_factor_enabled', 'Two-factor sign-in is already enabled. Disable it first.');

const notEnabled = (detail: string): ServiceError => new ServiceError('two_factor_disabled', detail);
