/** Filters. */
import { svgWith } from './document.ts'

const shape =
  '<circle cx="80" cy="80" r="45" fill="#e63"/><rect x="90" y="90" width="70" height="70" fill="#36c"/>'
const filtered = (primitives: string, attributes = '') =>
  svgWith(`<filter id="f" ${attributes}>${primitives}</filter><g filter="url(#f)">${shape}</g>`)

export const filters = {
  'a blur': filtered('<feGaussianBlur stdDeviation="6"/>'),
  'a blur in one direction': filtered('<feGaussianBlur stdDeviation="10 0"/>'),
  'a shadow of steps': filtered(
    '<feGaussianBlur in="SourceAlpha" stdDeviation="4" result="b"/><feOffset in="b" dx="6" dy="6" result="o"/><feFlood flood-color="#000" flood-opacity=".5"/><feComposite in2="o" operator="in"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>',
    'x="-20%" y="-20%" width="150%" height="150%"',
  ),
  'a shadow of one step': filtered(
    '<feDropShadow dx="8" dy="8" stdDeviation="5" flood-color="navy" flood-opacity=".6"/>',
  ),
  'a shadow as a design tool writes it': svgWith(
    '<g filter="url(#d)"><rect x="40" y="40" width="120" height="80" rx="8" fill="white"/></g><defs><filter id="d" x="36" y="40" width="128" height="88" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/><feColorMatrix type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.25 0"/><feBlend mode="normal" in2="BackgroundImageFix" result="effect1"/><feBlend mode="normal" in="SourceGraphic" in2="effect1" result="shape"/></filter></defs>',
  ),
  'colours by a matrix': filtered(
    '<feColorMatrix values=".3 .6 .1 0 0 .3 .6 .1 0 0 .3 .6 .1 0 0 0 0 0 1 0"/>',
  ),
  'saturation and hue': svgWith(
    `<filter id="a"><feColorMatrix type="saturate" values=".2"/></filter><filter id="b"><feColorMatrix type="hueRotate" values="120"/></filter><g filter="url(#a)" transform="scale(.5)">${shape}</g><g filter="url(#b)" transform="translate(90 90) scale(.5)">${shape}</g>`,
  ),
  'curves of colour': filtered(
    '<feComponentTransfer><feFuncR type="table" tableValues="0 1 0"/><feFuncG type="gamma" amplitude="1" exponent=".5"/><feFuncB type="linear" slope=".5" intercept=".3"/><feFuncA type="discrete" tableValues="0 .7"/></feComponentTransfer>',
    'color-interpolation-filters="sRGB"',
  ),
  'a glow': filtered(
    '<feMorphology in="SourceAlpha" operator="dilate" radius="5"/><feGaussianBlur stdDeviation="5"/><feComponentTransfer><feFuncA type="linear" slope="2"/></feComponentTransfer><feComposite in="SourceGraphic"/>',
  ),
  erosion: filtered('<feMorphology operator="erode" radius="8"/>'),
  'light on an edge': filtered(
    '<feGaussianBlur in="SourceAlpha" stdDeviation="3" result="b"/><feSpecularLighting in="b" surfaceScale="5" specularConstant=".8" specularExponent="20" lighting-color="white" result="s"><fePointLight x="-50" y="-100" z="200"/></feSpecularLighting><feComposite in="s" in2="SourceAlpha" operator="in" result="s"/><feComposite in="SourceGraphic" in2="s" operator="arithmetic" k1="0" k2="1" k3="1" k4="0"/>',
  ),
  noise: filtered(
    '<feTurbulence type="fractalNoise" baseFrequency=".04" numOctaves="3" seed="2"/><feComposite in2="SourceAlpha" operator="in"/>',
  ),
  'sharpening by a matrix': filtered('<feConvolveMatrix order="3" kernelMatrix="0 -1 0 -1 5 -1 0 -1 0"/>'),
  'an edge by a matrix': filtered(
    '<feConvolveMatrix order="3" preserveAlpha="true" kernelMatrix="-1 -1 -1 -1 8 -1 -1 -1 -1"/>',
  ),
  'blending with a flood': filtered(
    '<feFlood flood-color="#0a4" result="f"/><feBlend in="SourceGraphic" in2="f" mode="multiply"/>',
  ),
  'an image in a filter': svgWith(
    `<defs><g id="i"><rect x="40" y="40" width="60" height="60" fill="#0a4"/></g></defs><filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="200" height="200"><feImage href="#i"/><feComposite in2="SourceGraphic" operator="over"/></filter><g filter="url(#f)">${shape}</g>`,
  ),
  'filters as functions': svgWith(
    `<g style="filter:blur(3px)" transform="scale(.45)">${shape}</g><g style="filter:drop-shadow(4px 6px 3px rgba(0,0,0,.5))" transform="translate(100 0) scale(.45)">${shape}</g><g style="filter:grayscale(1)" transform="translate(0 100) scale(.45)">${shape}</g><g style="filter:hue-rotate(90deg) saturate(2)" transform="translate(100 100) scale(.45)">${shape}</g>`,
  ),
  'more filters as functions': svgWith(
    `<g style="filter:sepia(80%)" transform="scale(.45)">${shape}</g><g style="filter:invert(1)" transform="translate(100 0) scale(.45)">${shape}</g><g filter="brightness(1.5) contrast(.7)" transform="translate(0 100) scale(.45)">${shape}</g><g style="filter:opacity(40%)" transform="translate(100 100) scale(.45)">${shape}</g>`,
  ),
  'a filter on text': svgWith(
    '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><text x="20" y="110" font-size="50" font-family="Arial" filter="url(#f)">Blurry</text>',
  ),
  'a filter in units of the shape': filtered(
    '<feGaussianBlur stdDeviation=".05"/>',
    'primitiveUnits="objectBoundingBox"',
  ),
}
