import { isMarkedAsUntransferable } from 'node:worker_threads'

/**
 * Frees the memory of a buffer at once, which would otherwise remain until the next garbage collection: V8 rarely runs one while
 * mostly buffers are allocated. The buffer, and others sharing its memory, must not be used afterwards. Node's pool of small
 * buffers, which it marks as untransferable, is kept.
 */
export function release({ buffer }: Uint8Array): void {
  const isFreeable = buffer instanceof ArrayBuffer && buffer.byteLength > 0
  if (isFreeable && !isMarkedAsUntransferable(buffer)) buffer.transfer(0)
}

/** The same for a piece of a stream that has been used: its memory is freed with the last piece in it. */
export function releasePiece(piece: Uint8Array): void {
  if (piece.byteOffset + piece.byteLength === piece.buffer.byteLength) release(piece)
}
