import { createServer, type UserExport } from "@latchkey/core/server"
import type { EventCallbacks, JsonObject, JsonValue, SecurityEvent, SecurityEventName } from "@latchkey/core/types"
import { expectTypeOf, test } from "vitest"

test("the handler of security events gets one format", () => {
  expectTypeOf<Parameters<NonNullable<EventCallbacks["security"]>>>().toEqualTypeOf<[event: SecurityEvent]>()
  expectTypeOf<SecurityEvent["outcome"]>().toEqualTypeOf<"success" | "failure">()
  expectTypeOf<SecurityEvent>().not.toHaveProperty("email")
})

test("names of the catalogue and of modules are names, and others aren't", () => {
  expectTypeOf<"sign-in">().toExtend<SecurityEventName>()
  expectTypeOf<"credentials.revoked">().toExtend<SecurityEvent["name"]>()
  expectTypeOf<"signin">().not.toExtend<SecurityEvent["name"]>()
  expectTypeOf<"account.linkd">().not.toExtend<SecurityEventName>()
})

test("an actor is a user, a visitor or the application", () => {
  const actor = {} as SecurityEvent["actor"]
  if (actor.kind === "user") expectTypeOf(actor.id).toEqualTypeOf<string>()
  else expectTypeOf(actor.kind).toEqualTypeOf<"visitor" | "application">()
})

test("`revoke` needs a user, and neither a reason nor a request", () => {
  const { revoke } = createServer({ providers: [] })
  expectTypeOf(revoke).toBeCallableWith("ada")
  expectTypeOf(revoke).toBeCallableWith("ada", "stolen laptop")
  expectTypeOf(revoke("ada")).resolves.toEqualTypeOf<void>()
  // @ts-expect-error A user without an id can't be revoked.
  void (() => revoke(undefined))
})

test("`disable` and `enable` need a user, and `export` returns JSON of a known shape", () => {
  const { disable, enable, export: exportUser } = createServer({ providers: [] })
  expectTypeOf(disable).toBeCallableWith("ada", "fraud")
  expectTypeOf(enable("ada")).resolves.toEqualTypeOf<void>()
  expectTypeOf(exportUser("ada")).resolves.toEqualTypeOf<UserExport>()
  expectTypeOf<UserExport["accounts"]>().toEqualTypeOf<readonly JsonObject[] | undefined>()
  expectTypeOf<UserExport["modules"]>().toEqualTypeOf<Readonly<Record<string, JsonValue>>>()
  // Assignable to JSON as a whole.
  expectTypeOf<UserExport["user"]>().toExtend<JsonValue>()
  // @ts-expect-error A user without an id can't be disabled.
  void (() => disable(undefined))
})
