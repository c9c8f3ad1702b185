// How the sentiment, score and address of a headline are shown. Colour is never the only sign: each label has an arrow and a word.
import type { NewsDetail } from '@tickwire/client';
import { NO_VALUE, type Sign, signedFigure } from '../ui/format.ts';
import type { Sentiment } from './news-filter.ts';

export const LABEL: Readonly<Record<Sentiment, string>> = {
  bullish: 'Bullish',
  neutral: 'Neutral',
  bearish: 'Bearish',
};
export const ARROW: Readonly<Record<Sentiment, string>> = { bullish: '▲', neutral: '●', bearish: '▼' };
export const SIGN: Readonly<Record<Sentiment, Sign>> = { bullish: 'up', neutral: 'none', bearish: 'down' };

/** How sure the model is of a label. */
export const certaintyText = ({ undecided, probabilities }: NonNullable<NewsDetail['certainty']>): string =>
  `${undecided ? 'Undecided: ' : ''}${Object.entries(probabilities)
    .map(([label, share]) => `${label} ${Math.round(share * 100)}%`)
    .join(', ')}`;

/** A score from −1 to 1. */
export const score = (value: number | null): string => (value === null ? NO_VALUE : signedFigure(value, 2));

/** An address that a link may have: http and https only, whatever the service sends. */
export function externalAddress(url: string | null): string | null {
  if (url === null) return null;
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === 'https:' || parsed.protocol === 'http:') ? parsed.href : null;
}

export const sourcesText = (cluster: number): string => (cluster === 1 ? '1 source' : `${cluster} sources`);

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
