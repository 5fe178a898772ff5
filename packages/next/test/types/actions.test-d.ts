import NextAuth, { AuthError } from "@latchkey/next"
import { useActionState } from "react"
import { expectTypeOf, test } from "vitest"

const { signIn, signOut, update } = NextAuth({ providers: [] })

/** The type of `action` on a `<form>` in React 19. */
type FormAction = (form: FormData) => void | Promise<void>

test("signIn.bind with a provider is a form action", () => {
  const enter: FormAction = signIn.bind(null, "credentials")
  const leave: FormAction = async () => signOut({ redirectTo: "/" })
  expectTypeOf(enter).toBeCallableWith(new FormData())
  expectTypeOf(leave).toBeCallableWith(new FormData())
})

test("useActionState shows the error of an action", () => {
  async function authenticate(before: string | undefined, form: FormData): Promise<string | undefined> {
    try {
      return await signIn("credentials", form)
    } catch (error) {
      if (error instanceof AuthError) return error.type === "CredentialsSignin" ? "Wrong password" : before
      throw error
    }
  }
  const [message, action, isPending] = useActionState(authenticate, undefined)
  expectTypeOf(message).toEqualTypeOf<string | undefined>()
  expectTypeOf(action).toEqualTypeOf<(form: FormData) => void>()
  expectTypeOf(isPending).toEqualTypeOf<boolean>()
})

test("code after a sign-in that redirects is unreachable", () => {
  async function never(): Promise<number> {
    return signIn("github")
  }
  expectTypeOf(never()).toEqualTypeOf<Promise<number>>()
})

test("an update in an action returns the new session", () => {
  async function rename(form: FormData): Promise<string | null | undefined> {
    return (await update({ user: { name: String(form.get("name")) } }))?.user?.name
  }
  expectTypeOf(rename).toBeCallableWith(new FormData())
})
