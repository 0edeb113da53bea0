/**
 * A version 8 UUID (RFC 9562) as a URN, always the same for the same content.
 * @param hash of the content, 32 hexadecimal digits or more
 */
export const uuidOf = (hash: string): string =>
  `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
