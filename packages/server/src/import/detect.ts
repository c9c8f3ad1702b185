// Which format a file is, by its first bytes and its name. Where two are as likely, the person is asked, not the dice.
import type { Format, FormatName } from './formats/format.ts';
import { FORMATS } from './formats/registry.ts';
import { ImportError } from './import-error.ts';
import type { Sample } from './sample.ts';
import { packingOf } from './source-file.ts';

/** Confidences closer than this are a tie. */
const MARGIN = 0.1;
const LISTED = 80;
const NAMES = FORMATS.map(({ name }) => name).join(', ');

export interface Candidate {
  readonly format: Format;
  readonly confidence: number;
}

/** Formats the file may be, the likeliest first. */
export function candidatesFor(sample: Sample): Candidate[] {
  return FORMATS.map((format) => ({ format, confidence: format.detect(sample) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence);
}

export function detectFormat(sample: Sample): Format {
  const packing = packingOf(sample.bytes);
  if (packing) {
    throw new ImportError(
      'unsupported_archive',
      `it is a ${packing} archive inside an archive: unpack the outer one first`,
    );
  }
  const candidates = candidatesFor(sample);
  const [best, next] = candidates;
  if (!best) throw new ImportError('unknown_format', `no format reads it (${NAMES}); it begins ${beginning(sample)}`);
  if (next && best.confidence - next.confidence < MARGIN) {
    const tied = candidates.filter(({ confidence }) => best.confidence - confidence < MARGIN);
    const names = tied.map(({ format }) => `${format.name} (${format.title})`).join(' or ');
    throw new ImportError('ambiguous_format', `it may be ${names}: say which with --format`);
  }
  return best.format;
}

export function formatNamed(name: FormatName): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (!format) throw new ImportError('unknown_format', `there is no format ${JSON.stringify(name)}: ${NAMES}`);
  return format;
}

/** The first line as it may be shown: bytes that print nothing are dots. */
const beginning = ({ lines }: Sample): string =>
  JSON.stringify((lines[0] ?? '').slice(0, LISTED).replace(/[^\x20-\x7e]/g, '.'));
