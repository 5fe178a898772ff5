/** How a package for a framework offers the functions that all of them have. */
export interface Names {
  /** Entries of the package, in the order of the page. */
  readonly entries: readonly string[]
  /** How to call `getSession`, and the others likewise. */
  readonly call: string
  /** What `requireSession` does without a session. */
  readonly refuses: string
  /** What becomes of the redirect of `signIn` and `signOut`. */
  readonly redirect: string
  /** Names that Auth.js gives to these functions. */
  readonly others?: Readonly<Record<string, string>>
}

export const functions = ["getSession", "requireSession", "signIn", "signOut", "update", "csrfToken"] as const

const always = "is sent. The result is always `{ to, error? }`"

export const names: readonly Names[] = [
  {
    entries: ["astro"],
    call: "`auth.getSession(context)`",
    refuses: "returns the response",
    redirect: "is returned",
  },
  {
    entries: ["elysia"],
    call: "`auth.getSession()`",
    refuses: "is an option of routes, and responds",
    redirect: "is returned",
  },
  {
    entries: ["express"],
    call: "`auth.getSession(req, res)`",
    refuses: "is middleware, and responds",
    redirect: always,
  },
  {
    entries: ["fastify"],
    call: "`request.getSession()`, `reply.signIn()`",
    refuses: "is a `preHandler`, and responds",
    redirect: "is sent",
  },
  { entries: ["h3", "nuxt"], call: "`auth.getSession(event)`", refuses: "throws", redirect: "is returned" },
  {
    entries: ["hono"],
    call: "`auth.getSession(c)`",
    refuses: "is middleware, and responds",
    redirect: "is returned",
  },
  {
    entries: ["nestjs"],
    call: "`authService.getSession(request)`",
    refuses: "throws",
    redirect: "is `{ url, statusCode, error? }`, for `@Redirect()`",
  },
  {
    entries: ["next"],
    call: "`auth()`",
    refuses: "throws",
    redirect: "is thrown. `redirect: false` returns the URL, and a failure throws",
    others: { getSession: "auth" },
  },
  {
    entries: ["node"],
    call: "`auth.getSession(req, res)`",
    refuses: "responds, and returns `null`",
    redirect: always,
  },
  {
    entries: ["node/fetch", "node/lambda"],
    call: "`auth.getSession(request)`",
    refuses: "returns `{ session, response }`",
    redirect: "is returned",
  },
  {
    entries: ["qwik"],
    call: "`getSession(ev)`",
    refuses: "throws",
    redirect: "is that of the actions `useSignIn` and `useSignOut`",
    others: { signIn: "useSignIn", signOut: "useSignOut" },
  },
  { entries: ["react-router"], call: "`auth.getSession(args)`", refuses: "throws", redirect: "is returned" },
  { entries: ["solid-start"], call: "`getSession()`", refuses: "throws", redirect: "is thrown" },
  {
    entries: ["sveltekit"],
    call: "`getSession(event)`, `locals.signIn()`",
    refuses: "throws",
    redirect: "is thrown. `redirect: false` returns the URL, and a failure throws",
  },
  { entries: ["tanstack-start"], call: "`auth.getSession()`", refuses: "throws", redirect: "is thrown" },
]
