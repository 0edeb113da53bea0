/** Downloads from npm's registry, of which one file is kept. */
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Model } from './model.ts'

export const unzipped = promisify(gunzip)

/** Most that a package may take unpacked; the largest takes 29 MB. */
const UNPACKED_BYTES = 2 ** 28
const BLOCK_BYTES = 512

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
 * Keeps one file of a downloaded package, whose TAR has headers of POSIX.1-1988, with names no longer than they hold.
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
  const archive = await unzipped(await readFile(downloaded), { maxOutputLength: UNPACKED_BYTES })
  const field = (from: number, to: number) => archive.toString('latin1', from, to).replace(/\0.*$/s, '')
  for (let at = 0; at + BLOCK_BYTES <= archive.length; ) {
    const [name, size] = [field(at, at + 100), Number.parseInt(field(at + 124, at + 136), 8) || 0]
    at += BLOCK_BYTES
    if (name === `package/${file}`) return writeFile(path, await unpacked(archive.subarray(at, at + size)))
    at += Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  throw new Error(`${file} is not in the package`)
}
