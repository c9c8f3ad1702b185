// How far everything was judged: the marks that are stored with the firings.
//
// Headlines arrive in no particular order: one that took long to process is stored after later ones. The catch-up after a
// crash therefore looks back further than the mark, and leaves out the headlines that were judged.
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { AlertMarks } from '../store/alert-store.ts';

/** How far the catch-up looks back behind the mark. */
export const NEWS_OVERLAP_MS = HOUR_MS;
const KEPT_MS = NEWS_OVERLAP_MS + 10 * MINUTE_MS;
const MAX_KEPT = 2_000;

export class JudgedSoFar {
  seq = 0;
  /** Record of the signal log. */
  signalN = 0;
  #newsAt = 0;
  #news: ReadonlyMap<string, number> = new Map();

  get marks(): AlertMarks {
    return { judgedUntil: this.seq, signalN: this.signalN, newsAt: this.#newsAt, news: this.#news };
  }

  /** What may be stored as long as a firing of the current event is not. */
  get before(): AlertMarks {
    return { judgedUntil: this.seq - 1, signalN: this.signalN - 1, newsAt: this.#newsAt - 1, news: this.#news };
  }

  restore({ judgedUntil, signalN, newsAt, news }: AlertMarks): void {
    this.seq = judgedUntil;
    this.signalN = signalN;
    this.#newsAt = newsAt;
    if (news) this.#news = news;
  }

  hasNews(id: string): boolean {
    return this.#news.has(id);
  }

  /** Call when everything that the headline fired is handed over. `seenAt`: when the service learned of it. */
  addNews(id: string, seenAt: number, now: number): void {
    this.#newsAt = Math.max(this.#newsAt, seenAt);
    const kept = [...this.#news].filter(([, at]) => at >= now - KEPT_MS).slice(1 - MAX_KEPT);
    this.#news = new Map([...kept, [id, now]]);
  }
}
