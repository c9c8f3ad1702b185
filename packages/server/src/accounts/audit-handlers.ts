// Handler of the audit log, for operators.
import { AUDIT_ACTIONS, type AuditItem, type AuditList, type AuditQuery, iso } from '@tickwire/contract';
import type { Keyring } from '../access/keyring.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { AuditRecord, AuditStore } from '../store/audit-store.ts';

export interface AuditHandlersOptions {
  readonly store: AuditStore;
  readonly keyring: Keyring;
}

export class AuditHandlers {
  readonly #options: AuditHandlersOptions;

  constructor(options: AuditHandlersOptions) {
    this.#options = options;
  }

  async list({ query }: HandlerCall): Promise<string> {
    const { store, keyring } = this.#options;
    const { account, action, from, to, before, limit, detail } = query as AuditQuery;
    // A deleted account has no name any more, but its id still finds its entries.
    const id = account && (keyring.account(account)?.publicId ?? account);
    // One more than asked for shows whether there is a next page.
    const filter = { account: id, action, from, to, before, limit: limit + 1 };
    const records = await withStoreErrors(() => store.auditLog(filter));
    const items = records
      .slice(0, limit)
      .map((record) => ({ ...itemOf(record), ...(detail && this.#namesOf(record)) }));
    const list: AuditList = {
      items,
      count: items.length,
      next_before: records.length > limit ? items.at(-1)!.id : null,
      actions: [...AUDIT_ACTIONS],
    };
    return JSON.stringify(list);
  }

  #namesOf({ actor, account }: AuditRecord): Pick<AuditItem, 'actor_name' | 'account_name'> {
    const { keyring } = this.#options;
    // Ids only: an account may have the name `command line`.
    const nameOf = (id: string | null): string | null => {
      const found = id === null ? undefined : keyring.account(id);
      return found?.publicId === id ? (found?.name ?? null) : null;
    };
    return { actor_name: nameOf(actor) ?? keyring.nameOfHolder(actor), account_name: nameOf(account) };
  }
}

const itemOf = ({ id, at, action, actor, account, subject, address }: AuditRecord): AuditItem => ({
  id,
  timestamp: iso(at),
  action,
  actor,
  account,
  subject,
  address,
});
