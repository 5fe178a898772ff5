import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { pin } from "../../core/test/modules/factor-site.js"
import { flowSite, origin } from "./flow-setup.js"

const good = { name: "ada", password: "open sesame" }
const ada = "ada@example.test"
const page = `${origin}/auth/factor`

/** A site that asks every user for the same PIN. */
function factorSite(more: Partial<AuthConfig> = {}) {
  const isRight = (typed: string | undefined) => typed === "1234" || "The PIN is wrong."
  return flowSite({
    modules: [pin({ isRequired: () => true, verify: (_, __, fields) => isRight(fields["pin"]) })],
    ...more,
  })
}

describe("a flow with a factor", () => {
  test("asks after a password, shows a wrong answer at the same step, and signs in with the right one", async () => {
    const { flow, client, errors } = factorSite()
    const step = await flow.password(good, { redirectTo: "/inbox" })
    if (step.status !== "factor") throw new Error(step.status)
    expect(step).toMatchObject({ factor: "pin", title: "Your PIN for app.test", submit: "Continue", url: page })
    expect(step.fields).toEqual([expect.objectContaining({ name: "pin", label: "PIN", type: "password" })])
    expect(await client.getSession()).toBeNull()
    const again = await flow.answerFactor({ pin: "0000" })
    expect(again).toEqual({ ...step, error: { code: "FactorRefused", message: "The PIN is wrong." } })
    expect(await client.getSession()).toBeNull()
    expect(await flow.answerFactor({ pin: "1234" })).toEqual({ status: "signed-in", url: `${origin}/inbox` })
    expect(client.getSnapshot()).toMatchObject({ status: "authenticated", data: { user: { name: "ada" } } })
    expect(errors).toEqual([])
  })

  test("asks after the code of an email, and takes the fields of a form", async () => {
    const { flow, sent, client } = factorSite()
    await flow.email(ada)
    expect((await flow.code(sent[0]?.code ?? "")).status).toBe("factor")
    const form = new FormData()
    form.set("pin", "1234")
    expect((await flow.answerFactor(form)).status).toBe("signed-in")
    expect(client.getSnapshot()).toMatchObject({ data: { user: { email: ada } } })
  })

  test("is resumed by a page that opens later", async () => {
    const { flow } = factorSite()
    const step = await flow.password(good)
    expect(await flow.factor()).toEqual(step)
    await flow.answerFactor({ pin: "1234" })
    expect(await flow.factor()).toMatchObject({ status: "error", error: { code: "InvalidCheck" } })
  })

  test("asks the next factor after the first", async () => {
    const always = { isRequired: () => true, verify: (): true => true }
    const { flow } = factorSite({ modules: [pin(always, "first"), pin(always, "second")] })
    expect(await flow.password(good)).toMatchObject({ status: "factor", factor: "first" })
    expect(await flow.answerFactor({ pin: "1" })).toMatchObject({ status: "factor", factor: "second" })
    expect((await flow.answerFactor({ pin: "2" })).status).toBe("signed-in")
  })

  test("ends after five wrong answers", async () => {
    const { flow } = factorSite()
    await flow.password(good)
    for (const _ of "12345") expect((await flow.answerFactor({ pin: "0" })).status).toBe("factor")
    expect(await flow.answerFactor({ pin: "1234" })).toMatchObject({ status: "error", error: { code: "InvalidCheck" } })
    expect((await flow.password(good)).status).toBe("factor")
  })

  test("has a page, which `follow` opens", async () => {
    const { flow, went } = factorSite()
    const step = await flow.password(good)
    flow.follow(step)
    expect(went).toEqual([page])
  })
})

test("an application without modules has no factor to resume", async () => {
  const { flow } = flowSite()
  expect(await flow.factor()).toMatchObject({ status: "error" })
})

describe("signIn with a factor", () => {
  test("resolves to the page that asks, and the user isn't signed in yet", async () => {
    const { client } = factorSite()
    const result = await client.signIn("credentials", { ...good, redirect: false, redirectTo: "/inbox" })
    expect(result).toEqual({ ok: true, error: undefined, code: undefined, status: 200, url: page })
    expect(client.getSnapshot()).toEqual({ data: null, status: "unauthenticated" })
  })

  test("goes to the page that asks", async () => {
    const { client, went } = factorSite()
    await client.signIn("credentials", { ...good, redirectTo: "/inbox" })
    expect(went).toEqual([page])
  })
})
