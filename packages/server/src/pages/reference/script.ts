// The script in the head of each page. The one at its end is in the terminal package (`reference/`). Pages work without both.

/** Selects the language of the samples before they are shown. */
export const LANGUAGE_SCRIPT =
  "try { document.documentElement.dataset.language = localStorage.getItem('tickwire.language') ?? 'curl'; } catch { document.documentElement.dataset.language = 'curl'; }";
