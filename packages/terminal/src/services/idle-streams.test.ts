import { expect, test } from 'bun:test';
import { type HeldStream, HIDDEN_AFTER_MS, IdleStreams } from './idle-streams.ts';

class Tab extends EventTarget {
  hidden = false;
  #waiting: { readonly run: () => void; readonly ms: number } | null = null;

  readonly later = (run: () => void, ms: number): (() => void) => {
    const waiting = { run, ms };
    this.#waiting = waiting;
    return () => {
      if (this.#waiting === waiting) this.#waiting = null;
    };
  };

  look(): void {
    this.hidden = false;
    this.dispatchEvent(new Event('visibilitychange'));
  }

  leave(): void {
    this.hidden = true;
    this.dispatchEvent(new Event('visibilitychange'));
  }

  pass(ms: number): void {
    const waiting = this.#waiting;
    if (!waiting || waiting.ms > ms) return;
    this.#waiting = null;
    waiting.run();
  }
}

function streamOf(log: string[], name: string): HeldStream {
  return { pause: () => log.push(`${name} held`), resume: () => log.push(`${name} released`) };
}

const open = () => new AbortController().signal;

test('pauses the streams of a hidden tab after a while, and resumes them when it is visible', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const idle = new IdleStreams(tab, open(), tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  tab.pass(HIDDEN_AFTER_MS - 1);
  expect(log).toEqual([]);
  tab.pass(HIDDEN_AFTER_MS);
  expect(log).toEqual(['news held']);
  tab.look();
  expect(log).toEqual(['news held', 'news released']);
});

test('a short look at another tab pauses nothing', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const idle = new IdleStreams(tab, open(), tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  tab.look();
  tab.pass(HIDDEN_AFTER_MS);
  expect(log).toEqual([]);
});

test('a stream opened in a hidden tab is paused, and a closed one is left alone', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  tab.hidden = true;
  const idle = new IdleStreams(tab, open(), tab.later);
  const closed = new AbortController();
  idle.add(streamOf(log, 'bars'), closed.signal);
  tab.pass(HIDDEN_AFTER_MS);
  closed.abort();
  idle.add(streamOf(log, 'signals'), open());
  tab.look();
  expect(log).toEqual(['bars held', 'signals held', 'signals released']);
});

test('stops with the session', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const end = new AbortController();
  const idle = new IdleStreams(tab, end.signal, tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  end.abort();
  tab.pass(HIDDEN_AFTER_MS);
  tab.leave();
  tab.pass(HIDDEN_AFTER_MS);
  expect(log).toEqual([]);
});
