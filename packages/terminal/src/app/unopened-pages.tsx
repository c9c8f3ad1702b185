// Pages for addresses that cannot be opened: unknown pages, unknown instruments, and pages that need an account.
import type { Session } from '../services/session.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { similarInstruments } from './similar-instruments.ts';

const SUGGESTIONS = 6;
/** An address may be long. */
const MAX_SHOWN = 32;

export const NotFoundPage = () => (
  <MessagePage title="Page not found" text="The terminal has no page at this address. It may be mistyped.">
    <ul class="ways">
      <li>
        <a href="/">Markets</a>
      </li>
      <li>
        <a href="/signals">Signals</a>
      </li>
      <li>
        <a href="/news">News</a>
      </li>
      <li>
        <a href="/docs">API reference</a>
      </li>
    </ul>
  </MessagePage>
);

interface UnknownInstrumentProps extends Pick<TerminalServices, 'instruments'> {
  /** The instrument of the address, and the part behind it. */
  readonly path: readonly string[];
}

export function UnknownInstrumentPage({ instruments, path: [code = '', timeframe] }: UnknownInstrumentProps) {
  const name = code.length > MAX_SHOWN ? `${code.slice(0, MAX_SHOWN)}…` : code;
  return (
    <MessagePage title="Unknown instrument" text={`This service has no instrument ${name}. Did you mean one of these?`}>
      <ul class="ways">
        {similarInstruments(code, instruments, SUGGESTIONS).map(({ symbol, name: full }) => (
          <li key={symbol}>
            <a href={timeframe === undefined ? pathOf('markets', symbol) : pathOf('markets', symbol, timeframe)}>
              {symbol}
            </a>{' '}
            <span class="muted">{full}</span>
          </li>
        ))}
      </ul>
      <p class="foot">
        <a href="/markets">All markets</a>
      </p>
    </MessagePage>
  );
}

/** For a visitor who opened the terminal with an API key. Signing in returns to the same address. */
export const AccountNeededPage = ({ signOut }: Pick<Session, 'signOut'>) => (
  <MessagePage
    title="This page needs an account"
    text="You opened the terminal with an API key. Keys, usage and settings belong to an account: sign in with its name and password to see this page."
  >
    <div class="actions">
      <Button tone="primary" onClick={signOut}>
        Sign in with an account
      </Button>
    </div>
    <p class="foot">
      This browser then forgets the API key. <a href="/">Back to the markets</a>
    </p>
  </MessagePage>
);
