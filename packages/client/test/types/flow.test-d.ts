import { createAuthClient } from "@latchkey/client"
import {
  createFlow,
  type EmailSentStep,
  type ErrorStep,
  type FactorStep,
  type Flow,
  type FlowError,
  type PasskeyMethod,
  type RedirectStep,
  type SignInField,
  type SignInMethod,
} from "@latchkey/client/flow"
import type { FlowResult } from "@latchkey/core/types"
import { expectTypeOf, test } from "vitest"

declare const flow: Flow
declare const error: string | undefined

test("a flow is made from a client", () => {
  expectTypeOf(createFlow(createAuthClient())).toEqualTypeOf<Flow>()
})

test("`status` narrows a step to its fields", async () => {
  const step = await flow.password({ name: "ada" }, { redirectTo: undefined })
  if (step.status === "error") {
    expectTypeOf(step).toEqualTypeOf<ErrorStep>()
    expectTypeOf(step.error.field).toEqualTypeOf<string | undefined>()
    expectTypeOf(step.error.retryAfter).toEqualTypeOf<number | undefined>()
  } else expectTypeOf(step.status).toEqualTypeOf<"signed-in" | "redirect" | "factor">()
  if (step.status === "factor") expectTypeOf(step).toEqualTypeOf<FactorStep>()
  const sent = await flow.email("ada@example.test")
  if (sent.status === "email-sent") expectTypeOf(sent).toEqualTypeOf<EmailSentStep>()
  const away = await flow.oauth("github")
  if (away.status !== "error") expectTypeOf(away).toEqualTypeOf<RedirectStep>()
})

test("`type` narrows a method to its fields", async () => {
  const step = await flow.methods({ error })
  if (step.status === "error") return
  expectTypeOf(step.methods).toEqualTypeOf<readonly SignInMethod[]>()
  for (const method of step.methods) {
    expectTypeOf(method.fields).toEqualTypeOf<readonly SignInField[]>()
    if (method.type === "webauthn") expectTypeOf(method).toEqualTypeOf<PasskeyMethod>()
  }
})

test("every step has a way on", () => {
  expectTypeOf(flow.error("AccessDenied")).resolves.toEqualTypeOf<FlowError>()
  expectTypeOf(flow.follow).toBeCallableWith({ url: "/next" })
  // @ts-expect-error the list of methods isn't a page to go to
  flow.follow({ status: "methods" })
  // @ts-expect-error there is no such status
  expectTypeOf<FlowResult["status"]>().extract<"done">().toBeString()
})
