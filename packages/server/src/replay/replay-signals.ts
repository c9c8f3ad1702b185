// The list of signals in a replay: the practice signals of the session and the signals of the log, as of its clock, newest first.
import type { PublishedRecord, Signal, SignalDetail, SignalQuery } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import { epoch, parseRecord } from '../signals/log-records.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import { signalDetail } from '../signals/signal-history.ts';
import { toSignal } from '../signals/wire-signals.ts';
import type { StoredSignal } from '../store/signal-store.ts';
import type { AsOfSignals } from './as-of-signals.ts';
import { MAX_PRACTICE_SIGNALS, PRACTICE_PUBLISHER } from './practice/practice-actions.ts';
import type { PracticeLog } from './practice/practice-log.ts';

export interface PublisherNames {
  /** Current display name of a publisher; undefined if the account was deleted. */
  readonly nameOf: (publisher: string) => string | undefined;
  /** Public id of a publisher by name or id. */
  readonly publisherOf: (name: string) => string | undefined;
}

export interface ReplaySignalsOptions extends PublisherNames {
  readonly practice: Pick<PracticeLog, 'signal' | 'records' | 'list'>;
  readonly log: Pick<AsOfSignals, 'signal' | 'records' | 'list' | 'writtenUntil'>;
  /** Whose practice signals they are. */
  readonly account: Pick<Caller['account'], 'name' | 'publicId'>;
}

interface Listed {
  readonly stored: StoredSignal;
  /** Display name. */
  readonly user: string;
  readonly at: number;
  readonly isPractice: boolean;
}

export class ReplaySignals implements Pick<SignalFeed, 'list' | 'listInDetail'> {
  readonly #options: ReplaySignalsOptions;

  constructor(options: ReplaySignalsOptions) {
    this.#options = options;
  }

  async list(query: SignalQuery): Promise<Signal[]> {
    return (await this.#page(query)).map(({ stored, user }) => toSignal(stored, user));
  }

  async listInDetail(query: SignalQuery): Promise<SignalDetail[]> {
    const { practice, log } = this.#options;
    const page = await this.#page(query);
    const ids = page.map(({ stored }) => stored.id);
    const records = new Map([...(await practice.records(ids)), ...(await log.records(ids))]);
    return page.map(({ stored, user }) => signalDetail(stored, records.get(stored.id)!, user));
  }

  async #page({ status, symbol, user, before, limit }: SignalQuery): Promise<Listed[]> {
    const { practice, log, account, publisherOf } = this.#options;
    const last = before === undefined ? undefined : await this.#find(before);
    if (before !== undefined && !last) return [];
    const query = { status, limit, ...(symbol !== undefined && { symbol }) };
    const publisher = user === undefined ? undefined : publisherOf(user);
    const found: Listed[] = [];
    if (user === undefined || publisher === account.publicId || isOfPractice(user)) {
      const own = await practice.list({ ...query, limit: MAX_PRACTICE_SIGNALS });
      found.push(...own.map((stored) => this.#listed(stored, true)).filter((each) => !last || inOrder(last, each) < 0));
    }
    if (user === undefined || (publisher !== undefined && !isOfPractice(user))) {
      const beforeN = last && (last.isPractice ? (await log.writtenUntil(last.at)) + 1 : last.stored.published.n);
      const others = await log.list({
        ...query,
        ...(publisher !== undefined && { publisher }),
        ...(beforeN !== undefined && { beforeN }),
      });
      found.push(...others.map((stored) => this.#listed(stored, false)));
    }
    return found.sort(inOrder).slice(0, limit);
  }

  async #find(id: string): Promise<Listed | undefined> {
    const { practice, log } = this.#options;
    const own = await practice.signal(id);
    if (own) return this.#listed(own, true);
    const stored = await log.signal(id);
    return stored && this.#listed(stored, false);
  }

  #listed(stored: StoredSignal, isPractice: boolean): Listed {
    const { nameOf, account } = this.#options;
    const { at, publisher } = parseRecord<PublishedRecord>(stored.published);
    return { stored, user: isPractice ? account.name : (nameOf(publisher) ?? publisher), at: epoch(at), isPractice };
  }
}

/** Whether a query asks for practice signals alone. */
export const isOfPractice = (user: string | undefined): boolean => user?.toLowerCase() === PRACTICE_PUBLISHER;

/** Newest first; of the same time, practice signals first. */
const inOrder = (a: Listed, b: Listed): number =>
  b.at - a.at || Number(b.isPractice) - Number(a.isPractice) || b.stored.published.n - a.stored.published.n;
