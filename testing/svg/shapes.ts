/** Shapes, strokes, markers and units. */
import { star, svgWith } from './document.ts'

export const shapes = {
  'rectangles, plain and rounded': svgWith(`
    <rect x="10" y="10" width="60" height="40" fill="tomato"/>
    <rect x="80" y="10" width="60" height="40" rx="12" fill="seagreen"/>
    <rect x="150" y="10" width="40" height="80" rx="30" ry="10" fill="royalblue"/>
    <rect x="10" y="70" width="120" height="110" rx="200" fill="none" stroke="black" stroke-width="4"/>`),
  'circles and ellipses': svgWith(`
    <circle cx="50" cy="50" r="40" fill="#f80"/><ellipse cx="130" cy="60" rx="60" ry="25" fill="#08f8"/>
    <circle cx="100" cy="140" r="45" fill="none" stroke="purple" stroke-width="10"/>`),
  'lines, polylines and polygons': svgWith(`
    <line x1="10" y1="10" x2="190" y2="40" stroke="black" stroke-width="3"/>
    <polyline points="10,60 50,90 90,60 130,90 170 60" fill="none" stroke="crimson" stroke-width="5"/>
    <polygon points="100,100 180,190 20,190" fill="gold" stroke="black" stroke-width="2"/>`),
  'curves of a path': svgWith(`
    <path d="M10 80C40 10 65 10 95 80S150 150 180 80" stroke="black" fill="none" stroke-width="4"/>
    <path d="M10 150q45-60 90 0t90 0" stroke="green" fill="none" stroke-width="4"/>`),
  'arcs of a path': svgWith(`
    <path d="M20 100A40 40 0 0 1 100 100" stroke="red" fill="none" stroke-width="5"/>
    <path d="M100 100a40 20 30 1 0 60 30z" fill="#36c"/><path d="M20,180a25,25 0 01 50,0l20-10" fill="none" stroke="#000"/>`),
  'an arc before a smooth curve': svgWith(`
    <path d="M20 100A40 40 0 0 1 100 100S140 180 180 100" stroke="red" fill="none" stroke-width="5"/>
    <path d="M20 160A20 20 0 0 1 60 160T100 160T140 160" stroke="blue" fill="none" stroke-width="5"/>`),
  'numbers run together': svgWith(
    `<path d="M10-10.5.5 20 30l.5.5-8e1 1e1 40 60zm100 80 40 0v40h-40z" fill="teal" transform="translate(80 40)"/>`,
  ),
  'fill rules': svgWith(`
    <g fill="navy"><path d="${star(55, 60, 50)}"/><path d="${star(150, 60, 45)}" fill-rule="evenodd"/></g>
    <path d="M20 120h80v60h-80zM40 135v30h40v-30z" fill="brown"/>`),
  'caps and joins': svgWith(`
    <g fill="none" stroke="#333" stroke-width="16">
    <path d="M30 30h60l-20 40" stroke-linecap="round" stroke-linejoin="round"/>
    <path d="M120 30h50l-20 40" stroke-linecap="square" stroke-linejoin="bevel"/>
    <path d="M30 120h60l-50 40" stroke-linejoin="miter" stroke-miterlimit="10"/>
    <path d="M120 120h50l-45 20" stroke-linejoin="miter" stroke-miterlimit="2"/></g>`),
  dashes: svgWith(`
    <g stroke="black" stroke-width="6" fill="none"><path d="M10 20h180" stroke-dasharray="20 10"/>
    <path d="M10 50h180" stroke-dasharray="20,10,5" stroke-dashoffset="15"/>
    <path d="M10 80h180" stroke-dasharray="0 15" stroke-linecap="round"/>
    <circle cx="60" cy="145" r="40" stroke-dasharray="10%"/><rect x="120" y="110" width="60" height="70" stroke-dasharray="12 6"/></g>`),
  'dashes of a path with a length of its own': svgWith(`
    <circle cx="100" cy="100" r="70" fill="none" stroke="#ddd" stroke-width="20"/>
    <circle cx="100" cy="100" r="70" fill="none" stroke="#0a7" stroke-width="20" pathLength="100" stroke-dasharray="65 35" transform="rotate(-90 100 100)"/>`),
  'strokes that do not scale': svgWith(`
    <g transform="scale(4 1)"><circle cx="25" cy="100" r="18" fill="none" stroke="black" stroke-width="6" vector-effect="non-scaling-stroke"/></g>
    <path d="M0 0L50 50" transform="translate(20 20) scale(3 .5)" stroke="red" stroke-width="8" vector-effect="non-scaling-stroke"/>`),
  'order of painting': svgWith(`
    <path d="${star(60, 100, 55)}" fill="gold" stroke="#333" stroke-width="14" paint-order="stroke"/>
    <text x="105" y="120" font-size="60" font-family="Arial" fill="white" stroke="black" stroke-width="8" style="paint-order:stroke fill">Ab</text>`),
  'markers at ends and between': svgWith(`
    <defs><marker id="arrow" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="6" markerHeight="6" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker>
    <marker id="dot" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="4" markerHeight="4"><circle cx="5" cy="5" r="5" fill="red"/></marker></defs>
    <polyline points="20,150 60,40 120,120 170,50" fill="none" stroke="black" stroke-width="4" marker-start="url(#arrow)" marker-end="url(#arrow)" marker-mid="url(#dot)"/>`),
  'markers in units of the SVG': svgWith(`
    <marker id="m" markerUnits="userSpaceOnUse" markerWidth="30" markerHeight="30" refX="15" refY="15" orient="45"><rect width="30" height="30" fill="#07c8"/></marker>
    <path d="M40 40L160 60L100 160" fill="none" stroke="black" stroke-width="3" marker="url(#m)" style="marker:url(#m)"/>`),
  'markers in the colour of their line': svgWith(`
    <marker id="m" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0L10 5L0 10z" fill="context-stroke"/></marker>
    <g fill="none" stroke-width="6"><path d="M20 40H170" stroke="crimson" marker-end="url(#m)"/><path d="M20 100H170" stroke="green" marker-end="url(#m)"/>
    <path d="M20 160Q100 90 170 160" stroke="#06f" marker-end="url(#m)"/></g>`),
  'colours of the place of use, through several uses and markers': svgWith(`
    <defs>
      <marker id="dot" markerWidth="4" markerHeight="4" refX="2" refY="2"><circle cx="2" cy="2" r="1.5" fill="context-fill" stroke="context-stroke"/></marker>
      <marker id="corner" markerWidth="8" markerHeight="8" refX="4" refY="4" overflow="visible"><path d="M1 1L7 1L7 7z" fill="context-fill" stroke="context-stroke" marker-mid="url(#dot)"/></marker>
      <g id="pair"><rect x="10" y="10" width="40" height="40" fill="context-fill" stroke="context-stroke" stroke-width="4"/></g>
      <g id="turned"><use href="#pair" fill="context-stroke" stroke="context-fill"/></g>
      <g id="plain"><use href="#pair"/></g>
      <path id="way" d="M20 140L90 110L60 180" fill="context-fill" stroke="context-stroke" stroke-width="4" marker-mid="url(#corner)"/>
    </defs>
    <use href="#turned" fill="red" stroke="green"/><use href="#plain" x="60" fill="orange" stroke="navy"/>
    <use href="#way" fill="gold" stroke="purple"/><path d="M120 140L180 110L150 180" fill="pink" stroke="teal" stroke-width="4" marker-mid="url(#corner)"/>
    <rect x="140" y="10" width="40" height="40" fill="context-fill"/>`),
  'a used shape in the colours of its use': svgWith(`
    <defs><g id="leaf"><circle cx="30" cy="30" r="25" fill="context-fill" stroke="context-stroke" stroke-width="6"/></g></defs>
    <use href="#leaf" fill="orange" stroke="brown"/><use href="#leaf" x="80" y="60" fill="#3a3" stroke="navy"/>`),
  'millimetres and points': svgWith(
    '<rect width="100%" height="100%" fill="#eef"/><rect x="5mm" y="10pt" width="1cm" height="0.5in" fill="maroon"/><circle cx="3pc" cy="90" r="20Q" fill="green"/>',
    'width="60mm" height="45mm"',
  ),
  'inches with a view box': svgWith(
    '<rect width="20" height="10" fill="teal"/><circle cx="10" cy="5" r="4" fill="white"/>',
    'width="2in" height="1in" viewBox="0 0 20 10"',
  ),
  'lengths in parts of the SVG and of the type': svgWith(
    '<rect x="10%" y="10%" width="50%" height="25%" fill="coral"/><circle cx="50%" cy="70%" r="20%" fill="none" stroke="black" stroke-width="2%"/><g font-size="20"><rect x="1em" y="4em" width="3em" height="1ex" fill="blue"/></g>',
  ),
  'transforms in a row': svgWith(`
    <g transform="translate(100 100)"><g transform="rotate(30) scale(1.5 .75)"><rect x="-40" y="-40" width="80" height="80" fill="#c36"/></g></g>
    <rect width="40" height="40" fill="#0a8" transform="matrix(1 .2 -.3 1 30 10)"/><rect width="40" height="30" fill="#a80" transform="translate(140,150) skewX(20) skewY(-10)"/>`),
  'transforms about an origin': svgWith(`
    <rect x="60" y="60" width="80" height="80" fill="#36c" transform="rotate(45)" transform-origin="100 100"/>
    <rect x="20" y="20" width="40" height="30" fill="#c63" style="transform: scale(.5) rotate(20deg); transform-origin: 40px 35px"/>`),
  'a mirrored group': svgWith(
    '<g transform="scale(-1,1) translate(-200,0)"><path d="M20 20h100l40 80-140 80z" fill="#945"/></g>',
  ),
  'crisp edges': svgWith(
    '<g shape-rendering="crispEdges"><rect x="10.5" y="10.5" width="80" height="60" fill="#000"/><path d="M20 120L180 180" stroke="red" stroke-width="6"/></g>',
  ),
  'lines thinner than a pixel': svgWith(
    '<g stroke="black" fill="none">' +
      Array.from(
        { length: 18 },
        (_, i) => `<path d="M10 ${10 + i * 10}h180" stroke-width="${0.1 + i * 0.1}"/>`,
      ).join('') +
      '</g>',
  ),
  'a shape without a size of its own': svgWith(
    '<rect x="20" y="20" width="0" height="60" fill="red"/><circle cx="100" cy="100" r="0" fill="red"/><path d="" fill="red"/><rect x="60" y="60" width="80" height="80" fill="green"/>',
  ),
  'geometry in a style': svgWith(
    '<style>rect{x:20px;y:30px;width:80px;height:50px;rx:10px;fill:#06c}circle{cx:140px;cy:130px;r:40px;fill:#c60}</style><rect/><circle/>',
  ),
  'a path in a style': svgWith('<path style="d:path(\'M20 20L180 100L20 180z\');fill:#a3c"/>'),
}
