// Members that stand twice in a JSON object. A parser takes the last one and says nothing, and another reader of the same
// text may take the first: for a price that is not good enough.

/** Strings, and what opens and closes; the rest of JSON does not matter here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Names that the outermost object has more than once. The text must be JSON. */
export function repeatedMembers(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) {
      // Escapes are read: "\u0065ntry" is entry.
      const name = JSON.parse(last) as string;
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
    }
    last = token;
  }
  return [...repeated];
}
