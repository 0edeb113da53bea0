/** What other programs cost, and how similar a picture of theirs or of ours is to its original. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Cost } from './harness.ts'

// Files are cached by name, and the comparisons reuse names.
sharp.cache(false)

// sharp sets VIPSHOME for its own libvips; the installed vips would look for its modules there.
const { VIPSHOME: _, ...plain } = process.env

/** Runs a command line in bash in a folder and returns its cost; undefined if a program is missing or fails. */
export function run(folder: string, command: string): Cost | undefined {
  const script = `set -o pipefail; TIMEFORMAT='%R %U %S'; time { ${command}; } >/dev/null 2>&1`
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, env: plain, encoding: 'utf8' })
  const [wall, user, system] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (status !== 0 || wall === undefined || user === undefined || system === undefined) return undefined
  return { wall, cpu: user + system }
}

/**
 * Structural similarity of two pictures, or of the first frames of two animations, from 0 to 1, as measured by ffmpeg.
 * @param folder for two temporary files
 */
export async function similarity(folder: string, original: string, path: string): Promise<number> {
  const copy = async (from: string, name: string) => {
    const to = join(folder, name)
    await sharp(from).autoOrient().removeAlpha().png({ compressionLevel: 1 }).toFile(to)
    return ['-i', to]
  }
  const inputs = [...(await copy(original, 'a.png')), ...(await copy(path, 'b.png'))]
  const { stderr } = spawnSync('ffmpeg', ['-nostdin', ...inputs, '-lavfi', 'ssim', '-f', 'null', '-'], {
    encoding: 'utf8',
  })
  return Number(/All:([\d.]+)/.exec(stderr)?.[1])
}
