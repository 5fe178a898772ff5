import type { SignInResponse } from "@latchkey/react"
import { type PasskeySignInOptions, signIn } from "@latchkey/react/webauthn"
import { expectTypeOf, test } from "vitest"

test("the result depends on `redirect`", () => {
  expectTypeOf(signIn("passkey")).resolves.toBeVoid()
  expectTypeOf(signIn("passkey", { redirect: true })).resolves.toBeVoid()
  expectTypeOf(signIn("passkey", { redirect: false })).resolves.toEqualTypeOf<SignInResponse>()
  const redirect: boolean = Math.random() > 1
  expectTypeOf(signIn("passkey", { redirect })).resolves.toEqualTypeOf<SignInResponse | undefined>()
})

test("a call for next-auth compiles: any field, and an action of type string", () => {
  const options = { action: "register", email: "ada@example.test", nickname: "Ada" }
  expectTypeOf(signIn).toBeCallableWith("passkey", options)
  expectTypeOf(signIn).toBeCallableWith("passkey", { callbackUrl: "/" }, { key: "value" })
})

test("autofill takes a boolean and a signal", () => {
  expectTypeOf<PasskeySignInOptions["useBrowserAutofill"]>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<PasskeySignInOptions["signal"]>().toEqualTypeOf<AbortSignal | undefined>()
  // @ts-expect-error it isn't a boolean
  void signIn("passkey", { useBrowserAutofill: "yes" })
})
