// Reads the rows of a CSV file of texts.
import { csvRows } from '../../documents/csv-rows.ts';
import { asUtf8 } from '../../import/files/text-encoding.ts';
import { ImportError } from '../../import/import-error.ts';
import { separatorOf } from '../../import/rows/columns.ts';

/** An unclosed quote reads the rest of the file into one field. */
const MAX_FIELD = 1 << 20;

/** Detects the separator from the first line. */
export async function* textRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of asUtf8(chunks)) text += decoder.decode(chunk, { stream: true });
  for (const { fields } of csvRows(text, separatorIn)) {
    if (fields.some(({ length }) => length > MAX_FIELD))
      throw new ImportError('unknown_format', 'a field is larger than 1 MiB; is a quote not closed?');
    yield fields;
  }
}

/** Texts contain commas and semicolons, but no tabs. */
const separatorIn = (line: string): string => (line.includes('\t') ? '\t' : separatorOf(line));
