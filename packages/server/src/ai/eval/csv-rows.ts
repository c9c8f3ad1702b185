// Reads the rows of a CSV file. Unlike in price files, quoted fields may contain line breaks and doubled quotes.
import { separatorOf } from '../../import/columns.ts';
import { ImportError } from '../../import/import-error.ts';
import { asUtf8 } from '../../import/text-encoding.ts';

/** An unclosed quote would otherwise read the rest of the file into one field. */
const MAX_ROW = 1 << 20;

/** Detects the separator from the first line. A line ends with \n or \r\n. */
export async function* csvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let separator = '';
  let row: string[] = [];
  let field = '';
  /** `quote`: after a quote in a quoted field, which ends the field or is doubled. */
  let state: 'start' | 'plain' | 'quoted' | 'quote' = 'start';
  let length = 0;

  const endField = (): void => {
    row.push(field);
    field = '';
    state = 'start';
  };
  const endRow = (): string[] => {
    field = field.endsWith('\r') ? field.slice(0, -1) : field;
    endField();
    const ended = row;
    row = [];
    length = 0;
    return ended;
  };
  for await (const chunk of asUtf8(chunks)) {
    const text = decoder.decode(chunk, { stream: true });
    separator ||= separatorIn(text.slice(0, 4_096).split('\n', 1)[0]!);
    for (const character of text) {
      if (++length > MAX_ROW)
        throw new ImportError('unknown_format', 'a row is larger than 1 MiB; is a quote not closed?');
      if (state === 'quoted') {
        if (character === '"') state = 'quote';
        else field += character;
      } else if (state === 'quote' && character === '"') {
        field += '"';
        state = 'quoted';
      } else if (character === separator) endField();
      else if (character === '\n') yield endRow();
      else if (character === '"' && state === 'start') state = 'quoted';
      else {
        field += character;
        state = 'plain';
      }
    }
  }
  if (row.length > 0 || field !== '' || length > 0) yield endRow();
}

/** Texts contain commas and semicolons, but no tabs. */
const separatorIn = (line: string): string => (line.includes('\t') ? '\t' : separatorOf(line));
