import type { Hole } from "./hole.js"

/** The browser never overrides the site. */
export const holes: readonly Hole[] = [
  {
    name: "a visitor replaces configured parameters of the authorization request",
    file: "src/features/oauth/requested-params.ts",
    replace: "if (taken.has(name) || names.some((reading) => taken.has(reading))) return false",
    with: "if (name === '') return false",
    breaks: "parameters-kept",
  },
  {
    name: "a visitor's parameters decide what the ID token is checked against",
    file: "src/features/oauth/oauth.ts",
    replace: "auth.security.enforceIssuerChecks ? url.searchParams : site",
    with: "auth.security.enforceIssuerChecks ? url.searchParams : new URLSearchParams(request.query)",
    breaks: "parameters-kept",
  },
  {
    name: "acr and auth_time are not checked under compatible",
    file: "src/features/oauth/verify-token.ts",
    replace: "assertAuthentication(provider, {",
    with: "if (auth.security.enforceIssuerChecks) assertAuthentication(provider, {",
    breaks: "parameters-kept",
  },
  {
    name: "the last of a repeated response parameter counts",
    file: "src/features/oauth/finish.ts",
    replace: "  if (repeated !== undefined) {",
    with: "  if (repeated === provider.id) {",
    breaks: "parameters-kept",
    test: {
      file: "packages/core/test/attacks/repeated-params.test.ts",
      title: "a parameter that the query has twice is refused, and the attempt stays usable",
    },
  },
  {
    name: "an ID token is also for another party",
    file: "src/features/oauth/verify-token.ts",
    replace: "  assertAudiences(provider, claims)\n",
    with: "",
    breaks: "parameters-kept",
    test: {
      file: "packages/core/test/attacks/id-token-claims.test.ts",
      title: "an ID token that is also for an unknown audience is refused, whatever `azp` says",
    },
  },
]
