import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { createHealthOf } from './custom-health.ts';

const widget: KubeObject = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'blue' } };
const paused = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { paused: true } } as KubeObject;

function healthOf(object: KubeObject, scripts: Readonly<Record<string, string>>, useOpenLibs = false) {
  const entries = Object.entries(scripts).map(([name, healthLua]) => [name, { healthLua, useOpenLibs }] as const);
  return createHealthOf(new Map(entries), () => 1_700_000_000_000)(object);
}
const inLua = (script: string, useOpenLibs = false) => healthOf(widget, { 'example.org/Widget': script }, useOpenLibs);

describe('Health in Lua', () => {
  it.each<[string, string, unknown]>([
    ['says what it says', 'return {status = "Degraded", message = obj.metadata.name .. " is broken"}', ['Degraded', 'blue is broken']],
    ['may leave out the message', 'hs = {} hs.status = "Suspended" return hs', ['Suspended', undefined]],
    ['may call it missing', 'return {status = "Missing"}', ['Missing', undefined]],
    ['refuses a status that there is not', 'return {status = "Fine"}', ['Unknown', 'Lua returned an invalid health status']],
    ['refuses a message alone', 'return {message = "x"}', ['Unknown', 'Lua returned an invalid health status']],
    ['refuses what is no table', 'return "Healthy"', ['Unknown', 'expect table output from Lua script, not string']],
    ['refuses a number for a table', 'return 5', ['Unknown', 'expect table output from Lua script, not number']],
    ['tells where a script fails', 'local x\nreturn x.y', ['Unknown', "<string>:2: attempt to index a non-table object(nil) with key 'y'"]],
    ['tells what is no Lua', 'return return', ['Unknown', "<string> line:1 near 'return': a name expected"]],
    ['takes the last of several values', 'return 1, {status = "Healthy"}', ['Healthy', undefined]],
    ['knows the time', 'return {status = "Healthy", message = os.date("!%Y", os.time())}', ['Healthy', '2023']],
    [
      'has no functions for texts by itself',
      'return {status = ("healthy"):gsub("h", "H", 1)}',
      ['Unknown', expect.stringContaining('index')],
    ],
  ])('%s', (_what, script, expected) => {
    const health = inLua(script);
    expect([health?.status, health?.message]).toEqual(expected);
  });

  it('has all libraries where settings say so', () => {
    expect(inLua('local s = ("healthy"):gsub("^h", "H") return {status = s}', true)).toEqual({ status: 'Healthy' });
  });

  it.each(['return nil', 'return {}', '', 'local x = 1'])('says nothing with %j, and no built-in rule speaks for it', (script) => {
    expect(healthOf(paused, { 'apps/Deployment': script || ' ' })).toBeUndefined();
  });

  it('goes before the rule that is built in, of whatever kind', () => {
    expect(healthOf(paused, {})).toEqual({ status: 'Suspended', message: 'Deployment is paused' });
    expect(healthOf(paused, { 'apps/Deployment': 'return {status = "Healthy"}' })).toEqual({ status: 'Healthy' });
  });

  it('does not go before a deletion', () => {
    const leaving = { ...widget, metadata: { ...widget.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(healthOf(leaving, { 'example.org/Widget': 'return {status = "Healthy"}' })).toEqual({
      status: 'Progressing',
      message: 'Pending deletion',
    });
  });

  it('is chosen by the kind, and else by a pattern', () => {
    const say = (message: string) => `return {status = "Healthy", message = "${message}"}`;
    const scripts = { '*.org/*': say('pattern'), 'example.org/Widget': say('kind'), Widget: say('core') };
    expect(healthOf(widget, scripts)?.message).toBe('kind');
    expect(healthOf({ ...widget, kind: 'Gadget' }, scripts)?.message).toBe('pattern');
    expect(healthOf({ ...widget, apiVersion: 'v1' }, scripts)?.message).toBe('core');
    expect(healthOf({ ...widget, apiVersion: 'other.net/v1' }, scripts)).toBeUndefined();
    expect(healthOf(widget, { 'example.org/Widget': '', '*/*': say('all') })?.message).toBe('all');
  });

  it('JQ-04: says Unknown of an object whose rule does not end, and of that alone', () => {
    const scripts = { 'example.org/Widget': 'while true do end', 'example.org/Gadget': 'return {status = "Healthy"}' };
    expect(healthOf(widget, scripts)).toEqual({ status: 'Unknown', message: expect.stringContaining('it takes too long') });
    expect(healthOf({ ...widget, kind: 'Gadget' }, scripts)).toEqual({ status: 'Healthy' });
  });

  it('JQ-04: is hardly tried any more where it does not end, and again where it does', () => {
    const scripts = new Map([
      ['example.org/Widget', { healthLua: 'if obj.spec then while true do end end return {status = "Healthy"}', useOpenLibs: false }],
    ]);
    const judge = createHealthOf(scripts, () => 0);
    const endless = { ...widget, spec: {} } as KubeObject;
    for (let round = 0; round < 3; round += 1) expect(judge(endless)?.message).toContain('it takes too long');
    const answers = Array.from({ length: 100 }, () => judge(widget));
    expect(answers[0]).toEqual({ status: 'Unknown', message: expect.stringContaining('hardly tried any more') });
    expect(answers.at(-1)).toEqual({ status: 'Healthy' });
    expect(judge(widget)).toEqual({ status: 'Healthy' });
  });

  it('JQ-04: is still asked about the objects of others where it does not end for those of one tenant', () => {
    const scripts = new Map([
      ['example.org/Widget', { healthLua: 'if obj.spec then while true do end end return {status = "Healthy"}', useOpenLibs: false }],
    ]);
    const judge = createHealthOf(scripts, () => 0);
    const inNamespace = (namespace: string): KubeObject => ({ ...widget, metadata: { ...widget.metadata, namespace } });
    for (let round = 0; round < 3; round += 1) judge({ ...inNamespace('theirs'), spec: {} } as KubeObject);
    expect(judge(inNamespace('theirs'))?.status).toBe('Unknown');
    expect(judge(inNamespace('ours'))).toEqual({ status: 'Healthy' });
  });

  it('JQ-04: keeps no more of a message than anybody reads', () => {
    expect(inLua('return {status = "Healthy", message = string.rep("x", 1e6)}', true)?.message).toHaveLength(8192);
  });

  it('changes nothing of the object that it is given', () => {
    const object = structuredClone(widget);
    healthOf(object, { 'example.org/Widget': 'obj.metadata.name = "red" return {status = "Healthy"}' });
    expect(object).toEqual(widget);
  });
});
