import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';

/** The number with these IEEE 754 bits. */
function fromBits(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe('canonical JSON', () => {
  test('matches the sample of RFC 8785, section 3.2.2', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(sample))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts members by UTF-16 code units, as in section 3.2.3', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(sample)))).toHaveLength(7);
    expect([...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s of appendix B as %s', (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text);
  });

  test('escapes only control characters, quotes and backslashes, in the shortest form', () => {
    expect(canonicalJson('\u0000\u0008\t\n\u000b\f\r\u001f\u007f/"\\é😀')).toBe(
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u007f/\\"\\\\é😀"',
    );
  });

  test('rejects values that JSON cannot represent, at any depth', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, '\ud800', 'a\udc00b', 1n, undefined, Symbol('s'), () => 1]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
      expect(() => canonicalJson([[value]])).toThrow(TypeError);
    }
    expect(() => canonicalJson({ '\ud800': 1 })).toThrow(TypeError);
  });

  test('sorts names that objects keep elsewhere', () => {
    const members = '{"9":1,"10":[{"b":1,"__proto__":{"2":0,"1":0}}],"a":null,"-":true}';
    expect(canonicalJson(JSON.parse(members))).toBe(
      '{"-":true,"10":[{"__proto__":{"1":0,"2":0},"b":1}],"9":1,"a":null}',
    );
  });

  test('keeps text that looks like an escaped surrogate', () => {
    expect(canonicalJson({ b: '\\ud800', a: '\ud83d\ude00' })).toBe('{"a":"😀","b":"\\\\ud800"}');
  });

  test('omits undefined members', () => {
    expect(canonicalJson({ b: undefined, a: [{ c: undefined }] })).toBe('{"a":[{}]}');
  });

  test('is JSON of the same value and independent of the order of members', () => {
    const wellFormed = fc.string({ unit: 'binary' });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        wellFormed,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(wellFormed, tie('value')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
      ),
    }));
    const reversed = (any: unknown): unknown => {
      if (Array.isArray(any)) return any.map(reversed);
      if (any === null || typeof any !== 'object') return any;
      return Object.fromEntries(
        Object.entries(any)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(value, (any) => {
        const text = canonicalJson(any);
        // JSON.stringify has no -0 either.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(any)));
        expect(canonicalJson(reversed(any))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
