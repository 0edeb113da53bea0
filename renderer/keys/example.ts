/** Placeholder for a key that must not be shown. */
export const MASKED_KEY = 'rf_••••••••'

/** A request that converts a photo with a key, ready for a shell. */
export const exampleOf = (secret: string, origin: string): string =>
  [
    `curl ${origin}/convert \\`,
    `  -H "X-Service-Api-Key: ${secret}" \\`,
    '  -F file=@photo.heic \\',
    '  -F targetFormat=jpg',
  ].join('\n')
