/** Moves the channels of a media file to the speakers of a layout that the target's codec has. */

/** Speakers of ffmpeg's channel layouts, in their order. */
const speakers: Readonly<Record<string, string>> = {
  mono: 'FC',
  stereo: 'FL FR',
  '2.1': 'FL FR LFE',
  '3.0': 'FL FR FC',
  '3.0(back)': 'FL FR BC',
  '3.1': 'FL FR FC LFE',
  quad: 'FL FR BL BR',
  'quad(side)': 'FL FR SL SR',
  '4.0': 'FL FR FC BC',
  '4.1': 'FL FR FC LFE BC',
  '5.0': 'FL FR FC BL BR',
  '5.0(side)': 'FL FR FC SL SR',
  '5.1': 'FL FR FC LFE BL BR',
  '5.1(side)': 'FL FR FC LFE SL SR',
  '6.0': 'FL FR FC BC SL SR',
  '6.0(front)': 'FL FR FLC FRC SL SR',
  hexagonal: 'FL FR FC BL BR BC',
  '6.1': 'FL FR FC LFE BC SL SR',
  '6.1(back)': 'FL FR FC LFE BL BR BC',
  '6.1(front)': 'FL FR LFE FLC FRC SL SR',
  '7.0': 'FL FR FC BL BR SL SR',
  '7.0(front)': 'FL FR FC FLC FRC SL SR',
  '7.1': 'FL FR FC LFE BL BR SL SR',
  '7.1(wide)': 'FL FR FC LFE BL BR FLC FRC',
  '7.1(wide-side)': 'FL FR FC LFE FLC FRC SL SR',
}

/** Where the channel of a speaker that a layout lacks can go instead, the nearest first. */
const substitutes: Readonly<Record<string, readonly string[]>> = {
  SL: ['BL'],
  SR: ['BR'],
  BL: ['SL'],
  BR: ['SR'],
  FLC: ['SL'],
  FRC: ['SR'],
  BC: ['BL BR', 'SL SR'],
}

const speakersOf = (layout: string): string[] => speakers[layout]?.split(' ') ?? []

/** Half the power for each of two speakers that share a channel. */
const SHARED_GAIN = Math.SQRT1_2.toFixed(6)

/** The channel that a speaker plays, by its number, and whether another speaker plays it too. */
interface Place {
  channel: number
  shared: boolean
}

/**
 * A filter that gives every channel of a media file a speaker of its own, at its own level, in the smallest of the layouts
 * where that is possible. ffmpeg itself mixes channels whose speaker is missing into others, or drops them.
 * @returns null if there is no such layout, or the media file's is unknown
 */
export function positioned(from: string, layouts: readonly string[]): string | null {
  const channels = speakersOf(from)
  if (channels.length === 0) return null
  for (const layout of layouts.toSorted((a, b) => speakersOf(a).length - speakersOf(b).length)) {
    const places = placesIn(channels, speakersOf(layout))
    if (places) return filterOf(layout, places)
  }
  return null
}

/**
 * Filters that mix a track to layouts, separated by `|`. Of sound from all around (Ambisonics, https://www.rfc-editor.org/rfc/rfc8486), which
 * ffmpeg does not mix, the first two channels tell what comes from the left and from the right.
 */
export const laying = ({ layout }: { layout: string }, layouts: string): string =>
  `${layout.startsWith('ambisonic') ? 'pan=stereo|c0=.5*c0+.5*c1|c1=.5*c0-.5*c1,' : ''}aformat=channel_layouts=${layouts}`

/** Each speaker that is used; null if not every channel finds a place. */
function placesIn(channels: readonly string[], available: readonly string[]): Map<string, Place> | null {
  const places = new Map<string, Place>()
  const isFree = (speaker: string) =>
    available.includes(speaker) && !channels.includes(speaker) && !places.has(speaker)
  for (const [channel, own] of channels.entries()) {
    const found = available.includes(own)
      ? [own]
      : substitutes[own]?.map(names => names.split(' ')).find(names => names.every(isFree))
    if (!found) return null
    for (const speaker of found) places.set(speaker, { channel, shared: found.length > 1 })
  }
  return places
}

function filterOf(layout: string, places: ReadonlyMap<string, Place>): string {
  const order = speakersOf(layout).map(speaker => places.get(speaker))
  // Between layouts of the same size, `pan` would mix by their names after all.
  if (order.every(place => place !== undefined && !place.shared))
    return `channelmap=${order.map(place => place?.channel).join('|')}:${layout}`
  const sources = [...places].map(
    ([speaker, { channel, shared }]) => `${speaker}=${shared ? `${SHARED_GAIN}*` : ''}c${channel}`,
  )
  return `pan=${layout}|${sources.join('|')}`
}
