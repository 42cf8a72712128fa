import { useMemo, useState, type ReactElement } from 'react';
import type { ApplicationPodLogsQuery } from '../../../../contract/gen/types.ts';
import { Button, EmptyState, Loading, Notice, formatCount } from '../../../design/index.ts';
import { useShownName } from '../use-application.ts';
import { formatLines } from './log-lines.ts';
import { LogList } from './log-list.tsx';
import { useLog } from './use-log.ts';
import './logs.css';

/** Whose log: one pod's, that of all pods of a resource, or without anything that of all pods of the application. */
export type LogTarget = Pick<ApplicationPodLogsQuery, 'namespace' | 'podName' | 'group' | 'kind' | 'resourceName'>;

const TAILS = [
  { value: 100, title: 'Last 100 lines' },
  { value: 1_000, title: 'Last 1,000 lines' },
  { value: 10_000, title: 'Last 10,000 lines' },
  { value: 0, title: 'From the beginning' },
] as const;
const SINCE = [
  { value: 0, title: 'Any time' },
  { value: 300, title: 'Last 5 minutes' },
  { value: 3_600, title: 'Last hour' },
  { value: 86_400, title: 'Last day' },
] as const;

export interface LogViewProps {
  readonly target: LogTarget;
  readonly containers: readonly string[];
}

/** The log of one pod or of many, as it is written. */
export function LogView({ target, containers }: LogViewProps): ReactElement {
  const name = useShownName();
  const [container, setContainer] = useState('');
  const [tailLines, setTail] = useState<number>(1_000);
  const [sinceSeconds, setSince] = useState<number>(0);
  const [filter, setFilter] = useState('');
  const [wanted, setWanted] = useState('');
  const [previous, setPrevious] = useState(false);
  const [isWrapped, setWrapped] = useState(false);
  const [isFollowing, setFollowing] = useState(true);
  const [withTimes, setWithTimes] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const query: ApplicationPodLogsQuery = {
    ...name,
    ...target,
    follow: !previous,
    previous,
    ...(container !== '' && { container }),
    ...(tailLines > 0 && { tailLines }),
    ...(sinceSeconds > 0 && { sinceSeconds }),
    ...(filter !== '' && { filter }),
  };
  const log = useLog(query, attempt);
  const withPods = useMemo(() => new Set(log.lines.map(({ pod }) => pod)).size > 1, [log.lines]);
  const found = useMemo(
    () => (wanted === '' ? 0 : log.lines.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase())).length),
    [log.lines, wanted],
  );
  return (
    <div className="logs">
      <div className="row logs-bar">
        {containers.length > 1 && (
          <Choice
            label="Container"
            value={container}
            onChange={setContainer}
            options={[{ value: '', title: 'First container' }, ...containers.map((value) => ({ value, title: value }))]}
          />
        )}
        <Choice label="How much" value={String(tailLines)} onChange={(value) => setTail(Number(value))} options={TAILS} />
        <Choice label="Since" value={String(sinceSeconds)} onChange={(value) => setSince(Number(value))} options={SINCE} />
        <Field label="Search in the log" placeholder="Search" value={wanted} onChange={setWanted} />
        {wanted !== '' && <span className="faint">{formatCount(found, 'line')}</span>}
        <Field
          label="Only lines with this text; ! in front: without it"
          placeholder="Only lines with…"
          value={filter}
          onChange={setFilter}
          isSlow
        />
        <span className="grow" />
        <Button look="quiet" isPressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
          Follow
        </Button>
        <Button look="quiet" isPressed={previous} onClick={() => setPrevious(!previous)}>
          Previous run
        </Button>
        <Button look="quiet" isPressed={withTimes} onClick={() => setWithTimes(!withTimes)}>
          Times
        </Button>
        <Button look="quiet" isPressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
          Wrap
        </Button>
        <Button
          icon="arrowDown"
          label="Download what is shown"
          onClick={() => download(`${name.name}.log`, formatLines(log.lines, withPods))}
        />
      </div>
      {log.failure !== undefined && (
        <Notice tone="warn">
          {log.failure}{' '}
          <Button look="quiet" icon="refresh" onClick={() => setAttempt(attempt + 1)}>
            Read it again
          </Button>
        </Notice>
      )}
      {log.dropped > 0 && <p className="faint">{formatCount(log.dropped, 'older line is', 'older lines are')} not kept.</p>}
      {log.state === 'over' && log.failure === undefined && (
        <p className="row faint" role="status">
          {previous ? 'This is all that the previous run wrote.' : 'The log has ended: nothing more comes here.'}
          <Button look="quiet" icon="refresh" onClick={() => setAttempt(attempt + 1)}>
            Read it again
          </Button>
        </p>
      )}
      {log.lines.length > 0 ? (
        <LogList lines={log.lines} onFollow={setFollowing} {...{ wanted, isWrapped, withPods, withTimes, isFollowing }} />
      ) : log.state === 'opening' && log.failure === undefined ? (
        <Loading what="Opening the log" />
      ) : (
        <EmptyState icon="clock" title={log.failure === undefined ? 'Nothing has been written' : 'No log'}>
          {previous
            ? 'There may have been no run before the present one.'
            : log.state === 'over'
              ? 'There are no lines, or none that are asked for.'
              : 'Lines appear here as they are written.'}
        </EmptyState>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string | number; readonly title: string }[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactElement {
  return (
    <select className="input" aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  );
}

interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Taken when it is complete, because each change costs a call. */
  readonly isSlow?: boolean;
}

function Field({ label, placeholder, value, onChange, isSlow = false }: FieldProps): ReactElement {
  return (
    <input
      className="input logs-field"
      type="search"
      aria-label={label}
      title={label}
      placeholder={placeholder}
      {...(isSlow ? { defaultValue: value } : { value })}
      onChange={({ target }) => (!isSlow || target.value === '') && onChange(target.value)}
      onBlur={({ target }) => isSlow && onChange(target.value)}
      onKeyDown={({ key, currentTarget }) => isSlow && key === 'Enter' && onChange(currentTarget.value)}
    />
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
