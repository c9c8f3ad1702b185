// The commands of the palette: pages, everything with a shortcut, settings, instruments.
import type { Command } from '../palette/palette.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { sectionsOf } from '../settings/section-list.ts';
import { partsOf, pathOf } from '../ui/address.ts';
import { keyboard } from '../ui/keyboard.ts';
import { type Appearance, preferences } from '../ui/preferences.ts';

type Services = Pick<TerminalServices, 'session' | 'instruments' | 'navigator'>;

const APPEARANCES: readonly (readonly [Appearance, string])[] = [
  ['dark', 'Appearance: dark'],
  ['light', 'Appearance: light'],
  ['system', 'Appearance: system'],
];

export function commandsOf(services: Services): readonly Command[] {
  // Shortcuts of a focused element do not work here: the palette has the focus.
  const shortcuts = keyboard.shortcuts.filter(({ at, keys }) => !at && keys !== 'mod+k');
  // Pages first.
  const ordered = shortcuts.toSorted((one, other) => Number(other.group === 'Pages') - Number(one.group === 'Pages'));
  return [
    ...ordered.map(({ title, group, keys, run }) => ({
      title,
      group,
      keys,
      // Found by the page's name alone, too.
      ...(group === 'Pages' && { also: title.replace(/^Go to /, '') }),
      run: () => run(false),
    })),
    ...actions(services),
    ...settings(services),
    ...services.instruments.map(({ symbol, name }) => ({
      title: symbol,
      group: name,
      also: name,
      run: () => services.navigator.go(instrumentPath(symbol)),
    })),
  ];
}

/** Keeps the current timeframe. */
function instrumentPath(symbol: string): string {
  const [page, , timeframe] = partsOf(location.pathname) ?? [];
  return page === 'markets' && timeframe !== undefined
    ? pathOf('markets', symbol, timeframe)
    : pathOf('markets', symbol);
}

/** An alert about the instrument that is shown. */
function newAlertPath(): string {
  const [page, symbol] = partsOf(location.pathname) ?? [];
  return page === 'markets' && symbol !== undefined
    ? `/alerts/new?symbol=${encodeURIComponent(symbol)}`
    : '/alerts/new';
}

function actions({ navigator, session }: Services): readonly Command[] {
  const chosen = preferences.choices.appearance;
  return [
    { title: 'Publish a signal', group: 'Signals', run: () => navigator.go('/signals/new') },
    { title: 'New alert', group: 'Alerts', run: () => navigator.go(newAlertPath()) },
    ...APPEARANCES.filter(([appearance]) => appearance !== chosen).map(([appearance, title]) => ({
      title,
      group: 'Display',
      also: 'theme colours',
      run: () => preferences.set({ appearance }),
    })),
    { title: 'API reference', group: 'Documentation', also: 'docs api', run: () => location.assign('/docs') },
    { title: 'Sign out', group: 'Account', run: session.signOut },
  ];
}

function settings({ session, navigator }: Services): readonly Command[] {
  return session.account === null
    ? []
    : sectionsOf(session.account).map(({ id, title, intro }) => ({
        title,
        group: 'Settings',
        also: `settings ${intro}`,
        run: () => navigator.go(`/settings#${id}`),
      }));
}
