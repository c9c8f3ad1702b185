// The dialog that finds instruments in the lists of the venues and adds one. The terminal loads again with it: everything that it
// shows is made of the list of instruments.
import type { VenueInstrument, VenueInstrumentList } from '@tickwire/client';
import { useEffect, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { isOperator } from '../settings/section-list.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { DIALOG_TITLE, openDialog } from '../ui/dialog.tsx';
import { explain } from '../ui/failure.ts';
import { NO_VALUE } from '../ui/format.ts';

type Services = Pick<TerminalServices, 'client' | 'session'>;

const TYPED_MS = 300;

export function openAddInstrument(services: Services, typed: string): void {
  const { account } = services.session;
  openDialog(
    (close) => (
      <>
        <h2 id={DIALOG_TITLE}>Add an instrument</h2>
        {account !== null && isOperator(account) ? (
          <Finder {...services} typed={typed} />
        ) : (
          <p>The operator of this service can add any instrument that its venues list.</p>
        )}
        <div class="actions">
          <Button onClick={close}>Close</Button>
        </div>
      </>
    ),
    'dialog add-instrument',
  );
}

function Finder({ client, typed: first }: Services & { readonly typed: string }) {
  const [typed, setTyped] = useState(first);
  const [found, setFound] = useState<VenueInstrumentList | null>(null);
  const [message, setMessage] = useState('Searching…');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let current = true;
    const search = async (): Promise<void> => {
      try {
        const list = await client.venueInstruments('all', { q: typed });
        if (!current) return;
        setFound(list);
        setMessage(textOf(list));
      } catch (error) {
        if (current) setMessage(explain(error).general);
      }
    };
    const timer = setTimeout(() => void search(), TYPED_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [typed]);
  const add = async ({ venue, symbol: code }: VenueInstrument): Promise<void> => {
    setBusy(true);
    try {
      const { symbol } = await client.addInstrument({ venue, symbol: code });
      location.assign(pathOf('markets', symbol));
    } catch (error) {
      setMessage(explain(error).general);
      setBusy(false);
    }
  };
  const venues = Map.groupBy(found?.items ?? [], ({ venue }) => venue);
  return (
    <>
      <input
        type="search"
        value={typed}
        placeholder="Symbol or name"
        aria-label="Symbol or name"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div class="found">
        {[...venues].map(([venue, items]) => (
          <section key={venue}>
            <h3 class="muted small">{venue}</h3>
            {items.map((item) => (
              <div class="listing line" key={item.symbol}>
                <span class="clip">
                  {item.symbol} <span class="muted small">{item.name}</span>
                </span>
                <span class="muted small">{item.type}</span>
                <span class="number">{item.last_price ?? NO_VALUE}</span>
                <Button disabled={item.added || busy} onClick={() => void add(item)}>
                  {item.added ? 'Added' : 'Add'}
                </Button>
              </div>
            ))}
          </section>
        ))}
      </div>
      <p class="message" role="status">
        {message}
      </p>
    </>
  );
}

function textOf({ items, unavailable }: VenueInstrumentList): string {
  const missing = unavailable.length > 0 ? `No answer from ${unavailable.join(', ')}. ` : '';
  return missing + (items.length === 0 ? 'No venue of this service lists such an instrument.' : '');
}
