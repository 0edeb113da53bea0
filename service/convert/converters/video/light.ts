/** What HDR10 tells screens of the light of a video (SMPTE ST 2086, CTA-861.3), which encoders are told again. */
import { run } from '../../engines/media/ffmpeg/run.ts'
import type { ChosenEncoder } from './codecs.ts'
import type { VideoTask } from './pass.ts'

interface Light {
  /** Chromaticities of red, green, blue and white. */
  r: string[]
  g: string[]
  b: string[]
  wp: string[]
  /** Brightest and darkest that the screen shows on which it was made, in cd/m². */
  luminance: [most: string, least: string]
}

const display = ({ r, g, b, wp, luminance }: Light, of: (values: string[], unit: number) => string) =>
  `G(${of(g, 50_000)})B(${of(b, 50_000)})R(${of(r, 50_000)})WP(${of(wp, 50_000)})L(${of(luminance, 10_000)})`

/** Parameters by ffmpeg's names of encoders: x265 counts in units of the standard, SVT-AV1 does not. */
const forms: Record<
  string,
  { option: string; light: (light: Light) => string; content: string } | undefined
> = {
  libx265: {
    option: '-x265-params',
    light: light =>
      `master-display=${display(light, (values, unit) => values.map(each => Math.round(Number(each) * unit)).join())}`,
    content: 'max-cll',
  },
  libsvtav1: {
    option: '-svtav1-params',
    light: light => `mastering-display=${display(light, values => values.join())}`,
    content: 'content-light',
  },
}

/**
 * Arguments of an encoder that keep what the first picture tells; none if it tells nothing, or the encoder cannot be told.
 * @param given arguments of the encoder, whose parameters stay
 * @throws JobFailure as `run` does
 */
export async function lightArguments(
  { media, open, span }: VideoTask,
  { name }: ChosenEncoder['encoder'],
  given: readonly string[],
): Promise<string[]> {
  const form = forms[name]
  if (!form || !media.picture?.hdr) return []
  const shown = ['-map', `0:v:${media.picture.position}`, '-vf', 'showinfo', '-frames:v', '1']
  const { log } = await run({ ...open(span), output: null, outputOptions: shown, verbosity: 'info' })
  const pair = (name: string) => new RegExp(` ${name}\\(([\\d.]+)[, ]+([\\d.]+)\\)`).exec(log)?.slice(1)
  const [r, g, b, wp] = ['r', 'g', 'b', 'wp'].map(pair)
  const [, least, most] =
    / has_primaries:1 has_luminance:1 .*min_luminance=([\d.]+), max_luminance=([\d.]+)/.exec(log) ?? []
  const [, all, average] = / MaxCLL=(\d+), MaxFALL=(\d+)/.exec(log) ?? []
  const found = [
    ...(r && g && b && wp && least && most ? [form.light({ r, g, b, wp, luminance: [most, least] })] : []),
    ...(all && average ? [`${form.content}=${all},${average}`] : []),
  ]
  const own = given[given.lastIndexOf(form.option) + 1]
  return found.length > 0
    ? [form.option, [...(given.includes(form.option) ? [own] : []), ...found].join(':')]
    : []
}
