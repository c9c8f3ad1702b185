// TA-Lib, the C library that is the usual reference for indicators, compiled to WebAssembly.
import { init, TAFuncs } from 'talib-web';

type Params = Readonly<Record<string, number | readonly number[]>>;
type Call = (params: Params) => Readonly<Record<string, readonly number[]>>;

/**
 * `talib-web` passes one address for two results, so functions that call others (STDDEV, BBANDS, STOCH) return wrong values: tests
 * compose them of simpler ones. It also reads one value too many: only the first `bars − lookback` results are valid.
 */
export async function loadTalib(): Promise<(name: string, params: Params, lookback: number) => readonly number[]> {
  const file = Bun.resolveSync('talib-web/lib/talib.wasm', import.meta.dir);
  const { fetch } = globalThis;
  // It fetches a path as if it were an address.
  globalThis.fetch = ((url: string) => fetch(url === file ? `file://${file}` : url)) as typeof fetch;
  try {
    await init(file);
  } finally {
    globalThis.fetch = fetch;
  }
  return (name, params, lookback) => {
    const [functionName, line] = name.split('.') as [keyof typeof TAFuncs, string?];
    const results = (TAFuncs[functionName] as unknown as Call)({ ...params });
    const bars = Object.values(params).find((value) => Array.isArray(value)) as readonly number[];
    return results[line ?? 'output']!.slice(0, bars.length - lookback);
  };
}
