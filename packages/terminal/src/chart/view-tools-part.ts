// Tools of the view: go to a date, save the chart as an image or its bars as CSV, and the whole screen for the chart.
import { make } from '../ui/dom/elements.ts';
import { iconButton, opensPanel, optionList } from './chart-buttons.ts';
import type { ChartHost, ChartPart, GoneTo } from './chart-part.ts';

const GONE_TO: Readonly<Record<GoneTo, string>> = {
  shown: '',
  'no history': 'The recorded history does not reach back to this date. The oldest bar is shown.',
  full: 'There is no room for so many bars. The oldest one is shown. Choose a longer interval to go back further.',
};

export function newViewTools(host: ChartHost): ChartPart {
  const date = iconButton('date', 'Go to date', () => {});
  opensPanel(date, { label: 'Go to date' }, (close) => datePanel(host, close));
  host.addViewTool(date);
  const save = iconButton('save', 'Save', () => {});
  opensPanel(save, { label: 'Save', role: 'menu' }, (close) =>
    optionList(
      'Save',
      [
        { value: 'image', text: 'Image (PNG)' },
        { value: 'csv', text: 'Loaded bars (CSV)' },
      ],
      '' as string,
      (kind) => {
        close();
        void import('./later-parts.ts').then(
          ({ saveCsv, saveImage }) => (kind === 'image' ? saveImage : saveCsv)(host),
          (error: unknown) => host.services.notifier.reportError(error, 'Save'),
        );
      },
    ),
  );
  host.addViewTool(save);
  addFullscreen(host);
  return {};
}

function datePanel(host: ChartHost, close: () => void): Node {
  const field = make('input', { type: 'datetime-local', class: 'popover-field', 'aria-label': 'Date and time, UTC' });
  const first = host.bars()?.candles[0];
  if (first) field.value = new Date(first.time).toISOString().slice(0, 16);
  const go = make('button', { class: 'plain', type: 'submit' }, 'Go');
  const message = make('p', { class: 'popover-note', role: 'status' });
  const form = make('form', 'popover-form', field, go);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const time = Date.parse(`${field.value}Z`);
    if (Number.isNaN(time)) {
      message.textContent = 'Enter a date and a time.';
      return;
    }
    message.textContent = 'Loading…';
    go.disabled = true;
    void host.goTo(time).then((gone) => {
      go.disabled = false;
      message.textContent = GONE_TO[gone];
      if (gone === 'shown') close();
    });
  });
  return make('div', 'popover-stack', make('p', 'popover-note', 'Date and time, UTC'), form, message);
}

/** The page becomes full screen, too, because panels lie outside of the chart; if the browser refuses, the chart fills the page. */
function addFullscreen(host: ChartHost): void {
  const button = iconButton('fullscreen', 'Fullscreen', () => set(!isOn));
  let isOn = false;
  const panel = (): HTMLElement | null => host.stage.parentElement;
  const show = (on: boolean): void => {
    isOn = on;
    panel()?.toggleAttribute('data-fullscreen', on);
    button.setAttribute('aria-pressed', String(on));
  };
  const set = (on: boolean): void => {
    show(on);
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) void document.exitFullscreen();
  };
  const { signal } = host;
  document.addEventListener('fullscreenchange', () => isOn && !document.fullscreenElement && show(false), { signal });
  document.addEventListener(
    'keydown',
    (event) => event.key === 'Escape' && isOn && !event.defaultPrevented && set(false),
    {
      signal,
    },
  );
  signal.addEventListener('abort', () => isOn && set(false));
  button.setAttribute('aria-pressed', 'false');
  host.addViewTool(button);
}
