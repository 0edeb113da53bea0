/** Text. */
import { svgWith } from './document.ts'

const arial = 'font-family="Arial" font-size="28"'

export const text = {
  'plain text': svgWith(
    `<text x="10" y="50" ${arial}>Hello, world</text><text x="10" y="110" font-family="Times New Roman" font-size="32" fill="crimson">Serifs &amp; more</text><text x="10" y="160" font-family="Courier New" font-size="24">monospace</text>`,
  ),
  'weights and slants': svgWith(
    `<g ${arial}><text x="10" y="40" font-weight="bold">Bold</text><text x="10" y="80" font-style="italic">Italic</text><text x="10" y="120" font-weight="700" font-style="oblique">Both</text><text x="10" y="160" font-weight="400">Regular</text></g>`,
  ),
  'anchors of text': svgWith(
    `<path d="M100 0V200" stroke="#ccc"/><g ${arial}><text x="100" y="40">start</text><text x="100" y="90" text-anchor="middle">middle</text><text x="100" y="140" text-anchor="end">the end</text></g>`,
  ),
  'spans within text': svgWith(
    `<text x="10" y="50" ${arial}>One <tspan fill="red" font-weight="bold">red</tspan> word<tspan x="10" dy="1.4em">next line</tspan><tspan x="10" dy="40" font-size="18">and small</tspan></text>`,
  ),
  'letters each in its place': svgWith(
    `<text x="10 50 90 130" y="50 70 50 70" ${arial}>ABCD</text><text x="20" y="130" dx="0 10 20" dy="0 5 10" ${arial}>Shift</text><text x="20" y="180" rotate="0 20 40 60" ${arial}>Turned</text>`,
  ),
  'spaces in text': svgWith(
    `<text x="10" y="40" ${arial}>  a   b\n c </text><text x="10" y="90" ${arial} xml:space="preserve">  a   b </text><text x="10" y="140" ${arial} style="white-space:pre">x    y</text>`,
  ),
  'spacing of letters and words': svgWith(
    `<g ${arial}><text x="10" y="50" letter-spacing="5">Spaced</text><text x="10" y="100" word-spacing="20">two words</text><text x="10" y="150" style="letter-spacing:-.05em">Tightened</text></g>`,
  ),
  'lines with text': svgWith(
    `<g ${arial}><text x="10" y="50" text-decoration="underline">Underlined</text><text x="10" y="100" text-decoration="line-through">Struck</text><text x="10" y="150" style="text-decoration:overline" fill="blue">Over</text></g>`,
  ),
  'baselines of text': svgWith(
    `<path d="M0 50H200M0 110H200M0 160H200" stroke="#ccc"/><g ${arial}><text x="10" y="50" dominant-baseline="middle">middle</text><text x="10" y="110" dominant-baseline="hanging">hang</text><text x="110" y="110" dominant-baseline="central">centr</text><text x="10" y="160" alignment-baseline="middle">none</text></g>`,
  ),
  'shifted baselines': svgWith(
    `<text x="10" y="60" ${arial}>H<tspan baseline-shift="sub" font-size="18">2</tspan>O x<tspan baseline-shift="super" font-size="18">2</tspan></text><text x="10" y="130" ${arial}>a<tspan baseline-shift="10">b</tspan><tspan baseline-shift="-50%">c</tspan></text>`,
  ),
  'text along a path': svgWith(
    `<path id="p" d="M20 150Q100 20 180 150" fill="none" stroke="#ccc"/><text ${arial}><textPath href="#p">Along the path</textPath></text><text font-family="Arial" font-size="16" fill="red"><textPath xlink:href="#p" startOffset="50%" text-anchor="middle"><tspan dy="30">centred</tspan></textPath></text>`,
  ),
  'text of a given length': svgWith(
    `<text x="10" y="60" ${arial} textLength="180">Stretch</text><text x="10" y="130" ${arial} textLength="180" lengthAdjust="spacingAndGlyphs">Wide</text>`,
  ),
  'filled and outlined text': svgWith(
    `<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><text x="5" y="80" font-size="60" font-family="Arial" font-weight="bold" fill="url(#g)">Grad</text><text x="5" y="160" font-size="60" font-family="Arial" font-weight="bold" fill="none" stroke="black" stroke-width="2">Line</text>`,
  ),
  'turned text': svgWith(
    `<text transform="translate(40 180) rotate(-60)" ${arial}>Uphill text</text><text transform="translate(120 40) rotate(90)" ${arial}>Down</text>`,
  ),
  'families and fallbacks': svgWith(
    `<g font-size="24"><text x="10" y="40" font-family="Not A Font, Helvetica, sans-serif">Helvetica</text><text x="10" y="80" font-family="'Nothing'">Nothing</text><text x="10" y="120" style="font-family:serif">Generic</text><text x="10" y="160" font-family="monospace">Mono</text></g>`,
  ),
  'the font in one property': svgWith(
    '<text x="10" y="60" style="font: italic bold 30px/1.2 Arial, sans-serif">Shorthand</text><style>.t{font:24px Georgia,serif}</style><text x="10" y="120" class="t">Georgia</text>',
  ),
  'sizes of type': svgWith(
    '<g font-family="Arial" font-size="16px"><text x="10" y="30" font-size="larger">larger</text><text x="10" y="60" font-size="x-large">x-large</text><text x="10" y="100" font-size="2em">2em</text><text x="10" y="140" font-size="150%">150%</text><text x="10" y="180" font-size="18pt">18pt</text></g>',
  ),
  'letters of many languages': svgWith(
    '<g font-family="DejaVu Sans" font-size="24"><text x="10" y="40">Größe naïve ñ</text><text x="10" y="80">Привет мир</text><text x="10" y="120">Ελληνικά</text><text x="10" y="160">½ → ≤ €</text></g>',
  ),
  'writing from right to left': svgWith(
    '<text x="190" y="60" font-family="DejaVu Sans" font-size="28" text-anchor="end">שלום עולם</text><text x="190" y="120" font-family="DejaVu Sans" font-size="28" direction="rtl">שלום</text><text x="10" y="170" font-family="DejaVu Sans" font-size="28">مرحبا</text>',
  ),
  'sentences from right to left': svgWith(
    '<g font-family="DejaVu Sans" font-size="18"><text x="190" y="30" direction="rtl">Hello, שלום (1)!</text><text direction="rtl">\n<tspan x="190" y="65">one <tspan fill="red">שלום!</tspan> two.</tspan> <tspan x="190" dy="25">three!</tspan></text><text x="10" y="130">a <tspan direction="rtl" unicode-bidi="embed">שלום!</tspan> b</text><text x="10" y="160">a <tspan style="direction:rtl;unicode-bidi:bidi-override">bcd</tspan> e</text><text x="100" y="190" text-anchor="middle" direction="rtl">abc.</text></g>',
  ),
  'text from top to bottom': svgWith(
    '<text x="50" y="20" writing-mode="tb" font-family="Arial" font-size="24">Vertical</text><text x="120" y="20" style="writing-mode:vertical-rl" font-family="Arial" font-size="24">Modern</text>',
  ),
  'capital letters from a style': svgWith(
    '<text x="10" y="60" font-family="Arial" font-size="24" style="text-transform:uppercase">upper</text>',
  ),
  'kerning and ligatures': svgWith(
    '<text x="10" y="60" font-family="Times New Roman" font-size="40">AVATAR To</text><text x="10" y="120" font-family="Arial" font-size="32">office fl</text>',
  ),
  'long text in lines': svgWith(
    `<text font-family="Arial" font-size="12" y="10">${['The quick brown fox jumps over', 'the lazy dog, and runs away', 'into the woods before anybody', 'can see where it has gone.'].map(line => `<tspan x="10" dy="1.5em">${line}</tspan>`).join('\n')}</text>`,
  ),
}
