/** An address below a base that may not be known yet, and may end with a slash. */
export function at(base: string | URL | undefined, path: string): string | undefined {
  return base === undefined ? undefined : `${String(base).replace(/\/$/, "")}${path}`
}
