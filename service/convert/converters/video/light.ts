/** What HDR10 tells screens of the light of a video (SMPTE ST 2086, CTA-861.3), which encoders are told again. */
import { run } from '../../engines/media/ffmpeg/run.ts'
import type { ChosenEncoder } from './codecs.ts'
import type { VideoTask } from './pass.ts'

/** Names of parameters by ffmpeg's names of encoders, and in which parts of a unit they count colours and brightness. */
const forms: Record<
  string,
  { option: string; names: [string, string]; parts: [number, number] } | undefined
> = {
  libx265: { option: '-x265-params', names: ['master-display', 'max-cll'], parts: [50_000, 10_000] },
  libsvtav1: { option: '-svtav1-params', names: ['mastering-display', 'content-light'], parts: [1, 1] },
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
  const [display, content] = form.names
  const [colour, brightness] = form.parts
  const counted = (values: string[], parts: number) =>
    values.map(value => (parts === 1 ? value : Math.round(Number(value) * parts))).join()
  const colours = ['g', 'b', 'r', 'wp'].map(
    name => new RegExp(` ${name}\\(([\\d.]+)[, ]+([\\d.]+)\\)`).exec(log)?.slice(1) ?? [],
  )
  const [, least, most] =
    / has_primaries:1 has_luminance:1 .*min_luminance=([\d.]+), max_luminance=([\d.]+)/.exec(log) ?? []
  const [, all, average] = / MaxCLL=(\d+), MaxFALL=(\d+)/.exec(log) ?? []
  const [g, b, r, wp] = colours.map(values => counted(values, colour))
  const found = [
    ...(least && most
      ? [`${display}=G(${g})B(${b})R(${r})WP(${wp})L(${counted([most, least], brightness)})`]
      : []),
    ...(all && average ? [`${content}=${all},${average}`] : []),
  ]
  if (found.length === 0) return []
  const at = given.lastIndexOf(form.option)
  return [form.option, [...(at < 0 ? [] : [given[at + 1]]), ...found].join(':')]
}
