// A page rendered by Preact.
import { type ComponentChild, render } from 'preact';
import type { Page } from './page.ts';
import { SessionExpired } from './remote.tsx';

export interface ComponentPage {
  readonly title: string;
  readonly view: () => ComponentChild;
  /** Called if a request of the page finds the session expired. */
  readonly onSessionExpired: (error: unknown) => void;
  /** True if the page handles a new path itself, by reading `currentAddress`. Default: a new path opens a new page. */
  readonly navigate?: (path: readonly string[]) => boolean;
}

export function componentPage({ title, view, onSessionExpired, navigate }: ComponentPage): Page {
  let mounted: HTMLElement | null = null;
  return {
    title,
    mount: (host) => {
      mounted = host;
      render(<SessionExpired.Provider value={onSessionExpired}>{view()}</SessionExpired.Provider>, host);
    },
    unmount: () => {
      if (mounted) render(null, mounted);
    },
    ...(navigate && { navigate }),
  };
}
