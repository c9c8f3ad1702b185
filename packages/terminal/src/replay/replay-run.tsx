// A replay in the terminal, from its start until the page shows the present again: the bar, the keys, the frame around the page and
// the services that the markets page works with. On other pages, which show the present, it waits.
import { effect, type Signal, signal } from '@preact/signals';
import type { ReplaySession, ReplaySessionChange } from '@tickwire/client';
import { MINUTE_MS } from '@tickwire/contract/durations.ts';
import { plural } from '@tickwire/contract/plural.ts';
import { render } from 'preact';
import { barStart } from '../chart/bars/intervals.ts';
import { storedInterval } from '../markets/market-panels.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { mayPublish } from '../signals/publish-permission.ts';
import { partsOf } from '../ui/address.ts';
import { currentAddress } from '../ui/current-address.ts';
import { askToConfirm } from '../ui/dialog.tsx';
import { keyboard, type Shortcut } from '../ui/keyboard.ts';
import { nextEvent } from './jumps.ts';
import { Practice } from './practice.ts';
import { openPracticeDialog } from './practice-dialog.tsx';
import { Replay } from './replay.ts';
import { openReplayServices, type ReplayServices } from './replay-services.ts';
import { LOST } from './replay-text.ts';
import { nextSpeed, type Speed } from './speeds.ts';
import { TransportBar } from './transport-bar.tsx';

const GROUP = 'Replay';
/** An event is seen to come. */
const BEFORE_EVENT_MS = MINUTE_MS / 2;

export class ReplayRun {
  readonly #live: TerminalServices;
  readonly #replay: Replay;
  readonly #host = document.createElement('div');
  readonly #end = new AbortController();
  readonly #shown: Signal<TerminalServices>;
  /** `null` if the user may not publish. */
  readonly #practice: Practice | null;
  #services: ReplayServices;
  /** While the markets page is open. */
  #visit: AbortController | null = null;

  constructor(live: TerminalServices, session: ReplaySession) {
    const { client, notifier } = live;
    this.#live = live;
    this.#replay = new Replay({
      client,
      session,
      onLost: () => {
        this.#close();
        notifier.show(LOST);
      },
      onError: (error) => notifier.reportError(error, 'Replay'),
    });
    this.#practice = mayPublish(live.session)
      ? new Practice({
          client,
          id: session.id,
          isPlaying: () => this.#replay.isPlaying,
          onChange: () => this.#services.services.activeSignals.reload(),
          onError: (error) => notifier.reportError(error, 'Practice'),
        })
      : null;
    this.#services = this.#newServices();
    this.#shown = signal(this.#services.services);
    document.querySelector('.above')!.append(this.#host);
    const { signal: ended } = this.#end;
    live.session.signal.addEventListener('abort', () => this.#close(), { signal: ended });
    // The session would count until it is found unused.
    const endWithPage = ({ persisted }: PageTransitionEvent): void => {
      // The browser may show this page again.
      if (!persisted) void this.#replay.end({ keepalive: true });
    };
    addEventListener('pagehide', endWithPage, { signal: ended });
    addEventListener('beforeunload', (event) => this.#practice?.unsaved && event.preventDefault(), { signal: ended });
    const stop = effect(() => {
      const [page = 'markets'] = partsOf(currentAddress.value.pathname) ?? [''];
      if (page === 'markets') this.#show();
      else if (this.#visit) {
        this.#hide();
        if (this.#replay.isPlaying) void this.#replay.change({ state: 'paused' });
      }
    });
    ended.addEventListener('abort', stop);
    this.#reopen();
    this.#host.querySelector<HTMLElement>('.replay-play')?.focus();
  }

  #newServices(): ReplayServices {
    return openReplayServices(this.#live, this.#replay, () => void this.#practice?.afterPublishing());
  }

  #show(): void {
    if (this.#visit) return;
    this.#visit = new AbortController();
    this.#live.replay.services = this.#services.services;
    document.body.dataset.replay = '';
    keyboard.add(this.#visit.signal, this.#shortcuts());
    render(
      <TransportBar
        replay={this.#replay}
        services={this.#shown}
        onPlay={this.#play}
        onStep={this.#step}
        onSpeed={this.#setSpeed}
        onSeek={this.#seek}
        onNextEvent={this.#toNextEvent}
        practice={this.#practice}
        onPractice={this.#openPractice}
        onLeave={this.#leave}
      />,
      this.#host,
    );
  }

  #hide(): void {
    if (!this.#visit) return;
    this.#visit.abort();
    this.#visit = null;
    delete document.body.dataset.replay;
    render(null, this.#host);
  }

  readonly #play = (): void => {
    void this.#replay.change({ state: this.#replay.isPlaying ? 'paused' : 'playing' });
  };

  readonly #step = async (step: 'tick' | 'bar'): Promise<void> => {
    const isDone = await this.#replay.change(step === 'bar' ? { step, interval: storedInterval() } : { step });
    if (isDone) await this.#practice?.afterStep();
  };

  readonly #setSpeed = (speed: Speed): void => {
    void this.#replay.change({ speed });
  };

  readonly #seek = async (time: number, more: Pick<ReplaySessionChange, 'state'> = {}): Promise<void> => {
    const { from, to } = this.#replay.session.peek();
    const at = Math.max(Date.parse(from), Math.min(Date.parse(to), time));
    const isDone = await this.#replay.change({ ...more, seek: new Date(at).toISOString() });
    if (!isDone || this.#end.signal.aborted) return;
    // The streams of before have ended at the service, and count no more.
    this.#services.close();
    this.#services = this.#newServices();
    this.#shown.value = this.#services.services;
    void this.#practice?.afterSeek();
    if (!this.#visit) return;
    this.#live.replay.services = this.#services.services;
    this.#reopen();
  };

  readonly #toNextEvent = async (): Promise<void> => {
    const { clock, session } = this.#replay;
    const { client, notifier } = this.#services.services;
    // The last jump may have led to half a minute before an event: the next one is wanted.
    const from = clock.time + BEFORE_EVENT_MS + 1;
    try {
      const next = await nextEvent(client, session.peek().symbols, from, Date.parse(session.peek().to));
      if (next === null)
        notifier.show('No economic event of medium or high impact is known in the next four days of this replay.');
      else await this.#seek(next - BEFORE_EVENT_MS);
    } catch (error) {
      notifier.reportError(error, 'Calendar');
    }
  };

  readonly #openPractice = (): void => {
    if (this.#practice) openPracticeDialog({ practice: this.#practice, services: this.#services.services });
  };

  readonly #leave = (): void => {
    const end = async (): Promise<void> => {
      this.#close();
      await this.#replay.end();
    };
    const unsaved = this.#practice?.unsaved ?? 0;
    if (unsaved === 0) void end();
    else
      askToConfirm({
        title: 'End the replay?',
        text: `Its ${plural(unsaved, 'practice signal')} and their results are deleted. Record in the bar saves them.`,
        confirm: 'End replay',
        act: end,
      });
  };

  /** The chart shows the present again. */
  #close(): void {
    if (this.#end.signal.aborted) return;
    const wasHere = this.#visit !== null;
    this.#hide();
    this.#end.abort();
    this.#host.remove();
    this.#live.replay.services = null;
    this.#services.close();
    this.#practice?.stop();
    if (wasHere && !this.#live.session.signal.aborted) this.#reopen();
  }

  /** The page takes the focus when it opens; the bar keeps it. */
  #reopen(): void {
    const focused = document.activeElement;
    this.#live.navigator.reopen();
    if (focused instanceof HTMLElement && this.#host.contains(focused)) focused.focus();
  }

  #shortcuts(): readonly Shortcut[] {
    const { clock, session } = this.#replay;
    const bySpeed = (by: 1 | -1) => (): void => this.#setSpeed(nextSpeed(session.peek().speed, by));
    const keys: readonly (readonly [keys: string, title: string, run: () => void])[] = [
      [' ', 'Replay: play or pause', this.#play],
      ['ArrowRight', 'Replay: next bar', () => void this.#step('bar')],
      [
        'ArrowLeft',
        'Replay: back one bar',
        // As a step does, it pauses: a clock that goes on would leave the start of its bar before the next press.
        () => void this.#seek(barStart(storedInterval(), clock.time - 1), { state: 'paused' }),
      ],
      ['.', 'Replay: next tick', () => void this.#step('tick')],
      ['>', 'Replay: faster', bySpeed(1)],
      ['<', 'Replay: slower', bySpeed(-1)],
    ];
    return keys.map(([key, title, run]) => ({ keys: key, title, group: GROUP, run }));
  }
}
