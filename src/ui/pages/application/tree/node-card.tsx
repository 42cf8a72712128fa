import { memo, type ReactElement } from 'react';
import type { Application } from '../../../../contract/gen/types.ts';
import { Button, Status, statusLook, TimeAgo } from '../../../design/index.ts';
import type { GraphBox } from './build-graph.ts';
import type { ShownResource } from './resource-node.ts';

export const CARD_WIDTH = 236;
export const CARD_HEIGHT = 56;

export interface NodeCardProps {
  readonly box: GraphBox;
  readonly x: number;
  readonly y: number;
  readonly application: Application;
  readonly isSelected: boolean;
  readonly onOpen: (resource: ShownResource) => void;
  readonly onToggle: (id: string) => void;
}

/** One box of the drawing. Drawn anew only when something of it is another: there may be a hundred in sight, and a change each second. */
export const NodeCard = memo(DrawnCard, isSameCard);

function DrawnCard({ box, x, y, application, isSelected, onOpen, onToggle }: NodeCardProps): ReactElement {
  const { resource } = box;
  const health = resource === undefined ? application.status?.health?.status : resource.health;
  const sync = resource === undefined ? application.status?.sync?.status : resource.sync;
  const title = resource?.name ?? application.metadata.name ?? '';
  return (
    <div
      className="node"
      data-node={box.id}
      data-tone={health === undefined ? 'mute' : statusLook('health', health).tone}
      data-orphan={resource?.isOrphan || undefined}
      data-selected={isSelected || undefined}
      style={{ transform: `translate(${x}px, ${y}px)`, width: CARD_WIDTH, height: CARD_HEIGHT }}
    >
      <button
        type="button"
        className="node-open"
        disabled={resource === undefined}
        title={resource?.healthMessage ?? title}
        onClick={() => resource !== undefined && onOpen(resource)}
      >
        <span className="node-kind one-line">
          {resource?.kind ?? 'Application'}
          {resource?.isHook === true && ' · hook'}
          {resource?.isOrphan === true && ' · orphan'}
          {resource?.requiresPruning === true && ' · to be pruned'}
          {resource?.createdAt != null && (
            <>
              {' · '}
              <TimeAgo time={resource.createdAt} suffix="" />
            </>
          )}
        </span>
        <span className="node-name one-line">{title}</span>
      </button>
      <span className="node-states">
        {sync !== undefined && <Status kind="sync" value={sync} isIconOnly />}
        {health !== undefined && <Status kind="health" value={health} isIconOnly />}
      </span>
      {box.below > 0 && resource !== undefined && (
        <span className="node-toggle">
          <Button
            look="quiet"
            icon={box.isCollapsed ? 'plus' : 'minus'}
            label={box.isCollapsed ? `Show ${box.below} below ${title}` : `Hide what is below ${title}`}
            onClick={() => onToggle(box.id)}
          />
        </span>
      )}
    </div>
  );
}

function isSameCard(before: NodeCardProps, after: NodeCardProps): boolean {
  const [one, other] = [before.box, after.box];
  return (
    one.resource === other.resource &&
    one.id === other.id &&
    one.below === other.below &&
    one.isCollapsed === other.isCollapsed &&
    before.x === after.x &&
    before.y === after.y &&
    before.isSelected === after.isSelected &&
    before.onOpen === after.onOpen &&
    before.onToggle === after.onToggle &&
    (one.resource !== undefined || before.application === after.application)
  );
}
