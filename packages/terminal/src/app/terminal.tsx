// The terminal from the first byte on: a stored key or the session cookie opens it, otherwise the sign-in page does.
import { effect } from '@preact/signals';
import { CoreClient, TickwireError } from '@tickwire/client';
import { type ComponentChild, render } from 'preact';
import { KeyStore } from '../services/key-store.ts';
import { forgetLastPrices, readLastPrices } from '../services/last-prices.ts';
import { ServiceStatus } from '../services/service-status.ts';
import type { Session } from '../services/session.ts';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { element } from '../ui/dom/elements.ts';
import { explain, isConnectionError } from '../ui/failure.ts';
import { lazy } from '../ui/lazy.tsx';
import { OfflinePage } from './offline-page.tsx';
import { openSession } from './open-session.ts';
import { loadPages } from './pages.tsx';
import { hideShell, watchSimulated } from './shell.tsx';

const ChooseMarkets = lazy(() => loadPages().then((pages) => pages.ChooseMarkets));
const SIGN_IN_PATHS = ['/setup', '/join', '/sign-up', '/sign-in'];

export class Terminal {
  readonly #keys = new KeyStore(sessionStorage, localStorage);
  readonly #status = new ServiceStatus();
  readonly #client = new CoreClient({ url: location.origin, onResponse: this.#status.recordResponse });
  readonly #gate = element('gate', HTMLElement);
  #session: Session | null = null;

  async start(): Promise<void> {
    watchSimulated(this.#status);
    effect(() => {
      if (this.#status.marketsChanged.value) location.reload();
    });
    element('sign-out', HTMLButtonElement).addEventListener('click', this.#signOut);
    if (SIGN_IN_PATHS.includes(location.pathname)) {
      this.#showSignIn(location.pathname);
      return;
    }
    try {
      await this.#open(this.#keys.read());
    } catch (error) {
      if (error instanceof TickwireError && error.status === 401) {
        this.#keys.forget();
        forgetLastPrices(localStorage);
        // Somebody who was never signed in has no expired session.
        const first = error.code === 'missing_key' || error.code === 'session_required';
        this.#showSignIn('/sign-in', first ? undefined : error);
        return;
      }
      // The key could not be checked; it stays for the next reload.
      this.#showCard(
        <OfflinePage
          client={this.#client}
          reason={explain(error).general}
          last={isConnectionError(error) ? readLastPrices(localStorage) : null}
          reload={() => location.reload()}
        />,
      );
      if (!(error instanceof TickwireError)) throw error;
    }
  }

  async #open(apiKey: string | null): Promise<void> {
    if (SIGN_IN_PATHS.includes(location.pathname)) history.replaceState(null, '', '/');
    this.#session = await openSession({
      url: location.origin,
      apiKey,
      status: this.#status,
      onValid: () => this.#hideCard(),
      onEnd: (reason) => this.#end(reason),
      signOut: this.#signOut,
    });
  }

  #end(reason?: unknown): void {
    this.#session?.close();
    this.#session = null;
    this.#keys.forget();
    forgetLastPrices(localStorage);
    hideShell();
    this.#showSignIn('/sign-in', reason);
  }

  readonly #signOut = (): void => {
    const signOut = async (): Promise<void> => {
      try {
        if (this.#keys.read() === null) await this.#client.account.signOut();
      } catch (error) {
        // An expired session is signed out already. Any other error may leave it valid, so the page must not hide that.
        if (!(error instanceof TickwireError && error.status === 401)) throw error;
      }
      this.#end();
    };
    signOut().catch((error: unknown) => {
      const text = explain(error).general;
      askToConfirm({ title: 'You are still signed in', text, confirm: 'Sign out', tone: 'primary', act: signOut });
    });
  };

  #showSignIn(path: string, reason?: unknown): void {
    this.#showCard(
      <SignInPage
        client={this.#client}
        path={path}
        token={new URLSearchParams(location.search).get('token') ?? ''}
        reason={reason}
        chooseMarkets={ChooseMarkets}
        onSignedIn={() => {
          this.#keys.forget();
          // The requested page opens; a sign-in page leaves the history.
          if (SIGN_IN_PATHS.includes(location.pathname)) location.replace('/');
          else location.reload();
        }}
        openWithKey={async (key, remember) => {
          await this.#open(key);
          this.#keys.keep(key, remember);
        }}
      />,
    );
  }

  #showCard(card: ComponentChild): void {
    render(card, this.#gate);
    this.#gate.hidden = false;
  }

  /** Typed passwords leave the document, too. */
  #hideCard(): void {
    this.#gate.hidden = true;
    render(null, this.#gate);
  }
}
