/** Rewrites PDF files with qpdf, which keeps everything that a document contains. */
import { randomBytes } from 'node:crypto'
import { compiled, inThread } from '../../common/thread.ts'

const WASM = '@neslinesli93/qpdf-wasm/dist/qpdf.wasm'

/** Runs qpdf in a thread, which compiles its code itself, unless V8 still has the code of the same bytes. */
async function run(file: Uint8Array, args: string[]): Promise<Uint8Array> {
  await compiled(WASM)
  return inThread('qpdf', { file, args })
}

/** What may be done with a file by those who do not have the password of its owner. */
export interface Allowed {
  printing: boolean
  copying: boolean
  changing: boolean
}

/** Whether something is not allowed. */
export const isRestricted = (allow: Allowed | undefined) =>
  allow !== undefined && Object.values(allow).includes(false)

interface Packing {
  password?: string | undefined
  newPassword?: string | undefined
  allow?: Allowed | undefined
  onDamage?: () => void
}

const withPassword = (password: string | undefined) => (password ? [`--password=${password}`] : [])

/**
 * The document without encryption, and with each object by itself.
 * @param options `unpacked`: with the data of all streams unpacked, except coded pictures
 * @throws Error if qpdf cannot read it
 */
export const opened = (
  file: Uint8Array,
  password: string | undefined,
  { unpacked }: { unpacked: boolean },
): Promise<Uint8Array> =>
  run(file, [
    ...withPassword(password),
    '--decrypt',
    '--object-streams=disable',
    unpacked ? '--stream-data=uncompress' : '--stream-data=preserve',
  ])

/** The document with its annotations, apart from links, as part of its pages. @throws Error if qpdf cannot read it */
export const withoutAnnotations = (file: Uint8Array): Promise<Uint8Array> =>
  run(file, ['--flatten-annotations=screen', '--object-streams=disable', '--stream-data=preserve'])

/**
 * The document in as few bytes as possible without loss: streams compressed, other objects packed into streams, and what nothing refers
 * to left out.
 * @param password opens the file, whose protection is left out
 * @param newPassword protects the result, with AES of 256 bits
 * @param allow what may be done with the result, whose owner's password nobody knows
 * @param onDamage hears that a stream is damaged; then all keep their data as they are
 * @throws Error if qpdf cannot read it
 */
export const packed = async (
  file: Uint8Array,
  { password, newPassword = '', allow, onDamage = () => {} }: Packing = {},
): Promise<Uint8Array> => {
  // Who has the password may also do everything with the file.
  const owner = randomBytes(16).toString('hex')
  const restrictions = [
    ...(allow?.printing === false ? ['--print=none'] : []),
    ...(allow?.copying === false ? ['--extract=n'] : []),
    ...(allow?.changing === false ? ['--modify=none'] : []),
  ]
  const passwords = [`--user-password=${newPassword}`, `--owner-password=${owner}`, '--bits=256']
  const protection =
    newPassword || isRestricted(allow) ? ['--encrypt', ...passwords, ...restrictions, '--'] : ['--decrypt']
  // PDF/A wants the end of a line before that of a stream.
  const packing = ['--object-streams=generate', '--compression-level=9', '--newline-before-endstream']
  const args = [...withPassword(password), ...packing, ...protection]
  try {
    return await run(file, args)
  } catch {
    const kept = await run(file, ['--stream-data=preserve', ...args])
    onDamage()
    return kept
  }
}
