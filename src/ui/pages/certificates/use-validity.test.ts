import { expect, it } from 'vitest';
import { pairByServer } from './use-validity.ts';

const certificate = (serverName: string, certType = 'https') => ({ serverName, certType, certSubType: '', certData: '', certInfo: '' });

it('gives each certificate of a server its own times, and host keys none', () => {
  const certificates = [certificate('b', 'ssh'), certificate('a'), certificate('a'), certificate('b'), certificate('c')];
  const validities = [
    { serverName: 'b', notAfter: '2030' },
    { serverName: 'a', notAfter: '2031' },
    { serverName: 'a', notAfter: '2032' },
  ];
  const paired = pairByServer(certificates, validities);
  expect(paired.map((each) => each?.notAfter)).toEqual([undefined, '2031', '2032', '2030', undefined]);
});
