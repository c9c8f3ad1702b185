import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Workspace } from '../workspace.ts';
import { compile, findToolkit, sourceOf } from './compile.ts';
import { KERNEL } from './gemm-wasm.ts';

const here = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const toolkit = await findToolkit();
if (!toolkit)
  console.warn('skipped: the kernel is not compiled anew, because wabt is not installed (npm ci brings it)');

describe('the matrix kernel', () => {
  test.skipIf(!toolkit)('is what its source compiles to', () => {
    expect(Buffer.from(compile(toolkit!, here('gemm.wat'))).equals(Buffer.from(KERNEL))).toBe(true);
  });

  test('stands in the file that the build writes', () => {
    expect(sourceOf(KERNEL)).toBe(here('gemm-wasm.ts'));
  });

  test('multiplies as one does by hand, and writes nowhere else', () => {
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
        const workspace = new Workspace(4_096);
        const matrix = { rows: outputs, columns: inputs, values: Int8Array.from(weights), scales };
        const layer = workspace.load({ matrix, bias });
        const input = workspace.allocate(Workspace.sizeOfRows(rows, inputs));
        const output = workspace.allocate(Workspace.sizeOfRows(rows, outputs));
        const behind = workspace.allocate(4);
        const texts = take(rows * inputs);
        workspace.values.set(texts, input);
        workspace.values.fill(42, behind, behind + 4);
        workspace.apply(layer, input, output, rows);

        const byHand = Array.from({ length: rows * outputs }, (_, at) => {
          const row = Math.floor(at / outputs);
          const column = at % outputs;
          let sum = bias[column]!;
          for (let i = 0; i < inputs; i += 1) {
            sum += weights[column * inputs + i]! * scales[column]! * texts[row * inputs + i]!;
          }
          return sum;
        });
        // Whole numbers below 2^24: floats hold them exactly, in whatever order they are added.
        expect([...workspace.values.subarray(output, output + rows * outputs)]).toEqual(byHand);
        expect([...workspace.values.subarray(behind, behind + 4)]).toEqual([42, 42, 42, 42]);
        expect([...workspace.values.subarray(input, input + rows * inputs)]).toEqual(texts);
      }),
      { numRuns: 25 },
    );
    // Each run takes memory of its own, which costs a collection where the heap is large.
  }, 30_000);
});
