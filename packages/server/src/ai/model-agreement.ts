// How often the language model and the local model give a headline the same label. The local model scores what the language model
// has scored, afterwards and without delaying anyone. Disagreements are counted, kept for the operator's page, and written to the log.
import type { NewsCategory } from '@tickwire/contract';
import type { Log } from '../ops/log.ts';
import type { Score, ScoreRequest, Scorer } from './scorer.ts';

/** Batches that are compared at the same time; further ones are left out. */
const MAX_RUNNING = 4;
/** Disagreements that are logged per hour. */
const LOGGED_PER_HOUR = 60;
/** The latest disagreements, for the operator. */
const KEPT = 50;
const HOUR_MS = 3_600_000;
const SHOWN_CHARACTERS = 200;

export interface AgreementCounts {
  compared: number;
  disagreed: number;
}

export interface Disagreement {
  readonly at: number;
  /** Truncated. */
  readonly text: string;
  readonly category: NewsCategory | null;
  readonly llm: Score;
  readonly local: Score;
}

export class ModelAgreement {
  /** By category. */
  readonly counts = new Map<NewsCategory | 'none', AgreementCounts>();
  /** When the comparison started. */
  readonly since: number;
  readonly #recent: Disagreement[] = [];
  readonly #local: Pick<Scorer, 'available' | 'score'>;
  readonly #log: Log;
  readonly #now: () => number;
  #running = 0;
  #logged = 0;
  #hour = 0;

  constructor(local: Pick<Scorer, 'available' | 'score'>, log: Log, now: () => number) {
    this.#local = local;
    this.#log = log;
    this.#now = now;
    this.since = now();
  }

  /** The latest disagreements, newest first. */
  recent(): Disagreement[] {
    return this.#recent.toReversed();
  }

  /** Never throws: a comparison that fails is left out. */
  async compare(requests: readonly ScoreRequest[], scores: readonly Score[]): Promise<void> {
    if (this.#running >= MAX_RUNNING || !this.#local.available()) return;
    this.#running++;
    try {
      const own = await this.#local.score(requests);
      for (const [index, request] of requests.entries()) this.#count(request, scores[index]!, own[index]!);
    } catch {
      // The local model is stopping or too busy.
    } finally {
      this.#running--;
    }
  }

  #count({ text, category }: ScoreRequest, theirs: Score, own: Score): void {
    const name = category ?? 'none';
    const counts = this.counts.get(name) ?? { compared: 0, disagreed: 0 };
    this.counts.set(name, counts);
    counts.compared++;
    if (theirs.sentiment === own.sentiment) return;
    counts.disagreed++;
    const at = this.#now();
    const shown = text.slice(0, SHOWN_CHARACTERS);
    this.#recent.push({ at, text: shown, category, llm: theirs, local: own });
    if (this.#recent.length > KEPT) this.#recent.shift();
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#logged] = [hour, 0];
    if (this.#logged++ >= LOGGED_PER_HOUR) return;
    this.#log.info('the language model and the local model disagree', {
      text: shown,
      category: name,
      [theirs.model]: `${theirs.sentiment} ${theirs.score}`,
      [own.model]: `${own.sentiment} ${own.score}`,
    });
  }
}
