// The states of replay sessions, kept where every gateway of a cluster finds them.
import { SECOND_MS } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { KeptDocuments } from '../work/kept-documents.ts';
import { LruMap } from '../work/lru-map.ts';
import type { PracticeDocuments } from './practice/practice-documents.ts';
import type { ReplayState } from './replay-state.ts';

/** Tries to change a session that others change at the same time. */
const TRIES = 10;
/** What belongs to a session is kept as long as the session: it is touched at most this often. */
const TOUCH_MS = SECOND_MS;
const MAX_TOUCHED = 20_000;

export interface SessionStatesOptions {
  readonly kept: KeptDocuments;
  readonly practice: Pick<PracticeDocuments, 'touch' | 'remove'>;
  readonly now: () => number;
}

export class SessionStates {
  readonly #kept: KeptDocuments;
  readonly #options: SessionStatesOptions;
  /** When the practice of a session was touched. */
  readonly #touched = new LruMap<string, number>(MAX_TOUCHED);

  constructor(options: SessionStatesOptions) {
    this.#kept = options.kept;
    this.#options = options;
  }

  /** Returns false if the account has `limit` sessions already. */
  add(state: ReplayState, { account }: Caller, limit: number): Promise<boolean> {
    return withStoreErrors(() => this.#kept.add(account.publicId, state.id, JSON.stringify(state), limit));
  }

  /** Throws if the account has no such session. */
  async read(id: string, caller: Caller): Promise<ReplayState> {
    const text = await withStoreErrors(() => this.#kept.read(caller.account.publicId, id));
    if (text === null) throw notFound(id);
    await this.#touch(id, caller);
    return JSON.parse(text) as ReplayState;
  }

  /** Those of the account, oldest first. */
  async list({ account }: Caller): Promise<readonly ReplayState[]> {
    const texts = await withStoreErrors(() => this.#kept.list(account.publicId));
    return texts
      .map((text) => JSON.parse(text) as ReplayState)
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** `change` may be called several times. */
  async update(id: string, { account }: Caller, change: (state: ReplayState) => ReplayState): Promise<ReplayState> {
    const kept = this.#kept;
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await withStoreErrors(() => kept.read(account.publicId, id));
      if (before === null) throw notFound(id);
      const state = change(JSON.parse(before) as ReplayState);
      if (await withStoreErrors(() => kept.replace(account.publicId, id, before, JSON.stringify(state)))) return state;
    }
    throw new ServiceError(
      'store_unavailable',
      'The session is changed by others all the time. Try again in a moment.',
    );
  }

  async remove(id: string, caller: Caller): Promise<void> {
    await withStoreErrors(() => this.#kept.remove(caller.account.publicId, id));
    await this.#options.practice.remove(id, caller);
  }

  async #touch(id: string, caller: Caller): Promise<void> {
    const { practice, now } = this.#options;
    const time = now();
    if (time - (this.#touched.get(id) ?? 0) < TOUCH_MS) return;
    this.#touched.set(id, time);
    await practice.touch(id, caller);
  }
}

const notFound = (id: string): ServiceError =>
  new ServiceError(
    'replay_not_found',
    `There is no replay session ${JSON.stringify(id.slice(0, 64))} of this account.`,
  );
