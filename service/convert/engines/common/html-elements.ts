/** What the elements of HTML are, by their names. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements that start and end a paragraph: https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3 */
export const blockElements = names(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section ' +
    'summary table tbody td tfoot th thead tr ul xmp',
)

/** Elements without an end tag: https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
export const voidElements = names('area base br col embed hr img input link meta param source track wbr')
