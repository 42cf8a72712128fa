/** On every answer: no guessing of content types, no foreign frames. There is no CORS header anywhere, on purpose. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'sameorigin',
  'content-security-policy': "frame-ancestors 'self';",
} as const;

/** On answers of the API, which belong to the caller alone. */
export const apiHeaders = { ...securityHeaders, 'cache-control': 'no-store' } as const;
