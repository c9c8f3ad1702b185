// The memory of the matrix kernel: the unpacked weights, and buffers that are reused for every text. Addresses are indices
// of 32-bit floats.
import { KERNEL } from './kernel/gemm-wasm.ts';
import type { QuantisedMatrix } from './model-file.ts';
import type { Linear } from './weights.ts';

const PAGE = 65_536;
/** The kernel processes input rows in groups of four. */
const ROW_GROUP = 4;

/** A linear layer in the kernel's memory. */
export interface LoadedLinear {
  readonly outputs: number;
  readonly inputs: number;
  readonly weights: number;
  readonly bias: number;
}

type Gemm = (a: number, w: number, b: number, c: number, m: number, n: number, k: number) => void;

const roundUpToFour = (count: number): number => Math.ceil(count / ROW_GROUP) * ROW_GROUP;

export class KernelMemory {
  readonly values: Float32Array;
  private readonly gemm: Gemm;
  private used = 0;

  constructor(capacity: number) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(KERNEL));
    const memory = instance.exports.mem as WebAssembly.Memory;
    this.gemm = instance.exports.gemm as Gemm;
    memory.grow(Math.ceil((capacity * Float32Array.BYTES_PER_ELEMENT) / PAGE));
    this.values = new Float32Array(memory.buffer);
  }

  /** Floats that a loaded layer needs. */
  static sizeOf({ matrix }: Linear): number {
    return roundUpToFour(matrix.rows * matrix.columns) + roundUpToFour(matrix.rows);
  }

  /** Floats that rows of values need, rounded up to groups of four rows. */
  static sizeOfRows(rows: number, width: number): number {
    return roundUpToFour(rows) * width;
  }

  allocate(size: number): number {
    const at = this.used;
    this.used += roundUpToFour(size);
    if (this.used > this.values.length) throw new RangeError('the kernel memory is too small for this model');
    return at;
  }

  load({ matrix, bias }: Linear): LoadedLinear {
    const weights = this.allocate(matrix.rows * matrix.columns);
    for (let row = 0; row < matrix.rows; row += 1) {
      unpackRow(matrix, row, this.values, weights + row * matrix.columns);
    }
    const biasAt = this.allocate(matrix.rows);
    if (bias) this.values.set(bias, biasAt);
    return { outputs: matrix.rows, inputs: matrix.columns, weights, bias: biasAt };
  }

  /** output[row] = weights · input[row] + bias, for `rows` rows. Overwrites up to three rows after them. */
  apply(layer: LoadedLinear, input: number, output: number, rows: number): void {
    const { weights, bias, outputs, inputs } = layer;
    this.gemm(input * 4, weights * 4, bias * 4, output * 4, roundUpToFour(rows), outputs, inputs);
  }
}

/** Writes one row of a quantised matrix as floats. */
export function unpackRow(matrix: QuantisedMatrix, row: number, out: Float32Array, at: number): void {
  const { values, columns } = matrix;
  const scale = matrix.scales[row]!;
  const start = row * columns;
  for (let i = 0; i < columns; i += 1) out[at + i] = values[start + i]! * scale;
}

/** Adds one row of a quantised matrix, multiplied by a factor. */
export function addRow(matrix: QuantisedMatrix, row: number, factor: number, out: Float32Array, at: number): void {
  const { values, columns } = matrix;
  const scale = matrix.scales[row]! * factor;
  const start = row * columns;
  for (let i = 0; i < columns; i += 1) out[at + i] = out[at + i]! + values[start + i]! * scale;
}

/** Adds the vector at `from` in `vectors`, multiplied by a factor. */
export function addVector(
  vectors: Float32Array,
  from: number,
  width: number,
  factor: number,
  out: Float32Array,
  at: number,
): void {
  for (let i = 0; i < width; i += 1) out[at + i] = out[at + i]! + vectors[from + i]! * factor;
}
