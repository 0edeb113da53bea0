/** The font Symbol, whose letters are at other codes than those of Unicode: ISO 32000-1, Annex D.5. */

/** Characters at consecutive codes, by the first of them. */
const runs: Readonly<Record<number, string>> = {
  32: ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼',
  160: '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪',
  241: '⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭',
}

/** The character of a code in this font; empty if it has none. */
export function symbolCharacter(code: number): string {
  for (const [first, characters] of Object.entries(runs)) {
    const character = characters[code - Number(first)]
    if (character) return character
  }
  return ''
}
