// The practice signals of a replay: their record, as of its clock, and how many of them would be lost.
import { type Signal, signal } from '@preact/signals';
import {
  type CoreClient,
  type PracticeRecord,
  type SavedPracticeInfo,
  type SavedPracticeList,
  TickwireError,
} from '@tickwire/client';
import { SECOND_MS } from '@tickwire/contract/durations.ts';
import { type Polling, poll } from '../ui/poll.ts';
import { dateText } from '../ui/relative-time.ts';

/** While the clock runs and signals are open. */
const FOLLOW_MS = 6 * SECOND_MS;

/** The publisher of practice signals. */
export const PRACTICE = 'practice';

export interface PracticeOptions {
  readonly client: Pick<CoreClient, 'practiceRecord' | 'savePractice' | 'savedPractice' | 'deleteSavedPractice'>;
  /** Id of the session. */
  readonly id: string;
  readonly isPlaying: () => boolean;
  /** Signals were published, filled or closed, or dropped by a seek. */
  readonly onChange: () => void;
  readonly onError: (error: TickwireError) => void;
  readonly poll?: typeof poll;
}

export class Practice {
  /** `null` before the first signal. */
  readonly record: Signal<PracticeRecord | null> = signal(null);
  readonly #options: PracticeOptions;
  readonly #polling: Polling;
  /** Publications and changes of the record that were seen, and how many of them the saved record has. */
  #changes = 0;
  #saved = 0;

  constructor(options: PracticeOptions) {
    this.#options = options;
    this.#polling = (options.poll ?? poll)(async () => {
      if (this.#active > 0 && options.isPlaying()) await this.refresh();
      return FOLLOW_MS;
    }, FOLLOW_MS);
  }

  /** Number of signals whose results were not saved. */
  get unsaved(): number {
    const record = this.record.peek();
    return record && this.#changes !== this.#saved ? record.figures.signals : 0;
  }

  /** Differs after each publication and change of the record. */
  get changes(): number {
    return this.#changes;
  }

  /** Saves the record as it is now. What changes meanwhile stays unsaved. */
  async saveBy(write: (record: PracticeRecord) => Promise<unknown>): Promise<void> {
    const record = this.record.peek();
    if (!record) return;
    const changes = this.#changes;
    await write(record);
    this.#saved = changes;
  }

  /** Keeps the record in the account. */
  save(): Promise<void> {
    const { client, id } = this.#options;
    return this.saveBy((record) => client.savePractice(id, { name: nameOf(record) }));
  }

  /** Of all replays of the account. */
  savedRecords(signal: AbortSignal): Promise<SavedPracticeList> {
    return this.#options.client.savedPractice({ signal });
  }

  deleteSaved(id: string): Promise<SavedPracticeInfo> {
    return this.#options.client.deleteSavedPractice(id);
  }

  /** The record may look like that before: a seek can have dropped as many signals. */
  async afterPublishing(): Promise<void> {
    this.#changes++;
    await this.refresh();
  }

  /** The clock has moved on while signals may be open. */
  async afterStep(): Promise<void> {
    if (this.#active > 0) await this.refresh();
  }

  /** A seek to an earlier time drops signals. */
  async afterSeek(): Promise<void> {
    if (this.record.peek()) await this.refresh();
  }

  async refresh(): Promise<void> {
    const { client, id, onChange, onError } = this.#options;
    const before = this.record.peek();
    try {
      const record = await client.practiceRecord(id);
      const isChanged = !before || stateOf(before) !== stateOf(record);
      if (isChanged) this.#changes++;
      this.record.value = record;
      if (isChanged) onChange();
    } catch (error) {
      if (!(error instanceof TickwireError)) throw error;
      // The replay itself says that it has ended.
      if (error.code !== 'replay_not_found') onError(error);
    }
  }

  stop(): void {
    this.#polling.stop();
  }

  get #active(): number {
    return this.record.peek()?.figures.active ?? 0;
  }
}

/** Such as "EURUSD, XAUUSD, 2 March 2026". */
const nameOf = ({ symbols, clock }: PracticeRecord): string => {
  const [first, second, ...others] = symbols;
  const named = [first, second, others.length > 0 && `${others.length} more`].filter((part) => part);
  return `${named.join(', ')}, ${dateText(Date.parse(clock))}`;
};

/** Changes with each publication and closing. */
const stateOf = ({ figures: { signals, active, closed, total_r, last_at } }: PracticeRecord): string =>
  JSON.stringify([signals, active, closed, total_r, last_at]);
