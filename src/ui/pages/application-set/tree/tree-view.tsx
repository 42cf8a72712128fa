import { useMemo, useRef, type ReactElement, type ReactNode } from 'react';
import { AppLink, applicationPath } from '../../../app/index.ts';
import { Icon, Status, statusLook } from '../../../design/index.ts';
import { GraphFrame, useLayout, useViewport, type Viewport } from '../../../graph/index.ts';
import { stateOf } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { buildTree, CARD, heightOf, type TreeBox } from './build-tree.ts';
import type { Grouping, MadeApplication } from './made-applications.ts';

/** The set on the left, its applications on the right, each leading to its own page. */
export function TreeView({
  applications,
  grouping,
}: {
  readonly applications: readonly MadeApplication[];
  readonly grouping: Grouping;
}): ReactElement {
  const tree = useMemo(() => buildTree(applications, grouping), [applications, grouping]);
  const layout = useLayout(tree.graph);
  const boxes = new Map(tree.boxes.map((box) => [box.id, box]));
  const screen = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const onMove = ({ x, y, scale }: Viewport): void => {
    if (plane.current) plane.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  };
  const control = useViewport(screen, layout, { box: CARD, onMove });
  return (
    <GraphFrame label="Tree of applications" {...{ screen, control }} isLaidOut={layout !== undefined}>
      <div className="graph-plane" ref={plane}>
        <svg className="set-tree-lines" width={layout?.width} height={layout?.height} aria-hidden="true">
          {layout?.edges.map(({ from, to, points }) => (
            <polyline key={`${from} ${to}`} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          ))}
        </svg>
        {layout?.nodes.map(({ id, x, y }) => {
          const box = boxes.get(id);
          return (
            box && (
              <div
                key={id}
                className="set-node"
                style={{ transform: `translate(${x}px, ${y}px)`, width: CARD.width, height: heightOf(box) }}
                data-node={id}
                data-kind={box.kind}
                data-tone={toneOf(box)}
              >
                <Box box={box} />
              </div>
            )
          );
        })}
      </div>
    </GraphFrame>
  );
}

function Box({ box }: { readonly box: TreeBox }): ReactElement {
  const set = useShownSet();
  if (box.kind === 'set')
    return (
      <Inside kind="ApplicationSet" states={<Status kind="health" value={stateOf(set).health} isIconOnly />}>
        <strong className="one-line">{set.metadata.name}</strong>
      </Inside>
    );
  if (box.kind === 'group')
    return (
      <span className="row">
        <Icon name="project" size={14} />
        <strong className="one-line">{box.title}</strong>
        <span className="faint">{box.count}</span>
      </span>
    );
  const { application } = box;
  return (
    <Inside
      kind={application.progress === '' ? 'Application' : `Application · ${application.progress}`}
      states={
        <>
          <Status kind="sync" value={application.sync} isIconOnly />
          <Status kind="health" value={application.health} isIconOnly />
        </>
      }
    >
      <AppLink to={applicationPath(application)} className="set-node-link one-line" title={application.name}>
        {application.name}
      </AppLink>
    </Inside>
  );
}

function Inside({
  kind,
  states,
  children,
}: {
  readonly kind: string;
  readonly states: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      <span className="set-node-text">
        <span className="set-node-kind one-line">{kind}</span>
        {children}
      </span>
      <span className="set-node-states">{states}</span>
    </>
  );
}

function toneOf(box: TreeBox): string | undefined {
  return box.kind === 'application' ? statusLook('health', box.application.health).tone : undefined;
}
