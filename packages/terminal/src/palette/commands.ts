// What the command palette offers: pages, whatever has a shortcut here, settings, instruments. Made anew each time it
// opens, as the page that is open has its own.
import { partsOf, pathOf } from '../address.ts';
import { element } from '../elements.ts';
import { type Appearance, preferences } from '../preferences.ts';
import { OPERATOR, OWN } from '../settings/settings-page.ts';
import type { Workspace } from '../workspace.ts';
import { keyboard } from './keyboard.ts';

export interface Command {
  readonly title: string;
  /** What kind of thing it is, shown beside it. */
  readonly group: string;
  /** Found by this too. */
  readonly also?: string;
  /** Its shortcut, if it has one. */
  readonly keys?: string;
  readonly run: () => void;
}

const APPEARANCES: readonly (readonly [Appearance, string])[] = [
  ['dark', 'Appearance: dark'],
  ['light', 'Appearance: light'],
  ['system', 'Appearance: as the system'],
];

export function commandsOf(workspace: Workspace): readonly Command[] {
  // Keys of a part that has the focus are no use from here: another part has it.
  const shortcuts = keyboard.shortcuts.filter(({ at, keys }) => !at && keys !== 'mod+k');
  // Those of the page stand with it, the pages themselves before all.
  const ordered = shortcuts.toSorted((one, other) => Number(other.group === 'Pages') - Number(one.group === 'Pages'));
  return [
    ...ordered.map(({ title, group, keys, run }) => ({
      title,
      group,
      keys,
      // Who types a page's name means the page.
      ...(group === 'Pages' && { also: title.replace(/^Go to /, '') }),
      run: () => run(false),
    })),
    ...actions(workspace),
    ...settings(workspace),
    ...workspace.instruments.map(({ symbol, name }) => ({
      title: symbol,
      group: name,
      also: name,
      run: () => workspace.router.go(instrumentPath(symbol)),
    })),
  ];
}

/** The timeframe that is looked at stays. */
function instrumentPath(symbol: string): string {
  const [page, , timeframe] = partsOf(location.pathname) ?? [];
  return page === 'markets' && timeframe !== undefined
    ? pathOf('markets', symbol, timeframe)
    : pathOf('markets', symbol);
}

function actions({ router }: Workspace): readonly Command[] {
  const chosen = preferences.choices.appearance;
  return [
    { title: 'Publish a signal', group: 'Signals', run: () => router.go('/signals/new') },
    ...APPEARANCES.filter(([appearance]) => appearance !== chosen).map(([appearance, title]) => ({
      title,
      group: 'Display',
      also: 'theme colours',
      run: () => preferences.set({ appearance }),
    })),
    { title: 'Reference of the interface', group: 'Documents', also: 'docs api', run: () => location.assign('/docs') },
    { title: 'Sign out', group: 'Account', run: () => element('sign-out', HTMLButtonElement).click() },
  ];
}

function settings({ account, router }: Workspace): readonly Command[] {
  if (account === null) return [];
  const sections = account.scopes.includes('admin') ? [...OWN, ...OPERATOR] : OWN;
  return sections.map(({ id, title, intro }) => ({
    title,
    group: 'Settings',
    also: `settings ${intro}`,
    run: () => router.go(`/settings#${id}`),
  }));
}
