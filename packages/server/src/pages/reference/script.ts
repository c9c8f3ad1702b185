// The script in the head of each page. The one at its end is in the terminal package (`reference/`). Pages work without both.

/** Selects the language of the samples and the theme of the terminal, before anything is shown. Follows changes of the theme. */
export const HEAD_SCRIPT = `{
  const { dataset } = document.documentElement;
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const follow = () => {
    let theme = '';
    try {
      theme = JSON.parse(read('tickwire.preferences')).appearance;
    } catch {}
    if (theme === 'dark' || theme === 'light') dataset.theme = theme;
    else delete dataset.theme;
  };
  dataset.language = read('tickwire.language') ?? 'curl';
  follow();
  addEventListener('storage', follow);
}`;
