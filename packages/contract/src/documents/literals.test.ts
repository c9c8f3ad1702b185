import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { python, shell, typescript } from './literals.ts';

const reads = (value: unknown): void => {
  // A negative zero is none in JSON.
  const plain: unknown = JSON.parse(JSON.stringify(value));
  const read: unknown = new Function(`return ${typescript(plain)};`)();
  expect(JSON.stringify(read)).toBe(JSON.stringify(plain));
};

test('writes TypeScript that evaluates to the same value', () => {
  fc.assert(fc.property(fc.jsonValue(), reads));
  reads(JSON.parse('{"__proto__": null, "a b": {"__proto__": {"c": 1}}}'));
});

test('writes a short value on one line and indents a long one', () => {
  expect(typescript({ a: 1, list: ['x', "it's"] })).toBe(`{ a: 1, list: ['x', 'it\\'s'] }`);
  expect(python({ a: null, b: true, c: [] })).toBe('{"a": None, "b": True, "c": []}');
  const long = 'x'.repeat(70);
  expect(python([{ long, other: 'y' }], 1)).toBe(`[
        {
            "long": "${long}",
            "other": "y",
        },
    ]`);
});

test('quotes any text as one word of a shell', () => {
  for (const text of ["it's", '$(touch x) `touch y` "z" \\ !', 'two\nlines', '']) {
    const { stdout } = Bun.spawnSync(['bash', '-c', `printf %s ${shell(text)}`]);
    expect(stdout.toString()).toBe(text);
  }
});
