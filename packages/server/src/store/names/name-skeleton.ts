// Detects names that look alike. Two names look alike if they have a skeleton in common (UTS 39, section 4), here also
// regardless of case and of repeated spaces. A skeleton is only compared, never shown.
import list from './confusables.txt' with { type: 'text' };

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

let table: ReadonlyMap<string, string> | null = null;

/** Parsed on first use, because most commands need no skeletons. */
function confusables(): ReadonlyMap<string, string> {
  if (table) return table;
  const textOf = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16));
  const parsed = new Map<string, string>();
  for (const line of list.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [target, sources] = line.split(':') as [string, string];
    const text = target.split('+').map(textOf).join('');
    for (const source of sources.split(' ')) parsed.set(textOf(source), text);
  }
  table = parsed;
  return parsed;
}

function skeleton(name: string): string {
  const known = confusables();
  const mapped = Array.from(
    name.normalize('NFKC').normalize('NFD').replace(IGNORABLE, ''),
    (each) => known.get(each) ?? each,
  );
  return (
    mapped
      .join('')
      .normalize('NFD')
      .toLowerCase()
      // A capital I, a small L and a one look alike, and names are compared regardless of case.
      .replaceAll('i', 'l')
      .replace(/ +/g, ' ')
      .trim()
  );
}

/** The skeletons of a name as it is written and in lower case, which some letters look different in. */
export const skeletonsOf = (name: string): string[] => [...new Set([skeleton(name), skeleton(name.toLowerCase())])];

export const lookAlike = (a: string, b: string): boolean => {
  const others = new Set(skeletonsOf(b));
  return skeletonsOf(a).some((each) => others.has(each));
};
