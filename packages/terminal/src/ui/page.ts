// A page of the terminal. The router opens it for an address and shows its view until the user leaves.
import type { ComponentChild } from 'preact';

export interface PageView {
  /** Of the browser tab; a page may change `document.title` later. */
  readonly title: string;
  readonly view: ComponentChild;
  /** True if the page handles a new path itself, by reading `currentAddress`. Default: a new path opens a new page. */
  readonly navigate?: (path: readonly string[]) => boolean;
}
