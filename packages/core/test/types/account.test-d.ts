import { createServer } from "@latchkey/core/server"
import type { Adapter } from "@latchkey/core/adapters"
import type { EventCallbacks, LinkedAccount, PasskeySummary, SessionSummary, UserAccount } from "@latchkey/core/types"
import { expectTypeOf, test } from "vitest"

const account = createServer({ providers: [] }).account({ headers: new Headers() })

test("the functions of the account return what belongs to the user", () => {
  expectTypeOf(account).toExtend<UserAccount>()
  expectTypeOf(account.passkeys()).resolves.toEqualTypeOf<readonly PasskeySummary[]>()
  expectTypeOf(account.accounts()).resolves.toEqualTypeOf<readonly LinkedAccount[]>()
  expectTypeOf(account.sessions()).resolves.toEqualTypeOf<readonly SessionSummary[]>()
  expectTypeOf<SessionSummary>().not.toHaveProperty("sessionToken")
})

test("events and methods of adapters are typed", () => {
  expectTypeOf<Parameters<NonNullable<EventCallbacks["revokeSessions"]>>[0]["scope"]>().toEqualTypeOf<
    "one" | "others" | "all"
  >()
  expectTypeOf<Parameters<NonNullable<Adapter["describeSession"]>>[0]>().toEqualTypeOf<string>()
})
