import { Fragment, type ReactElement } from 'react';
import { Dialog, Kbd } from '../design/index.ts';
import { useAllCommands } from './commands.ts';

/** What can be done with which keys, here and now. */
export function KeyboardHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactElement {
  const commands = useAllCommands().filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <div className="shortcuts">
        <section>
          <h3>Everywhere</h3>
          <ul>
            <Shortcut title="Search and commands" keys="Ctrl K" />
            <Shortcut title="Move in a list" keys="j / k" />
            <Shortcut title="Open what is marked" keys="Enter" />
            <Shortcut title="Close what is in front" keys="Esc" />
          </ul>
        </section>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {commands
                .filter((command) => command.group === group)
                .map(({ id, title, keys = '' }) => (
                  <Shortcut key={id} title={title} keys={keys} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Shortcut({ title, keys }: { readonly title: string; readonly keys: string }): ReactElement {
  return (
    <li>
      <span>{title}</span>
      <span>
        {keys.split(' ').map((key) => (
          <Fragment key={key}>{key === '/' && keys !== '/' ? ' / ' : <Kbd>{key}</Kbd>} </Fragment>
        ))}
      </span>
    </li>
  );
}
