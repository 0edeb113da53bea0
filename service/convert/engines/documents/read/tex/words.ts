/** What commands and environments of LaTeX stand for that have no content, or only mark it. */
import { ownValue } from '../../../common/own-value.ts'

// Only these: some of the words are spaces of other kinds.
const words = (text: string) => text.split(/[ \n]+/).filter(Boolean)
/** What is before the last colon of each word, and after it. */
const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    words(text).map(pair => [pair.slice(0, pair.lastIndexOf(':')), pair.slice(pair.lastIndexOf(':') + 1)]),
  )
/** A table of words by what they have in common. */
const byWord = <Kind>(table: readonly (readonly [Kind, string])[]): Record<string, Kind> =>
  Object.fromEntries(table.flatMap(([kind, list]) => words(list).map(word => [word, kind])))

/** HTML's elements for the text in the argument of a command. */
export const MARKS = byWord([
  ['strong', 'textbf'],
  ['em', 'textit textsl emph'],
  ['code', 'texttt'],
  ['u', 'underline uline ul'],
  ['s', 'sout st'],
  ['mark', 'hl'],
  ['sup', 'textsuperscript'],
  ['sub', 'textsubscript'],
  ['span', 'textsc'],
  [
    '',
    'textsf textrm textup textmd textnormal text mbox hbox fbox makebox framebox centerline MakeUppercase lowercase uppercase shortstack',
  ],
])

/** And for the text after one, to the end of its group. */
export const DECLARATIONS = byWord([
  ['strong', 'bf bfseries'],
  ['em', 'it itshape em sl slshape'],
  ['code', 'tt ttfamily'],
  ['span', 'sc scshape'],
  ['', 'normalfont rm rmfamily sf sffamily upshape mdseries'],
])

export const SYMBOLS: Record<string, string> = {
  ...pairs(`ldots:… dots:… textellipsis:… LaTeX:LaTeX TeX:TeX LaTeXe:LaTeX2e BibTeX:BibTeX XeTeX:XeTeX XeLaTeX:XeLaTeX ss:ß ae:æ AE:Æ oe:œ
    OE:Œ o:ø O:Ø l:ł L:Ł aa:å AA:Å i:ı j:ȷ dh:ð DH:Ð th:þ TH:Þ S:§ P:¶ dag:† ddag:‡ copyright:© textcopyright:© textregistered:®
    texttrademark:™ pounds:£ textsterling:£ euro:€ texteuro:€ EUR:€ textyen:¥ textdegree:° degree:° textbullet:• textperiodcentered:·
    textendash:– textemdash:— textquotedblleft:“ textquotedblright:” textquoteleft:‘ textquoteright:’ guillemotleft:« guillemotright:»
    og:« fg:» textbackslash:\\ textasciitilde:~ textasciicircum:^ textunderscore:_ textbar:| textless:< textgreater:> textdollar:$
    textbraceleft:{ textbraceright:} textquotedbl:" textquotesingle:' textexclamdown:¡ textquestiondown:¿ textpm:± textmu:µ texttimes:×
    textasteriskcentered:* slash:/ lq:‘ rq:’ checkmark:✓ textordmasculine:º textordfeminine:ª nobreakspace:\u00a0 ,:\u2006 thinspace:\u2006`),
  ...byWord([[' ', 'quad qquad enspace space ; : >']]),
  ...{ ' ': ' ', '\n': ' ', '\t': ' ' },
}

export const SIGNS: Record<string, string> = pairs("~:\u00a0 --:– ---:— ``:“ '':” `:‘ ':’")

/** Marks that stand above or below the letter in their argument. */
export const ACCENTS =
  pairs(`':\u0301 \`:\u0300 ^:\u0302 ":\u0308 ~:\u0303 =:\u0304 .:\u0307 u:\u0306 v:\u030c H:\u030b c:\u0327 k:\u0328
  d:\u0323 b:\u0331 r:\u030a t:\u0361`)

/** The number of arguments that show nothing, of commands and environments. */
export const SKIPPED = byWord([
  [
    0,
    `- + < / @ ! kill noindent indent centering raggedright raggedleft tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge
    clearpage cleardoublepage newpage pagebreak linebreak hfill vfill hfil vfil bigskip medskip smallskip maketitle tableofcontents
    listoffigures listoftables appendix frontmatter mainmatter backmatter makeatletter makeatother sloppy protect relax null leavevmode
    ignorespaces unskip frenchspacing allowbreak printbibliography printindex onecolumn twocolumn singlespacing onehalfspacing
    doublespacing begingroup endgroup boldmath strut xspace phantomsection balance selectfont footnotemark newblock pause toprule bottomrule`,
  ],
  [
    1,
    `vspace hspace pagestyle thispagestyle bibliographystyle bibliography addbibresource usepackage documentclass index hypersetup geometry
    color pagenumbering cline cmidrule hyphenation selectlanguage thanks phantom newcounter stepcounter nocite lstset captionsetup
    theoremstyle graphicspath newlength rowcolor cellcolor foreignlanguage textcolor colorbox raisebox parbox scalebox minipage multicols
    spacing column block list`,
  ],
  [
    2,
    'setlength addtolength setcounter addtocounter rule markboth fontsize resizebox numberwithin wrapfigure wraptable adjustwidth',
  ],
  [3, 'addcontentsline definecolor'],
])

/** Commands that do what others do. */
export const ALIASES = byWord([
  ['\\', 'newline tabularnewline cr'],
  ['verb', 'lstinline mintinline Verb'],
  ['url', 'nolinkurl path email'],
  ['href', 'ahref footahref'],
  ['htmladdnormallink', 'htmladdnormallinkfoot htmlref'],
  ['ref', 'pageref eqref autoref cref Cref'],
  ['input', 'include lstinputlisting subfile import'],
  ['footnote', 'footnotetext endnote'],
  ['title', 'author date'],
  ['item', 'bibitem'],
  ['label', 'hypertarget'],
  ['hline', 'midrule endfirsthead'],
  ['endhead', 'endfoot endlastfoot'],
])

const environments = byWord([
  ['math', 'math displaymath equation align alignat flalign gather multline eqnarray split'],
  ['verbatim', 'alltt comment filecontents minted'],
  ['list', 'itemize enumerate description thebibliography compactitem compactenum'],
  ['quote', 'quote quotation verse abstract displayquote'],
  ['table', 'tabular tabularx tabulary longtable supertabular xltabular'],
  [
    'float',
    'figure table subfigure subtable wrapfigure wraptable sidewaysfigure sidewaystable algorithm listing',
  ],
  ['lost', 'tikzpicture pspicture picture pgfpicture axis forest'],
  [
    'plain',
    `document center flushleft flushright minipage multicols titlepage landscape spacing appendices adjustwidth frame columns column block tabbing
    threeparttable group sloppypar subequations proof small footnotesize large`,
  ],
])

/** What kind of environment one is; undefined if that is not known. Programs call those of code as they like. */
export const kindOf = (name: string): string | undefined =>
  ownValue(environments, name.replace(/\*$/, '')) ??
  (/(?:code|verbatim|listing)\*?$/i.test(name) ? 'verbatim' : undefined)

/** What formulas with rows are called within others. */
const ROW_KINDS = byWord([
  ['aligned', 'align alignat flalign split'],
  ['gathered', 'gather multline'],
])

/** The beginning and the end of such an environment within a formula. */
export function rowsOf(name: string): [before: string, after: string] {
  if (name === 'eqnarray') return ['\\begin{array}{rcl}', '\\end{array}']
  const kind = ownValue(ROW_KINDS, name)
  return kind ? [`\\begin{${kind}}`, `\\end{${kind}}`] : ['', '']
}
