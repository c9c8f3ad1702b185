// The script of the page: fills in addresses, collapses the contents, adds copy buttons. The page works without it.
export const SCRIPT = `
for (const el of document.querySelectorAll('[data-origin]'))
  if (location.protocol.startsWith('http')) el.textContent = location.origin.replace(/^http/, el.dataset.origin);
const contents = document.querySelector('.contents');
if (matchMedia('(max-width: 899px)').matches) {
  contents.open = false;
  contents.onclick = (click) => { if (click.target.closest('a')) contents.open = false; };
}
if (navigator.clipboard) for (const el of document.querySelectorAll('.sample')) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.onclick = async () => {
    await navigator.clipboard.writeText(el.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
  el.querySelector('figcaption').append(button);
}
`;
