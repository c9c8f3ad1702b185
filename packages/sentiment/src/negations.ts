// Negated posts. "Not selling $ABC here" is good news, but the model hears "selling". In posts, what is negated is put into words that
// it knows. Headlines of news are left as they are: "Fed will not sell bonds" is no advice.
import { OTHER } from './markers.ts';

/** A ticker, or the voice of a person. */
const POST = new RegExp(`${OTHER}|^(?:i|i'm|i'd|we|not|never|no|don't|do not|won't|wouldn't)\\b`, 'i');
const NOT = "(?:not|never|don't|won't|wouldn't|isn't|no (?:reason|need) to)(?: be| going to| ever)?";
const RULES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    new RegExp(
      `\\b(?:(?:do|would|will) )?${NOT} (?:sell(?:ing)?|dump(?:ing)?|short(?:ing)?(?! (?:of|on|term)))\\b`,
      'gi',
    ),
    'would buy',
  ],
  [new RegExp(`\\b${NOT} bearish\\b`, 'gi'), 'bullish'],
  [new RegExp(`\\b${NOT} (?:worried|afraid|scared|concerned)\\b`, 'gi'), 'confident'],
];

export const turnNegations = (text: string): string =>
  POST.test(text) ? RULES.reduce((turned, [pattern, words]) => turned.replace(pattern, words), text) : text;
