// Moves that mean the opposite of their words: falling stockpiles are good news for the price of what is stored, a market that does not
// fall below a level holds it, and inflation that cools is no bad news. The model hears "fall" and "cools", so these moves are put into
// words that it knows. It reads falling jobless claims and yields rightly by itself.

const FALLS =
  '(?:fall(?:s|ing)?|fell|drop(?:s|ped|ping)?|declin(?:es?|ed|ing)|decreas(?:es?|ed|ing)|shrinks?|shrank|slid(?:es?)?|slump(?:s|ed)?|plung(?:es?|ed)|tumbl(?:es?|ed)|draw(?:s)? down|drew down)';
const LEVEL = '(?:below|under|through)';
const RULES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    new RegExp(
      `\\b((?:crude|oil|gasoline|petrol|diesel|distillates?|fuel|gas|copper|gold|silver|grain|wheat|corn)\\b(?:\\s+\\w+){0,2}?\\s+(?:stockpiles|inventories|storage|reserves))\\s+(?:unexpectedly\\s+)?${FALLS}\\b`,
      'gi',
    ),
    '$1 improve',
  ],
  [
    new RegExp(
      `\\b(?:(?:does|do|did|has|have|had) not|(?:does|do|did)n't|never) (?:fall|drop|slip|dip|sink) ${LEVEL}\\b`,
      'gi',
    ),
    'stays above',
  ],
  [new RegExp(`\\b(?:won't|will not|unlikely to) (?:fall|drop|slip|dip|sink) ${LEVEL}\\b`, 'gi'), 'to stay above'],
  [
    /\b(?:cpi|inflation|consumer price growth) (?:cool(?:s|ed|ing)?|soften(?:s|ed|ing)?)\b/gi,
    'inflation slows, an improvement,',
  ],
];

export const turnInverseMoves = (text: string): string =>
  RULES.reduce((turned, [pattern, words]) => turned.replace(pattern, words), text);
