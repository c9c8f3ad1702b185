// The frame around the pages: navigation, the mark of simulated prices, and the status bar. index.html has their places.
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { ServiceStatus } from '../services/service-status.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { element } from '../ui/dom/elements.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { FiringsMark } from './firings-mark.tsx';
import { PageIcon } from './page-icon.tsx';
import { entryAddress, type PageEntry, type Router } from './router.tsx';
import { StatusBar } from './status-bar.tsx';

const SIGNED_IN = ['page', 'status', 'sign-out'] as const;

interface NavigationProps {
  readonly services: Pick<TerminalServices, 'unreadFirings' | 'notifier'>;
  readonly pages: readonly PageEntry[];
  readonly current: Router['current'];
}

function Navigation({ services, pages, current }: NavigationProps) {
  const here = current.value;
  return pages
    .filter(({ label }) => label !== null)
    .map((page) => (
      <span key={page.name} class="place">
        <a
          href={entryAddress(page)}
          aria-current={page === here ? 'page' : page.name === here?.within ? 'true' : undefined}
        >
          <PageIcon name={page.name} />
          {page.label}
        </a>
        {page.name === 'alerts' && <FiringsMark {...services} />}
      </span>
    ));
}

export function showShell(services: TerminalServices, pages: readonly PageEntry[], router: Router): void {
  for (const id of SIGNED_IN) element(id, HTMLElement).hidden = false;
  render(<Navigation services={services} pages={pages} current={router.current} />, element('places', HTMLElement));
  const { quotes, streams, status, notifier, session } = services;
  render(<ConnectionBanner quotes={quotes} streams={streams} />, element('banner', HTMLElement));
  render(
    <StatusBar quotes={quotes} streams={streams} status={status} notifier={notifier} session={session} />,
    element('status', HTMLElement),
  );
}

export function hideShell(): void {
  for (const id of SIGNED_IN) element(id, HTMLElement).hidden = true;
  for (const id of ['places', 'banner', 'status', 'toasts']) render(null, element(id, HTMLElement));
}

/** Marks the terminal as simulated as soon as any response states it. */
export function watchSimulated({ simulated }: ServiceStatus): void {
  effect(() => {
    element('simulated', HTMLElement).hidden = !simulated.value;
  });
}
