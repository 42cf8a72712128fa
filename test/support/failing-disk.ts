/** Loaded before the program: once the file that FAILING_DISK names is there, nothing gets to the disk any more, as where one is broken. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const sign = process.env['FAILING_DISK'] ?? '';
const { fdatasyncSync } = fs;

fs.fdatasyncSync = (file) => {
  if (fs.existsSync(sign)) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  fdatasyncSync(file);
};
syncBuiltinESMExports();
