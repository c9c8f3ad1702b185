// A page of the signed-in terminal: made when its address is gone to, closed when it is left.
import type { Workspace } from './workspace.ts';

export interface Page {
  readonly element: HTMLElement;
  /** For the tab; a page may change `document.title` later. */
  readonly title: string;
  /** The same page with another address, as another instrument: true where it could follow without being made anew. */
  follow?(path: readonly string[]): boolean;
  /** Called once the element stands in the document. */
  shown?(): void;
  close(): void;
}

/** `path`: what stands behind the page's own name, decoded: `/markets/EURUSD/5m` → `['EURUSD', '5m']`. */
export type MakePage = (workspace: Workspace, path: readonly string[]) => Page;

export interface PageKind {
  /** First part of the address: `/signals/…`. */
  readonly name: string;
  /** In the navigation; null where one comes to it from another page only. */
  readonly label: string | null;
  /** Without a label: the page of the navigation that it belongs to. */
  readonly within?: string;
  /** Settings are for people who signed in: a key has none. */
  readonly forAccounts: boolean;
  readonly make: MakePage;
}
