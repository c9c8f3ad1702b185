// The panel of the button "Replay": where in the past it starts, by date and time or by a bar of the chart.
import { TickwireError } from '@tickwire/client';
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { storedLayout } from '../markets/market-panels.ts';
import type { ReplayPlace } from '../services/replay-place.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { explain } from '../ui/failure.ts';
import { fieldOf, readField, zoneName } from './moment-field.ts';
import { ReplayRun } from './replay-run.tsx';
import { NotReplayed, SessionStarts } from './start-session.ts';

const starts = new SessionStarts();
const PICK = 'Click the bar where the replay starts. Escape cancels.';

export function openReplayPanel(live: TerminalServices, button: HTMLElement, place: ReplayPlace): void {
  const closed = new AbortController();
  togglePopover(button, (close) => startPanel(live, place, close, closed.signal), {
    label: 'Replay',
    onClose: () => closed.abort(),
  });
}

function startPanel(live: TerminalServices, place: ReplayPlace, close: () => void, signal: AbortSignal): Node {
  const yesterday = live.quotes.serviceNow - DAY_MS;
  const label = `Date and time, ${zoneName(yesterday)}`;
  const field = make('input', { type: 'datetime-local', class: 'popover-field', 'aria-label': label });
  field.value = fieldOf(yesterday);
  const start = make('button', { class: 'plain', type: 'submit' }, 'Start');
  const message = make('p', { class: 'popover-note', role: 'status' });
  const form = make('form', 'popover-form', field, start);
  const freeOne = makeButton('End the oldest one and start', 'plain', () => void run(true));
  freeOne.hidden = true;
  const pick = makeButton('Choose a bar on the chart', 'plain', () => {
    close();
    pickBar(live, place);
  });
  const run = async (endsOldest: boolean): Promise<void> => {
    const from = readField(field.value);
    if (from === null) {
      message.textContent = 'Enter a date and a time.';
      return;
    }
    message.textContent = 'Loading…';
    start.disabled = freeOne.disabled = true;
    try {
      await startReplay(live, place, { from, endsOldest, signal });
      close();
    } catch (error) {
      message.textContent = reasonOf(error);
      freeOne.hidden = !(error instanceof TickwireError && error.code === 'too_many_replays');
    }
    start.disabled = freeOne.disabled = false;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(false);
  });
  const note = make('p', 'popover-note', `Start the replay at a moment of the past. ${label}:`);
  return make('div', 'popover-stack', note, form, pick, message, freeOne);
}

/** The next press on the chart starts the replay. */
function pickBar(live: TerminalServices, place: ReplayPlace): void {
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
    place.pick(null);
    place.note('');
  };
  place.note(PICK);
  place.pick((from) => {
    stop();
    startReplay(live, place, { from, endsOldest: false, signal: place.signal }).catch((error: unknown) => {
      if (!place.signal.aborted) live.notifier.show(`Replay: ${reasonOf(error)}`);
    });
  });
  const options = { signal: AbortSignal.any([end.signal, place.signal]) };
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), options);
}

function reasonOf(error: unknown): string {
  if (error instanceof NotReplayed) return error.message;
  const { fields, general } = explain(error);
  return [general, ...fields.values()].filter((text) => text !== '').join(' ');
}

interface Start {
  readonly from: number;
  readonly endsOldest: boolean;
  readonly signal: AbortSignal;
}

/** The session of the user, the page and whatever offered the start are still there when the replay begins. */
async function startReplay(live: TerminalServices, place: ReplayPlace, { signal, ...start }: Start): Promise<void> {
  const { client, quotes, instruments } = live;
  // A layout may name an instrument that was removed.
  const symbols = [...new Set(storedLayout().charts.map(({ symbol }) => symbol))].filter((symbol) =>
    instruments.some((each) => each.symbol === symbol),
  );
  const wanted = AbortSignal.any([signal, place.signal, live.session.signal]);
  const session = await starts.start({ client, symbols, now: quotes.serviceNow, signal: wanted, ...start });
  if (session) new ReplayRun(live, session);
}
