/** Colours, gradients, patterns and opacity. */
import { svgWith } from './document.ts'

const boxes = (fills: string[]) =>
  fills
    .map(
      (fill, i) =>
        `<rect x="${10 + (i % 3) * 62}" y="${10 + Math.floor(i / 3) * 62}" width="56" height="56" fill="${fill}"/>`,
    )
    .join('')

export const paint = {
  'colours written in every way': svgWith(
    boxes([
      '#f00',
      '#00ff0080',
      'rgb(0,0,255)',
      'rgba(255, 128, 0, .5)',
      'hsl(200, 80%, 40%)',
      'RebeccaPurple',
      'rgb(10% 50% 90%)',
      'rgb(200 100 50 / 60%)',
      'hsla(0.5turn 60% 50% / 0.7)',
    ]),
  ),
  'colours of newer styles': svgWith(
    boxes([
      'hwb(190 20% 20%)',
      'oklch(0.7 0.15 150)',
      'oklab(0.6 0.1 0.1)',
      'lab(50% 40 59.5)',
      'color(srgb 0.2 0.6 0.9)',
      'hsl(120deg 50% 40%)',
      'lch(52% 72 50)',
      'rgb(100.5, 20.7, 60)',
      'color-mix(in srgb, red, blue)',
    ]),
  ),
  'the current colour': svgWith(
    '<g color="teal"><rect x="20" y="20" width="70" height="70" fill="currentColor"/><g color="orange"><circle cx="140" cy="60" r="35" fill="none" stroke="currentColor" stroke-width="10"/></g></g><rect x="20" y="120" width="60" height="60" fill="currentcolor"/>',
  ),
  'opacity of shapes and groups': svgWith(
    '<g opacity=".5"><rect x="20" y="20" width="100" height="100" fill="red"/><rect x="70" y="70" width="100" height="100" fill="blue"/></g><circle cx="150" cy="50" r="40" fill="green" fill-opacity=".4" stroke="black" stroke-width="10" stroke-opacity="30%"/>',
  ),
  'linear gradients': svgWith(`
    <linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset=".5" stop-color="yellow"/><stop offset="1" stop-color="green"/></linearGradient>
    <linearGradient id="b" x1="0" y1="0" x2="0" y2="1"><stop offset="0%" stop-color="#00f"/><stop offset="100%" stop-color="#00f" stop-opacity="0"/></linearGradient>
    <rect x="10" y="10" width="180" height="50" fill="url(#a)"/><rect x="10" y="70" width="180" height="50" fill="url(#b)"/><circle cx="100" cy="160" r="28" fill="none" stroke="url(#a)" stroke-width="14"/>`),
  'gradients that repeat and reflect': svgWith(`
    <linearGradient id="a" x2=".2" spreadMethod="repeat"><stop stop-color="red"/><stop offset="1" stop-color="white"/></linearGradient>
    <linearGradient id="b" x2="20%" spreadMethod="reflect"><stop stop-color="blue"/><stop offset="1" stop-color="white"/></linearGradient>
    <rect x="10" y="10" width="180" height="80" fill="url(#a)"/><rect x="10" y="110" width="180" height="80" fill="url(#b)"/>`),
  'radial gradients': svgWith(`
    <radialGradient id="a"><stop stop-color="white"/><stop offset="1" stop-color="black"/></radialGradient>
    <radialGradient id="b" cx=".5" cy=".5" r=".5" fx=".25" fy=".25"><stop stop-color="#ffe"/><stop offset="1" stop-color="#c30"/></radialGradient>
    <rect x="10" y="10" width="80" height="80" fill="url(#a)"/><circle cx="145" cy="60" r="45" fill="url(#b)"/><ellipse cx="100" cy="150" rx="80" ry="35" fill="url(#b)"/>`),
  'gradients in units of the SVG': svgWith(`
    <linearGradient id="a" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="200" y2="200"><stop stop-color="#0cf"/><stop offset="1" stop-color="#f0c"/></linearGradient>
    <radialGradient id="b" gradientUnits="userSpaceOnUse" cx="100" cy="100" r="60" gradientTransform="translate(40 0) skewX(-20)"><stop stop-color="#ff0"/><stop offset="1" stop-color="#f000"/></radialGradient>
    <rect x="10" y="10" width="60" height="180" fill="url(#a)"/><rect x="130" y="10" width="60" height="180" fill="url(#a)"/><rect x="40" y="40" width="120" height="120" fill="url(#b)"/>`),
  'gradients built on one another': svgWith(`
    <linearGradient id="colours"><stop stop-color="#063"/><stop offset="1" stop-color="#cf6"/></linearGradient>
    <linearGradient id="a" xlink:href="#colours" x1="0" x2="0" y2="1"/><radialGradient id="b" href="#colours" r=".7"/>
    <rect x="10" y="10" width="80" height="180" fill="url(#a)"/><rect x="110" y="10" width="80" height="180" fill="url('#b')"/>`),
  'references in quotation marks': svgWith(
    '<linearGradient id="a"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><rect x="10" y="10" width="180" height="80" style="fill:url(&quot;#a&quot;)"/><rect x="10" y="110" width="180" height="80" style="fill:url(\'#a\')"/>',
  ),
  'a fallback colour': svgWith(
    '<rect x="10" y="10" width="80" height="80" fill="url(#gone) green"/><rect x="110" y="10" width="80" height="80" fill="url(#gone)" stroke="black"/><rect x="10" y="110" width="80" height="80" fill="url(#gone) none" stroke="red" stroke-width="4"/>',
  ),
  'stops in odd places': svgWith(
    '<linearGradient id="a"><stop offset=".6" stop-color="red"/><stop offset=".3" stop-color="blue"/><stop offset="2" stop-color="lime"/></linearGradient><linearGradient id="b"><stop stop-color="orange"/></linearGradient><rect x="10" y="10" width="180" height="80" fill="url(#a)"/><rect x="10" y="110" width="180" height="80" fill="url(#b)"/>',
  ),
  'patterns of dots and lines': svgWith(`
    <pattern id="dots" width="20" height="20" patternUnits="userSpaceOnUse"><circle cx="10" cy="10" r="6" fill="crimson"/></pattern>
    <pattern id="lines" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="8" fill="navy"/></pattern>
    <rect x="10" y="10" width="180" height="80" fill="url(#dots)"/><rect x="10" y="110" width="180" height="80" fill="url(#lines)" stroke="navy"/>`),
  'patterns in parts of the shape': svgWith(
    '<pattern id="a" width=".25" height=".25"><rect width="10" height="10" fill="#c60"/><rect x="10" y="10" width="10" height="10" fill="#06c"/></pattern><pattern id="b" viewBox="0 0 10 10" width="20%" height="20%"><path d="M0 0L10 10M10 0L0 10" stroke="black"/></pattern><rect x="10" y="10" width="120" height="80" fill="url(#a)"/><circle cx="120" cy="140" r="50" fill="url(#b)" stroke="black"/>',
  ),
  'a pattern of shape units': svgWith(
    '<pattern id="a" width=".5" height=".5" patternContentUnits="objectBoundingBox"><circle cx=".25" cy=".25" r=".2" fill="purple"/></pattern><rect x="20" y="20" width="160" height="160" fill="url(#a)"/>',
  ),
  'blend modes': svgWith(
    '<rect x="20" y="20" width="110" height="110" fill="#fc0"/><g style="mix-blend-mode:multiply"><circle cx="120" cy="110" r="60" fill="#0cf"/></g><rect x="10" y="120" width="80" height="60" fill="#f0c" style="mix-blend-mode:difference"/><g style="isolation:isolate"><rect x="130" y="20" width="60" height="40" fill="#333" style="mix-blend-mode:screen"/></g>',
  ),
  'opacity given as a percentage': svgWith(
    '<rect x="20" y="20" width="160" height="60" fill="red" opacity="50%"/><rect x="20" y="100" width="160" height="60" style="fill:blue;fill-opacity:25%"/>',
  ),
  'hidden parts': svgWith(
    '<rect x="20" y="20" width="60" height="60" fill="red" visibility="hidden"/><g visibility="hidden"><rect x="100" y="20" width="60" height="60" fill="green" visibility="visible"/></g><rect x="20" y="100" width="60" height="60" fill="red" display="none"/><rect x="100" y="100" width="60" height="60" fill="blue" style="display:inline"/>',
  ),
}
