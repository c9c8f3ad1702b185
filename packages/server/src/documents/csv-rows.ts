// Reads the rows of a CSV text (RFC 4180). Quoted fields may contain separators, quotes ("") and line ends.

export interface CsvRow {
  /** The line on which it starts, from 1 on. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A byte order mark is left out. A line ends with \n or \r\n. */
export function* csvRows(text: string, separatorOf: (head: string) => string): Generator<CsvRow, undefined> {
  const content = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(content.slice(0, content.search(/[\r\n]|$/)));
  let line = 1;
  let start = 1;
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < content.length; at++) {
    const character = content[at]!;
    if (character === '\n') line++;
    if (quoted) {
      if (character !== '"') field += character;
      else if (content[at + 1] === '"') {
        field += '"';
        at++;
      } else quoted = false;
    } else if (character === '"' && field.trim() === '') {
      field = '';
      quoted = true;
    } else if (character === separator) {
      fields.push(field);
      field = '';
    } else if (character === '\n') {
      fields.push(field);
      yield { line: start, fields };
      [fields, field, start] = [[], '', line];
    } else if (character !== '\r') field += character;
  }
  if (field !== '' || fields.length > 0) yield { line: start, fields: [...fields, field] };
}
