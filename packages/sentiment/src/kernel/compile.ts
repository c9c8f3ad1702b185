// Compiles gemm.wat with the WebAssembly Binary Toolkit (npm: wabt), which is only needed for development.

interface Toolkit {
  parseWat(name: string, text: string, features: { simd: boolean }): WatModule;
}

interface WatModule {
  toBinary(options: Record<string, never>): { buffer: Uint8Array };
  destroy(): void;
}

/** The toolkit, or `undefined` if it is not installed. */
export async function findToolkit(): Promise<Toolkit | undefined> {
  // Not a static import, because types and tests must also work without the toolkit.
  const name = 'wabt';
  try {
    const { default: open } = (await import(name)) as { default: () => Promise<Toolkit> };
    return await open();
  } catch {
    return undefined;
  }
}

export function compile(toolkit: Toolkit, wat: string): Uint8Array {
  const module = toolkit.parseWat('gemm.wat', wat, { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

/** The source of gemm-wasm.ts for these bytes. */
export function sourceOf(bytes: Uint8Array): string {
  const lines = (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,100}/g) ?? []
  ).map((line) => `  '${line}',`);
  return `// Compiled from gemm.wat by build.ts: change that file, then run \`npm run kernel -w packages/sentiment\`.

const BASE64 = [
${lines.join('\n')}
].join('');

/** The matrix kernel, as WebAssembly. */
export const KERNEL: Uint8Array<ArrayBuffer> = Uint8Array.from(atob(BASE64), (character) => character.charCodeAt(0));
`;
}
