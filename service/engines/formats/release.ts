/**
 * Gives the memory of a buffer back at once, where it would else stay until garbage is collected: V8 does that rarely while little but
 * buffers is made. Nobody may use the buffer, or another of the same memory, afterwards. What lies in Node's pool of small buffers stays.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer.byteLength > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The same for a piece that a stream has made, once it is used: its memory goes with the last piece that lies in it. */
export function releasePiece(piece: Uint8Array): void {
  if (piece.byteOffset + piece.byteLength === piece.buffer.byteLength) release(piece)
}
