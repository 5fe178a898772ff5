import type { Session } from "@latchkey/core/types"
import {
  type ButtonProps,
  SignedIn,
  SignIn,
  SignInButton,
  type SignInProps,
  SignOutButton,
  UserButton,
} from "@latchkey/react/components"
import { type ComponentProps, createElement, type ReactElement } from "react"
import { expectTypeOf, test } from "vitest"

// As shadcn/ui generates them.
declare function Button(
  props: ComponentProps<"button"> & {
    variant?: "default" | "destructive" | "outline" | "secondary" | "ghost" | "link" | null | undefined
    asChild?: boolean
  },
): ReactElement
declare function Input(props: ComponentProps<"input">): ReactElement
declare function Label(props: ComponentProps<"label">): ReactElement

interface Own {
  user: { id: number }
  expires: string
}
declare function auth(): Promise<Own | null>

test("SignIn takes the components of shadcn/ui, classes by part and some texts", () => {
  createElement(SignIn, { components: { Button, Input, Label }, classNames: { input: "a" }, texts: { or: "oder" } })
  createElement(SignIn, { heading: null, methods: ["github"], onSuccess: (url: string) => url })
  // @ts-expect-error: no such part
  createElement(SignIn, { classNames: { inputs: "a" } })
  // @ts-expect-error: no such text
  createElement(SignIn, { texts: { also: "a" } })
  // @ts-expect-error: not what GET signin returns
  createElement(SignIn, { initial: { methods: [] } })
  expectTypeOf<SignInProps>().toHaveProperty("initial")
})

test("a button that needs more than ours gives doesn't fit", () => {
  const Needy = (props: ButtonProps & { readonly icon: string }): ReactElement => createElement("button", props)
  // @ts-expect-error: `icon` is missing
  createElement(UserButton, { components: { Button: Needy } })
})

test("the children of SignedIn get the session, whose type can be that of auth", () => {
  createElement(SignedIn<Session>, {
    children(session) {
      expectTypeOf(session).toEqualTypeOf<Session>()
      return null
    },
  })
  createElement(SignedIn<typeof auth>, {
    children(session) {
      expectTypeOf(session).toEqualTypeOf<Own>()
      return null
    },
  })
})

test("the buttons take the props of a button", () => {
  createElement(SignInButton, {
    provider: "github",
    redirectTo: "/",
    className: "a",
    disabled: true,
    "aria-label": "a",
  })
  createElement(SignOutButton, { redirectTo: "/", variant: "outline", components: { Button } })
  // @ts-expect-error: sign-out has no provider
  createElement(SignOutButton, { provider: "github" })
})
