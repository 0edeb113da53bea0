/** What may be downloaded when somebody asks for it: one file, published by others, with a checksum that is known. */
export interface Model {
  id: string
  /** In English. */
  name: string
  licence: string
  /** Where it is kept, below the folder of models; with slashes. */
  file: string
  /** Where it is downloaded from. */
  address: string
  /** About how many bytes are downloaded. */
  bytes: number
  /** Most bytes that are taken. */
  mostBytes: number
  checksum: { algorithm: 'sha1' | 'sha512'; hex: string }
  /** Makes the kept file of what was downloaded and verified; without it, that is the file. */
  unpack?: (downloaded: string, path: string) => Promise<void>
}
