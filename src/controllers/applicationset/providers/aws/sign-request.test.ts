import { describe, expect, it } from 'vitest';
import { signAwsRequest } from './sign-request.ts';

/** From the published examples of the algorithm. */
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', sessionToken: '' };
const scope = { credentials, region: 'us-east-1', service: 'service', nowMs: Date.UTC(2015, 7, 30, 12, 36, 0) };
const url = new URL('https://example.amazonaws.com/');

describe('A signature of AWS', () => {
  it('is that of the published example without a body', () => {
    const { authorization } = signAwsRequest({ url, method: 'GET', headers: {}, body: '' }, scope);
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    );
  });

  it('is that of the published example with a query', () => {
    const target = new URL('https://example.amazonaws.com/?Param2=value2&Param1=value1');
    const { authorization } = signAwsRequest({ url: target, method: 'GET', headers: {}, body: '' }, scope);
    expect(authorization).toContain('Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500');
  });

  it('is that of the published example with a form', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { authorization } = signAwsRequest({ url, method: 'POST', headers, body: 'Param1=value1' }, scope);
    expect(authorization).toContain('Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a');
  });

  it('includes the token of a role', () => {
    const signed = signAwsRequest(
      { url, method: 'GET', headers: {}, body: '' },
      { ...scope, credentials: { ...credentials, sessionToken: 'session' } },
    );
    expect(signed['x-amz-security-token']).toBe('session');
    expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token');
  });
});
