import type { AuthConfig, Messages, PartialMessages } from "@latchkey/core"
import { expectTypeOf, test } from "vitest"

test("single texts can be replaced, and languages added", () => {
  expectTypeOf({
    en: { signin: { heading: "Welcome" } },
    sw: { common: { or: "au" }, mail: { signIn: { subject: "Ingia" } } },
  }).toExtend<NonNullable<NonNullable<AuthConfig["i18n"]>["messages"]>>()
  expectTypeOf<Messages>().toExtend<PartialMessages>()
  expectTypeOf<Messages["signin"]["heading"]>().toEqualTypeOf<string>()
})

test("a text that doesn't exist is an error, and so is one that isn't a text", () => {
  const messages = {
    // @ts-expect-error: there is no such text
    en: { signin: { titel: "Sign in" } },
    // @ts-expect-error: not a text
    de: { signin: { title: 7 } },
  } satisfies NonNullable<NonNullable<AuthConfig["i18n"]>["messages"]>
  expectTypeOf(messages).toBeObject()
})
