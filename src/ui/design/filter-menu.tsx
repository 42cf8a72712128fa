import { Menu as AriaMenu, MenuButton, MenuItemCheck, MenuItemCheckbox, MenuProvider } from '@ariakit/react/menu';
import { useState, type ReactElement } from 'react';
import { Icon } from './icon.tsx';

const SHOWN_MAX = 200;
const SEARCH_FROM = 12;

export interface FilterMenuProps {
  readonly title: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** A button that opens a list of values of which any number can be chosen; long lists can be searched. */
export function FilterMenu({ title, values, chosen, onChoose }: FilterMenuProps): ReactElement {
  const [wanted, setWanted] = useState('');
  const all = [...new Set([...chosen, ...values])];
  const shown = all.filter((value) => value.toLowerCase().includes(wanted.toLowerCase())).slice(0, SHOWN_MAX);
  const toggle = (value: string): void => onChoose(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <MenuProvider values={{ chosen: [...chosen] }} setOpen={(isOpen) => !isOpen && setWanted('')}>
      <MenuButton className="button filter-button" data-look="quiet" data-chosen={chosen.length > 0 || undefined}>
        {title}
        {chosen.length > 0 && <span className="filter-count">{chosen.length}</span>}
        <Icon name="chevronDown" size={12} />
      </MenuButton>
      <AriaMenu className="menu" gutter={4} unmountOnHide aria-label={title}>
        {all.length >= SEARCH_FROM && (
          <input
            className="input filter-search"
            aria-label={`Search ${title.toLowerCase()}`}
            placeholder="Search"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
            onKeyDown={(event) => event.key !== 'Escape' && event.key !== 'ArrowDown' && event.key !== 'Tab' && event.stopPropagation()}
          />
        )}
        {shown.map((value) => (
          <MenuItemCheckbox
            key={value}
            className="menu-item"
            name="chosen"
            value={value}
            hideOnClick={false}
            onChange={() => toggle(value)}
          >
            <MenuItemCheck className="menu-check">
              <Icon name="check" size={12} />
            </MenuItemCheck>
            <span className="one-line">{value}</span>
          </MenuItemCheckbox>
        ))}
        {shown.length === 0 && <div className="menu-item faint">Nothing to choose</div>}
        {all.length > SHOWN_MAX && shown.length === SHOWN_MAX && <div className="menu-item faint">Search to see more</div>}
      </AriaMenu>
    </MenuProvider>
  );
}
