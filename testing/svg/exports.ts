/** Vector graphics as written by programs: design tools, plotters, diagram makers, icon sets. */
import { star, svgWith } from './document.ts'

const box = 'width="200" height="200" viewBox="0 0 200 200"'

export const exports = {
  'a plot with glyphs as shapes': svgWith(
    `<defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs><g id="figure_1"><g id="patch_1"><path d="M 0 200 L 200 200 L 200 0 L 0 0 z" style="fill: #ffffff"/></g><defs><path id="m1" d="M 0 0 L 0 3.5" style="stroke: #000000; stroke-width: 0.8"/><clipPath id="pb"><rect x="30" y="20" width="150" height="140"/></clipPath><path id="g-31" d="M 794 531 L 1825 531 L 1825 4091 L 703 3866 L 703 4441 L 1819 4666 L 2450 4666 L 2450 531 L 3481 531 L 3481 0 L 794 0 L 794 531 z" transform="scale(0.015625)"/></defs><g><use xlink:href="#m1" x="60" y="160" style="stroke: #000000; stroke-width: 0.8"/><use xlink:href="#m1" x="120" y="160"/><g transform="translate(56 178) scale(0.12 -0.12)"><use xlink:href="#g-31"/><use xlink:href="#g-31" x="63.623047"/></g></g><path d="M 30 150 L 60 80 L 90 120 L 130 20 L 180 60" clip-path="url(#pb)" style="fill: none; stroke: #1f77b4; stroke-width: 1.5; stroke-linecap: square"/><path d="M 30 160 L 30 20" style="fill: none; stroke: #000000; stroke-width: 0.8"/></g>`,
    box,
  ),
  'a graph of nodes': svgWith(
    `<g class="graph" transform="scale(1 1) rotate(0) translate(4 156)"><polygon fill="white" stroke="transparent" points="-4,4 -4,-152 150,-152 150,4 -4,4"/><g class="node"><title>a</title><ellipse fill="none" stroke="black" cx="45" cy="-126" rx="32" ry="18"/><text text-anchor="middle" x="45" y="-122.3" font-family="Times,serif" font-size="14.00">alpha</text></g><g class="edge"><path fill="none" stroke="black" d="M45,-107.7C45,-99.98 45,-90.71 45,-82.11"/><polygon fill="black" stroke="black" points="48.5,-82.1 45,-72.1 41.5,-82.1 48.5,-82.1"/></g><polygon fill="lightgrey" stroke="black" points="80,-72 10,-72 10,-36 80,-36 80,-72"/></g>`,
  ),
  'a diagram with styles under its name': svgWith(
    `<style>#chart{font-family:"trebuchet ms",verdana,arial,sans-serif;font-size:16px;fill:#333;}#chart .node rect,#chart .node circle{fill:#ECECFF;stroke:#9370DB;stroke-width:1px;}#chart .edge .path{stroke:#333333;stroke-width:2.0px;fill:none}#chart .marker{fill:#333;stroke:#333}@keyframes dash{to{stroke-dashoffset:0}}#chart .label text{fill:#333;text-anchor:middle}</style><g><marker id="pe" class="marker" viewBox="0 0 10 10" refX="5" refY="5" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto"><path d="M 0 0 L 10 5 L 0 10 z" style="stroke-width: 1; stroke-dasharray: 1, 0;"/></marker><g class="node"><rect x="20" y="20" width="70" height="40" rx="5" ry="5"/></g><g class="node" transform="translate(150,150)"><circle r="30"/></g><g class="edge"><path class="path" d="M55,60L55,80C55,110,90,150,112,150" marker-end="url(#pe)"/></g><g class="label" transform="translate(55, 45)"><text>Start</text></g></g>`,
    `id="chart" ${box}`,
  ),
  'light and dark colours': svgWith(
    '<rect x="20" y="20" width="160" height="60" fill="#ffffff" stroke="#000000" style="fill: light-dark(#dae8fc, #1d293b); stroke: light-dark(rgb(108, 142, 191), rgb(92, 121, 163));"/><rect x="20" y="110" width="160" height="60" style="fill: light-dark(var(--none, red), blue)"/>',
    `style="color-scheme: light dark" ${box}`,
  ),
  'a frame of a design tool': svgWith(
    `<g clip-path="url(#clip0_1_2)"><rect width="200" height="200" rx="24" fill="#F5F5F7"/><g filter="url(#filter0_f)"><circle cx="140" cy="60" r="50" fill="#FF7A59" fill-opacity="0.8"/></g><mask id="path-3" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="20" y="90" width="120" height="90"><path d="M20 90h120v90H20z" fill="#D9D9D9"/></mask><g mask="url(#path-3)"><circle cx="60" cy="170" r="70" fill="url(#paint0_linear)"/></g><path fill-rule="evenodd" clip-rule="evenodd" d="M30 30C30 24.5 34.5 20 40 20H70C75.5 20 80 24.5 80 30V60C80 65.5 75.5 70 70 70H40C34.5 70 30 65.5 30 60V30ZM45 35V55H65V35H45Z" fill="black"/></g><defs><filter id="filter0_f" x="70" y="-10" width="140" height="140" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/><feBlend mode="normal" in="SourceGraphic" in2="BackgroundImageFix" result="shape"/><feGaussianBlur stdDeviation="10" result="effect1"/></filter><linearGradient id="paint0_linear" x1="0" y1="100" x2="130" y2="200" gradientUnits="userSpaceOnUse"><stop stop-color="#5B8DEF"/><stop offset="1" stop-color="#0063F7" stop-opacity="0.2"/></linearGradient><clipPath id="clip0_1_2"><rect width="200" height="200" rx="24" fill="white"/></clipPath></defs>`,
    `${box} fill="none"`,
  ),
  'layers of an illustration': `<?xml version="1.0" encoding="utf-8"?><!-- Generator --><svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" width="200px" height="200px" viewBox="0 0 200 200" style="enable-background:new 0 0 200 200;" xml:space="preserve"><style type="text/css">
	.st0{fill:url(#SVGID_1_);}
	.st1{opacity:0.5;fill:#00A99D;enable-background:new    ;}
	.st2{font-family:'Arial-BoldMT', 'Arial';}
	.st3{font-size:24px;}
	.st4{clip-path:url(#SVGID_3_);}
</style><g><linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse" x1="20" y1="60" x2="120" y2="60" gradientTransform="matrix(1 0 0 -1 0 120)"><stop offset="0" style="stop-color:#FBB03B"/><stop offset="1" style="stop-color:#C1272D"/></linearGradient><rect x="20" y="10" class="st0" width="100" height="100"/><circle class="st1" cx="120" cy="110" r="50"/><text transform="matrix(1 0 0 1 20 180)" class="st2 st3">Layered</text></g><g><defs><circle id="SVGID_2_" cx="160" cy="50" r="30"/></defs><clipPath id="SVGID_3_"><use xlink:href="#SVGID_2_"  style="overflow:visible;"/></clipPath><g class="st4"><rect x="120" y="10" width="80" height="40"/></g></g></svg>`,
  'a sequence with text of given lengths': svgWith(
    '<g><line style="stroke:#181818;stroke-width:0.5;stroke-dasharray:5.0,5.0;" x1="40" x2="40" y1="40" y2="180"/><rect fill="#E2E2F0" height="30" rx="2.5" ry="2.5" style="stroke:#181818;stroke-width:0.5;" width="60" x="10" y="10"/><text fill="#000000" font-family="sans-serif" font-size="14" lengthAdjust="spacing" textLength="46" x="17" y="30">Caller</text><polygon fill="#181818" points="138,96,148,100,138,104,142,100" style="stroke:#181818;stroke-width:1.0;"/><text fill="#000000" font-family="sans-serif" font-size="13" lengthAdjust="spacing" textLength="60" x="60" y="90">asks for it</text></g>',
    `${box} preserveAspectRatio="none" style="width:200px;height:200px;background:#FFFFFF;" contentStyleType="text/css" zoomAndPan="magnify"`,
  ),
  'marks of a map': svgWith(
    `<g fill="none" stroke="#888" stroke-width=".5"><path d="M0 50h200M0 100h200M0 150h200M50 0v200M100 0v200M150 0v200"/></g><g transform="translate(80 40)"><path d="M20 0C9 0 0 9 0 20c0 15 20 40 20 40s20-25 20-40C40 9 31 0 20 0z" fill="#e53935"/><circle cx="20" cy="20" r="8" fill="#fff"/></g><path d="M10 190Q60 120 110 150T190 110" fill="none" stroke="#1e88e5" stroke-width="6" stroke-linecap="round" stroke-dasharray="1 12"/>`,
    box,
  ),
  'a gauge': svgWith(
    '<circle cx="100" cy="100" r="80" fill="none" stroke="#eee" stroke-width="20" stroke-dasharray="377 503" stroke-linecap="round" transform="rotate(135 100 100)"/><circle cx="100" cy="100" r="80" fill="none" stroke="#43a047" stroke-width="20" stroke-dasharray="226 503" stroke-linecap="round" transform="rotate(135 100 100)"/><text x="50%" y="50%" dominant-baseline="middle" text-anchor="middle" font-family="Arial" font-size="40" font-weight="600">60%</text>',
    box,
  ),
  'an avatar with letters': svgWith(
    '<defs><clipPath id="r"><rect width="200" height="200" rx="100"/></clipPath></defs><g clip-path="url(#r)"><rect width="200" height="200" fill="#7e57c2"/><path d="M0 140h200v60H0z" fill="#000" fill-opacity=".2"/></g><text x="100" y="100" dy=".35em" fill="#fff" font-size="80" font-family="Helvetica,Arial,sans-serif" text-anchor="middle">AB</text>',
    box,
  ),
  'a badge': svgWith(
    '<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient><clipPath id="r"><rect width="98" height="20" rx="3" fill="#fff"/></clipPath><g clip-path="url(#r)"><rect width="37" height="20" fill="#555"/><rect x="37" width="61" height="20" fill="#4c1"/><rect width="98" height="20" fill="url(#s)"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="110"><text aria-hidden="true" x="195" y="150" fill="#010101" fill-opacity=".3" transform="scale(.1)" textLength="270">build</text><text x="195" y="140" transform="scale(.1)" fill="#fff" textLength="270">build</text><text x="665" y="140" transform="scale(.1)" textLength="510">passing</text></g>',
    'width="196" height="40" viewBox="0 0 98 20" role="img"',
  ),
  'a sprite and its uses': svgWith(
    `<svg style="display:none"><symbol id="i-a" viewBox="0 0 24 24"><path d="M12 2L2 22h20z"/></symbol><symbol id="i-b" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/></symbol></svg><use href="#i-a" width="80" height="80" x="10" y="10" fill="tomato"/><use href="#i-b" width="80" height="80" x="110" y="10" fill="steelblue"/><use href="#i-a" width="100%" height="40%" y="60%"/>`,
    box,
  ),
  'waves in layers': svgWith(
    '<defs><path id="w" d="M-160 44c30 0 58-18 88-18s58 18 88 18 58-18 88-18 58 18 88 18v144h-352z"/></defs><g><use href="#w" x="48" y="0" fill="rgba(0,120,255,0.7)"/><use href="#w" x="48" y="23" fill="rgba(0,120,255,0.5)"/><use href="#w" x="48" y="57" fill="#07f"/></g>',
    'width="200" height="200" viewBox="0 24 150 188" preserveAspectRatio="none"',
  ),
  'handwriting of strokes': svgWith(
    '<g fill="none" stroke="#222" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"><path d="M20 120c20-80 30-80 30 0s10 20 30-20 20-40 20 0-10 40 10 20 20-60 40-60 0 90 30 40"/></g>',
    box,
  ),
  'a texture over colour': svgWith(
    '<filter id="n" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="3" stitchTiles="stitch"/><feColorMatrix type="saturate" values="0"/></filter><rect width="200" height="200" fill="#c9a"/><rect width="200" height="200" filter="url(#n)" opacity=".25"/>',
    box,
  ),
  'an inner shadow': svgWith(
    '<defs><filter id="inset"><feOffset dx="0" dy="6"/><feGaussianBlur stdDeviation="5" result="offset-blur"/><feComposite operator="out" in="SourceGraphic" in2="offset-blur" result="inverse"/><feFlood flood-color="black" flood-opacity=".8" result="color"/><feComposite operator="in" in="color" in2="inverse" result="shadow"/><feComposite operator="over" in="shadow" in2="SourceGraphic"/></filter></defs><rect x="30" y="30" width="140" height="140" rx="20" fill="#9ccc65" filter="url(#inset)"/>',
    box,
  ),
  'goo between drops': svgWith(
    '<filter id="goo"><feGaussianBlur in="SourceGraphic" stdDeviation="8" result="b"/><feColorMatrix in="b" values="1 0 0 0 0  0 1 0 0 0  0 0 1 0 0  0 0 0 18 -7"/></filter><g filter="url(#goo)" fill="#d32f2f"><circle cx="70" cy="100" r="35"/><circle cx="135" cy="100" r="30"/></g>',
    box,
  ),
  'two tones of a picture': svgWith(
    `<filter id="duo" color-interpolation-filters="sRGB"><feColorMatrix type="matrix" values=".33 .33 .33 0 0 .33 .33 .33 0 0 .33 .33 .33 0 0 0 0 0 1 0"/><feComponentTransfer><feFuncR tableValues=".1 .9" type="table"/><feFuncG tableValues=".2 .8" type="table"/><feFuncB tableValues=".6 .4" type="table"/></feComponentTransfer></filter><g filter="url(#duo)"><rect width="200" height="200" fill="#fe8"/><circle cx="100" cy="100" r="70" fill="#236"/><path d="${star(100, 100, 50)}" fill="#f55"/></g>`,
    box,
  ),
  'text clipped and masked': svgWith(
    '<clipPath id="t"><text x="10" y="90" font-size="80" font-weight="bold" font-family="Arial">CLIP</text></clipPath><g clip-path="url(#t)"><rect width="200" height="100" fill="#e91e63"/><circle cx="100" cy="60" r="40" fill="#ffeb3b"/></g><mask id="m"><rect width="200" height="200" fill="white"/><text x="100" y="170" text-anchor="middle" font-size="60" font-weight="bold" font-family="Arial">HOLE</text></mask><rect y="110" width="200" height="80" fill="#3f51b5" mask="url(#m)"/>',
    box,
  ),
  'text with a pattern and a shadow': svgWith(
    '<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse"><rect width="5" height="10" fill="#c2185b"/><rect x="5" width="5" height="10" fill="#1976d2"/></pattern><text x="10" y="80" font-size="70" font-weight="bold" font-family="Arial" fill="url(#p)">Stripe</text><text x="10" y="160" font-size="40" font-family="Arial" style="filter: drop-shadow(3px 3px 2px #0008)">Shadow</text>',
    box,
  ),
  'a table of text': svgWith(
    `<g font-family="Courier New, monospace" font-size="12">${['Name   Qty', 'Apple    3', 'Pear    12'].map((line, i) => `<text x="10" y="${30 + i * 20}" xml:space="preserve">${line}</text>`).join('')}</g><g stroke="#999"><path d="M10 36H190M10 56H190"/></g>`,
    box,
  ),
  'spans that nest and move': svgWith(
    '<text x="10" y="40" font-family="Arial" font-size="20">a<tspan font-size="30">B<tspan font-style="italic" fill="red">c</tspan></tspan>d<tspan dx="10" dy="-8">up</tspan><tspan dy="8">down</tspan></text><text font-family="Arial" font-size="20"><tspan x="10" y="100">first</tspan><tspan x="10" y="130" text-anchor="start">second</tspan><tspan x="190" y="160" text-anchor="end">third</tspan></text>',
    box,
  ),
  'bold of a span in letters far apart': svgWith(
    '<text x="100" y="60" text-anchor="middle" letter-spacing="4" font-family="Arial" font-size="24">WI<tspan font-weight="bold">DE</tspan></text><text x="100" y="120" text-anchor="middle" font-family="Arial" font-size="24"><tspan>le</tspan> <tspan fill="blue">mot</tspan></text>',
    box,
  ),
  'markers on curves and closed shapes': svgWith(
    '<marker id="a" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto"><path d="M0 0L8 4L0 8z" fill="#d84315"/></marker><marker id="s" markerWidth="6" markerHeight="6" refX="3" refY="3"><rect width="6" height="6" fill="#1565c0"/></marker><path d="M20 60C60 0 100 120 180 40" fill="none" stroke="#333" stroke-width="2" marker-start="url(#s)" marker-end="url(#a)"/><path d="M40 110H160V180H40Z" fill="none" stroke="#333" stroke-width="2" style="marker: url(#a)"/>',
    box,
  ),
  'gradients turned and skewed': svgWith(
    '<linearGradient id="a" gradientTransform="rotate(45 .5 .5)"><stop stop-color="#000"/><stop offset=".5" stop-color="#0bc"/><stop offset=".5" stop-color="#fff"/><stop offset="1" stop-color="#f60"/></linearGradient><radialGradient id="b" gradientTransform="translate(.2 0) scale(.6 1)" spreadMethod="reflect" r=".3"><stop stop-color="#ff0"/><stop offset="1" stop-color="#080"/></radialGradient><rect x="10" y="10" width="180" height="80" fill="url(#a)"/><rect x="10" y="110" width="180" height="80" fill="url(#b)"/>',
    box,
  ),
  'nested views with proportions': svgWith(
    '<svg x="10" y="10" width="80" height="80" viewBox="0 0 40 20" preserveAspectRatio="xMaxYMin slice"><rect width="40" height="20" fill="#b39ddb"/><circle cx="30" cy="10" r="8"/></svg><svg x="110" y="10" width="80" height="80" viewBox="0 0 40 20" preserveAspectRatio="none"><circle cx="20" cy="10" r="10" fill="#26a69a"/></svg><symbol id="y" viewBox="0 0 20 40" preserveAspectRatio="xMinYMid"><rect width="20" height="40" fill="#ef5350"/></symbol><use href="#y" x="10" y="110" width="80" height="80"/>',
    box,
  ),
  'percentages inside a nested view': svgWith(
    '<svg x="10%" y="10%" width="80%" height="40%"><rect width="100%" height="100%" fill="#eee"/><line x1="0" y1="100%" x2="100%" y2="0" stroke="black" stroke-width="3%"/></svg><g transform="translate(0 100)"><rect x="25%" width="50%" height="20%" rx="5%" fill="#8d6e63"/></g>',
    box,
  ),
  'strokes of gradients and patterns': svgWith(
    '<linearGradient id="g"><stop stop-color="#f06"/><stop offset="1" stop-color="#06f"/></linearGradient><pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><rect width="3" height="6"/></pattern><path d="M20 60H180" stroke="url(#g)" stroke-width="20"/><circle cx="100" cy="130" r="45" fill="none" stroke="url(#p)" stroke-width="16"/><path d="M10 20C60 60 120 -20 190 20" fill="none" stroke="url(#g)" stroke-width="6"/>',
    box,
  ),
  'a moving picture at rest': svgWith(
    '<style>@keyframes spin{to{transform:rotate(360deg)}}.x{transition:all 1s}</style><rect class="x" x="40" y="40" width="120" height="120" fill="#ff7043"><title>Hover</title><set attributeName="fill" to="blue" begin="click"/></rect><script>document.rootElement.remove()</script>',
    box,
  ),
  'hidden by CSS and by size': svgWith(
    '<style>.off{display:none}.ghost{opacity:0}.gone{visibility:collapse}[hidden]{display:none}</style><g class="off"><rect width="200" height="200" fill="red"/></g><rect class="ghost" width="200" height="200" fill="red"/><rect class="gone" width="200" height="200" fill="red"/><rect hidden="" width="200" height="200" fill="red"/><circle cx="100" cy="100" r="60" fill="green"/>',
    box,
  ),
}
