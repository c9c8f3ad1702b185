// What a browser may open without a key: the terminal, the reference and the two machine-readable documents. All of it is
// made once, at the start, and needs nothing from elsewhere: the content policies allow only what is served here.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import { SCRIPT } from './reference/script.ts';
import { STYLE } from './reference/style.ts';
import { referencePage } from './reference-page.ts';

export interface Page {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const TERMINAL = fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));
const TERMINAL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Pages by path. */
export async function createPages(simulated: boolean): Promise<Map<string, Page>> {
  const reference = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; img-src data:; frame-ancestors 'none'; base-uri 'none'`;
  return new Map([
    ['/openapi.json', page(JSON.stringify(openApiDocument()), 'application/json')],
    ['/asyncapi.json', page(JSON.stringify(asyncApiDocument()), 'application/json')],
    ['/docs', page(referencePage({ simulated }), 'text/html; charset=utf-8', reference)],
    ...(await terminalPages()),
  ]);
}

/** The web terminal, bundled from its sources. */
async function terminalPages(): Promise<[string, Page][]> {
  const built = await Bun.build({
    entrypoints: [TERMINAL],
    minify: true,
    publicPath: '/',
    naming: { asset: 'assets/[name]-[hash].[ext]', chunk: 'assets/[name]-[hash].[ext]' },
  });
  return Promise.all(
    built.outputs.map(async (output): Promise<[string, Page]> => {
      const path = output.path.replace(/^\.?\/?/, '/');
      const body = new Uint8Array(await output.arrayBuffer());
      if (path.endsWith('.html')) return ['/', page(body, output.type, TERMINAL_POLICY)];
      // The name of an asset changes with its content.
      return [path, page(body, output.type, TERMINAL_POLICY, 'public, max-age=31536000, immutable')];
    }),
  );
}

function page(body: Page['body'], type: string, policy = "default-src 'none'", cache = 'no-cache'): Page {
  const headers = {
    'Content-Type': type,
    'Cache-Control': cache,
    ETag: `"${Bun.hash(body).toString(36)}"`,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  return { body, headers };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
