/** Groups, uses, symbols, nested documents, conditions, and styles. */
import { svgWith } from './document.ts'

const icon =
  '<path d="M3 9l9-7 9 7v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/><polyline points="9 22 9 12 15 12 15 22"/>'

export const structure = {
  'an icon of lines': svgWith(
    icon,
    'width="200" height="200" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"',
  ),
  'an icon with only a view box': svgWith(
    '<path d="M10 20v-6h4v6h5v-8h3L12 3 2 12h3v8z"/>',
    'viewBox="0 0 24 24"',
  ),
  'a view box cut to fit': svgWith(
    '<rect width="100" height="50" fill="#8cf"/><circle cx="50" cy="25" r="20" fill="#c33"/>',
    'width="200" height="200" viewBox="0 0 100 50" preserveAspectRatio="xMidYMid slice"',
  ),
  'a view box to one side': svgWith(
    '<rect width="100" height="50" fill="#8cf"/><circle cx="50" cy="25" r="20" fill="#c33"/>',
    'width="200" height="200" viewBox="0 0 100 50" preserveAspectRatio="xMinYMax meet"',
  ),
  'a stretched view box': svgWith(
    '<rect width="100" height="50" fill="#8cf"/><circle cx="50" cy="25" r="20" fill="#c33"/>',
    'width="200" height="200" viewBox="0 0 100 50" preserveAspectRatio="none"',
  ),
  'a view box that begins elsewhere': svgWith(
    '<rect x="-50" y="-50" width="100" height="100" fill="#ddd"/><circle r="40" fill="#c33"/><path d="M-50 0H50M0-50V50" stroke="black"/>',
    'width="200" height="200" viewBox="-50 -50 100 100"',
  ),
  'uses of a shape': svgWith(
    '<defs><circle id="c" r="20"/></defs><use href="#c" x="40" y="40" fill="red"/><use xlink:href="#c" x="100" y="40" fill="green"/><use xlink:href="#c" transform="translate(100 130) scale(2)" fill="none" stroke="blue"/>',
  ),
  'symbols of any size': svgWith(
    '<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10" fill="#fc8"/><path d="M0 0L10 10"/><circle cx="5" cy="5" r="3"/></symbol><use href="#s" width="50" height="50"/><use href="#s" x="70" y="20" width="120" height="60" fill="blue"/><use href="#s" x="10" y="100" width="40" height="90" stroke="red"/>',
  ),
  'a faint symbol': svgWith(
    '<symbol id="s" viewBox="0 0 10 10" opacity=".4"><rect width="8" height="8"/><circle cx="6" cy="6" r="4" fill="red"/></symbol><use href="#s" x="20" y="20" width="160" height="160"/>',
  ),
  'SVG inside SVG': svgWith(
    '<rect width="200" height="200" fill="#eee"/><svg x="20" y="20" width="100" height="60" viewBox="0 0 50 50"><rect width="50" height="50" fill="orange"/><circle cx="50" cy="25" r="20"/></svg><svg x="50%" y="50%" width="50%" height="50%"><circle cx="50%" cy="50%" r="60%" fill="teal"/></svg>',
  ),
  'what flows over nested SVG': svgWith(
    '<svg x="50" y="50" width="50" height="50" overflow="visible"><circle cx="50" cy="50" r="40" fill="teal"/></svg><svg x="120" y="10" width="50" height="50"><circle cx="50" cy="50" r="40" fill="crimson"/></svg>',
  ),
  'links around shapes': svgWith(
    '<a href="https://example.org/"><rect x="20" y="20" width="80" height="80" fill="#36c"/><text x="20" y="140" font-family="Arial" font-size="24">Link</text></a>',
  ),
  'a switch between languages': svgWith(
    '<switch><g systemLanguage="de"><rect width="100" height="100" fill="red"/></g><g systemLanguage="en"><rect x="50" y="50" width="100" height="100" fill="green"/></g><g><rect width="200" height="200" fill="blue"/></g></switch><rect x="10" y="160" width="30" height="30" systemLanguage="fr" fill="red"/><rect x="60" y="160" width="30" height="30" systemLanguage="en-US, de" fill="black"/>',
  ),
  'a style sheet': svgWith(
    '<style>.a{fill:#c33}.b{fill:#3c3;stroke:black;stroke-width:3}#c{fill:#33c}rect.a.b{fill:orange}g > circle{fill:purple}</style><rect class="a" x="10" y="10" width="50" height="50"/><rect class="b" x="75" y="10" width="50" height="50"/><rect id="c" class="a" x="140" y="10" width="50" height="50"/><rect class="a b" x="10" y="80" width="50" height="50"/><g><circle cx="120" cy="130" r="40"/></g>',
  ),
  'a style sheet in CDATA': svgWith(
    '<defs><style type="text/css"><![CDATA[ .cls-1 { fill: #f06; } .cls-2, .cls-3 { fill: none; stroke: #06f; stroke-miterlimit: 10; stroke-width: 5px; } ]]></style></defs><rect class="cls-1" x="20" y="20" width="70" height="70"/><circle class="cls-2" cx="140" cy="60" r="35"/><path class="cls-3" d="M20 120l160 60"/>',
  ),
  'selectors of many kinds': svgWith(
    '<style>rect:first-child{fill:red}rect:nth-child(2){fill:green}[data-k="v"]{fill:blue}rect ~ circle{fill:orange}rect + ellipse{fill:purple}:not(rect):not(g):not(svg):not(style).n{stroke:black;stroke-width:5}</style><g><rect x="10" y="10" width="40" height="40"/><rect x="60" y="10" width="40" height="40"/><rect x="110" y="10" width="40" height="40" data-k="v"/><circle class="n" cx="40" cy="120" r="30"/><rect x="100" y="100" width="20" height="20"/><ellipse cx="150" cy="140" rx="40" ry="20"/></g>',
  ),
  'what is important in a style': svgWith(
    '<style>.a{fill:green!important}rect{fill:red}</style><rect class="a" style="fill:red" x="20" y="20" width="70" height="70"/><rect x="110" y="20" width="70" height="70" fill="blue"/><rect class="a" x="20" y="110" width="70" height="70" fill="blue"/>',
  ),
  'variables in a style': svgWith(
    '<style>:root{--main:#0a8;--line:6px}.box{fill:var(--main);stroke:var(--none,#333);stroke-width:var(--line)}</style><rect class="box" x="20" y="20" width="80" height="80"/><circle cx="140" cy="140" r="40" style="--main:#c60;fill:var(--main)"/>',
  ),
  'styles for some media': svgWith(
    '<style>@media print{rect{fill:red}}@media screen{rect{fill:green}}@media not print{rect{stroke:blue;stroke-width:9}}@media (prefers-color-scheme: dark){rect{fill:black}}@font-face{font-family:x}@import url(x.css);</style><rect x="20" y="20" width="160" height="160"/>',
  ),
  'calculated lengths': svgWith(
    '<style>rect{width:calc(50% + 20px);stroke-width:calc(2px * 3)}</style><rect x="20" y="20" height="80" fill="#6cf" stroke="#036"/>',
  ),
  'inherited and unset properties': svgWith(
    '<g fill="red" stroke="blue" stroke-width="6"><rect x="20" y="20" width="60" height="60" fill="inherit"/><rect x="110" y="20" width="60" height="60" fill="initial"/><rect x="20" y="110" width="60" height="60" style="fill:unset;stroke:none"/></g>',
  ),
  'names with prefixes':
    '<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="200"><s:defs><s:rect id="r" width="50" height="50"/></s:defs><s:use xlink:href="#r" x="30" y="30" fill="green"/><s:circle cx="130" cy="130" r="40"/></s:svg>',
  'what an editor leaves behind':
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?><!-- Created with an editor --><svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg" width="52.916666mm" height="52.916666mm" viewBox="0 0 52.916666 52.916666" version="1.1" id="svg5" inkscape:version="1.2"><sodipodi:namedview id="n" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview><metadata><rect/></metadata><g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1"><rect style="fill:#ff7f2a;stroke:#000000;stroke-width:1.32292;stroke-linejoin:round;-inkscape-stroke:none" x="5" y="6" width="30" height="20" rx="3"/><path style="fill:#3771c8" d="m 30,30 c 5,-5 15,0 15,8 0,8 -10,10 -15,5 z"/></g></svg>',
  'entities in a document type':
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY st0 "fill:#D9E021;"><!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;" width="200" height="200"><rect style="&st0;stroke:#000" x="30" y="30" width="140" height="140"/></svg>',
  'shapes that are only defined': svgWith(
    '<defs><rect width="200" height="200" fill="red"/></defs><title>Title</title><desc>Description</desc><symbol id="x"><rect width="200" height="200" fill="red"/></symbol><rect x="50" y="50" width="100" height="100" fill="green"/><unknown><rect width="50" height="50" fill="red"/></unknown>',
  ),
  'a chart': svgWith(
    `<g transform="translate(30,10)" font-size="10" font-family="sans-serif">${[40, 90, 65, 130, 110].map((h, i) => `<rect x="${5 + i * 30}" y="${150 - h}" width="22" height="${h}" fill="steelblue"/><text x="${16 + i * 30}" y="165" text-anchor="middle">${'ABCDE'[i]}</text>`).join('')}<path d="M0.5,0V150.5H155" stroke="currentColor" fill="none"/>${[0, 50, 100].map(v => `<g transform="translate(0,${150 - v})"><line x2="-6" stroke="currentColor"/><text x="-9" dy="0.32em" text-anchor="end">${v}</text></g>`).join('')}</g>`,
  ),
  'a pie': svgWith(
    `<g transform="translate(100 100)" stroke="white" stroke-width="2"><path d="M0 0L0-90A90 90 0 0 1 85.6 27.8z" fill="#4e79a7"/><path d="M0 0L85.6 27.8A90 90 0 0 1-52.9 72.8z" fill="#f28e2b"/><path d="M0 0L-52.9 72.8A90 90 0 0 1 0-90z" fill="#e15759"/></g>`,
  ),
  'a diagram of boxes and arrows': svgWith(
    `<defs><marker id="ah" markerWidth="10" markerHeight="7" refX="9" refY="3.5" orient="auto"><polygon points="0 0, 10 3.5, 0 7"/></marker></defs><g font-family="Helvetica, Arial, sans-serif" font-size="14" text-anchor="middle"><g><rect x="20" y="20" width="70" height="40" rx="4" fill="#e1f5fe" stroke="#0288d1"/><text x="55" y="45">Start</text></g><g><rect x="110" y="120" width="70" height="40" rx="4" fill="#fff3e0" stroke="#f57c00"/><text x="145" y="145">End</text></g></g><path d="M90 40H145V118" fill="none" stroke="black" stroke-width="1.5" marker-end="url(#ah)"/>`,
  ),
  'a pixel code': svgWith(
    Array.from({ length: 400 }, (_, i) =>
      ((i * 7919) % 13) % 2
        ? `<rect x="${(i % 20) * 10}" y="${Math.floor(i / 20) * 10}" width="10" height="10"/>`
        : '',
    ).join(''),
    'width="200" height="200" shape-rendering="crispEdges"',
  ),
  'a background of the SVG': svgWith(
    '<circle cx="100" cy="100" r="60" fill="white"/>',
    'width="200" height="200" style="background:#2a4; background-color:#2a4"',
  ),
  'no namespace of links':
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><g id="a"><rect width="60" height="60"/></g></defs><use href="#a" x="20" y="20" fill="red"/><use href="#a" x="100" y="100" fill="blue"/></svg>',
}
