import type { Session } from "@latchkey/core/types"
import { SessionProvider } from "@latchkey/react"
import { SignedIn, SignIn, type SignInProps } from "@latchkey/react/components"
import { createElement, type ReactElement, StrictMode } from "react"

/** What a test sets before the page loads. */
export interface SignInSetup {
  readonly props?: Omit<SignInProps, "onSuccess">
  /** Stay on the page after the sign-in, and name the next one in its title. */
  readonly stays?: boolean
  readonly hydrate?: boolean
}

/** Shows `SignIn` as an application does. Also rendered on a server. */
export function Page({ props, stays }: SignInSetup): ReactElement {
  const onSuccess = (url: string) => {
    document.title = url
  }
  const who = createElement(SignedIn<Session>, {
    children: ({ user }) => createElement("p", { id: "who" }, user?.email),
  })
  const signIn = createElement(SignIn, { ...props, ...(stays === true && { onSuccess }) })
  const main = createElement("main", null, who, signIn)
  return createElement(StrictMode, null, createElement(SessionProvider, { basePath: "/auth", session: null }, main))
}
