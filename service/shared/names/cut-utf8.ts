/** As many whole characters from the start of a text as fit into this many bytes of UTF-8. */
export function cutUtf8(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)
}
