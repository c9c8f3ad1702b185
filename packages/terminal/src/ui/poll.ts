// Repeats a task, one run at a time, and only while the tab is visible.

export interface Polling {
  stop(): void;
}

/** `task` resolves to the milliseconds to wait before the next run; the first run starts after `firstMs`. */
export function poll(task: () => Promise<number>, firstMs = 0): Polling {
  let stopped = false;
  let waitsForVisibility = false;
  const run = async (): Promise<void> => {
    if (document.hidden) {
      waitsForVisibility = true;
      return;
    }
    const wait = await task();
    if (!stopped) timer = setTimeout(() => void run(), wait);
  };
  const onVisibility = (): void => {
    if (document.hidden || !waitsForVisibility) return;
    waitsForVisibility = false;
    void run();
  };
  document.addEventListener('visibilitychange', onVisibility);
  let timer = setTimeout(() => void run(), firstMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
