import { AuthError } from "@latchkey/next"
import { getToken } from "@latchkey/next/jwt"
import type { ClientSafeProvider } from "@latchkey/next/react"
import { expectTypeOf, test } from "vitest"

declare const req: Request

test("a raw token is a string, and a provider can have a `redirectTo`, as the types of next-auth say", async () => {
  expectTypeOf(await getToken({ req, raw: true })).toEqualTypeOf<string>()
  expectTypeOf<ClientSafeProvider["redirectTo"]>().toEqualTypeOf<string | undefined>()
})

test("an error of the application has a type of its own", () => {
  class OutOfOffice extends AuthError {
    static override readonly type = "OutOfOffice"
  }
  expectTypeOf(new OutOfOffice().type).toEqualTypeOf<string>()
})
