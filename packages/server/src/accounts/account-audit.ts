// What people do with their accounts, written to the audit log.
import type { AuditAction } from '@tickwire/contract';
import { withStoreErrors } from '../errors/store-error.ts';
import type { AuditStore } from '../store/audit-store.ts';

interface NamedAccount {
  readonly publicId: string;
  readonly name: string;
}

export class AccountAudit {
  readonly #store: AuditStore;
  readonly #now: () => number;

  constructor(store: AuditStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Records what a signed-in person did. `subject`: the name of the account by default. */
  record({ publicId, name }: NamedAccount, action: AuditAction, address: string, subject = name): Promise<void> {
    const entry = { at: Math.floor(this.#now()), actor: publicId, action, subject, account: publicId, address };
    return withStoreErrors(() => this.#store.audit(entry));
  }

  /** Records a failed sign-in. An unknown name is not recorded: people type passwords into the wrong field. */
  signInFailed(account: NamedAccount | undefined, address: string): Promise<void> {
    return this.#beforeSignIn('sign-in failed', account, address);
  }

  /** Records a correct password without a code: if no sign-in follows, somebody may know the password but not the code. */
  codeRequested(account: NamedAccount, address: string): Promise<void> {
    return this.#beforeSignIn('code requested', account, address);
  }

  #beforeSignIn(action: AuditAction, account: NamedAccount | undefined, address: string): Promise<void> {
    return withStoreErrors(() =>
      this.#store.audit({
        at: Math.floor(this.#now()),
        actor: 'anonymous',
        action,
        subject: account?.name ?? 'unknown name',
        account: account?.publicId ?? null,
        address,
      }),
    );
  }
}
