// What operators do, written to the audit log.
import type { AuditAction } from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import { actorOf } from '../access/caller.ts';
import type { Guard } from '../access/guard.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { AuditStore } from '../store/audit-store.ts';

export interface OperatorAuditOptions {
  readonly store: AuditStore;
  readonly guard: Guard;
  readonly now: () => number;
}

/** `about`: the account that the entry is about, if it is about one. */
export async function operatorAudit(
  { store, guard, now }: OperatorAuditOptions,
  { request, peers, caller }: HandlerCall,
  action: AuditAction,
  subject: string,
  about?: AccountState,
): Promise<void> {
  await withStoreErrors(() =>
    store.audit({
      at: Math.floor(now()),
      actor: actorOf(caller!),
      action,
      subject,
      account: about?.publicId ?? null,
      address: guard.address(request, peers),
    }),
  );
}
