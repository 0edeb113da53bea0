/**
 * Frees the memory of a buffer at once, which would otherwise remain until the next garbage collection: V8 rarely runs one while
 * mostly buffers are allocated. The buffer, and others sharing its memory, must not be used afterwards. Memory in Node's pool of
 * small buffers is kept.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer.byteLength > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The same for a piece of a stream that has been used: its memory is freed with the last piece in it. */
export function releasePiece(piece: Uint8Array): void {
  if (piece.byteOffset + piece.byteLength === piece.buffer.byteLength) release(piece)
}
