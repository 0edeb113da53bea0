import { type ShippedVersion, shippedVersions } from '../shipped.ts'
import { ffmpegBuilds, unverifiedFfmpeg } from './ffmpeg.ts'
import { step } from './step.ts'

/** Shipped packages whose download `npm ci` would not verify. */
export const unverified = (shipped: readonly ShippedVersion[]): string[] =>
  shipped.flatMap(({ name, version, integrity }) => (integrity ? [] : [`${name}@${version}`]))

if (import.meta.main)
  await step(() => {
    const found = unverified(shippedVersions())
    if (found.length > 0)
      throw new Error(
        `${found.length} shipped packages have no hash in package-lock.json: ${found.join(', ')}. Run \`npm run lockfile\` where the whole npm registry is reachable, and commit the result.`,
      )
    const ffmpegs = unverifiedFfmpeg(ffmpegBuilds)
    if (ffmpegs.length > 0)
      throw new Error(
        `ffmpeg-builds.json has no digest for ${ffmpegs.join(', ')}. Run \`node setup/release/ffmpeg.ts digests\` where GitHub is reachable, and commit the result.`,
      )
    return 'Every shipped package and ffmpeg has a hash.'
  })
