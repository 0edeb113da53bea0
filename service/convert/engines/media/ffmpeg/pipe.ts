/** Size of a piece in bytes: a pipe takes 64 kB at a time, and one huge write would only be in memory twice. */
const PIECE_BYTES = 1 << 18

/** Views of consecutive pieces of `bytes`, to be written to a pipe one after the other. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES)
    yield bytes.subarray(offset, offset + PIECE_BYTES)
}
