import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contract/index.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { startPluginServers } from '../support/plugin-server.ts';
import { frame, sendManifests, sendMessage, startPluginStub } from '../support/plugin-stub.ts';
import type { StubAnswers } from '../support/plugin-stub.ts';
import { openTestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

const LIMITS = { toolMs: 2_000, toolOutputBytesMax: 1 << 20 };
const PREFIX = 'CMP processing failed for application "web": error generating manifests in cmp: rpc error: code = ';

let repository: GitRepository;
beforeAll(async () => {
  repository = await createGitRepository({
    'app/one.yaml': configMap('one'),
    'app/run.sh': '#!/bin/sh\n',
    'app/-rf': 'x',
    'app/current': { link: 'one.yaml' },
    [`${'deep/'.repeat(30)}ü.yaml`]: 'x',
  });
  await repository.git('update-index', '--chmod=+x', 'app/run.sh');
  await repository.git('commit', '--quiet', '--message', 'Run');
});
afterAll(() => repository.remove());

const plugin = { name: 'stub' };
const answerWith = (stream: ServerHttp2Stream, ...chunks: Uint8Array[]): void => {
  stream.respond({ ':status': 200 });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
};

async function failureOf(answers: StubAnswers): Promise<string> {
  const stub = await startPluginStub(answers);
  const plugins = { socketFolder: stub.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
  const test = await openTestSources({ limits: LIMITS, plugins });
  try {
    const failure = await test.render({ repoURL: repository.url, path: 'app', plugin }).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
    // Neither connections nor files stay behind.
    await waitUntil(() => stub.open() === 0);
    expect(await readdir(join(test.folder, 'private'))).toEqual([]);
    return failure;
  } finally {
    await test.close();
    await stub.close();
  }
}

describe('CMP-03: a plugin', () => {
  const flood = (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': 200 });
    const more = (): void => {
      while (!stream.destroyed && stream.write(Buffer.alloc(1 << 16)));
      if (!stream.destroyed) stream.once('drain', more);
    };
    more();
  };

  it.each<[string, StubAnswers[string], string]>([
    ['that answers without end', flood, 'ResourceExhausted desc = the plugin answered with more than 1048576 bytes'],
    ['that never answers', () => undefined, 'DeadlineExceeded desc = context deadline exceeded'],
    ['that begins and never ends', (stream) => stream.respond({ ':status': 200 }), 'DeadlineExceeded desc = context deadline exceeded'],
    ['that hangs up', (stream) => stream.session?.destroy(), 'Unavailable desc = '],
    ['that resets the call', (stream) => stream.close(2), 'Unavailable desc = '],
    [
      'that says no status',
      (stream) => answerWith(stream, frame(new Uint8Array())),
      'Unavailable desc = the plugin ended its answer without',
    ],
    [
      'that is no plugin',
      (stream) => stream.respond({ ':status': 404 }, { endStream: true }),
      'Unavailable desc = the plugin answered with the status 404',
    ],
    ['that answers with garbage', (stream) => sendMessage(stream, Buffer.from('\xff\xff\xff', 'latin1')), ''],
    [
      'that promises more than it sends',
      (stream) => answerAndEnd(stream, frame(new Uint8Array(3), 0, 1 << 30)),
      'Internal desc = the plugin did not answer with exactly one',
    ],
    [
      'that answers twice',
      (stream) => answerAndEnd(stream, Buffer.concat([frame(new Uint8Array()), frame(new Uint8Array())])),
      'Internal desc = the plugin did not',
    ],
    [
      'that compresses unasked',
      (stream) => answerAndEnd(stream, frame(new Uint8Array(3), 1)),
      'Internal desc = the plugin answered with a compressed',
    ],
    ['that sends headers without end', (stream) => stream.respond({ ':status': 200, x: 'x'.repeat(1 << 20) }), 'Unavailable desc = '],
    [
      'with a long complaint',
      (stream) => sendMessage(stream, new Uint8Array(), { 'grpc-status': '2', 'grpc-message': 'planted%0Awords ' + 'x'.repeat(20_000) }),
      'Unknown desc = planted\nwords xxx',
    ],
    [
      'with a status of its own',
      (stream) => sendMessage(stream, new Uint8Array(), { 'grpc-status': '99', 'grpc-message': '%E0%A4%A' }),
      'Code(99) desc = %E0%A4%A',
    ],
  ])('%s is cut off or refused', async (_what, answer, failure) => {
    const message = await failureOf({ GenerateManifest: answer });
    if (failure !== '') expect(message).toContain(`${PREFIX}${failure}`);
    else expect(message).toContain('cannot decode plugin.ManifestResponse');
    expect(message.length).toBeLessThan(9_000);
  });

  it('that makes what is no manifest is told so', async () => {
    expect(await failureOf({ GenerateManifest: (stream) => sendManifests(stream, ['a: [', 'kind: 3']) })).toMatch(
      /failed to unmarshal manifest/,
    );
    expect(await failureOf({ GenerateManifest: (stream) => sendManifests(stream, ['[[[[[[['.repeat(1000)]) })).toMatch(
      /failed to unmarshal manifest/,
    );
  });

  it('that cannot be asked whether a folder is for it is not taken for one that says no', async () => {
    const stub = await startPluginStub({ CheckPluginConfiguration: (stream) => stream.close(2) });
    const plugins = { socketFolder: stub.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const test = await openTestSources({ plugins });
    await expect(test.render({ repoURL: repository.url, path: 'app' })).rejects.toThrow(
      'the plugin "stub" cannot be asked about the folder',
    );
    await test.close();
    await stub.close();
  });

  it('that takes its socket away while it is started anew is not taken for one that says no either', async () => {
    const stub = await startPluginStub({});
    const plugins = { socketFolder: stub.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const test = await openTestSources({ plugins });
    const render = () => test.render({ repoURL: repository.url, path: 'app' }).then(() => 'rendered', String);
    expect(await render()).not.toContain('the plugin "stub"');
    await stub.close();
    // The folder of sockets is not read for each of many applications.
    await expect.poll(render, { timeout: 10_000 }).toContain('the plugin "stub" cannot be asked about the folder: its socket is gone');
    await test.close();
  });
});

describe('CMP-04: what a plugin is sent', () => {
  it('has no names that lead elsewhere, no owners, and no bits but that to execute', async () => {
    let messages: readonly JsonObject[] = [];
    const failure = await failureOf({
      GenerateManifest: (stream, received) => {
        messages = received();
        sendManifests(stream, []);
      },
    });
    expect(failure).toBe('none');
    const { metadata } = messages[0] as { metadata: Record<string, unknown> };
    const archive = Buffer.concat(messages.slice(1).map((message) => Buffer.from((message['file'] as { chunk: string }).chunk, 'base64')));
    expect(metadata).toMatchObject({ appName: 'app', appRelPath: 'app', size: archive.length });
    expect(metadata['checksum']).toBe(createHash('sha256').update(archive).digest('hex'));
    const listed = execFileSync('tar', ['-tvz', '--numeric-owner'], {
      input: archive,
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    });
    const lines = listed
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
    expect(lines).toContain('-rw-r--r-- 0/0 1 1970-01-01 00:00 app/-rf');
    expect(lines).toContain('-rwxr-xr-x 0/0 10 1970-01-01 00:00 app/run.sh');
    expect(lines).toContain('lrw-r--r-- 0/0 0 1970-01-01 00:00 app/current -> one.yaml');
    expect(lines.join('\n')).toMatch(
      new RegExp(`^-rw-r--r-- 0/0 1 1970-01-01 00:00 ${'deep/'.repeat(30)}(?:ü|\\\\303\\\\274)\\.yaml$`, 'm'),
    );
    expect(lines.filter((line) => !/^(?:d|l|-)rwx?/.test(line) || / (?:\/|.*\.\.\/)/.test(line.slice(11)))).toEqual([]);
  });
});

describeWithTool('cmp-server', 'CMP-03: a command of a plugin', (program) => {
  it('that does not end in time and heeds no signals is given up on; ending it is for the server of the plugin', async () => {
    const script = "trap '' TERM; sleep 15";
    const servers = await startPluginServers(program(), [{ name: 'stays', spec: { generate: { command: ['sh', '-c', script] } } }]);
    const plugins = { socketFolder: servers.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const test = await openTestSources({ limits: { ...LIMITS, toolMs: 3_000 }, plugins });
    await expect(test.render({ repoURL: repository.url, path: 'app', plugin: { name: 'stays' } })).rejects.toThrow(PREFIX);
    await test.close();
    await servers.close();
  });
});

function answerAndEnd(stream: ServerHttp2Stream, bytes: Buffer): void {
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(bytes);
}
