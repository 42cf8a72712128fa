import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkSchemas } from './check-schemas.ts';

const limits = { treeFilesMax: 10, chartBytesMax: 1_000 };

it('SSRF-01: no chart in another is passed over for its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'));
  const charts = join(folder, 'charts');
  const unreadable = Buffer.concat([Buffer.from(`${charts}/`), Buffer.from([0xff])]);
  try {
    await mkdir(join(charts, '\uFFFD'), { recursive: true });
    await checkSchemas(folder, limits);
    await mkdir(unreadable);
    await expect(checkSchemas(folder, limits)).rejects.toThrow('its name is not UTF-8');
    await rmdir(unreadable);
    await writeFile(join(charts, '\uFFFD/values.schema.json'), '{"$ref": "file:///etc/x"}');
    await expect(checkSchemas(folder, limits)).rejects.toThrow('leads to');
  } finally {
    await rm(folder, { recursive: true });
  }
});
