import { useState, type ReactElement } from 'react';
import { CallError, describeError, getJson } from '../../api/index.ts';
import { Button, CodeView, Copy, Notice, TextAreaField, TextField } from '../../design/index.ts';
import { buildAddress, missingNames, type Given } from './build-address.ts';
import { typeOf, type Operation } from './read-document.ts';

/** What nobody reads to its end. */
const SHOWN_CHARACTERS_MAX = 200_000;

interface Answer {
  readonly address: string;
  readonly tookMs: number;
  readonly text: string;
  /** Undefined where all went well. */
  readonly failure: string | undefined;
}

/** Calls what only reads, as the person who is signed in, and shows the answer. */
export function TryIt({ operation }: { readonly operation: Operation }): ReactElement {
  const [given, setGiven] = useState<Given>({});
  const [answer, setAnswer] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);
  const address = buildAddress(operation, given);
  const missing = missingNames(operation, given);
  const send = async (): Promise<void> => {
    setBusy(true);
    const start = performance.now();
    const done = (text: string, failure: string | undefined): void =>
      setAnswer({ address, tookMs: performance.now() - start, text, failure });
    try {
      done(JSON.stringify(await getJson(address), null, 2), undefined);
    } catch (error) {
      done('', `${error instanceof CallError && error.status > 0 ? `${error.status}: ` : ''}${describeError(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card api-part">
      <h3>Try it</h3>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing.length === 0 && !isBusy) void send();
        }}
      >
        {operation.parameters.map((parameter) => {
          const { name, description, schema } = parameter;
          const props = {
            title: <code>{name}</code>,
            hint: schema?.type === 'array' ? `${description ?? ''} One on each line.`.trim() : description,
            value: given[name] ?? '',
            onChange: (value: string) => setGiven({ ...given, [name]: value }),
          };
          return schema?.type === 'array' ? (
            <TextAreaField key={name} {...props} rows={2} />
          ) : (
            <TextField key={name} {...props} placeholder={typeOf(schema)} isRequired={parameter.in === 'path'} />
          );
        })}
        <div className="row api-call">
          <code className="grow api-address">GET {address}</code>
          <Copy text={`${window.location.origin}${address}`} label="Copy the address" />
          <Button
            type="submit"
            look="primary"
            icon="play"
            isBusy={isBusy}
            disabledReason={missing.length === 0 ? undefined : `Fill in ${missing.join(' and ')} first`}
          >
            Send
          </Button>
        </div>
      </form>
      {answer !== undefined && <Shown answer={answer} />}
    </section>
  );
}

function Shown({ answer }: { readonly answer: Answer }): ReactElement {
  const { failure, text, tookMs } = answer;
  if (failure !== undefined)
    return (
      <div className="api-answer" role="alert">
        <Notice tone="bad">{failure}</Notice>
      </div>
    );
  const isCut = text.length > SHOWN_CHARACTERS_MAX;
  return (
    <div className="stack api-answer" role="status">
      <div className="row">
        <span className="grow soft">
          Answered in {Math.round(tookMs).toLocaleString()} ms, {text.length.toLocaleString()} characters
          {isCut && `; the first ${SHOWN_CHARACTERS_MAX.toLocaleString()} are shown`}
        </span>
        <Copy text={text} label="Copy the answer" />
      </div>
      <div className="api-json">
        <CodeView text={isCut ? text.slice(0, SHOWN_CHARACTERS_MAX) : text} label="Answer" />
      </div>
    </div>
  );
}
