/** Subtitles as files, judged by Python's reading of their formats and by ffprobe. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { corpus, make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const put = (name: string, content: string | Buffer) => {
  writeFileSync(at(name), content)
  return at(name)
}

/** Start and end in seconds, and the words. */
type Cue = [number, number, string]

/** Reads what the specifications of WebVTT and ASS and the custom of SubRip prescribe, without tags. */
const PYTHON = `
import sys, re, json, html
path = sys.argv[1]; kind = path.rsplit('.', 1)[1]
text = open(path, encoding='utf-8', newline='').read()
seconds = lambda t: round(sum(float(p) * 60 ** n for n, p in enumerate(reversed(t.replace(',', '.').split(':')))), 3)
cues = []
if kind == 'ass':
    fields = re.search(r'\\[Events\\]\\s+Format: (.*)', text).group(1).strip().split(', ')
    for line in re.findall(r'^Dialogue: (.*)', text, re.M):
        row = dict(zip(fields, line.rstrip('\\r').split(',', len(fields) - 1)))
        words = re.sub(r'\\{[^}]*\\}', '', row['Text']).replace('\\\\N', '\\n').replace('\\\\h', '\\u00a0')
        cues.append([seconds(row['Start']), seconds(row['End']), words])
else:
    if kind == 'vtt': assert text.startswith('WEBVTT')
    else: assert '\\n' not in text.replace('\\r\\n', '')
    for block in re.split(r'\\n\\n+', text.replace('\\r\\n', '\\n').strip()):
        lines = block.split('\\n')
        if kind == 'srt': assert int(lines.pop(0)) == len(cues) + 1
        found = re.fullmatch(r'([\\d:.,]+) --> ([\\d:.,]+)', lines[0])
        if not found: continue
        words = re.sub(r'</?[a-z][^>]*>|\\{\\\\[^}]*\\}', '', '\\n'.join(lines[1:]))
        cues.append([*map(seconds, found.groups()), html.unescape(words) if kind == 'vtt' else words])
print(json.dumps(cues))`
const cuesIn = (path: string): Cue[] => JSON.parse(tool('/usr/bin/python3', '-c', PYTHON, path))

const SRT = `1
00:00:01,000 --> 00:00:02,500
<i>Größe</i> & <font color="#ff0000">red</font>
1 < 2 --> 3

2
00:01:03,000 --> 01:00:04,250
{\\an8}Top – “quoted”
`
const cues: Cue[] = [
  [1, 2.5, 'Größe & red\n1 < 2 --> 3'],
  [63, 3604.25, 'Top – “quoted”'],
]
const srt = put('video.srt', SRT)

describe('a file of subtitles', () => {
  it.each(few(1, ['vtt', 'ass']))('becomes %s and comes back', async target => {
    const there = await convertFile(`video.srt-to-${target}`, srt)
    expect(cuesIn(there.path)).toEqual(cues)
    const back = await convertFile(`video.${target}-to-srt`, there.path)
    expect(cuesIn(back.path)).toEqual(cues)
    expect(readFileSync(back.path, 'utf8')).toContain('<i>Größe</i>')
  })

  it('of MicroDVD counts frames at the rate that it states, or the usual one, with a warning', async () => {
    const lines = '{25}{50}Größe|& more\n{75}{100}{y:i}Last\n'
    const stated = await convertFile('video.microdvd-to-srt', put('stated.sub', `{1}{1}25.000\n${lines}`))
    expect(cuesIn(stated.path)).toEqual([
      [1, 2, 'Größe\n& more'],
      [3, 4, 'Last'],
    ])
    expect(stated.warnings).toEqual([])
    const assumed = await convertFile('video.microdvd-to-srt', put('assumed.sub', lines))
    expect(cuesIn(assumed.path)[0]).toEqual([1.043, 2.086, 'Größe\n& more'])
    expect(assumed.warnings).toEqual([expect.stringContaining('write {1}{1}25.000 as its first line')])
  })

  testFull('keeps the signs of the text apart from tags in WebVTT', async () => {
    const { path } = await convertFile('video.srt-to-vtt', srt)
    expect(readFileSync(path, 'utf8')).toContain('<i>Größe</i> &amp; red\n1 &lt; 2 --&gt; 3')
  })

  testFull('keeps colours but no fonts of ASS in SubRip', async () => {
    const ass = readFileSync((await convertFile('video.srt-to-ass', srt)).path, 'utf8')
    const large = put('large.ssa', ass.replace('Default,Arial,16', 'Default,Comic Sans,32'))
    const { path } = await convertFile('video.ass-to-srt', large)
    expect(readFileSync(path, 'utf8').match(/<\/?font[^>]*>/g)).toEqual(['<font color="#ff0000">', '</font>'])
  })

  it.each(few(1, ['srt', 'vtt', 'ass']))('becomes its words: %s', async source => {
    const path = source === 'srt' ? srt : (await convertFile(`video.srt-to-${source}`, srt)).path
    const words = await convertFile(`video.${source}-to-txt`, path)
    expect(readFileSync(words.path, 'utf8')).toBe('Größe & red\n1 < 2 --> 3\nTop – “quoted”\n')
  })

  const encodings: [name: string, bytes: Buffer][] = [
    [
      'Windows-1252',
      Buffer.from(SRT.replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'), 'latin1'),
    ],
    ['UTF-16', Buffer.from(`\uFEFF${SRT}`, 'utf16le')],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${SRT}`)],
    ['UTF-8 with line ends of Windows', Buffer.from(SRT.replaceAll('\n', '\r\n'))],
  ]
  it.each(onlyFull(encodings))('is read in %s', async (name, bytes) => {
    const { path } = await convertFile('video.srt-to-vtt', put(`${name}.srt`, bytes))
    expect(cuesIn(path)).toEqual(cues)
  })

  testFull('is read in the encoding that is named', async () => {
    const path = put('named.srt', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n\xf8e\xe8\n', 'latin1'))
    const { path: named } = await convertFile('video.srt-to-vtt', path, { encoding: 'windows1250' })
    expect(cuesIn(named)).toEqual([[1, 2, 'řeč']])
  })

  it.each(
    few(1, [
      ['srt', 'no times here'],
      ['vtt', 'WEBVTT\n'],
      ['ass', Buffer.alloc(999, 7)],
    ]),
  )('without subtitles is refused: %s', async (source, content) => {
    const path = put(`empty.${source}`, content)
    await expect(convertFile(`video.${source}-to-txt`, path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  const formats = ['srt', 'vtt', 'ass']
  it.each(
    formats.flatMap(source =>
      corpus(source).flatMap(path => formats.filter(other => other !== source).map(to => [path, source, to])),
    ),
  )('%s from the wild has as many subtitles afterwards as before', async (path, source, target) => {
    const count = readFileSync(path!, 'latin1').match(/^[\d:.,]+ --> |^Dialogue:/gm)?.length
    expect(cuesIn((await convertFile(`video.${source}-to-${target}`, path!)).path)).toHaveLength(count!)
  })
})

/** An empty composition of a Blu-ray, and its end: each with a time, its kind and its length. */
const presentation = Buffer.from(
  '5047000000000000000016000b0780043810000080000000' + '504700000000000000008000' + '00',
  'hex',
)

describeFull('subtitles of a video', true, () => {
  const other = put('other.srt', '1\n00:00:00,500 --> 00:00:01,500\nHallo\n')
  const short = put(
    'short.srt',
    SRT.replace('00:01:03,000 --> 01:00:04,250', '00:00:03,000 --> 00:00:03,500'),
  )
  const own: Cue[] = [cues[0]!, [3, 3.5, cues[1]![2]]]
  const codecs = { mkv: 'srt', mp4: 'mov_text', mov: 'mov_text' }
  const picture = ['-f', 'lavfi', '-i', 'color=black:s=64x64:r=5:d=4']
  const languages = ['-metadata:s:s:0', 'language=ger', '-metadata:s:s:1', 'language=eng']
  const paths = ['-map', '0', '-map', '1', '-map', '2']

  beforeAll(() => {
    const lively = ['-c:v', 'libx264', '-preset', 'ultrafast']
    for (const [box, codec] of Object.entries(codecs)) {
      const texts = ['-i', other, '-i', short, ...paths, ...languages, '-c:s', codec]
      make(at(`video.${box}`), ...picture, ...texts, ...lively)
    }
    // ffmpeg's own WebVTT does not keep signs apart from tags.
    const escaped = readFileSync(short, 'utf8')
      .replaceAll(',', '.')
      .replace('&', '&amp;')
      .replace(/<\/?font.*?>/g, '')
      .replace('1 < 2 -->', '1 &lt; 2 --&gt;')
    const web = ['-i', other, '-i', put('short.vtt', `WEBVTT\n\n${escaped.replace('{\\an8}', '')}`)]
    const small = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:s:0', 'webvtt', '-c:s:1', 'copy']
    make(at('video.webm'), ...picture, ...web, ...paths, ...languages, ...small)
    make(at('mute.mp4'), ...picture, ...lively)
    make(
      at('disc.mkv'),
      ...picture,
      '-i',
      put('disc.sup', presentation),
      '-map',
      '0',
      '-map',
      '1',
      '-c:s',
      'copy',
    )
  })

  it.each([...Object.keys(codecs), 'webm'])('in %s become a file, chosen by language', async box => {
    for (const [target, track] of [
      ['srt', 'en'],
      ['vtt', '2'],
      ['ass', 'eng'],
    ]) {
      const { path, warnings } = await convertFile(`video.${box}-to-${target}`, at(`video.${box}`), {
        track,
      })
      expect(cuesIn(path)).toEqual(own)
      expect(warnings).toEqual([])
    }
  })

  it('become a file for each track', async () => {
    const { outputs } = await convertFile('video.mkv-to-srt', at('video.mkv'), { track: 'all' })
    expect(outputs.map(({ name }) => name)).toEqual(['video.1-ger.srt', 'video.2-eng.srt'])
    expect(cuesIn(outputs[0]!.path)).toEqual([[0.5, 1.5, 'Hallo']])
  })

  it.each([
    ['video.mkv', 'fr', 'no track of text subtitles "fr". Choose one of: 1 ger, 2 eng'],
    ['mute.mp4', 'default', 'no subtitles'],
    ['disc.mkv', 'default', 'nothing in the chosen track'],
  ])('that are not there, or no text, are refused: %s %s', async (name, track, detail) => {
    const source = name.split('.').at(-1)
    await expect(convertFile(`video.${source}-to-srt`, at(name), { track })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining(detail),
    })
  })
})
