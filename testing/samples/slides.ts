import { escaped, linksXml, type Part, packaged, relations, types } from './office.ts'

/** A presentation with a text on each slide; names of hidden ones start with a dash. `notes` are the speaker's, slide by slide. */
export function pptx(slides: readonly string[], notes: readonly string[] = []): Buffer {
  const spaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relations}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const box = (text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="500000"/><a:ext cx="6000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="3200"/><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody></p:sp>`
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
  const colours = [
    'dk1',
    'lt1',
    'dk2',
    'lt2',
    'accent1',
    'accent2',
    'accent3',
    'accent4',
    'accent5',
    'accent6',
    'hlink',
    'folHlink',
  ]
    .map((name, index) => `<a:${name}><a:srgbClr val="${index % 2 ? 'FFFFFF' : '203040'}"/></a:${name}>`)
    .join('')
  const font = '<a:latin typeface="Liberation Sans"/><a:ea typeface=""/><a:cs typeface=""/>'
  const plain = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
  const theme = `<a:theme ${spaces} name="t"><a:themeElements><a:clrScheme name="c">${colours}</a:clrScheme><a:fontScheme name="f"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="m"><a:fillStyleLst>${plain.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${`<a:ln>${plain}</a:ln>`.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${plain.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
  const part = (name: string, kind: string, content: string): Part => ({
    name: `ppt/${name}`,
    content: `<?xml version="1.0" encoding="UTF-8"?>${content}`,
    type: `${types}.presentationml.${kind}+xml`,
  })
  const numbers = slides.map((_, index) => index + 1)
  const holder = (id: number, type: string, content = '') =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${type}"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}" idx="${id}"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="700000" y="${id * 2_000_000 - 3_500_000}"/><a:ext cx="5000000" cy="1900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>${content}</p:sp>`
  const holders = (text: string) =>
    tree(
      holder(2, 'sldImg') +
        holder(
          3,
          'body',
          `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody>`,
        ),
    )
  const noteParts: Part[] = notes.length
    ? [
        part(
          'notesMasters/n.xml',
          'notesMaster',
          `<p:notesMaster ${spaces}>${holders('')}${map}</p:notesMaster>`,
        ),
        {
          name: 'ppt/notesMasters/_rels/n.xml.rels',
          content: linksXml([{ id: 't', type: 'theme', target: '../theme/t2.xml' }]),
        },
        { name: 'ppt/theme/t2.xml', content: theme, type: `${types}.theme+xml` },
        ...notes.flatMap((text, index) => [
          part(
            `notesSlides/n${index + 1}.xml`,
            'notesSlide',
            `<p:notes ${spaces}>${holders(text)}</p:notes>`,
          ),
          {
            name: `ppt/notesSlides/_rels/n${index + 1}.xml.rels`,
            content: linksXml([
              { id: 'm', type: 'notesMaster', target: '../notesMasters/n.xml' },
              { id: 's', type: 'slide', target: `../slides/slide${index + 1}.xml` },
            ]),
          },
        ]),
      ]
    : []
  return packaged([
    ...noteParts,
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    },
    part(
      'presentation.xml',
      'presentation.main',
      `<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst>${notes.length ? '<p:notesMasterIdLst><p:notesMasterId r:id="nm"/></p:notesMasterIdLst>' : ''}<p:sldIdLst>${numbers.map(number => `<p:sldId id="${255 + number}" r:id="s${number}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    ),
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: linksXml([
        { id: 'm', type: 'slideMaster', target: 'slideMasters/m.xml' },
        ...(notes.length ? [{ id: 'nm', type: 'notesMaster', target: 'notesMasters/n.xml' }] : []),
        ...numbers.map(number => ({ id: `s${number}`, type: 'slide', target: `slides/slide${number}.xml` })),
      ]),
    },
    part(
      'slideMasters/m.xml',
      'slideMaster',
      `<p:sldMaster ${spaces}>${tree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l"/></p:sldLayoutIdLst></p:sldMaster>`,
    ),
    {
      name: 'ppt/slideMasters/_rels/m.xml.rels',
      content: linksXml([
        { id: 'l', type: 'slideLayout', target: '../slideLayouts/l.xml' },
        { id: 't', type: 'theme', target: '../theme/t.xml' },
      ]),
    },
    { name: 'ppt/theme/t.xml', content: theme, type: `${types}.theme+xml` },
    part('slideLayouts/l.xml', 'slideLayout', `<p:sldLayout ${spaces}>${tree('')}</p:sldLayout>`),
    {
      name: 'ppt/slideLayouts/_rels/l.xml.rels',
      content: linksXml([{ id: 'm', type: 'slideMaster', target: '../slideMasters/m.xml' }]),
    },
    ...slides.flatMap((text, index) => [
      part(
        `slides/slide${index + 1}.xml`,
        'slide',
        `<p:sld ${spaces}${text.startsWith('-') ? ' show="0"' : ''}>${tree(box(text))}</p:sld>`,
      ),
      {
        name: `ppt/slides/_rels/slide${index + 1}.xml.rels`,
        content: linksXml([
          { id: 'l', type: 'slideLayout', target: '../slideLayouts/l.xml' },
          ...(notes[index] === undefined
            ? []
            : [{ id: 'n', type: 'notesSlide', target: `../notesSlides/n${index + 1}.xml` }]),
        ]),
      },
    ]),
  ])
}
