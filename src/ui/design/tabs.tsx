import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react/tab';
import type { ReactElement, ReactNode } from 'react';

export interface TabDescription {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly TabDescription[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Views of one thing, of which one is shown; only that one is drawn. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps): ReactElement {
  return (
    <TabProvider selectedId={selected} setSelectedId={(id) => id != null && onSelect(id)}>
      <TabList className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel className="tab-panel" tabId={selected}>
        {tabs.find(({ id }) => id === selected)?.content}
      </TabPanel>
    </TabProvider>
  );
}
