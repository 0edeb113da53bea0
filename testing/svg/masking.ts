/** Clipping and masks. */
import { star, svgWith } from './document.ts'

const field =
  '<rect width="200" height="200" fill="#fc8"/><path d="M0 0L200 200M200 0L0 200" stroke="#048" stroke-width="30"/>'

export const masking = {
  'clipped by a circle': svgWith(
    `<clipPath id="c"><circle cx="100" cy="100" r="70"/></clipPath><g clip-path="url(#c)">${field}</g>`,
  ),
  'clipped by several shapes': svgWith(
    `<clipPath id="c"><rect x="10" y="10" width="80" height="80"/><circle cx="140" cy="140" r="50"/><text x="100" y="70" font-size="60" font-family="Arial" font-weight="bold">A</text></clipPath><g clip-path="url(#c)">${field}</g>`,
  ),
  'clipped by a crossing path': svgWith(
    `<clipPath id="c"><path d="${star(100, 100, 95)}" clip-rule="evenodd"/></clipPath><g clip-path="url(#c)">${field}</g>`,
  ),
  'clipped by the even-odd rule of a group': svgWith(
    `<clipPath id="c" clip-rule="evenodd"><path d="M20 20h160v160h-160zM60 60h80v80h-80z"/></clipPath><g clip-path="url(#c)">${field}</g>`,
  ),
  'a clip that is moved': svgWith(
    `<clipPath id="c" transform="translate(50 20) rotate(20)"><rect x="20" y="20" width="100" height="80"/></clipPath><g clip-path="url(#c)">${field}</g>`,
  ),
  'a clip in parts of the shape': svgWith(
    '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5"/></clipPath><rect x="20" y="20" width="160" height="80" fill="teal" clip-path="url(#c)"/><rect x="20" y="120" width="60" height="60" fill="maroon" clip-path="url(#c)"/>',
  ),
  'a clip of a clip': svgWith(
    `<clipPath id="a"><rect x="30" y="30" width="140" height="140"/></clipPath><clipPath id="b" clip-path="url(#a)"><circle cx="60" cy="60" r="60"/><circle cx="150" cy="150" r="45"/></clipPath><g clip-path="url(#b)">${field}</g>`,
  ),
  'a clip that uses a shape': svgWith(
    `<defs><ellipse id="e" cx="100" cy="100" rx="90" ry="50"/></defs><clipPath id="c"><use href="#e"/></clipPath><g clip-path="url(#c)">${field}</g><use href="#e" fill="none" stroke="black"/>`,
  ),
  'masked by brightness': svgWith(
    `<linearGradient id="g"><stop stop-color="white"/><stop offset="1" stop-color="black"/></linearGradient><mask id="m"><rect width="200" height="200" fill="url(#g)"/></mask><g mask="url(#m)">${field}</g>`,
  ),
  'masked with a hole': svgWith(
    `<mask id="m"><rect width="200" height="200" fill="white"/><circle cx="100" cy="100" r="50" fill="black"/></mask><rect x="20" y="20" width="160" height="160" fill="#36c" mask="url(#m)"/>`,
  ),
  'masked by transparency': svgWith(
    `<mask id="m" mask-type="alpha" style="mask-type:alpha"><circle cx="100" cy="100" r="80" fill="black" opacity=".5"/><circle cx="100" cy="100" r="50" fill="black"/></mask><g mask="url(#m)">${field}</g>`,
  ),
  'a mask in parts of the shape': svgWith(
    '<mask id="m" maskContentUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".4" fill="#888"/><rect width=".5" height=".5" fill="white"/></mask><rect x="20" y="20" width="160" height="100" fill="green" mask="url(#m)"/>',
  ),
  'a mask with limits': svgWith(
    '<mask id="m" maskUnits="userSpaceOnUse" x="30" y="30" width="100" height="80"><rect width="200" height="200" fill="white"/></mask><rect width="200" height="200" fill="purple" mask="url(#m)"/>',
  ),
  'a mask of colours': svgWith(
    `<mask id="m"><rect x="0" width="70" height="200" fill="red"/><rect x="70" width="70" height="200" fill="lime"/><rect x="140" width="60" height="200" fill="blue"/></mask><rect width="200" height="200" mask="url(#m)"/>`,
  ),
  'faded edges': svgWith(
    '<defs><radialGradient id="f"><stop offset=".5" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient><mask id="m"><circle cx="100" cy="100" r="95" fill="url(#f)"/></mask></defs><g mask="url(#m)"><rect width="200" height="200" fill="#b35"/><rect x="80" width="40" height="200" fill="#fff"/></g>',
  ),
}
