// Reads the model file, which contains all tables and weights of the model.
//
//   offset  size  what
//   0       4     the characters SENT
//   4       4     length of the header in bytes, unsigned, little-endian
//   8       …     the header, JSON in UTF-8, padded with spaces to a multiple of 8
//   …       …     the data; each entry starts at a multiple of 4 and is padded with zeros
//
// Header: { layers, d, t: { name: { o, n, t, s } } }. `layers` and `d` are the depth and width of the transformer. An entry
// starts at offset `o` of the data. Its type `t` is `i8` or `f32` (little-endian, `n` numbers of shape `s`, row by row) or
// `str` (`n` bytes of UTF-8, one name per line, in the order of the rows of the table they name).
//
// A matrix M is stored as 8-bit integers with one scale for each row under `M.s`: the weight is integer × scale.

/** The model file is damaged or does not fit this code. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

/** A quantised matrix: the value of a cell is its integer times the scale of its row. */
export interface QuantisedMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

interface Entry {
  readonly offset: number;
  readonly length: number;
  readonly type: 'i8' | 'f32' | 'str';
  readonly bytes: number;
}

const MAGIC = 'SENT';
const PREAMBLE = 8;
const BYTES = { i8: 1, f32: 4, str: 1 } as const;

export class ModelFile {
  readonly layers: number;
  readonly width: number;
  private readonly entries = new Map<string, Entry>();
  private readonly data: ArrayBuffer;

  constructor(bytes: Uint8Array) {
    if (bytes.length < PREAMBLE || text(bytes.subarray(0, 4)) !== MAGIC) {
      throw new ModelFileError('not a sentiment model: it does not start with SENT');
    }
    const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
    const start = PREAMBLE + headerLength;
    if (start > bytes.length) throw new ModelFileError('the model file ends inside its header');
    const header = parseHeader(bytes.subarray(PREAMBLE, start));
    this.layers = header.layers;
    this.width = header.width;
    // A copy: aligned for the float views, and independent of the caller's buffer.
    this.data = new Uint8Array(bytes.subarray(start)).buffer;
    let end = 0;
    for (const [name, described] of Object.entries(header.entries)) {
      const entry = readEntry(name, described);
      this.entries.set(name, entry);
      end = Math.max(end, padded(entry.offset + entry.bytes));
    }
    if (end !== this.data.byteLength) {
      throw new ModelFileError(`the model file has ${this.data.byteLength} bytes of data, its header describes ${end}`);
    }
  }

  floats(name: string, length: number): Float32Array {
    const { offset } = this.find(name, 'f32', length);
    const values = new Float32Array(this.data, offset, length);
    if (!values.every(Number.isFinite)) throw new ModelFileError(`${name} contains a value that is not finite`);
    return values;
  }

  integers(name: string, length: number): Int8Array {
    return new Int8Array(this.data, this.find(name, 'i8', length).offset, length);
  }

  matrix(name: string, rows: number, columns: number): QuantisedMatrix {
    const values = this.integers(name, rows * columns);
    return { rows, columns, values, scales: this.floats(`${name}.s`, rows) };
  }

  names(name: string): string[] {
    const { offset, length } = this.find(name, 'str');
    return text(new Uint8Array(this.data, offset, length)).split('\n');
  }

  private find(name: string, type: Entry['type'], length?: number): Entry {
    const entry = this.entries.get(name);
    if (entry?.type !== type) throw new ModelFileError(`the model file has no ${name} of type ${type}`);
    if (length !== undefined && entry.length !== length) {
      throw new ModelFileError(`${name} has ${entry.length} numbers instead of ${length}`);
    }
    return entry;
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parseHeader(bytes: Uint8Array): { layers: number; width: number; entries: Record<string, unknown> } {
  let header: unknown;
  try {
    header = JSON.parse(text(bytes));
  } catch {
    throw new ModelFileError('the header of the model file is not JSON');
  }
  if (!isRecord(header) || !isCount(header.layers) || !isCount(header.d) || !isRecord(header.t)) {
    throw new ModelFileError('the header of the model file lacks layers, d or t');
  }
  return { layers: header.layers, width: header.d, entries: header.t };
}

function readEntry(name: string, described: unknown): Entry {
  if (isRecord(described)) {
    const { o: offset, n: length, t: type } = described;
    if (isCount(offset) && isCount(length) && offset % 4 === 0 && (type === 'i8' || type === 'f32' || type === 'str')) {
      return { offset, length, type, bytes: length * BYTES[type] };
    }
  }
  throw new ModelFileError(`the header of the model file has an invalid entry for ${name}`);
}
