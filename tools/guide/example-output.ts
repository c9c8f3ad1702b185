// Compares the output that a page shows with the real one: every field that is shown must exist, with the same type. Values
// differ from run to run. Text is compared word by word.

/** Returns what is wrong, or null. */
export function wrongExample(example: string, output: string): string | null {
  const shown = documentsOf(example);
  if (typeof shown === 'string') return shown;
  const real = documentsOf(output, true);
  if (typeof real === 'string') return `the output has no JSON:\n${output.slice(0, 500)}`;
  for (const each of shown)
    if (!real.some((document) => isLike(each, document)))
      return `not in the output:\n  ${JSON.stringify(each)}\nbut:\n  ${real
        .slice(0, 5)
        .map((it) => JSON.stringify(it)?.slice(0, 400))
        .join('\n  ')}`;
  return null;
}

/**
 * Compares the output with an example, line by line. In the example, a word with a digit matches any word, `…` matches anything,
 * and a word that depends on the market, such as `buy`, also matches its opposite.
 * Returns what is wrong, or null.
 */
export function wrongText(example: string, output: string): string | null {
  const lines = output.split('\n');
  for (const shown of example.split('\n').filter((line) => /[^\s…]/.test(line))) {
    const pattern = lineLike(shown);
    if (!lines.some((line) => pattern.test(line)))
      return `not in the output:\n  ${shown}\nbut:\n  ${lines.slice(0, 12).join('\n  ')}`;
  }
  return null;
}

const CHOICES = [
  ['buy', 'sell'],
  ['above', 'below'],
  ['up', 'down'],
];

function lineLike(shown: string): RegExp {
  const words = shown
    .trim()
    .split(/\s+/)
    .map((word) => {
      const choice = CHOICES.find((words) => words.includes(word));
      if (choice) return `(?:${choice.join('|')})`;
      if (/\d/.test(word)) return '\\S+';
      return word.split('…').map(RegExp.escape).join('.*');
    });
  return new RegExp(`^\\s*${words.join('\\s+')}\\s*$`);
}

/** The JSON documents of a text: the whole, or one in each line. Returns an explanation if there are none. */
export function documentsOf(text: string, lenient = false): unknown[] | string {
  const clean = text.replace(/,?\s*…(?=\s*[\]}])/g, '').trim();
  try {
    return [JSON.parse(clean)];
  } catch (error) {
    const lines = clean.split('\n').filter((line) => line.trim() !== '');
    const documents: unknown[] = [];
    for (const line of lines) {
      try {
        documents.push(JSON.parse(line.replace(/^(data: |> )/, '')));
      } catch {
        if (!lenient) return `invalid JSON: ${String(error)}`;
      }
    }
    return documents.length > 0 ? documents : 'no JSON';
  }
}

function isLike(shown: unknown, real: unknown): boolean {
  if (shown === null || real === null) return true;
  if (Array.isArray(shown))
    return Array.isArray(real) && shown.every((each) => real.some((item) => isLike(each, item)));
  if (typeof shown !== 'object') return typeof shown === typeof real;
  if (typeof real !== 'object' || Array.isArray(real)) return false;
  const fields = real as Record<string, unknown>;
  return Object.entries(shown as object).every(([name, value]) => name in fields && isLike(value, fields[name]));
}
