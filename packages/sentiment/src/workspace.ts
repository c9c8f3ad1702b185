// The memory that the matrix kernel works in: weights, unpacked once, and a few buffers that every text reuses. Addresses
// are indices of 32-bit floats.
import { KERNEL } from './kernel/gemm-wasm.ts';
import type { QuantisedMatrix } from './model-file.ts';
import type { Linear } from './weights.ts';

const PAGE = 65_536;
/** The kernel takes rows of its input by fours. */
const ROWS_AT_ONCE = 4;

/** A linear layer in the memory of the kernel. */
export interface LoadedLinear {
  readonly outputs: number;
  readonly inputs: number;
  readonly weights: number;
  readonly bias: number;
}

type Gemm = (a: number, w: number, b: number, c: number, m: number, n: number, k: number) => void;

const inFours = (count: number): number => Math.ceil(count / ROWS_AT_ONCE) * ROWS_AT_ONCE;

export class Workspace {
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

  /** Room that a loaded layer takes. */
  static sizeOf({ matrix }: Linear): number {
    return inFours(matrix.rows * matrix.columns) + inFours(matrix.rows);
  }

  /** Room for rows of values, with those the kernel adds to make fours. */
  static sizeOfRows(rows: number, width: number): number {
    return inFours(rows) * width;
  }

  allocate(size: number): number {
    const at = this.used;
    this.used += inFours(size);
    if (this.used > this.values.length) throw new RangeError('the workspace is too small for this model');
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

  /** output[row] = weights · input[row] + bias, for `rows` rows; up to three rows behind them are overwritten. */
  apply(layer: LoadedLinear, input: number, output: number, rows: number): void {
    this.gemm(input * 4, layer.weights * 4, layer.bias * 4, output * 4, inFours(rows), layer.outputs, layer.inputs);
  }
}

/** Writes one row of a stored matrix as floats. */
export function unpackRow(matrix: QuantisedMatrix, row: number, out: Float32Array, at: number): void {
  const { values, columns } = matrix;
  const scale = matrix.scales[row]!;
  const start = row * columns;
  for (let i = 0; i < columns; i += 1) out[at + i] = values[start + i]! * scale;
}

/** Adds one row of a stored matrix, times a factor. */
export function addRow(matrix: QuantisedMatrix, row: number, factor: number, out: Float32Array, at: number): void {
  const { values, columns } = matrix;
  const scale = matrix.scales[row]! * factor;
  const start = row * columns;
  for (let i = 0; i < columns; i += 1) out[at + i] = out[at + i]! + values[start + i]! * scale;
}

/** Adds a vector that starts at `from` of `vectors`, times a factor. */
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
