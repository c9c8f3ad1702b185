// Entry of the terminal: a key opens the desk, a refused key or a sign-out closes it.
import { TickwireError } from '@tickwire/client';
import { Desk } from './desk.ts';
import { element } from './elements.ts';
import { KeyStore } from './key-store.ts';
import { SignIn } from './sign-in.ts';

const keys = new KeyStore(sessionStorage, localStorage);
const signOut = element('sign-out', HTMLButtonElement);
let desk: Desk | null = null;

const signIn = new SignIn(async (key, remember) => {
  await enter(key);
  keys.keep(key, remember);
});

function showDesk(open: boolean): void {
  for (const id of ['desk', 'status', 'sign-out']) element(id, HTMLElement).hidden = !open;
}

async function enter(key: string): Promise<void> {
  desk = await Desk.open(location.origin, key, leave);
  signIn.hide();
  showDesk(true);
  element('watchlist', HTMLElement).focus();
}

function leave(reason?: TickwireError): void {
  desk?.close();
  desk = null;
  keys.forget();
  document.title = 'Tickwire';
  showDesk(false);
  signIn.show(reason);
}

signOut.addEventListener('click', () => leave());

const kept = keys.read();
if (kept === null) signIn.show();
else {
  try {
    await enter(kept);
  } catch (error) {
    // A key that was refused is gone; one that could not be tried is kept for the next reload.
    if (error instanceof TickwireError && error.status === 401) keys.forget();
    signIn.show(error);
  }
}
