/** Numbers of the tags in the rows of index entries, by index. */
export const TAGS = {
  skeleton: { fragments: 1, place: 6 },
  fragment: { selector: 2, file: 3, number: 4, place: 6 },
  contents: {
    position: 1,
    length: 2,
    title: 3,
    depth: 4,
    /** KF8: number of a fragment and the offset in it. */
    place: 6,
    parent: 21,
    firstChild: 22,
    lastChild: 23,
  },
  guide: { title: 1, place: 6 },
} as const
