// Alerts on headlines.
import type { SimpleCondition } from '@tickwire/contract';
import type { HeadlineInput } from './alert.ts';
import { AlertsBySymbol } from './alerts-by-symbol.ts';
import type { JudgedAlert } from './judged-alert.ts';

type HeadlineCondition = Extract<SimpleCondition, { type: 'headline' }>;

interface WordedCondition extends HeadlineCondition {
  /** The words in their comparable form. */
  readonly phrases: readonly string[];
}

/** Words in lower case with single spaces between and around them. Everything but letters, digits and marks separates words. */
const comparableWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

export class HeadlineAlerts {
  readonly #alerts = new AlertsBySymbol<WordedCondition>();

  add(alert: JudgedAlert, condition: HeadlineCondition): void {
    this.#alerts.add(alert, { ...condition, phrases: (condition.words ?? []).map(comparableWords) });
  }

  read({ title, category, sentiment, sentiments }: HeadlineInput): void {
    const text = comparableWords(title);
    for (const [symbol, own] of [[null, sentiment] as const, ...sentiments])
      for (const [alert, condition] of this.#alerts.of(symbol)) {
        if (condition.category !== undefined && condition.category !== category) continue;
        if (condition.sentiment !== undefined && condition.sentiment !== own) continue;
        if (condition.words && !condition.phrases.some((phrase) => phrase.trim() !== '' && text.includes(phrase)))
          continue;
        alert.happen(null, { kind: 'headline', title });
      }
  }
}
