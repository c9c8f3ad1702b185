// What lets a browser install the terminal as an application: its manifest and icons, under names that stay, and the lines
// in the page that point at them. The bundler would give them names that change, which an installed application never hears
// of; so they go round it. There is no service worker: prices that are not live are no use, and the shell is small.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Bytes } from './conditional.ts';

/** A day: an icon that has changed is seen soon enough, and is asked for seldom. */
export const ICON_CACHE = 'public, max-age=86400';

export interface InstallableFile {
  readonly path: string;
  readonly type: string;
  readonly body: Bytes;
}

export interface Installable {
  readonly manifest: InstallableFile;
  readonly icons: readonly InstallableFile[];
  /** For the head of the page. */
  readonly links: string;
}

/** The part that is needed here. */
const Manifest = z.object({ icons: z.array(z.object({ src: z.string().startsWith('/icons/'), type: z.string() })) });

const LINKS = [
  '<link rel="manifest" href="/manifest.webmanifest">',
  '<link rel="apple-touch-icon" href="/icons/icon-192.png">',
];

/** `folder`: where the terminal's sources are. */
export async function readInstallable(folder: URL): Promise<Installable> {
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
