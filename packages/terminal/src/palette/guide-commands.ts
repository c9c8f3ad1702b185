// The pages of the guide as commands. The service lists them also before it has built them.
import type { Command } from './palette.tsx';

const GUIDE = '/guide/';
/** For those who change the code. The search of the guide finds them. */
const LEFT_OUT = 'Design decisions';

/** A page, as listed by the service. */
interface GuidePage {
  /** From the root of the guide; `index` for its first page. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly section: string;
  /** Its title in the side bar. */
  readonly label: string;
}

let loaded: readonly Command[] = [];

/** Empty if the list cannot be loaded; the next call tries again. */
export async function guideCommands(): Promise<readonly Command[]> {
  if (loaded.length > 0) return loaded;
  try {
    const response = await fetch(`${GUIDE}pages.json`);
    if (!response.ok) return loaded;
    const pages = (await response.json()) as readonly GuidePage[];
    loaded = pages.filter(({ section }) => section !== LEFT_OUT).map(commandOf);
  } catch {
    // Without a connection.
  }
  return loaded;
}

const commandOf = ({ path, title, description, section, label }: GuidePage): Command => ({
  title,
  group: `Guide: ${section}`,
  also: `${label} ${description}`,
  run: () => location.assign(GUIDE + (path === 'index' ? '' : path)),
});
