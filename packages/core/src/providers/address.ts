/** An address below a base that may not be known yet, and may end with a slash. */
export function at(base: string | URL | undefined, path: string): string | undefined {
  return base === undefined ? undefined : `${String(base).replace(/\/$/, "")}${path}`
}

/**
 * For `issuerFor`: the issuer of the discovery document counts, where it is not spelled like the configured one. It is
 * of the same origin all the same.
 */
export function asPublished(_claims: unknown, published: string): string {
  return published
}
