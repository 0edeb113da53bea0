/** Tables and other data: aliases that multiply, values within values, keys that objects have already, and rows that fill memory. */
import { type Attack, attacksOn, heavy } from './attack.ts'

/** Names that every object of JavaScript knows. */
export const INHERITED = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']

const inherited = JSON.stringify([
  Object.fromEntries(INHERITED.slice(1).map(name => [name, { [name]: 1 }])),
]).replace('[{', '[{"__proto__":{"polluted":1,"length":9e9},')

const nested = (opening: string, closing: string, depth: number) =>
  `${opening.repeat(depth)}${closing.repeat(depth)}`

const laughing = `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from(
  { length: 12 },
  (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`,
).join('\n')}\n`
const merging = `a0: &a0 {x0: 1}\n${Array.from(
  { length: 24 },
  (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}], x${at + 1}: 1}`,
).join('\n')}\n`

const yaml: Record<string, Attack['bytes']> = {
  'an alias of itself': () => 'a: &a [*a]\n',
  'aliases that multiply': () => laughing,
  'merges that multiply': () => merging,
  'a merge of itself': () => 'a: &a\n  <<: *a\n  b: 1\n',
  'lists in one line, a hundred thousand deep': () => nested('[', ']', 100_000),
  'lists without brackets, ten thousand deep': () => '- '.repeat(10_000),
  'maps without brackets, a thousand deep': () =>
    Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
  'keys that are lists': () => `? ${nested('[', ']', 5000)}\n: 1\n`,
  'keys that objects have': () => `- ${INHERITED.map(name => `${name}: {${name}: 1}`).join('\n  ')}\n`,
  'tags of other languages': () =>
    'a: !!js/function "function(){}"\nb: !!python/object/apply:os.system [touch /tmp/x]\nc: !!binary "%%%%"\nd: !!set {a, b}\ne: !!omap [a: 1]\nf: !!timestamp 2024-99-99\n',
  'thousands of documents': () => '--- a\n'.repeat(50_000),
  'a million anchors': () => Array.from({ length: 200_000 }, (_, n) => `- &a${n} x`).join('\n'),
  'quotes that never end': () => `${'a: "'.repeat(20_000)}\n`,
  'a block of a million blank lines': () => `a: |\n${'\n'.repeat(1_000_000)}b: 1\n`,
  'a number of a million digits': () =>
    `a: ${'9'.repeat(1_000_000)}\nb: 1e${'9'.repeat(9999)}\nc: 0x${'f'.repeat(99_999)}\n`,
}

const json: Record<string, Attack['bytes']> = {
  'lists a million deep': () => nested('[', ']', 1_000_000),
  'objects a hundred thousand deep': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'lists two thousand deep': () => nested('[', ']', 2000),
  'keys that objects have': () => inherited,
  'a million keys': () => `[{${Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":0`).join()}}]`,
  'a million small lists': () => `[${'[],'.repeat(1_000_000)}[]]`,
  'numbers beyond all numbers': () =>
    `[1e${'9'.repeat(9999)}, -1e999, ${'9'.repeat(1_000_000)}, 0.${'0'.repeat(99_999)}1]`,
  'lines that break off': () => '{"a":1}\n'.repeat(100_000).concat('{"a":'),
  'half of a sign': () => '{"a\\ud800": "\\udfff", "\\u0000": "\\u202e"}',
}

const csv: Record<string, Attack['bytes']> = {
  'one wide row over many short ones': () => `${','.repeat(100_000)}\n${'a\n'.repeat(100_000)}`,
  'a million quotes': () => '"'.repeat(1_000_001),
  'a quote in every cell that never ends': () => '"a,b\n'.repeat(100_000),
  'formulas that run programs': () =>
    '=cmd|\' /C calc\'!A0,+HYPERLINK("http://x.example"),@SUM(1),-1+1\n'.repeat(50),
  'a million columns': () => `${'a,'.repeat(1_000_000)}\n`,
  'columns that objects have': () => `${INHERITED.join()}\n1,2,3,4,5\n`,
  'names that repeat': () => `${'a,'.repeat(20_000)}\n${'1,'.repeat(20_000)}\n`,
  'digits without an end': () => `${'9'.repeat(1_000_000)},${'1,'.repeat(9)}\n`,
}

export const dataAttacks: Attack[] = heavy(
  [...attacksOn('yaml', yaml), ...attacksOn('json', json), ...attacksOn('csv', csv)],
  'a million anchors',
  'a million keys',
  'a million small lists',
)
