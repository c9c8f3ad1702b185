// The web manifest and icons, which let a browser install the terminal as an application, and the links to them. They keep
// fixed names and bypass the bundler, since an installed application would not follow changing names.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Bytes } from '../http/conditional-response.ts';

/** One day: changed icons appear soon enough, and requests for them are rare. */
export const ICON_CACHE = 'public, max-age=86400';

export interface WebManifestFile {
  readonly path: string;
  readonly type: string;
  readonly body: Bytes;
}

export interface WebManifest {
  readonly manifest: WebManifestFile;
  readonly icons: readonly WebManifestFile[];
  /** For the head of the page. */
  readonly links: string;
}

/** The part of the manifest that is needed here. */
const Manifest = z.object({ icons: z.array(z.object({ src: z.string().startsWith('/icons/'), type: z.string() })) });

const LINKS = [
  '<link rel="manifest" href="/manifest.webmanifest">',
  '<link rel="apple-touch-icon" href="/icons/icon-192.png">',
];

/** `folder`: the sources of the terminal. */
export async function readWebManifest(folder: URL): Promise<WebManifest> {
  const read = async (name: string): Promise<Bytes> => new Uint8Array(await readFile(new URL(name, folder)));
  const manifest = await read('manifest.webmanifest');
  const { icons } = Manifest.parse(JSON.parse(new TextDecoder().decode(manifest)));
  return {
    manifest: { path: '/manifest.webmanifest', type: 'application/manifest+json', body: manifest },
    icons: await Promise.all(
      icons.map(async ({ src, type }) => ({ path: src, type, body: await read(`icons/${basename(src)}`) })),
    ),
    links: LINKS.join(''),
  };
}
