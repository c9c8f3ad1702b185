// The panel of the button "Layout": how many charts, what they share, which panels are shown, and named layouts.
import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Toggle } from '../ui/button.tsx';
import { togglePopover } from '../ui/dom/popover.ts';
import { isLayout, LINKS, type Link, MAX_CHARTS, PANELS, type PanelName, readLayout, withCharts } from './layout.ts';
import { PRESETS } from './layout-presets.ts';
import type { MarketPanels } from './market-panels.ts';

type Props = {
  readonly services: Pick<TerminalServices, 'documents' | 'notifier'>;
  readonly panels: Pick<MarketPanels, 'layout' | 'open'>;
};

const LINK_TEXT: Readonly<Record<Link, string>> = {
  symbol: 'Instrument',
  interval: 'Interval',
  crosshair: 'Crosshair',
};
const PANEL_TEXT: Readonly<Record<PanelName, string>> = {
  watchlist: 'Watchlist',
  flow: 'Order flow',
  headlines: 'Headlines',
};
const MAX_NAME = 40;
/** As the service allows names. */
const NAME_PATTERN = '[A-Za-z0-9 ._\\-]+';

export function openLayoutMenu(button: HTMLElement, props: Props): void {
  const content = document.createElement('div');
  togglePopover(
    button,
    () => {
      render(<LayoutMenu {...props} />, content);
      return content;
    },
    { label: 'Layout', className: 'layout-menu', onClose: () => render(null, content) },
  );
}

function LayoutMenu({ services, panels }: Props) {
  const layout = panels.layout.value;
  return (
    <>
      <fieldset class="choice-row line">
        <legend>Charts</legend>
        {Array.from({ length: MAX_CHARTS }, (_, at) => at + 1).map((count) => (
          <Toggle
            key={count}
            pressed={layout.charts.length === count}
            onClick={() => panels.open(withCharts(layout, count))}
          >
            {count}
          </Toggle>
        ))}
      </fieldset>
      {layout.charts.length > 1 && (
        <fieldset class="choice-row line">
          <legend>Same in all charts</legend>
          {LINKS.map((link) => (
            <Toggle
              key={link}
              pressed={layout.linked[link]}
              onClick={() => panels.open({ ...layout, linked: { ...layout.linked, [link]: !layout.linked[link] } })}
            >
              {LINK_TEXT[link]}
            </Toggle>
          ))}
        </fieldset>
      )}
      <fieldset class="choice-row line">
        <legend>Panels</legend>
        {PANELS.map((panel) => (
          <Toggle
            key={panel}
            pressed={layout.panels[panel]}
            onClick={() => panels.open({ ...layout, panels: { ...layout.panels, [panel]: !layout.panels[panel] } })}
          >
            {PANEL_TEXT[panel]}
          </Toggle>
        ))}
      </fieldset>
      <h3>Presets</h3>
      <ul class="layout-list plain-list">
        {PRESETS.map(({ name, text, layout: ready }) => (
          <li key={name}>
            <button type="button" class="layout-choice bare" onClick={() => panels.open(ready)}>
              <b>{name}</b> <small>{text}</small>
            </button>
          </li>
        ))}
      </ul>
      <OwnLayouts services={services} panels={panels} />
    </>
  );
}

function OwnLayouts({ services: { documents, notifier }, panels }: Props) {
  const names = useSignal<readonly string[] | null>(null);
  const reload = async (): Promise<void> => {
    names.value = await documents.names('layout');
  };
  const run = (act: () => Promise<void>): void => {
    act().catch((error: unknown) => notifier.reportError(error, 'Layouts'));
  };
  useEffect(() => run(reload), []);
  const open = (name: string): void =>
    run(async () => {
      const stored = await documents.read('layout', name);
      if (!stored) await reload();
      else if (isLayout(stored)) panels.open(readLayout(stored));
      else notifier.show(`The layout ${name} cannot be read. Delete it, or save the page under this name again.`);
    });
  const remove = (name: string): void =>
    run(async () => {
      await documents.remove('layout', name);
      await reload();
    });
  return (
    <>
      <h3>Your layouts</h3>
      {names.value?.length === 0 && <p class="quiet-text">None yet. Arrange the page, name it and save it.</p>}
      <ul class="layout-list plain-list">
        {(names.value ?? []).map((name) => (
          <li key={name}>
            <button type="button" class="layout-choice bare" onClick={() => open(name)}>
              <b>{name}</b>
            </button>
            <button type="button" class="plain" aria-label={`Delete the layout ${name}`} onClick={() => remove(name)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      <form
        class="layout-save"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const name = String(new FormData(form).get('name') ?? '').trim();
          if (name === '') return;
          run(async () => {
            await documents.write('layout', name, panels.layout.peek());
            form.reset();
            await reload();
          });
        }}
      >
        <label>
          Save as <input name="name" required maxLength={MAX_NAME} pattern={NAME_PATTERN} autocomplete="off" />
        </label>
        <button type="submit" class="timeframe chart-choice">
          Save
        </button>
      </form>
    </>
  );
}
