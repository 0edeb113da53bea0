/** Places in a book: EPUB 3 lists them as landmarks, EPUB 2 and Kindle files in a guide with names of its own. */
import { joinTarget, type Target } from './links.ts'
import type { Landmark } from './model.ts'

const sameInBoth =
  'bibliography colophon copyright-page cover dedication epigraph foreword glossary index loi lot preface toc'

/** Types of the guide by landmark: https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm#Section2.6 */
export const guideTypes: ReadonlyMap<string, string> = new Map([
  ...sameInBoth.split(' ').map((type): [string, string] => [type, type]),
  ['acknowledgments', 'acknowledgements'],
  ['bodymatter', 'text'],
  ['endnotes', 'notes'],
  ['titlepage', 'title-page'],
])

const landmarkTypes = new Map([...guideTypes].map(([landmark, type]) => [type, landmark]))
landmarkTypes.set('start', 'bodymatter')

/** The landmark that a type of the guide stands for, in any case: https://idpf.org/epub/vocab/structure/ */
export const landmarkType = (guideType: string): string | undefined =>
  landmarkTypes.get(guideType.toLowerCase())

/** Types outside of the specification that Kindle files have, and that landmarks know. */
const alsoKindle = /^(?:afterword|conclusion|epilogue|introduction|prologue)$/i

/** The landmarks of a Kindle file. @param targetOf where an entry leads, if anywhere */
export const landmarksOf = <Entry extends { type: string; title: string }>(
  guide: readonly Entry[],
  targetOf: (entry: Entry) => Target | undefined,
): Landmark[] =>
  guide.flatMap(entry => {
    const { type, title } = entry
    const target = targetOf(entry)
    const known = landmarkType(type) ?? (alsoKindle.test(type) ? type.toLowerCase() : undefined)
    return target && known
      ? [{ type: known, title: title || type, href: joinTarget(target.href, target.fragment) }]
      : []
  })
