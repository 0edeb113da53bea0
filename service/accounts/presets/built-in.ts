/** The built-in presets: for each source format, its target and options. */
import type { FormatKey } from '../../convert/catalogue/formats.ts'
import type { Choice } from '../../store/interfaces/presets.ts'

export interface BuiltInPreset {
  id: 'smaller' | 'web' | 'email' | 'print' | 'archive' | 'transcript' | 'gif' | 'split'
  choices: Record<string, Choice>
}

type Options = Choice['options']
type Sources = readonly FormatKey[]

/** The same choice for several formats. */
const all = (sources: Sources, target: string, options: Options = {}): Record<string, Choice> =>
  Object.fromEntries(sources.map(source => [source, { target, options }]))

/** Converts each format to itself. */
const each = (sources: Sources, options: Options): Record<string, Choice> =>
  Object.assign({}, ...sources.map(source => all([source], source, options)))

const cameras: Sources = ['cr2', 'cr3', 'nef', 'raw']
const office: Sources = ['doc', 'docx', 'pptx', 'xlsx']
/** Uncompressed and lossless audio, which takes much space. */
const wholeSound: Sources = ['aiff', 'caf', 'flac', 'paf', 'wav']
const videos: Sources = ['avi', 'flv', 'mkv', 'mov', 'mp4', 'mpg', 'ogv', 'ts', 'webm', 'wmv']
const audible: Sources = [
  ...(['aac', 'ac3', 'aiff', 'amr', 'caf', 'dsf', 'flac', 'm4a', 'm4b', 'm4r', 'mka'] as const),
  ...(['mp3', 'ogg', 'opus', 'tta', 'wav', 'weba', 'wma', 'wv'] as const),
  ...videos,
]

const lean = { smartCompression: { enabled: true } }
const within = (preset: string) => ({ resize: { enabled: true, preset } })
const kept = { metadata: { strip: false } }
const sharp = { ...kept, quality: 95 }
const small = { video: { quality: 60 } }
const spoken = { audio: { encoding: 'variable', quality: 4 } }

export const builtInPresets: readonly BuiltInPreset[] = [
  {
    id: 'smaller',
    choices: {
      ...each(['avif', 'gif', 'jpg', 'png', 'webp'], lean),
      ...all(['mp3'], 'mp3', spoken),
      ...all(['m4a'], 'm4a', { audio: { bitrate: 128 } }),
      ...each(videos, small),
      ...all(['pdf'], 'pdf', { compression: 'balanced' }),
    },
  },
  {
    id: 'web',
    choices: {
      ...all(['avif', 'heic', 'jpg', 'pict', 'png', 'raw', 'webp'], 'webp', { ...lean, ...within('2k') }),
      ...all(['cr2', 'cr3', 'nef'], 'webp', { ...lean, ...within('2k') }),
      ...all(['bmp', 'psd', 'tiff'], 'jpg', { ...lean, ...within('2k') }),
      ...all(['gif', 'lottie', 'tgs'], 'webp', lean),
      ...all([...office, 'rtf'], 'pdf'),
      ...all([...wholeSound, 'm4b', 'wma'], 'mp3', spoken),
      ...all(['otf', 'ttf', 'woff'], 'woff2'),
      ...all(['ass', 'srt'], 'vtt'),
    },
  },
  {
    id: 'email',
    choices: {
      ...all([...cameras, 'avif', 'bmp', 'heic', 'jpg', 'pict', 'png', 'psd', 'svg', 'tiff', 'webp'], 'jpg', {
        ...lean,
        ...within('1080p'),
      }),
      ...all(['gif', 'lottie', 'tgs'], 'gif', lean),
      ...all([...office, 'md', 'rtf'], 'pdf'),
      ...all([...wholeSound, 'aac', 'm4a', 'm4b', 'mp3', 'ogg', 'opus', 'wma'], 'mp3', {
        audio: { encoding: 'variable', quality: 5 },
      }),
    },
  },
  {
    id: 'print',
    choices: {
      ...all(['jpg', 'pict', 'png', 'tiff'], 'pdf', kept),
      ...all([...cameras, 'avif', 'heic', 'webp'], 'jpg', sharp),
      ...all(['bmp', 'psd'], 'png', kept),
      ...all(['svg'], 'png', { density: 300 }),
      ...all([...office, 'md', 'rtf'], 'pdf'),
    },
  },
  {
    id: 'archive',
    choices: {
      ...all([...office, 'pdf'], 'pdfa'),
      ...all(['md', 'rtf'], 'pdf'),
      ...all(['avif', 'bmp', 'heic', 'psd', 'webp'], 'png', kept),
      ...all(['pict'], 'tiff', kept),
      ...all(['wav'], 'flac'),
      ...all(['paf'], 'wav'),
      ...all(['azw3', 'mobi'], 'epub'),
      ...all(['woff', 'woff2'], 'ttf'),
      ...all(['7z', 'cab', 'deb', 'rar', 'tar-bz2', 'tar-gz'], 'zip'),
    },
  },
  { id: 'transcript', choices: all(audible, 'txt') },
  { id: 'gif', choices: all(videos, 'gif') },
  // Pictures stay as they are: nobody who takes pages apart asked for less.
  { id: 'split', choices: all(['pdf'], 'pdf', { compression: 'none', split: 'pages' }) },
]
