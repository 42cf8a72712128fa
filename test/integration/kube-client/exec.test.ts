import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecOptions, ExecSession, HttpKubeApi } from '../../../src/kube/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { waitUntil } from '../../support/wait-until.ts';

describeWithCluster('programs in containers', (cluster) => {
  let api: HttpKubeApi;
  let namespace: string;
  beforeAll(async () => {
    api = await connectTo(cluster());
    namespace = await testNamespace(cluster());
    const spec = { containers: [{ name: 'one', image: 'example/one:1' }] };
    await api.create(kinds.pod, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'host', namespace }, spec });
    await waitUntil(async () => JSON.stringify((await api.get(kinds.pod, { namespace, name: 'host' }))['status']).includes('"Running"'));
  });
  afterAll(() => api.close());

  const exec = (options: ExecOptions): Promise<ExecSession> => api.exec({ namespace, name: 'host' }, options);
  const shell = (script: string): readonly string[] => ['/bin/sh', '-c', script];
  async function collect(session: ExecSession): Promise<{ stdout: string; stderr: string; code: number | undefined }> {
    const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
    let code: number | undefined;
    for await (const event of session.events) {
      if (event.type === 'exit') code = event.code;
      else chunks[event.type].push(event.bytes);
    }
    return { stdout: Buffer.concat(chunks.stdout).toString(), stderr: Buffer.concat(chunks.stderr).toString(), code };
  }

  it('print on two streams and end', async () => {
    const session = await exec({ command: shell('echo "hello & good bye"; echo trouble >&2'), container: 'one' });
    expect(await collect(session)).toEqual({ stdout: 'hello & good bye\n', stderr: 'trouble\n', code: 0 });
    expect(await collect(await exec({ command: ['/bin/true'] }))).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it('may fail', async () => {
    // A fake node tells of every code in one text; exit codes are tested beside the code, with a server of our own.
    await expect(collect(await exec({ command: shell('exit 3') }))).rejects.toMatchObject({
      name: 'StatusError',
      message: expect.stringContaining('exit status 3') as string,
    });
  });

  it('read what is written to them', async () => {
    const text = 'line €\n'.repeat(40_000);
    const bytes = Buffer.from(text);
    const session = await exec({ command: ['/usr/bin/head', '-c', String(bytes.length)], stdin: true });
    const reading = collect(session);
    for (let at = 0; at < bytes.length; at += 50_000) await session.write(bytes.subarray(at, at + 50_000));
    const { stdout, code } = await reading;
    expect(code).toBe(0);
    expect(stdout === text).toBe(true);
  });

  it('have a terminal where asked, of the size that is asked for', async () => {
    const session = await exec({ command: shell('read line; stty size; echo "$line"'), tty: true, stdin: true });
    session.resize({ columns: 77, rows: 33 });
    const reading = collect(session);
    await session.write(Buffer.from('typed\n'));
    const { stdout, stderr } = await reading;
    expect(stdout).toContain('typed');
    expect(stderr).toBe('');
  });

  it('are refused in the words of the API', async () => {
    await expect(exec({ command: ['/bin/true'], container: 'none' })).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
    await expect(api.exec({ namespace, name: 'nobody' }, { command: ['/bin/true'] })).rejects.toMatchObject({ code: 404 });
  });

  it('end with the caller', async () => {
    const controller = new AbortController();
    const session = await exec({ command: shell('echo started; sleep 60'), signal: controller.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of session.events) {
        seen.push(event.type);
        controller.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(seen).toEqual(['stdout']);
  });
});
