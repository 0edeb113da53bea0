/** Downloads from npm's registry, of which some files are kept. */
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import type { Model } from './model.ts'

export const unzipped = promisify(gunzip)

/** Most that a package may take unpacked; the largest takes 254 MB. */
const UNPACKED_BYTES = 2 ** 28
const BLOCK_BYTES = 512
/** The unit in which packages are unpacked. */
const PIECE_BYTES = 2 ** 20

/** @param integrity the package's SHA-512 in Base64, as published by the registry */
export const npmPackage = (
  scope: string,
  name: string,
  version: string,
  bytes: number,
  integrity: string,
): Pick<Model, 'address' | 'bytes' | 'mostBytes' | 'checksum'> => ({
  address: `https://registry.npmjs.org/${scope}/${name}/-/${name}-${version}.tgz`,
  bytes,
  mostBytes: bytes,
  checksum: { algorithm: 'sha512', hex: Buffer.from(integrity, 'base64').toString('hex') },
})

/**
 * Goes through a downloaded package, whose TAR has headers of POSIX.1-1988, with names no longer than they hold.
 * @param take gets the contents of the files, piece by piece, each with the file's path from the package's root
 */
async function eachPiece(downloaded: string, take: (file: string, piece: Buffer) => unknown): Promise<void> {
  let [rest, file, left, padding, total] = [Buffer.alloc(0), '', 0, 0, 0]
  const taken = (bytes: number) => {
    const start = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return start
  }
  const field = (block: Buffer, from: number, to: number) =>
    block.toString('latin1', from, to).replace(/\0.*$/s, '')
  const unpacking = createGunzip({ chunkSize: PIECE_BYTES })
  await pipeline(createReadStream(downloaded), unpacking, async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      total += piece.length
      if (total > UNPACKED_BYTES) throw new Error('the package is too large')
      rest = Buffer.concat([rest, piece])
      while (rest.length > 0) {
        if (left > 0) {
          const content = taken(left)
          left -= content.length
          await take(file, content)
        } else if (padding > 0) padding -= taken(padding).length
        else if (rest.length >= BLOCK_BYTES) {
          const header = taken(BLOCK_BYTES)
          file = field(header, 0, 100).replace(/^package\//, '')
          left = Number.parseInt(field(header, 124, 136), 8) || 0
          padding = -left & (BLOCK_BYTES - 1)
        } else break
      }
    }
  })
}

/**
 * Keeps one file of a downloaded package.
 * @param file its path from the package's root
 * @param path where it goes
 * @param unpacked gives its content where it is packed once more
 * @throws Error if the package has no such file
 */
export async function keepFile(
  downloaded: string,
  file: string,
  path: string,
  unpacked: (content: Buffer) => Buffer | Promise<Buffer> = content => content,
): Promise<void> {
  const content: Buffer[] = []
  await eachPiece(downloaded, (name, piece) => name === file && content.push(piece))
  if (content.length === 0) throw new Error(`${file} is not in the package`)
  await writeFile(path, await unpacked(Buffer.concat(content)))
}

/** Keeps files of a downloaded package, given by their paths from its root, in a new folder. */
export async function keepFiles(downloaded: string, files: readonly string[], folder: string): Promise<void> {
  await mkdir(folder)
  await eachPiece(downloaded, (file, piece) => {
    return files.includes(file) && appendFile(join(folder, basename(file)), piece)
  })
}
