// Alerts on headlines and on signals, by the instrument they are about.
import type { SimpleCondition } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { HeadlineInput, SignalInput } from './alert.ts';
import type { JudgedAlert } from './judged-alert.ts';

export type HeadlineCondition = Extract<SimpleCondition, { type: 'headline' }>;
export type SignalCondition = Extract<SimpleCondition, { type: 'signal' }>;

class BySymbol<T> {
  readonly #alerts = new Map<MarketSymbol | null, Map<JudgedAlert, T>>();

  add(alert: JudgedAlert, condition: T): void {
    const { symbol } = alert.spec;
    const alerts = this.#alerts.get(symbol) ?? new Map<JudgedAlert, T>();
    this.#alerts.set(symbol, alerts.set(alert, condition));
    alert.leave.push(() => alerts.delete(alert));
  }

  of(symbol: MarketSymbol | null): readonly (readonly [JudgedAlert, T])[] {
    return [...(this.#alerts.get(symbol) ?? [])];
  }
}

interface WordedCondition extends HeadlineCondition {
  /** The words in their comparable form. */
  readonly phrases: readonly string[];
}

/** Words in lower case with single spaces between and around them. Everything but letters, digits and marks separates words. */
export const comparableWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

export class Happenings {
  readonly #headlines = new BySymbol<WordedCondition>();
  readonly #signals = new BySymbol<SignalCondition>();

  addHeadline(alert: JudgedAlert, condition: HeadlineCondition): void {
    this.#headlines.add(alert, { ...condition, phrases: (condition.words ?? []).map(comparableWords) });
  }

  addSignal(alert: JudgedAlert, condition: SignalCondition): void {
    this.#signals.add(alert, condition);
  }

  readHeadline({ title, category, sentiment, symbols }: HeadlineInput): void {
    const text = comparableWords(title);
    for (const symbol of [null, ...new Set(symbols)])
      for (const [alert, condition] of this.#headlines.of(symbol)) {
        if (condition.category !== undefined && condition.category !== category) continue;
        if (condition.sentiment !== undefined && condition.sentiment !== sentiment) continue;
        if (condition.words && !condition.phrases.some((phrase) => phrase.trim() !== '' && text.includes(phrase)))
          continue;
        alert.happen(null, { kind: 'headline', title });
      }
  }

  readSignal({ happening, publisher, symbol, price }: SignalInput): void {
    for (const of of [null, symbol])
      for (const [alert, { events, publisher: wanted }] of this.#signals.of(of)) {
        if (!events.includes(happening)) continue;
        if (wanted !== undefined && wanted !== publisher.id && wanted.toLowerCase() !== publisher.name.toLowerCase())
          continue;
        alert.happen(price, { kind: 'signal', happening, publisher: publisher.name, symbol });
      }
  }
}
