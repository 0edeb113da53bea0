/** A picture of ratios for the README: a bar for each, and a line where both tools would be equal. */

export interface Ratio {
  /** What was done, and after a slash what it is compared with. */
  subject: string
  /** Our time or bytes, divided by those of the other. */
  ratio: number
}

const ROW = 30
const TOP = 40
const LEFT = 450
const WIDTH = 860
/** Pixels for a ratio of 1; longer bars end at the edge. */
const ONE = 220

const style = `text { font: 13px system-ui, sans-serif; fill: #3a3a3a } .bar { fill: #2f6fdd } .over { fill: #b7791f }
  .line { stroke: #8a8a8a; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) { text { fill: #d4d4d4 } .bar { fill: #6ea0ff } .over { fill: #e0a84f } }`

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Draws ratios as SVG, in light and dark. */
export function chart(ratios: readonly Ratio[]): string {
  const height = TOP + ratios.length * ROW + 8
  const rows = ratios.map(({ subject, ratio }, at) => {
    const y = TOP + at * ROW
    const width = Math.min(WIDTH - LEFT - 50, ratio * ONE).toFixed(0)
    return `  <text x="${LEFT - 12}" y="${y + 17}" text-anchor="end">${escapeText(subject)}</text>
  <rect class="${ratio > 1 ? 'over' : 'bar'}" x="${LEFT}" y="${y + 4}" width="${width}" height="18" rx="3"/>
  <text x="${LEFT + Number(width) + 8}" y="${y + 17}">${ratio.toFixed(2)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
  <title>Time or size of Refile, divided by that of another tool: below 1 is better</title>
  <style>${style}</style>
  <text x="${LEFT + ONE}" y="18" text-anchor="middle">1 = the other tool</text>
  <line class="line" x1="${LEFT + ONE}" x2="${LEFT + ONE}" y1="26" y2="${height - 8}"/>
${rows.join('\n')}
</svg>
`
}
