/** Downloads from npm's registry, of which one file is kept. */
import { createReadStream, createWriteStream } from 'node:fs'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Model } from './model.ts'
import { fileOfTar } from './tar.ts'

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
 * Keeps one file of a downloaded package.
 * @param file its path from the package's root
 * @param path where it goes
 * @param through what it is unpacked by
 */
export const keepFile = (
  downloaded: string,
  file: string,
  path: string,
  through: NodeJS.ReadWriteStream = new PassThrough(),
): Promise<void> =>
  pipeline(
    createReadStream(downloaded),
    createGunzip(),
    archive => fileOfTar(archive, `package/${file}`),
    through,
    createWriteStream(path),
  )
