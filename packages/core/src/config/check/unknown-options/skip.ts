/** Edge bundles have no table of the names: it would add 10 kB to every middleware. */
export function unknownOptions(): readonly never[] {
  return []
}
