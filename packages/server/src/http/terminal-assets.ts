// The web terminal, bundled from its sources when first asked for, and served like any other client's files.
import { fileURLToPath } from 'node:url';

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const ENTRY = fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));

/** The files of the terminal by path; `/` is its page. */
export async function bundleTerminal(): Promise<Map<string, Asset>> {
  const built = await Bun.build({
    entrypoints: [ENTRY],
    minify: true,
    publicPath: '/',
    naming: { asset: 'assets/[name]-[hash].[ext]', chunk: 'assets/[name]-[hash].[ext]' },
  });
  const assets = new Map<string, Asset>();
  for (const output of built.outputs) {
    const path = output.path.replace(/^\.?\/?/, '/');
    const asset = { body: new Uint8Array(await output.arrayBuffer()), type: output.type };
    assets.set(path.endsWith('.html') ? '/' : path, asset);
  }
  return assets;
}
