// Edits of a headline: some keep the news, some turn it into other news. They are independent of the word lists under test.

export interface Edit {
  readonly kind:
    | 'agency mark'
    | 'clauses in another order'
    | 'another verb of the same direction'
    | 'detail added'
    | 'a word left out'
    | 'another figure'
    | 'the opposite direction'
    | 'another name';
  readonly same: boolean;
  readonly title: string;
}

const MARKS = ['BREAKING: %', 'UPDATE 2-%', '% - Reuters', '% | FXStreet', 'LONDON (Reuters) - %'] as const;
const DETAILS = ['% in early trade', '% on Friday', 'Markets: %', '%, analysts say'] as const;
const VERBS: readonly (readonly [RegExp, string, string])[] = [
  [/\b(rises|climbs|gains|jumps)\b/, 'advances', 'falls'],
  [/\b(falls|drops|slips|dips)\b/, 'declines', 'rises'],
  [/\b(rise|climb|gain|jump)\b/, 'advance', 'fall'],
  [/\b(fall|drop|slip|dip)\b/, 'decline', 'rise'],
  [/\bup\b/, 'higher', 'down'],
  [/\bdown\b/, 'lower', 'up'],
];

/** Entities that the annotators marked in a headline. */
export const entitiesOf = (decisions: string): string[] =>
  [...decisions.matchAll(/['"]([^{}'":]+)['"]\s*:\s*['"](?:positive|negative|neutral)['"]/g)].map((match) => match[1]!);

export function editsOf(title: string, entities: readonly string[], others: readonly string[]): Edit[] {
  const words = title.split(' ');
  if (words.length < 6) return [];
  const turn = title.length;
  const edits: Edit[] = [
    { kind: 'agency mark', same: true, title: MARKS[turn % MARKS.length]!.replace('%', () => title) },
    { kind: 'detail added', same: true, title: DETAILS[turn % DETAILS.length]!.replace('%', () => title) },
  ];
  const clauses = /^(.{12,}?)(; |, | as )(.{12,})$/.exec(title);
  if (clauses) {
    const [, first, joint, second] = clauses;
    const turned = joint === ' as ' ? `As ${second}, ${first}` : `${second}${joint}${first}`;
    edits.push({ kind: 'clauses in another order', same: true, title: turned });
  }
  const spare = words.findIndex((word, at) => at > 2 && /^[a-z]{4,}$/.test(word));
  if (spare > 0 && words.length >= 8)
    edits.push({ kind: 'a word left out', same: true, title: words.filter((_, at) => at !== spare).join(' ') });
  const verb = VERBS.find(([pattern]) => pattern.test(title));
  if (verb) {
    const [pattern, alike, opposite] = verb;
    edits.push({ kind: 'another verb of the same direction', same: true, title: title.replace(pattern, alike) });
    edits.push({ kind: 'the opposite direction', same: false, title: title.replace(pattern, opposite) });
  }
  const figure = /\d+(?:\.\d+)?/.exec(title);
  if (figure) {
    const other = String(Number(figure[0]) + 3);
    edits.push({ kind: 'another figure', same: false, title: title.replace(figure[0], other) });
  }
  const [entity] = entities;
  const [other] = others;
  if (entity && other && other.toLowerCase() !== entity.toLowerCase() && title.includes(entity))
    edits.push({ kind: 'another name', same: false, title: title.replace(entity, other) });
  return edits;
}
