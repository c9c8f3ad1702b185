// The commands of the palette: pages, everything with a shortcut, settings, instruments.
import type { Command } from '../palette/palette.tsx';
import type { TerminalServices } from '../services/terminal-services.ts';
import { type SectionId, sectionsOf } from '../settings/section-list.ts';
import { partsOf, pathOf } from '../ui/address.ts';
import { keyboard } from '../ui/keyboard.ts';
import { type Appearance, preferences } from '../ui/preferences.ts';

/** What sections of the settings contain, where their title and intro do not say it. */
const CONTENTS: Partial<Record<SectionId, string>> = {
  keys: 'create revoke permissions scopes',
  links: 'Excel Google Sheets CSV',
  usage: 'requests rate limits streams',
  snippets: 'curl TypeScript Python examples',
  display: 'time zone number format theme dark light colours sound',
  account: 'two-factor authenticator devices limits delete account',
  people: 'users permissions',
  markets: 'simulated real live',
};

type Services = Pick<TerminalServices, 'session' | 'instruments' | 'navigator' | 'addInstrument'>;

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
    ...keyboard.offers,
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

function actions({ navigator, session, addInstrument }: Services): readonly Command[] {
  const chosen = preferences.choices.appearance;
  return [
    { title: 'Publish a signal', group: 'Signals', run: () => navigator.go('/signals/new') },
    { title: 'New alert', group: 'Alerts', run: () => navigator.go(newAlertPath()) },
    ...(addInstrument ? [{ title: 'Add instrument…', group: 'Markets', run: () => addInstrument('') }] : []),
    ...APPEARANCES.filter(([appearance]) => appearance !== chosen).map(([appearance, title]) => ({
      title,
      group: 'Display',
      also: 'theme colours',
      run: () => preferences.set({ appearance }),
    })),
    { title: 'Guide', group: 'Documentation', also: 'docs help manual', run: () => location.assign('/guide/') },
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
        also: `settings ${intro} ${CONTENTS[id] ?? ''}`,
        run: () => navigator.go(`/settings#${id}`),
      }));
}
