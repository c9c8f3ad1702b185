// Repeats a task, one run at a time, and only while the tab is visible.

export interface Polling {
  stop(): void;
}

/**
 * `task` resolves to the milliseconds to wait before the next run. The first run starts after `firstMs`; if that is zero, before any
 * other event, because a timer would wait for all messages that have arrived.
 */
export function poll(task: () => Promise<number>, firstMs = 0): Polling {
  let stopped = false;
  let waitsForVisibility = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
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
  if (firstMs > 0) timer = setTimeout(() => void run(), firstMs);
  else queueMicrotask(() => stopped || void run());
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
