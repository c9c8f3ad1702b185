// The mark at *Alerts* in the navigation: how many firings nobody has looked at. It opens a menu of the last ones.
import type { TerminalServices } from '../services/terminal-services.ts';
import { SHOWN } from '../services/unread-firings.ts';
import { loadPages } from './pages.tsx';

export function FiringsMark({ unreadFirings, notifier }: Pick<TerminalServices, 'unreadFirings' | 'notifier'>) {
  const last = unreadFirings?.last.value ?? [];
  const count = unreadFirings?.unread.value.length ?? 0;
  if (unreadFirings === null) return null;
  // Its place stays free, so that the navigation does not move.
  if (last.length === 0) return <span class="firings-mark" />;
  const text = count < SHOWN ? `${count}` : `${SHOWN - 1}+`;
  const open = async (button: HTMLElement): Promise<void> => {
    const { openFiringsMenu } = await loadPages();
    openFiringsMenu(button, unreadFirings.last.peek(), unreadFirings.unread.peek());
    unreadFirings.read();
  };
  return (
    <button
      type="button"
      class="firings-mark"
      aria-haspopup="dialog"
      aria-expanded="false"
      aria-label={count === 0 ? 'Last alerts' : `Last alerts, ${text} unread`}
      data-unread={count > 0}
      onClick={({ currentTarget }) => {
        open(currentTarget).catch((error: unknown) => notifier.reportError(error, 'Alerts'));
      }}
    >
      {count === 0 ? '▾' : text}
    </button>
  );
}
