/** Takes FLAC files apart and reassembles them differently. */

type Block = [kind: number, content: Buffer]

/** Its metadata blocks, STREAMINFO first, and its frames. */
export function flacBlocks(bytes: Buffer): { blocks: Block[]; frames: Buffer } {
  const blocks: Block[] = []
  for (let at = 4; ; ) {
    const [kind, length] = [bytes[at] as number, bytes.readUIntBE(at + 1, 3)]
    blocks.push([kind & 127, Buffer.from(bytes.subarray(at + 4, at + 4 + length))])
    at += 4 + length
    if (kind & 128) return { blocks, frames: bytes.subarray(at) }
  }
}

/** The same file with other blocks, or another STREAMINFO. */
export function flacWith(
  bytes: Buffer,
  change: (blocks: Block[]) => Block[],
  changeInfo: (info: Buffer) => void = () => {},
): Buffer {
  const { blocks, frames } = flacBlocks(bytes)
  changeInfo(blocks[0]![1])
  const changed = change(blocks)
  const written = changed.flatMap(([kind, content], index) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(content.length)
    head[0] = kind | (index === changed.length - 1 ? 128 : 0)
    return [head, content]
  })
  return Buffer.concat([Buffer.from('fLaC'), ...written, frames])
}
