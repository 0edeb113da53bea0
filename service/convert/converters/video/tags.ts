/** What a video says of itself and its tracks, kept where the target has a place for it. */
import type { MediaInfo, TrackName } from '../../engines/media/ffmpeg/recording.ts'

/** Tags that tell of the format of the source, which Matroska would keep as if somebody had written them. */
const ofBox = ['major_brand', 'minor_version', 'compatible_brands']
const ofTrack = [
  ...['handler_name', 'vendor_id'],
  // What mkvmerge has counted, under two names.
  ...['BPS', 'DURATION', 'NUMBER_OF_FRAMES', 'NUMBER_OF_BYTES'].flatMap(name => [name, `${name}-eng`]),
  ...['APP', 'DATE_UTC'].flatMap(name => ['', '-eng'].map(end => `_STATISTICS_WRITING_${name}${end}`)),
  ...['_STATISTICS_TAGS', '_STATISTICS_TAGS-eng'],
]

/** Tags of cameras and phones, for which ISO has no place: those of QuickTime have any name. */
const filmed = /^(com\.(apple\.quicktime|android)\.|make$|model$)/

/** Tags that players look for under other names among those of QuickTime. */
const named = ['title', 'artist', 'album', 'genre', 'comment', 'copyright', 'description', 'make', 'model']

/** Whether a format is QuickTime's or made from it (ISO/IEC 14496-12). */
export const isQuickTime = (target: string): boolean => /^(mp4|mov|3gp)$/.test(target)

const set = (track: string, name: string, value = '') => [`-metadata${track}`, `${name}=${value}`]

/** Arguments of tags that are given anew; noon is on the day that was given in nearly every time zone. */
export const givenArguments = (given: Readonly<Record<string, string>>): string[] => [
  ...Object.entries(given).flatMap(([name, value]) => set('', name, value)),
  ...(given.date?.length === 10 ? set('', 'creation_time', `${given.date}T12:00:00Z`) : []),
]

/**
 * Arguments that keep tags which ffmpeg would leave out, and leave out those that are wrong in the target.
 * @param sound the tracks of sound in the order of the target
 * @param words the tracks of subtitles in that order
 */
export function tagArguments(
  tags: MediaInfo['tags'],
  target: string,
  sound: readonly TrackName[],
  words: readonly TrackName[],
): string[] {
  const tracks = [
    ...sound.map((track, index) => ({ ...track, at: `:s:a:${index}` })),
    ...words.map((track, index) => ({ ...track, at: `:s:s:${index}` })),
  ]
  const isFilmed = isQuickTime(target) && Object.keys(tags).some(name => filmed.test(name))
  return [
    ...(isQuickTime(target) ? [] : ofBox.flatMap(name => set('', name))),
    ...(isQuickTime(target) ? [] : ofTrack.flatMap(name => set(':s', name))),
    // ffmpeg only copies that of tracks.
    ...(/^\d{4}-/.test(tags.creation_time ?? '') ? set('', 'creation_time', tags.creation_time) : []),
    ...(isFilmed ? ['-movflags', '+use_metadata_tags'] : []),
    ...(isFilmed ? named : []).flatMap(name =>
      tags[name] ? set('', `com.apple.quicktime.${name}`, tags[name]) : [],
    ),
    ...tracks.flatMap(({ at, title, language }) => [
      ...(title === null ? [] : set(at, isQuickTime(target) ? 'handler_name' : 'title', title)),
      ...(language === null ? [] : set(at, 'language', language)),
    ]),
  ]
}
