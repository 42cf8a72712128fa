import { describe, expect, it } from 'vitest';
import { expandPath } from './expand-path.ts';

const environment = new Map([['ARGOCD_APP_NAME', 'web']]);
const references = ['$vals', '$ARGOCD_APP_NAME-values'];

describe('the path of a value file', () => {
  it.each([
    ['env/$ARGOCD_APP_NAME.yaml', 'env/web.yaml'],
    ['env/${ARGOCD_APP_NAME}-$other.yaml', 'env/web-.yaml'],
    ['$vals/env/$ARGOCD_APP_NAME.yaml', '$vals/env/web.yaml'],
    ['$vals/${ARGOCD_APP_NAME}/a$other.yaml', '$vals/web/a.yaml'],
    ['$vals/$vals/$$x.yaml', '$vals//$x.yaml'],
    ['$vals', '$vals'],
    ['$other/a.yaml', '$other/a.yaml'],
    ['$other/$ARGOCD_APP_NAME.yaml', '$other/web.yaml'],
    ['$ARGOCD_APP_NAME/a.yaml', 'web/a.yaml'],
    ['$ARGOCD_APP_NAME-values/a.yaml', '$ARGOCD_APP_NAME-values/a.yaml'],
    ['a$b.yaml', 'a$b.yaml'],
  ])('%s is %s', (path, expected) => expect(expandPath(path, environment, references)).toBe(expected));
});
