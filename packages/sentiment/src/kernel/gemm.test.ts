import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { KernelMemory } from '../kernel-memory.ts';
import { compile, findToolkit, sourceOf } from './compile.ts';
import { KERNEL } from './gemm-wasm.ts';

const here = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const toolkit = await findToolkit();
if (!toolkit) console.warn('SKIPPED: recompiling the kernel: wabt is not installed');

describe('the matrix kernel', () => {
  test.skipIf(!toolkit)('matches its compiled source', () => {
    expect(Buffer.from(compile(toolkit!, here('gemm.wat'))).equals(Buffer.from(KERNEL))).toBe(true);
  });

  test('matches the generated file', () => {
    expect(sourceOf(KERNEL)).toBe(here('gemm-wasm.ts'));
  });

  test('multiplies like a reference implementation and writes nowhere else', () => {
    const sizes = fc.record({
      rows: fc.integer({ min: 1, max: 9 }),
      pairs: fc.integer({ min: 1, max: 5 }),
      fours: fc.integer({ min: 1, max: 6 }),
    });
    const cell = fc.integer({ min: -127, max: 127 });
    fc.assert(
      fc.property(sizes, fc.infiniteStream(cell), ({ rows, pairs, fours }, cells) => {
        const outputs = 2 * pairs;
        const inputs = 4 * fours;
        const take = (count: number): number[] => Array.from({ length: count }, () => cells.next().value as number);
        const weights = take(outputs * inputs);
        const scales = Float32Array.from({ length: outputs }, (_, i) => 2 ** (i % 3));
        const bias = Float32Array.from(take(outputs));
        const memory = new KernelMemory(4_096);
        const matrix = { rows: outputs, columns: inputs, values: Int8Array.from(weights), scales };
        const layer = memory.load({ matrix, bias });
        const input = memory.allocate(KernelMemory.sizeOfRows(rows, inputs));
        const output = memory.allocate(KernelMemory.sizeOfRows(rows, outputs));
        const after = memory.allocate(4);
        const inputRows = take(rows * inputs);
        memory.values.set(inputRows, input);
        memory.values.fill(42, after, after + 4);
        memory.apply(layer, input, output, rows);

        const expected = Array.from({ length: rows * outputs }, (_, at) => {
          const row = Math.floor(at / outputs);
          const column = at % outputs;
          let sum = bias[column]!;
          for (let i = 0; i < inputs; i += 1) {
            sum += weights[column * inputs + i]! * scales[column]! * inputRows[row * inputs + i]!;
          }
          return sum;
        });
        // Integers below 2^24 are exact in 32-bit floats, in any order of addition.
        expect([...memory.values.subarray(output, output + rows * outputs)]).toEqual(expected);
        expect([...memory.values.subarray(after, after + 4)]).toEqual([42, 42, 42, 42]);
        expect([...memory.values.subarray(input, input + rows * inputs)]).toEqual(inputRows);
      }),
      { numRuns: 25 },
    );
    // Each run allocates its own memory, which is slow if the heap is large.
  });
});
