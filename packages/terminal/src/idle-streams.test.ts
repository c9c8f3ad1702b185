import { expect, test } from 'bun:test';
import { type HeldStream, IdleStreams, LEFT_AFTER_MS } from './idle-streams.ts';

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
  return { hold: () => log.push(`${name} held`), release: () => log.push(`${name} released`) };
}

const open = () => new AbortController().signal;

test('a tab that is left lets go of its streams after a while, and takes them up when it is seen again', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const idle = new IdleStreams(tab, open(), tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  tab.pass(LEFT_AFTER_MS - 1);
  expect(log).toEqual([]);
  tab.pass(LEFT_AFTER_MS);
  expect(log).toEqual(['news held']);
  tab.look();
  expect(log).toEqual(['news held', 'news released']);
});

test('a glance at another tab costs no connection', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const idle = new IdleStreams(tab, open(), tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  tab.look();
  tab.pass(LEFT_AFTER_MS);
  expect(log).toEqual([]);
});

test('what is opened while nobody looks waits, and what was closed is left alone', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  tab.hidden = true;
  const idle = new IdleStreams(tab, open(), tab.later);
  const closed = new AbortController();
  idle.add(streamOf(log, 'bars'), closed.signal);
  tab.pass(LEFT_AFTER_MS);
  closed.abort();
  idle.add(streamOf(log, 'signals'), open());
  tab.look();
  expect(log).toEqual(['bars held', 'signals held', 'signals released']);
});

test('a terminal that is left no longer listens', () => {
  const [tab, log]: [Tab, string[]] = [new Tab(), []];
  const end = new AbortController();
  const idle = new IdleStreams(tab, end.signal, tab.later);
  idle.add(streamOf(log, 'news'), open());
  tab.leave();
  end.abort();
  tab.pass(LEFT_AFTER_MS);
  tab.leave();
  tab.pass(LEFT_AFTER_MS);
  expect(log).toEqual([]);
});
