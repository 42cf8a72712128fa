import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { removePointers } from './ignore-differences.ts';
import { respectIgnoredDifferences } from './respect-ignored-differences.ts';

function deployment(spec: object, more: object = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec, ...more } as unknown as KubeObject;
}

function respect(desired: KubeObject, live: KubeObject, ...jqPathExpressions: readonly string[]): KubeObject {
  return respectIgnoredDifferences(desired, live, { ignore: [{ group: 'apps', kind: 'Deployment', jqPathExpressions }] });
}

const containers = (...list: readonly object[]) => deployment({ template: { spec: { containers: list } } });

describe('A sync that respects what jq ignores', () => {
  it('takes the live value', () => {
    expect(respect(deployment({ replicas: 1 }), deployment({ replicas: 5 }), '.spec.replicas')).toEqual(deployment({ replicas: 5 }));
  });

  it('takes it by the name of an item, wherever that stands', () => {
    const desired = containers({ name: 'web', image: 'a:1' }, { name: 'side', image: 'b:1', resources: { cpu: 1 } });
    const live = containers({ name: 'injected' }, { name: 'side', image: 'b:9', resources: { cpu: 4 } }, { name: 'web', image: 'a:9' });
    const result = respect(desired, live, '.spec.template.spec.containers[] | select(.name == "side") | .resources');
    expect(result).toEqual(containers({ name: 'web', image: 'a:1' }, { name: 'side', image: 'b:1', resources: { cpu: 4 } }));
  });

  it('makes no items that nobody wants, but objects on the way', () => {
    const live = containers({ name: 'injected', image: 'x' });
    expect(respect(containers(), live, '.spec.template.spec.containers[].image')).toEqual(containers());
    const labelled = deployment({}, { metadata: { name: 'web', labels: { team: 'x' } } });
    expect(respect(deployment({}), labelled, '.metadata.labels.team').metadata.labels).toEqual({ team: 'x' });
  });

  it('takes items without a name by their place', () => {
    const result = respect(deployment({ args: ['a', 'b'] }), deployment({ args: ['x', 'y'] }), '.spec.args[-1]');
    expect(result).toEqual(deployment({ args: ['a', 'y'] }));
  });

  it('never takes a status, nor the object whole', () => {
    const live = deployment({ replicas: 5 }, { status: { replicas: 5 } });
    expect(respect(deployment({ replicas: 1 }), live, '.status.replicas', '.')).toEqual(deployment({ replicas: 1 }));
  });

  it('JQ-01: is not held up by what makes no sense, has no end or looks elsewhere', () => {
    const desired = deployment({ replicas: 1 });
    const expressions = ['.spec[', 'def f: f; f', 'range(1e12)', 'input', 'env', '$__loc__', '.spec.replicas.x', '1', '@sh'];
    expect(respect(desired, deployment({ replicas: 5 }), ...expressions)).toEqual(desired);
  });
});

describe('JQ-02: JSON pointers', () => {
  const object = deployment({ list: [1, 2], 'a/b': 1, '~': 2, '': 3 });
  const deep = '/spec'.repeat(10_000);

  it.each(['/spec/list/-', '/spec/list/4000000000', '/spec/list/01', '/spec/list/x', '/spec/~2', deep, '/spec/list/-1'])(
    'that lead nowhere change nothing: %.30s',
    (pointer) => {
      const before = structuredClone(object);
      expect(removePointers(object, [pointer])).toEqual(before);
      const rules = { ignore: [{ group: 'apps', kind: 'Deployment', jsonPointers: [pointer] }] };
      expect(respectIgnoredDifferences(object, deployment({ list: [7, 8, 9] }), rules)).toEqual(before);
    },
  );

  it('name what they name', () => {
    expect(removePointers(object, ['/spec/a~1b', '/spec/~0', '/spec/list/1', '/spec/'])).toEqual(deployment({ list: [1] }));
  });

  it('do not reach prototypes', () => {
    removePointers(object, ['/__proto__/toString', '/constructor/prototype']);
    expect(typeof object.toString).toBe('function');
  });
});
