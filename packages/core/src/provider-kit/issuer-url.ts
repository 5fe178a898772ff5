/** The URL of a path below an issuer. `undefined` as long as the issuer isn't known. */
export function urlBelow(issuer: string | URL | undefined, path: string): string | undefined {
  return issuer === undefined ? undefined : `${String(issuer).replace(/\/$/, "")}${path}`
}

/**
 * For `issuerFor`: expect the issuer that the discovery document names, where it differs in spelling from the
 * configured one. Both have the same origin.
 */
export function publishedIssuer(_claims: unknown, published: string): string {
  return published
}
