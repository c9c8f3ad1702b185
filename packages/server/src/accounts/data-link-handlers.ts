// Handlers of the data link endpoints. A caller sees and changes only the links of its own account.
import { DATA_LINK_PATH, type DataLink, DataLinkRequest, type IssuedDataLink } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Guard } from '../access/guard.ts';
import { issueKey } from '../access/issue-key.ts';
import type { Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { readJson } from '../http/json-body.ts';
import type { KeyRecord } from '../store/store.ts';
import type { DataLinkTargets } from './data-link-targets.ts';
import type { OwnKeys } from './own-keys.ts';

export interface DataLinkHandlersOptions {
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly keys: OwnKeys;
  readonly secrets: IdempotentSecrets;
  readonly targets: DataLinkTargets;
  readonly now: () => number;
}

export class DataLinkHandlers {
  readonly #options: DataLinkHandlersOptions;

  constructor(options: DataLinkHandlersOptions) {
    this.#options = options;
  }

  list({ caller, now }: HandlerCall): string {
    const items = this.#linksOf(caller!.account).map((key) => this.#info(key, now));
    return JSON.stringify({ items, count: items.length });
  }

  async create(call: HandlerCall): Promise<string> {
    const { guard, keys, secrets, targets, now } = this.#options;
    const { request, peers, caller } = call;
    const { account } = caller!;
    const { value } = await readJson(request, DataLinkRequest);
    const path = targets.check(value.path);
    return secrets.once(request, account.id, JSON.stringify(['link', value]), async () => {
      const by = keys.actor(call);
      const expiresAt = by.now + value.expires_days * DAY_MS;
      const stored = await keys.stored(account);
      const link = { name: value.name, scopes: [], expiresAt, account: stored, path };
      const { id, key } = await keys.issue(account, () => issueKey(by, link));
      const info = this.#info(this.#find(account, id), now());
      const url = `${guard.publicOrigin(request, peers)}${DATA_LINK_PATH}${key}`;
      return {
        full: { ...info, url } satisfies IssuedDataLink,
        stored: { ...info, url: null } satisfies IssuedDataLink,
      };
    });
  }

  async revoke(call: HandlerCall): Promise<string> {
    const { params, caller, now } = call;
    const { id } = this.#find(caller!.account, params.link!);
    await this.#options.keys.revoke(call, id);
    return JSON.stringify(this.#info(this.#find(caller!.account, id), now));
  }

  #linksOf(account: AccountState): KeyRecord[] {
    return this.#options.keyring.keysOf(account).filter(({ path }) => path);
  }

  #find(account: AccountState, id: string): KeyRecord {
    const link = this.#linksOf(account).find((each) => each.id === id);
    if (!link) throw new ServiceError('link_not_found', 'Your account has no data link with this id.');
    return link;
  }

  #info(link: KeyRecord, now: number): DataLink {
    const { id, name, expires_at, ...state } = this.#options.keys.info(link, now);
    return { id, name, path: link.path!, ...state, expires_at: expires_at! };
  }
}
