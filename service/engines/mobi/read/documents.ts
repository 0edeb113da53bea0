import type { Landmark, NavigationEntry, SpineItem } from '../../book/model.ts'

/** The text of a book in the order it is read, and the ways into it. */
export interface Documents {
  spine: SpineItem[]
  navigation: NavigationEntry[]
  landmarks: Landmark[]
}
