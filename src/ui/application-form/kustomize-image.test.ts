import { describe, expect, it } from 'vitest';
import { formatImage, listImages, parseImage, tellImages } from './kustomize-image.ts';

describe('an image', () => {
  it.each([
    ['nginx', { name: 'nginx', newName: '', version: '' }],
    ['nginx:1.27', { name: 'nginx', newName: '', version: '1.27' }],
    ['registry:5000/team/web', { name: 'registry:5000/team/web', newName: '', version: '' }],
    ['registry:5000/team/web:2', { name: 'registry:5000/team/web', newName: '', version: '2' }],
    ['nginx=registry:5000/nginx:3', { name: 'nginx', newName: 'registry:5000/nginx', version: '3' }],
    ['nginx@sha256:abc', { name: 'nginx', newName: '', version: '@sha256:abc' }],
  ])('%s is read and written', (text, image) => {
    expect(parseImage(text)).toEqual(image);
    expect(formatImage(image)).toBe(text);
  });

  it('with its own name told twice is told once', () => expect(formatImage(parseImage('nginx=nginx:4'))).toBe('nginx:4'));
});

describe('the images of a kustomization', () => {
  const rows = listImages(['nginx:1', 'redis:6'], ['nginx:2', 'extra=other']);

  it('stand beside what is told of them', () => {
    expect(rows.map(({ name, present, version, isChanged }) => [name, present, version, isChanged])).toEqual([
      ['nginx', '1', '2', true],
      ['redis', '6', '', false],
      ['extra', '', '', true],
    ]);
  });

  it('are told only where they change', () => {
    expect(tellImages(rows)).toEqual(['nginx:2', 'extra=other']);
    expect(tellImages(rows.map((row) => ({ ...row, version: '', newName: '' })))).toEqual([]);
  });
});
