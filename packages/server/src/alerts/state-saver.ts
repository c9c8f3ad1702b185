// Stores the states of alerts in turn, so that a restart has little to judge again.
import type { AlertJudge } from './alert-judge.ts';
import { isJudged } from './alert-rows.ts';
import type { FiringWriter } from './firing-writer.ts';

/** Each alert's state is stored once in this many saves. */
const SAVES_PER_ROUND = 60;
const IDLE_SAVES = 10;
/** Firings are written first. If there are always some, the states have to find a gap between two writes. */
const ATTEMPTS = 3;

export interface StateSaverOptions {
  readonly judge: AlertJudge;
  readonly writer: Pick<FiringWriter, 'save' | 'drain'>;
  readonly now: () => number;
}

export class StateSaver {
  readonly #options: StateSaverOptions;
  /** Alerts whose turn is still to come, the next one last. */
  #round: string[] = [];
  #perSave = 0;
  /** Alerts whose time is over, until that is stored. */
  #expired: readonly string[] = [];
  #savedSeq = -1;
  #idle = 0;

  constructor(options: StateSaverOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { judge } = this.#options;
    this.#expire();
    const { judgedUntil } = judge.marks;
    if (this.#expired.length === 0 && judgedUntil === this.#savedSeq) return;
    if (this.#round.length === 0) this.#beginRound();
    const chosen = this.#round.slice(-this.#perSave || this.#round.length);
    // Without alerts, only the marks change: seldom is enough.
    if (chosen.length + this.#expired.length === 0 && ++this.#idle < IDLE_SAVES) return;
    this.#idle = 0;
    const expired = this.#expired;
    if (!(await this.#save([...expired, ...chosen]))) return;
    this.#round.length -= chosen.length;
    this.#expired = this.#expired.filter((id) => !expired.includes(id));
    this.#savedSeq = judgedUntil;
  }

  /** Stores all states, when nothing is judged any more. */
  async saveAll(): Promise<void> {
    this.#beginRound();
    await this.#save([...this.#expired, ...this.#round]);
  }

  async #save(ids: readonly string[]): Promise<boolean> {
    const { judge, writer } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const rows = ids.flatMap((id) => judge.rows.get(id) ?? []);
      if (await writer.save(rows.map((row) => judge.progressOf(row)))) return true;
      await writer.drain();
    }
    return false;
  }

  #beginRound(): void {
    const judged = this.#options.judge.rows.all().filter(isJudged);
    this.#round = judged.map(({ id }) => id).reverse();
    this.#perSave = Math.ceil(judged.length / SAVES_PER_ROUND);
  }

  #expire(): void {
    const { judge, now } = this.#options;
    const time = now();
    const isOver = ({ done, expiresAt }: { done: boolean; expiresAt: number | null }): boolean =>
      !done && expiresAt !== null && expiresAt <= time;
    const expired = judge.rows.all().filter(isOver);
    for (const { id } of expired) judge.expire(id);
    if (expired.length > 0) this.#expired = [...this.#expired, ...expired.map(({ id }) => id)];
  }
}
