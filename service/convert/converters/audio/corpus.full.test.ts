import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import { corpus, ffprobe, judge, samples, tool } from '../../../../testing/fixtures/media.ts'
import { JobFailure } from '../../../shared/errors.ts'
import { converters } from '../index.ts'

/**
 * Recordings from many programs: the length of their audio in seconds or the failure they end in, and one of their
 * tags. Lengths are those that can be decoded, which in truncated files are less than the header says.
 */
const expected: Record<string, [outcome: number | string, tags?: Record<string, string>]> = {
  'aac/adif.aac': ['jobs.unsupported_input'],
  'aac/empty1s.aac': [1.11],
  'flac/01._Make_It_Out_Alive.flac': [
    3.21,
    { title: 'Make It Out Alive', artist: 'ONE OK ROCK', album: 'Make It Out Alive' },
  ],
  'flac/52-too-short-block-size.flac': [0.42],
  'flac/flac-bug.flac': [
    3.62,
    { title: 'Landform (Origin 2005)', artist: 'SOLAR FIELDS', album: '[ Origin # 02 ]' },
  ],
  'flac/invalid_block_sizes.flac': ['jobs.corrupt_input'],
  'flac/partial.flac': [1, { title: 'partial', artist: 'the artist', album: 'the album' }],
  'flac/test-unknown-duration.flac': [5],
  'flac/variable-block.flac': [
    0.91,
    { title: 'DIVE FOR YOU', artist: 'Boom Boom Satellites', album: 'Appleseed Original Soundtrack' },
  ],
  'm4a/01._Trumpsta_(Djuro_Remix).m4a': [
    2.02,
    { title: 'Trumpsta (Djuro Remix)', artist: 'Contiez', album: 'Trumpsta (Remixes)' },
  ],
  'm4a/alac_file.m4a': ['jobs.corrupt_input'],
  'm4a/apple_tags.m4a': [1.5],
  'm4a/bgo_701689.m4a': [1.5, { title: 'Fast Car', artist: 'Tracy Chapman', album: 'Collection' }],
  'm4a/full.m4a': [1, { title: 'full', artist: 'the artist', album: 'the album' }],
  'm4a/issue-749.m4a': ['jobs.corrupt_input'],
  'm4a/mp4_invalid_size_zero.m4a': ['jobs.corrupt_input'],
  'm4a/read_only_tag.m4a': [1.07, { title: 'full', artist: 'the artist', album: 'the album' }],
  'm4b/ep7.m4b': [2.02],
  'm4b/ep9.m4b': [2.02],
  'm4b/nero-chapters.m4b': ['jobs.corrupt_input'],
  'mp3/APEv2+Lyrics3v2.mp3': [
    0.21,
    {
      title: 'Secret Laboratory (Rootah Version)',
      artist: 'Lee Perry & Dub Syndicate',
      album: 'V.A. - Jahtarian Dubbers Vol. 3 [JTR CD06]',
    },
  ],
  'mp3/Dethklok-mergeTagHeaders.mp3': [34.69, { title: 'Deththeme', artist: 'Dethklok' }],
  'mp3/id3v1_Blood_Sugar.mp3': [
    5.49,
    { title: 'Blood Sugar', artist: 'Pendulum', album: 'Blood Sugar (Single)' },
  ],
  'mp3/id3v23-txxx-album-nopeak.mp3': [8.9],
  'mp3/id3v24-txxx-track.mp3': [8.9],
  'mp3/invalid_file_larger.mp3': ['jobs.corrupt_input'],
  'mp3/mpeg1_id3v1.mp3': [0.1, { title: 'some title' }],
  'mp3/sample_v1_only.mp3': [1.25, { title: 'MP3 title', artist: 'MP3 artist', album: 'MP3 album' }],
  'mp3/space_time.mp3': [1.07, { title: 'full', artist: 'the artist', album: 'the album' }],
  'mp3/utf16be.mp3': ['jobs.corrupt_input'],
  'ogg/audio.vorbis.ogg': [2.91],
  'ogg/coverart.ogg': [1],
  'ogg/discc.ogg': [1, { title: 'full', artist: 'the artist', album: 'the album' }],
  'ogg/full.ogg': [1, { title: 'full', artist: 'the artist', album: 'the album' }],
  'ogg/issue-2518.ogg': [17.58],
  'ogg/viper.ogg': [
    40.98,
    { title: 'Horned Viper', artist: 'Conquest Of Steel', album: 'Of Fire And Steel' },
  ],
  'opus/correctness_gain_silent_output.opus': [7.74],
  'opus/example.opus': [11.35],
  'opus/full.opus': [1, { title: 'full', artist: 'the artist', album: 'the album' }],
  'opus/lena.opus': [12.27],
  'opus/silence.opus': [0.1],
  'wav/24bit_pcm_extended.wav': [0.13],
  'wav/8bit_pcm.wav': [0.1],
  'wav/8bit_pcm_lavf.wav': [0.13],
  'wav/issue_75.wav': [0.5],
  'wav/jfk.wav': [11],
  'wav/no_audio_data_compressed.wav': ['jobs.corrupt_input'],
  'wav/odd-list-type.wav': [0],
  'wav/silence-2s-PCM-16000-08-ID3v23.wav': [
    2,
    { title: 'Silence', artist: 'piman / jzig', album: 'Quod Libet Test Data' },
  ],
  'wav/test.wav': [1],
  'wma/asf.wma': [
    1.07,
    { title: "Don't Bring Me Down", artist: 'Electric Light Orchestra', album: 'Discovery' },
  ],
  'wma/image.wma': ['jobs.corrupt_input'],
  'wma/invalid_object_size.wma': ['jobs.corrupt_input'],
  'wma/issue_29.wma': [
    0.84,
    { title: 'Señor Flamingos Adieu', artist: 'Kaizers Orchestra', album: 'Live at Vega' },
  ],
  'wma/lossless.wma': [0.65],
  'wma/pure.wma': ['jobs.corrupt_input'],
  'wma/wma_invalid_track_number.wma': [0.09],
  'wma/zero_value_properties.wma': ['jobs.unsupported_input'],
  'avi/2004-12-17-uebung9-partial.avi': [
    11.02,
    { title: 'Microsoft Waveform: Camtasia Recorder_convert46a8d2.wav' },
  ],
  'avi/oneminute.avi': [56.6, { title: 'Microsoft Waveform: Camtasia Producer_convertaed8f6.wav' }],
  'avi/packed_bframes.avi': ['jobs.no_audio_track'],
  'avi/skating.avi': ['jobs.no_audio_track'],
  'mkv/1242-small.mkv': [0.51],
  'mkv/Turning_Lime.mkv': [0.96, { title: 'Turning Lime' }],
  'mkv/ac3.mkv': [2.02, { title: 'The Happy Meeting', artist: 'Samples Files', album: 'Samples files' }],
  'mkv/annex-b-avc.mkv': ['jobs.no_audio_track'],
  'mkv/dts_5frames.mkv': ['jobs.no_audio_track'],
  'mov/awesome_widescreen.mov': [7.29],
  'mov/ios9.mov': [0.47],
  'mov/sample_640x360.mov': ['jobs.no_audio_track'],
  'mov/sideways_movie.mov': [1.02],
  'mp4/32bit_pcm_to_als.mp4': [0.1],
  'mp4/ac3.mp4': [2.02, { title: 'The Happy Meeting', artist: 'Samples Files', album: 'Samples files' }],
  'mp4/annex-b.mp4': ['jobs.no_audio_track'],
  'mp4/edts.mp4': [9, { title: 'Untitled', artist: 'Work' }],
  'mp4/multiple-aac-tracks.mp4': [5.01],
  'mp4/rotate-buck-bunny.mp4': [2.01],
  'mp4/video_with_failing_audio.mp4': [11.23],
  'webm/pig.webm': [6.51],
  'webm/rabbit320.webm': [7.78],
  'webm/video.webm': [7.78],
}

const formats = [
  'aac',
  'flac',
  'm4a',
  'm4b',
  'mp3',
  'ogg',
  'opus',
  'wav',
  'wma',
  'avi',
  'mkv',
  'mov',
  'mp4',
  'webm',
]
const files = formats.flatMap(format =>
  corpus(format).map(path => ({ format, path, name: `${format}/${basename(path)}` })),
)

describe.skipIf(files.length === 0)('recordings of the world', () => {
  it.each(files)('$name', async ({ format, path, name }) => {
    const [outcome, tags = {}] = expected[name] ?? ['unlisted']
    const pairs = converters.filter(({ source, load }) => source === format && load)
    // The first target, preferably a lossless one, so that lengths can be compared.
    const job =
      (pairs.find(({ target }) => target === 'wav') ?? pairs.find(({ target }) => target === 'mp3'))?.job ??
      ''
    if (typeof outcome === 'string') {
      await expect(convertFile(job, path)).rejects.toBeInstanceOf(JobFailure)
      await expect(convertFile(job, path)).rejects.toMatchObject({ code: outcome })
      return
    }
    const converted = await convertFile(job, path)
    const { audio, tags: seen } = ffprobe(converted.path)
    const rate = Number(audio.sample_rate)
    expect(Math.abs(samples(converted.path).length / rate - outcome)).toBeLessThan(0.06)
    expect(seen).toMatchObject(tags)
    expect((await measureFile(job, path)).minutes).toBeGreaterThan(outcome > 0 ? 0 : -1)
    if (job.endsWith('wav')) expect(judge('soxi', converted.path).status).toBe(0)
    else expect(tool('mediainfo', '--Inform=Audio;%Format%', converted.path).trim()).toBe('MPEG Audio')
  })
})
