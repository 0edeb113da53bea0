/** Markdown that includes files, injects the typesetter's language, or nests. */
import { type Attack, attacksOn, type Bait, canary, heavy } from './attack.ts'

const addresses = (bait: Bait, suffix: 'png' | 'svg' | 'txt'): string[] => [
  `${bait.url}/x.${suffix}`,
  `//${bait.authority}/y.${suffix}`,
  `file://${canary(bait, suffix)}`,
  canary(bait, suffix),
  `../../../../../../../../..${canary(bait, suffix)}`,
  `~/../../../../..${canary(bait, suffix)}`,
]
const encoded = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const texts: Record<string, Attack['bytes']> = {
  'pictures from elsewhere': bait =>
    addresses(bait, 'png')
      .map(
        (href, n) =>
          `![a](${href})\n\n![b](<${href}>)\n\n![c][r${n}]\n\n[r${n}]: ${href}\n\n<img src="${href}">\n\n`,
      )
      .join(''),
  'vector graphics within that ask': bait =>
    addresses(bait, 'svg')
      .map(
        href =>
          `![a](${encoded(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${href}" width="9" height="9"/><style>@import "${href}";</style></svg>`)})\n\n`,
      )
      .join(''),
  'HTML of every kind': bait =>
    addresses(bait, 'txt')
      .map(
        href =>
          `<iframe src="${href}"></iframe>\n\n<object data="${href}"></object>\n\n<link rel="stylesheet" href="${href}">\n\n<script src="${href}"></script>\n\n<table background="${href}"><tr><td style="background:url(${href})">x</td></tr></table>\n\n`,
      )
      .join(''),
  "the typesetter's own language": bait =>
    [
      `#read("${canary(bait, 'txt')}")`,
      `#image("${canary(bait, 'png')}")`,
      `#include "${canary(bait, 'txt')}"`,
      `#import "@preview/evil:1.0.0": *`,
      `#eval("read(\\"${canary(bait, 'txt')}\\")")`,
      `#plugin("${canary(bait, 'txt')}")`,
      `#let f(n) = f(n)`,
      `#f(1)`,
    ]
      .flatMap(code => [
        code,
        `\`\`\`{=typst}\n${code}\n\`\`\``,
        `\`${code}\`{=typst}`,
        `# ${code}`,
        `[${code}](${code})`,
        `![${code}](x.png "${code}")`,
        `$ ${code} $`,
        `$${code}$`,
        `| ${code} |\n|---|\n| ${code} |`,
        `*${code}*_\\${code}_`,
        `<p title="${code}">${code}</p>`,
      ])
      .join('\n\n'),
  'front matter that reads': bait =>
    `---\ntitle: "#read(\\"${canary(bait, 'txt')}\\")"\nauthor: !!python/object/apply:os.system ["id"]\ninclude-before: ${canary(bait, 'txt')}\nbibliography: ${canary(bait, 'txt')}\n---\n\ntext`,
  'aliases that hold nine of one another': () =>
    `---\na0: &a0 [x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join('\n')}\ntitle: *a9\n---\n\ntext`,
  'formulas that include and define themselves': bait =>
    `$$\\input{${canary(bait, 'txt')}}$$\n\n$$\\def\\a{\\a\\a}\\a$$\n\n$\\href{${bait.url}}{x}\\includegraphics{${canary(bait, 'png')}}$\n\n$$${'\\frac{'.repeat(2000)}x${'}{y}'.repeat(2000)}$$\n\n$${'{'.repeat(20_000)}x${'}'.repeat(20_000)}$`,
  'quotes in one another, ten thousand deep': () => `${'> '.repeat(10_000)}deep`,
  'lists in one another, two thousand deep': () =>
    Array.from({ length: 2000 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n'),
  'twenty thousand brackets': () =>
    `${'['.repeat(20_000)}x${']'.repeat(20_000)}\n\n${'![](<'.repeat(5000)}\n\n${'[a]('.repeat(5000)}`,
  'ten thousand stars': () =>
    `${'*a_b '.repeat(5000)}\n\n${'**x'.repeat(5000)}\n\n${'`'.repeat(5000)}x${'``'.repeat(2000)}`,
  'notes that are notes on themselves': () =>
    Array.from({ length: 300 }, (_, n) => `[^${n}]\n\n[^${n}]: note [^${(n + 1) % 300}] [^${n}]`).join(
      '\n\n',
    ),
  'a table of two thousand columns': () =>
    `${'| x '.repeat(2000)}|\n${'|---'.repeat(2000)}|\n${'| y '.repeat(2000)}|`,
  'tags in one another, twenty thousand deep': () => `<div>${'<b><i>'.repeat(20_000)}x`,
  'a word of a megabyte': () => 'x'.repeat(1_000_000),
  'zeros and marks of direction': () =>
    `a\0b\u202ec\u2066d\uFFFE\n\n${'\u0301'.repeat(10_000)}\n\n${'\u202e'.repeat(10_000)}`,
}

export const markdownAttacks: Attack[] = heavy(
  attacksOn('md', texts),
  'ten thousand stars',
  'a word of a megabyte',
  'twenty thousand brackets',
  'a table of two thousand columns',
  'zeros and marks of direction',
)
