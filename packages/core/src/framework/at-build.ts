import type { Integration } from "./model.js"

/** What a framework makes when it builds the application. */
export interface Build<E> {
  /** Whether a build makes the response. */
  isBuild(event: E): boolean
  /** How a page gets a visitor, for the error of a function that needs one. */
  advice(event: E): string
  /** As in `Framework`: then a page can ask for a CSRF token, which is empty. */
  readonly acceptsForms?: boolean
}

/**
 * The same integration, for frameworks that make some pages when they build the application. Such a page has no visitor, and a build
 * has no secret: nothing is read, and the session is `null`.
 *
 * @example
 * ```ts
 * import { atBuild, type Integration } from "@latchkey/core/integration"
 *
 * type Event = { readonly isPrerendered: boolean }
 * export const forPages = (integration: Integration<Event, unknown>) =>
 *   atBuild(integration, {
 *     isBuild: ({ isPrerendered }) => isPrerendered,
 *     advice: () => "Remove `prerender` from the page",
 *   })
 * ```
 */
export function atBuild<E extends object, S>(
  auth: Integration<E, S>,
  { isBuild, advice, acceptsForms = false }: Build<E>,
): Integration<E, S> {
  function requireVisitor(event: E, what: string): void {
    if (isBuild(event)) throw new Error(`A prerendered page has no ${what}. ${advice(event)}`)
  }
  return {
    ...auth,
    handle: async (event) => (isBuild(event) ? undefined : auth.handle(event)),
    session: async (event, options) => (isBuild(event) ? null : auth.session(event, options)),
    async requireSession(event, asked) {
      requireVisitor(event, "session")
      return auth.requireSession(event, asked)
    },
    token: Object.assign(
      async (...args: Parameters<typeof auth.token>) => {
        requireVisitor(args[0] as E, "access token")
        return auth.token(...args)
      },
      {
        async fetch(...args: Parameters<typeof auth.token.fetch>) {
          requireVisitor(args[0] as E, "access token")
          return auth.token.fetch(...args)
        },
      },
    ) as typeof auth.token,
    async csrfToken(event) {
      if (acceptsForms && isBuild(event)) return ""
      requireVisitor(event, "CSRF token")
      return auth.csrfToken(event)
    },
  }
}
