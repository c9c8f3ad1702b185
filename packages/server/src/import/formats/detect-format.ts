// Detects the format of a file from its first bytes and its name. If two formats are equally likely, the user must choose.

import type { FileSample } from '../files/file-sample.ts';
import { compressionOf } from '../files/source-file.ts';
import { ImportError } from '../import-error.ts';
import { isNames } from '../rows/columns.ts';
import type { Format, FormatName } from './format.ts';
import { FORMATS } from './registry.ts';

/** Two confidences closer than this are a tie. */
const TIE_MARGIN = 0.1;
const EXCERPT_LENGTH = 80;
const NAMES = FORMATS.map(({ name }) => name).join(', ');

export interface FormatCandidate {
  readonly format: Format;
  readonly confidence: number;
}

/** Possible formats, the most likely first. */
export function formatCandidates(sample: FileSample): FormatCandidate[] {
  const hasNames = isNames(sample.lines[0] ?? '');
  return FORMATS.filter(({ isHeaderless }) => !(isHeaderless && hasNames))
    .map((format) => ({ format, confidence: format.detect(sample) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence);
}

const EXCEL = 'Excel files are not supported: save the sheet as CSV';
/** Files that users may have, and how to get one that can be imported. */
const KNOWN_BUT_UNSUPPORTED: readonly (readonly [magic: string, message: string])[] = [
  [
    'ARROW1',
    'Feather files are not supported: convert it to Parquet (in Python: pandas.read_feather(FILE).to_parquet(FILE); freqtrade: convert-data --format-from feather --format-to parquet)',
  ],
  [
    '\x89HDF',
    'HDF5 files are not supported: convert it to Parquet (in Python: pandas.read_hdf(FILE).to_parquet(FILE))',
  ],
  ['\xd0\xcf\x11\xe0', EXCEL],
  ['SQLite format 3', 'SQLite databases are not supported: export the table as CSV'],
];

export function detectFormat(sample: FileSample): Format {
  const head = Buffer.from(sample.bytes.subarray(0, 16)).toString('latin1');
  const unsupported = KNOWN_BUT_UNSUPPORTED.find(([magic]) => head.startsWith(magic));
  if (unsupported) throw new ImportError('unsupported_format', unsupported[1]);
  // An .xlsx file is a zip that contains this.
  if (sample.name === '[Content_Types].xml') throw new ImportError('unsupported_format', EXCEL);
  const compression = compressionOf(sample.bytes);
  if (compression) {
    throw new ImportError(
      'unsupported_archive',
      `it is a ${compression} archive inside an archive: unpack the outer one first`,
    );
  }
  const candidates = formatCandidates(sample);
  const [best, next] = candidates;
  if (!best && isCalendar(sample.lines[0] ?? ''))
    throw new ImportError('unsupported_format', 'it is an economic calendar: use tickwire calendar import');
  if (!best)
    throw new ImportError(
      'unknown_format',
      `unknown format (known: ${NAMES}). The file starts with ${excerpt(sample)}`,
    );
  if (next && best.confidence - next.confidence < TIE_MARGIN) {
    const tied = candidates.filter(({ confidence }) => best.confidence - confidence < TIE_MARGIN);
    const names = tied.map(({ format }) => `${format.name} (${format.title})`).join(' or ');
    throw new ImportError('ambiguous_format', `the format may be ${names}: specify --format`);
  }
  return best.format;
}

/** Columns of ForexFactory and the like. */
const isCalendar = (line: string): boolean => /\bimpact\b.*\bforecast\b.*\bprevious\b/i.test(line);

export function formatNamed(name: FormatName): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (!format) throw new ImportError('unknown_format', `unknown format ${JSON.stringify(name)} (known: ${NAMES})`);
  return format;
}

/** The start of the first line; unprintable characters are shown as dots. */
const excerpt = ({ lines }: FileSample): string =>
  JSON.stringify((lines[0] ?? '').slice(0, EXCERPT_LENGTH).replace(/[^\x20-\x7e]/g, '.'));
