// A task done again and again, one at a time, and not at all while nobody looks at the page.

export interface Repetition {
  stop(): void;
}

/** `task` resolves to the milliseconds to wait before the next time; the first comes after `firstMs`. */
export function repeat(task: () => Promise<number>, firstMs = 0): Repetition {
  let stopped = false;
  let waitsForEyes = false;
  const round = async (): Promise<void> => {
    if (document.hidden) {
      waitsForEyes = true;
      return;
    }
    const wait = await task();
    if (!stopped) timer = setTimeout(() => void round(), wait);
  };
  const onVisibility = (): void => {
    if (document.hidden || !waitsForEyes) return;
    waitsForEyes = false;
    void round();
  };
  document.addEventListener('visibilitychange', onVisibility);
  let timer = setTimeout(() => void round(), firstMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
