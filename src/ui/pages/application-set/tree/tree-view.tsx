import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { AppLink, applicationPath } from '../../../app/index.ts';
import { Icon, Loading, Status, statusLook } from '../../../design/index.ts';
import { useLayout, type LayoutGraph } from '../../../graph/index.ts';
import { stateOf } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { buildTree, type TreeBox } from './build-tree.ts';
import { drawEdge, placeBoxes } from './place-boxes.ts';
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
  const layout = useLayout(useSame(tree.graph));
  const boxes = new Map(tree.boxes.map((box) => [box.id, box]));
  const places = useMemo(() => layout && placeBoxes(tree.graph, layout), [tree.graph, layout]);
  if (layout === undefined || places === undefined) return <Loading what="Laying out" />;
  return (
    <div className="card set-tree" role="group" aria-label="Tree of applications" tabIndex={0}>
      <div className="set-tree-plane" style={{ width: layout.width, height: layout.height }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {layout.edges.map(({ from, to }) => (
            <polyline key={`${from} ${to}`} points={drawEdge(places.get(from), places.get(to))} />
          ))}
        </svg>
        {[...places.values()].map(({ id, x, y, width, height }) => {
          const box = boxes.get(id);
          if (box === undefined) return null;
          return (
            <div
              key={id}
              className="set-node"
              style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
              data-kind={box.kind}
              data-tone={toneOf(box)}
            >
              <Box box={box} />
            </div>
          );
        })}
      </div>
    </div>
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

/** The same while boxes and arrows are the same: another state of an application costs no layout. */
function useSame(graph: LayoutGraph): LayoutGraph {
  const signature = JSON.stringify(graph);
  const [kept, setKept] = useState({ signature, graph });
  if (kept.signature === signature) return kept.graph;
  setKept({ signature, graph });
  return graph;
}
