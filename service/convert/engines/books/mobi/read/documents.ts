import type { Landmark, NavigationEntry, SpineItem } from '../../book/model.ts'

/** The text of a book in reading order, with its navigation. */
export interface Documents {
  spine: SpineItem[]
  navigation: NavigationEntry[]
  landmarks: Landmark[]
}
