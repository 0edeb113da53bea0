/** Describes media files whose headers are simple enough to read without starting ffmpeg. */
import { readFlac } from '../flac/flac.ts'
import type { TrackNumbers } from '../id3.ts'
import { readWav } from '../wav/wav.ts'
import { type AudioTrack, alone, type MediaInfo, nothing } from './recording.ts'

/** How many seconds the end may differ from what the header says. */
const TOLERANCE_SECONDS = 0.01

/** Describes a WAV file with one or two channels of samples; null for any other file. */
export async function describeWav(path: string): Promise<MediaInfo | null> {
  const wav = await readWav(path)
  if (!wav) return null
  const { sampleRate, channels, bits, float, promised, present, tags, marks } = wav
  const codec = bits === 8 ? 'pcm_u8' : `pcm_${float ? 'f' : 's'}${bits}le`
  const media = describe('wav', { codec, sampleRate, channels, bits, float }, { promised, present }, tags)
  const inside = marks.filter(({ sample }) => sample < present)
  const chapters = inside.map(({ sample, title }, index) => ({
    ...{ title, start: sample / sampleRate },
    end: (inside[index + 1]?.sample ?? present) / sampleRate,
  }))
  return { ...media, chapters }
}

/** Describes a FLAC file with one or two channels; null for any other file. */
export async function describeFlac(path: string, format: string | undefined): Promise<MediaInfo | null> {
  const flac = format === 'flac' ? await readFlac(path) : null
  if (!flac?.plain || flac.channels > 2) return null
  const { sampleRate, channels, bits, promised, present, tags } = flac
  const length = { promised, present: present ?? promised }
  return describe('flac', { codec: 'flac', sampleRate, channels, bits, float: false }, length, tags)
}

/** @param length numbers of samples according to the header, and present */
function describe(
  container: string,
  track: Pick<AudioTrack, 'codec' | 'sampleRate' | 'channels' | 'bits' | 'float'>,
  { promised, present }: { promised: number | null; present: number | null },
  tags: TrackNumbers,
): MediaInfo {
  const missing = promised === null || present === null ? 0 : (promised - present) / track.sampleRate
  return {
    ...{ ...nothing, container, demuxer: container, video: false, seekable: true },
    seconds: present === null ? null : present / track.sampleRate,
    promised: promised !== null && missing > TOLERANCE_SECONDS ? promised / track.sampleRate : null,
    cutOff: missing > TOLERANCE_SECONDS,
    tracks: [alone(track)],
    tags: { ...tags },
  }
}
