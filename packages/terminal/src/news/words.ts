// How a headline's label, score and address are shown. Colour is never the only sign: each label has an arrow and its word.
import type { NewsDetail } from '@tickwire/client';
import { make } from '../elements.ts';
import { NOTHING, type Sign, setNumber } from '../format.ts';
import type { Sentiment } from './news-filter.ts';

const MINUS = '−';

export const LABEL: Readonly<Record<Sentiment, string>> = {
  bullish: 'Bullish',
  neutral: 'Neutral',
  bearish: 'Bearish',
};
export const ARROW: Readonly<Record<Sentiment, string>> = { bullish: '▲', neutral: '●', bearish: '▼' };
const SIGN: Readonly<Record<Sentiment, Sign>> = { bullish: 'up', neutral: 'none', bearish: 'down' };

/** A score from −1 to 1 with its sign and two decimals; what rounds to nothing has none. */
export function score(value: number | null): string {
  if (value === null) return NOTHING;
  const size = setNumber(Math.abs(value).toFixed(2));
  if (!/[1-9]/.test(size)) return size;
  return `${value > 0 ? '+' : MINUS}${size}`;
}

export function sentimentChip({ sentiment, sentiment_score }: NewsDetail): HTMLElement {
  const chip = make('span', 'sentiment', `${LABEL[sentiment]} ${score(sentiment_score)}`);
  chip.dataset.sign = SIGN[sentiment];
  const arrow = make('i', '', ARROW[sentiment]);
  arrow.setAttribute('aria-hidden', 'true');
  chip.prepend(arrow);
  return chip;
}

/** An address that may be followed: http and https alone, whatever the service says. */
export function outsideAddress(url: string | null): string | null {
  if (url === null) return null;
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === 'https:' || parsed.protocol === 'http:') ? parsed.href : null;
}

export const sourcesText = (cluster: number): string => (cluster === 1 ? '1 source' : `${cluster} sources`);

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
