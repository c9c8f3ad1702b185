// Hooks that connect components to services and clocks.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Runs after the first render and whenever an input changes. The signal is aborted before the next run and on unmount. */
export function useAbortEffect(run: (signal: AbortSignal) => void, inputs: readonly unknown[]): void {
  const current = useRef<AbortController | null>(null);
  useEffect(() => {
    const end = new AbortController();
    current.current = end;
    run(end.signal);
    return () => end.abort();
  }, inputs);
  // Effects of an unmounted component end after the next paint, when its elements are gone. That is too late for a listener.
  useLayoutEffect(() => () => current.current?.abort(), []);
}

/** Renders again when the service reports a change: `useSubscription((signal, changed) => quotes.onChange(changed, signal))`. */
export function useSubscription(subscribe: (signal: AbortSignal, changed: () => void) => void): void {
  const [, render] = useState(0);
  useAbortEffect((signal) => {
    const changed = (): void => render((count) => count + 1);
    subscribe(signal, changed);
    // It may have changed between the first render and now.
    changed();
  }, []);
}

/** Milliseconds since the epoch; renders again at the given interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** For an element that says something: scrolled into view when what it says changes, unless that is nothing. */
export function useInView<T extends HTMLElement>(said: string | boolean): RefObject<T | null> {
  const element = useRef<T | null>(null);
  useLayoutEffect(() => {
    if (said) element.current?.scrollIntoView({ block: 'nearest' });
  }, [said]);
  return element;
}

/** The value once it has not changed for `ms`; before that the previous one. */
export function useSettled<T>(value: T, ms: number, initial: T): T {
  const [settled, setSettled] = useState(initial);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
