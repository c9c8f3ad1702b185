// The dialog that lists all current keyboard shortcuts, with the switch for single keys.

import { Button } from '../ui/button.tsx';
import { DIALOG_TITLE, openDialog } from '../ui/dialog.tsx';
import { isMac, keyboard, keyCaps, type Shortcut } from '../ui/keyboard.ts';

export function openShortcutsDialog(): void {
  const groups = [...Map.groupBy(keyboard.shortcuts, ({ group }) => group)];
  const dialog = openDialog(
    (close) => (
      <>
        <h2 id={DIALOG_TITLE}>Keyboard shortcuts</h2>
        <div class="shortcut-groups">
          {groups.map(([group, shortcuts]) => (
            <section key={group}>
              <h3>{group}</h3>
              <dl>{shortcuts.map(shortcutLine)}</dl>
            </section>
          ))}
        </div>
        <div class="actions">
          <label class="check">
            <input
              type="checkbox"
              defaultChecked={keyboard.singleKeys}
              onChange={({ currentTarget }) => {
                keyboard.singleKeys = currentTarget.checked;
              }}
            />
            Shortcuts of single keys, such as / and 1
          </label>
          <Button onClick={close}>Close</Button>
        </div>
      </>
    ),
    'dialog shortcuts',
  );
  dialog.querySelector<HTMLElement>('.plain')?.focus();
}

function shortcutLine({ keys, title }: Shortcut) {
  // Pressed one after the other, or together.
  const between = keys.includes(' ') ? 'then' : '+';
  return (
    <div key={title}>
      <dt>
        {keyCaps(keys, isMac).map((cap, at) => [
          at > 0 && <small key="between">{between}</small>,
          <kbd key={cap}>{cap}</kbd>,
        ])}
      </dt>
      <dd>{title}</dd>
    </div>
  );
}
