/** The anchors that GitHub gives headings: https://github.com/Flet/github-slugger */
export class Slugs {
  readonly #taken = new Map<string, number>()

  of(text: string): string {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = this.#taken.get(slug) ?? 0
    this.#taken.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
