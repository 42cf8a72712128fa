import { expect, it } from 'vitest';
import { findSentFolder } from './sent-folder.ts';

it.each([
  ['', ''],
  [' ; ', ''],
  ['.', 'apps/web'],
  ['.;../shared', 'apps'],
  ['.;../shared;/lib/*.yaml', ''],
  ['/apps/web/base', 'apps/web'],
  ['/apps/*/base', 'apps'],
  ['../web', 'apps/web'],
  ['../../..', ''],
  ['../webs', 'apps'],
])('an application in apps/web that is made from %j needs %j', (paths, folder) => expect(findSentFolder('apps/web', paths)).toBe(folder));
