import { Combobox, ComboboxGroup, ComboboxGroupLabel, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react/combobox';
import { Dialog } from '@ariakit/react/dialog';
import { useDeferredValue, useEffect, useMemo, useState, type ReactElement } from 'react';
import { Icon, Kbd } from '../design/index.ts';
import { useAllCommands, type Command } from './commands.ts';
import { useFoundApplications, useFoundResources } from './use-found.ts';

export interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Ctrl K: jump to any application or resource, or do anything that has a name. */
export function CommandPalette({ isOpen, onOpen, onClose }: CommandPaletteProps): ReactElement {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onOpen]);
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      unmountOnHide
      aria-label="Search and commands"
      className="palette"
      backdrop={<div className="backdrop" />}
    >
      <PaletteList isOpen={isOpen} onClose={onClose} />
    </Dialog>
  );
}

function PaletteList({ isOpen, onClose }: Pick<CommandPaletteProps, 'isOpen' | 'onClose'>): ReactElement {
  const [text, setText] = useState('');
  const [wasOpen, setWasOpen] = useState(isOpen);
  // Opened again before it was gone: a new question all the same.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setText('');
  }
  const wanted = useDeferredValue(text.trim());
  const commands = useAllCommands();
  const applications = useFoundApplications(wanted);
  const resources = useFoundResources(wanted);
  const shown = useMemo(
    () => [...applications, ...commands.filter(({ title, group }) => matches(`${group} ${title}`, wanted)), ...resources],
    [applications, resources, commands, wanted],
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  const run = (command: Command): void => {
    onClose();
    // After the dialog has given the focus back.
    requestAnimationFrame(() => command.run());
  };
  return (
    <ComboboxProvider value={text} setValue={setText} open setOpen={(open) => !open && onClose()} resetValueOnHide={false}>
      <Combobox
        autoSelect="always"
        autoFocus
        className="palette-input"
        placeholder="Go to an application or a resource, or do something…"
        aria-label="Search"
      />
      <ComboboxList className="palette-list" alwaysVisible aria-label="Results">
        {groups.map((group) => (
          <ComboboxGroup key={group}>
            <ComboboxGroupLabel className="palette-group">{group}</ComboboxGroupLabel>
            {shown
              .filter((command) => command.group === group)
              .map((command) => (
                <ComboboxItem
                  key={command.id}
                  value={command.id}
                  setValueOnClick={false}
                  hideOnClick={false}
                  className="menu-item"
                  onClick={() => run(command)}
                >
                  <Icon name={command.icon ?? 'chevronRight'} />
                  <span className="grow one-line">
                    {command.title}
                    {command.place !== undefined && <span className="soft"> {command.place}</span>}
                  </span>
                  {command.keys?.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </ComboboxItem>
              ))}
          </ComboboxGroup>
        ))}
        {shown.length === 0 && (
          <p className="palette-empty">
            Nothing is called “{wanted}”. Search looks at names of applications and commands, and at kinds and names of resources.
          </p>
        )}
      </ComboboxList>
    </ComboboxProvider>
  );
}

/** Whether all words are in it, in any order. */
function matches(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
