/** Runs something if the page is left. @returns a function that stops it */
export function onPageHide(run: () => void): () => void {
  window.addEventListener('pagehide', run)
  return () => window.removeEventListener('pagehide', run)
}
