// A page of the terminal. The router opens it for an address, mounts it, and unmounts it when the user leaves.

export interface Page {
  /** Of the browser tab; a page may change `document.title` later. */
  readonly title: string;
  /** Called once, with an empty host. */
  mount(host: HTMLElement): void;
  unmount(): void;
  /** The address changed, but not the page's name. False: the router opens the page anew. */
  navigate?(path: readonly string[]): boolean;
}
