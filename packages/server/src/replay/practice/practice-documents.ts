// What accounts did in their replay sessions, kept next to the states of the sessions, where every gateway of a cluster finds it.
import type { Caller } from '../../access/caller.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { withStoreErrors } from '../../errors/store-error.ts';
import type { KeptDocuments } from '../../work/kept-documents.ts';
import type { ReplayState } from '../replay-state.ts';
import { SessionMoved } from '../session-moved.ts';
import { NO_PRACTICE, type PracticeAction, type PracticeDocument } from './practice-actions.ts';

/** Tries to change a document that others change at the same time. */
const TRIES = 10;

export class PracticeDocuments {
  readonly #kept: KeptDocuments;

  constructor(kept: KeptDocuments) {
    this.#kept = kept;
  }

  /** Empty if nothing was done in the session. Throws `SessionMoved` if the state is of before the last seek. */
  async read(state: ReplayState, caller: Caller): Promise<PracticeDocument> {
    const document = await this.dropLater(state, caller);
    if (document.seeks > state.seeks) throw new SessionMoved();
    return document;
  }

  /** What was done after the time of a seek did not happen. It is dropped before the next seek, which may be to a later time. */
  async dropLater({ id, seeks, base }: ReplayState, caller: Caller): Promise<PracticeDocument> {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = await withStoreErrors(() => this.#kept.read(ownerOf(caller), id));
      if (text === null) return NO_PRACTICE;
      const before = JSON.parse(text) as PracticeDocument;
      if (before.seeks >= seeks) return before;
      const after = { ...before, seeks, actions: before.actions.filter(({ at }) => at <= base) };
      if (await this.#replace(id, caller, before, after)) return after;
    }
    throw new ServiceError('store_unavailable', 'The session is changed by others all the time. Try again.');
  }

  /** Adds an action to those that `before` has; returns `false` if others have changed them since. */
  async add(
    { id, seeks }: ReplayState,
    caller: Caller,
    before: PracticeDocument,
    action: PracticeAction,
  ): Promise<boolean> {
    const after = {
      seeks: Math.max(seeks, before.seeks),
      last: action.number,
      actions: [...before.actions, action],
    };
    return this.#replace(id, caller, before, after);
  }

  /** They are kept from now on for as long as new ones. */
  touch(session: string, caller: Caller): Promise<void> {
    return withStoreErrors(() => this.#kept.touch(ownerOf(caller), session));
  }

  remove(session: string, caller: Caller): Promise<void> {
    return withStoreErrors(() => this.#kept.remove(ownerOf(caller), session));
  }

  #replace(session: string, caller: Caller, before: PracticeDocument, after: PracticeDocument): Promise<boolean> {
    const owner = ownerOf(caller);
    const text = JSON.stringify(after);
    return withStoreErrors(() =>
      before === NO_PRACTICE
        ? this.#kept.add(owner, session, text, Number.MAX_SAFE_INTEGER)
        : this.#kept.replace(owner, session, JSON.stringify(before), text),
    );
  }
}

/** Beside the sessions of the account, which are limited in number. */
const ownerOf = ({ account }: Caller): string => `practice:${account.publicId}`;
