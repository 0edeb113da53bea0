import { defineConverters, fixed, perMegabyte, perMinute } from '../../catalogue/converter.ts'
import { audioOptions, audioTargets, videoOptions as soundOptions } from '../audio/options.ts'
import { encoding } from '../documents/options.ts'
import { boxNames } from './boxes.ts'
import {
  animationOptions,
  joinedOptions,
  lossyAnimationOptions,
  stillOptions,
  videoOptions,
} from './options.ts'
import { readingOptions, trackOptions } from './subtitles/options.ts'

const costing = perMinute(5)
const audioFormats = ['mp3', 'wav'] as const
const load = () => import('../audio/work.ts')
const part = () => import('../audio/part.ts')
const measure = () => import('../audio/measure.ts')
const video = () => import('./work.ts')
const same = () => import('./same/work.ts')
const animation = () => import('./animation.ts')
const stills = () => import('./stills.ts')
const joined = () => import('./joined/work.ts')
/** Adds up the minutes of several. */
const minutes = () => import('../audio/joined/measure.ts')
/** The sound of several videos. */
const joinedSound = () => import('../audio/joined/work.ts')
const excerpt = () => import('./part.ts')
const subtitles = () => import('./subtitles/work.ts')

// biome-ignore format: a table
const contract = defineConverters('video', [
  { source: 'avi', targets: audioFormats, likely: 'mp3', costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'mkv', targets: audioFormats, likely: 'mp3', costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'mov', targets: audioFormats, likely: 'mp3', costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'mp4', targets: audioFormats, costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'webm', targets: audioFormats, likely: 'mp3', costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
])

const others = ['flv', 'mpg', 'ogv', 'ts', 'wmv'] as const
const sources = ['avi', 'mkv', 'mov', 'mp4', 'webm', ...others] as const
/** The keys `srt` and `vtt` of a video are those of transcripts. */
const subtitleKeys = { srt: 'subtitles-srt', vtt: 'subtitles-vtt' } as const
/** Those in which videos carry subtitles. */
const subtitled = ['avi', 'mkv', 'mov', 'mp4', 'ogv', 'ts', 'webm'] as const

/** Of text that is held at once; the subtitles of a video have 0.1 MB. */
const textLimits = { bytes: 50_000_000 }

/** The slowest encoders take dozens of seconds for one of a video in 4K. */
const seconds = (minutes: number) => Math.max(1800, minutes * 60 * 60)
const beyond = { extension: true, engine: 'video', seconds } as const

// biome-ignore format: a table
export default [
  ...contract,
  ...sources.flatMap(source => defineConverters('video', [
    { source, targets: audioTargets.filter(target => !contract.some(row => row.source === source && row.target === target)), extension: true, costing, options: soundOptions, engine: 'ffmpeg', load, part, measure },
  ])),
  ...sources.flatMap(source => defineConverters('video', [
    { ...beyond, source, targets: boxNames.filter(target => target !== source), likely: 'mp4', costing, options: videoOptions, load: video, part: excerpt, measure },
    // Smaller files of the same format.
    { ...beyond, source, targets: boxNames.filter(target => target === source), likely: 'mp4', costing, options: videoOptions, load: same, part: excerpt, measure },
    { ...beyond, source, targets: ['jpg', 'png'], costing, options: stillOptions, load: stills, part: stills, measure },
    { ...beyond, source, targets: ['apng', 'gif'], costing, options: animationOptions, load: animation, part: excerpt, measure },
    { ...beyond, source, targets: ['avif', 'webp'], costing, options: lossyAnimationOptions, load: animation, part: excerpt, measure },
  ])),
  ...defineConverters('video', [
    { ...beyond, source: 'gif', targets: ['mp4', 'webm'], costing: perMegabyte(5), options: videoOptions, load: video },
  ]),
  // One video of several, or their sound.
  ...defineConverters('video', [
    { ...beyond, source: 'videos', targets: boxNames, likely: 'mp4', costing, options: joinedOptions, load: joined, measure: minutes },
    { source: 'videos', targets: audioTargets.filter(target => target !== 'm4r'), extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: joinedSound, measure: minutes, seconds: 1800 },
  ]),
  ...subtitled.flatMap(source => defineConverters('video', [
    { source, targets: ['ass', 'srt', 'vtt'], targetKeys: subtitleKeys, extension: true, costing, options: trackOptions, engine: 'ffmpeg', load: subtitles, measure, seconds },
  ])),
  ...defineConverters('video', [
    { source: 'ass', targets: ['srt', 'txt', 'vtt'], likely: 'srt', extension: true, costing: fixed(1), options: { encoding }, engine: 'ffmpeg', limits: textLimits, load: subtitles },
    { source: 'microdvd', targets: ['ass', 'srt', 'txt', 'vtt'], likely: 'srt', extension: true, costing: fixed(1), options: { encoding }, engine: 'ffmpeg', limits: textLimits, load: subtitles },
    { source: 'srt', targets: ['ass', 'txt', 'vtt'], likely: 'vtt', extension: true, costing: fixed(1), options: { encoding }, engine: 'ffmpeg', limits: textLimits, load: subtitles },
    { source: 'sup', targets: ['ass', 'srt', 'txt', 'vtt'], likely: 'srt', extension: true, costing: perMegabyte(5), options: readingOptions, engine: 'video', seconds: 3600, load: subtitles },
    { source: 'vobsub', targets: ['ass', 'srt', 'txt', 'vtt'], likely: 'srt', extension: true, costing: perMegabyte(5), options: trackOptions, engine: 'video', seconds: 3600, load: subtitles },
    { source: 'vtt', targets: ['ass', 'srt', 'txt'], likely: 'srt', extension: true, costing: fixed(1), options: { encoding }, engine: 'ffmpeg', limits: textLimits, load: subtitles },
  ]),
]
