// Entry of the terminal: the address says which page it is. A session or a key opens it; without one there is the entrance.
import { TickwireClient, TickwireError } from '@tickwire/client';
import { applyAppearance } from './appearance.ts';
import { button, element, link } from './elements.ts';
import { ask } from './forms/dialog.ts';
import { explain } from './forms/failure.ts';
import { hideCard, showCard } from './gate/card.ts';
import { Entrance } from './gate/entrance.ts';
import { KeyStore } from './key-store.ts';
import { PAGES } from './pages.ts';
import { Workspace } from './workspace.ts';

// Before anything is painted.
applyAppearance();

const ENTRANCES = ['/setup', '/join', '/sign-up', '/sign-in'];

const keys = new KeyStore(sessionStorage, localStorage);
const client = new TickwireClient({
  url: location.origin,
  onAnswer: ({ simulated }) => {
    if (simulated) element('simulated', HTMLElement).hidden = false;
  },
});
let workspace: Workspace | null = null;

const entrance = new Entrance({
  client,
  onSignedIn: () => {
    keys.forget();
    // A page that was asked for is gone on to; one that was only the way in is not come back to.
    if (ENTRANCES.includes(location.pathname)) location.replace('/');
    else location.reload();
  },
  enterWithKey: async (key, remember) => {
    await openWorkspace(key);
    keys.keep(key, remember);
  },
});

/** What can be gone to. */
function showFrame(signedIn: boolean | null): void {
  const kinds = PAGES.filter(({ forAccounts }) => signedIn === true || (signedIn === false && !forAccounts));
  const places = kinds.flatMap(({ name, label }) =>
    label === null ? [] : [link(label, name === 'markets' ? '/' : `/${name}`)],
  );
  element('places', HTMLElement).replaceChildren(...places);
  for (const id of ['page', 'status', 'sign-out']) element(id, HTMLElement).hidden = signedIn === null;
}

async function openWorkspace(apiKey: string | null): Promise<void> {
  if (ENTRANCES.includes(location.pathname)) history.replaceState(null, '', '/');
  workspace = await Workspace.open({
    url: location.origin,
    apiKey,
    pages: PAGES,
    // Before the first page is made, which marks its place in the navigation.
    onOpening: () => {
      hideCard();
      showFrame(apiKey === null);
    },
    onSignedOut: leave,
  });
}

/** The session or the key is no good any more, or not wanted. */
function leave(reason?: unknown): void {
  workspace?.close();
  workspace = null;
  keys.forget();
  showFrame(null);
  void entrance.signIn(reason);
}

async function signOut(): Promise<void> {
  if (keys.read() === null) {
    try {
      await client.account.signOut();
    } catch (error) {
      // A session that has ended is what was wanted. Any other may still be good, and the page must not look as if it were not.
      if (!(error instanceof TickwireError && error.status === 401)) throw error;
    }
  }
  leave();
}

function askToSignOutAgain(error: unknown): void {
  const text = explain(error).general;
  ask({ title: 'You are still signed in', text, confirm: 'Sign out', tone: 'primary', act: signOut });
}

async function open(): Promise<void> {
  const { pathname } = location;
  if (ENTRANCES.includes(pathname)) {
    await entrance.show(pathname, new URLSearchParams(location.search));
    return;
  }
  try {
    await openWorkspace(keys.read());
  } catch (error) {
    if (!(error instanceof TickwireError) || error.status !== 401) {
      // Could not be tried; a kept key stays for the next reload.
      const again = button('Try again', 'linklike', () => location.reload());
      showCard({ title: 'Not connected', intro: explain(error).general, foot: [again] });
      if (!(error instanceof TickwireError)) throw error;
    } else {
      keys.forget();
      // Who never was in is not told that something ended.
      await entrance.signIn(error.code === 'missing_key' || error.code === 'session_required' ? undefined : error);
    }
  }
}

element('sign-out', HTMLButtonElement).addEventListener('click', () => void signOut().catch(askToSignOutAgain));
await open();
