/** Escapes text for HTML: between elements and in quoted attributes, but not in a script or style. */
export function escapeHtml(text: string): string {
  // Most texts need nothing. A function that is called for each character takes five times as long as this.
  if (!/[&<>"']/.test(text)) return text
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
