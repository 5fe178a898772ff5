import type { SecurityEvent } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { entryOf } from "../src/entry.js"

const event = {
  name: "user.disabled",
  outcome: "success",
  at: new Date(0),
  actor: { kind: "application" },
  subject: { kind: "user", id: "ada" },
} as unknown as SecurityEvent

test.each([
  ["text", "left", "left"],
  ["a number", 42, "42"],
  ["null", null, undefined],
])("a reason that's %s becomes text", (_, reason, text) => {
  expect(entryOf({ ...event, reason: reason as string }, () => "id").reason).toBe(text)
})

test("an id that's too long is cut between characters", () => {
  const id = `${"a".repeat(499)}😀`
  expect(entryOf({ ...event, subject: { kind: "user", id } }, () => "id").subject).toEqual({
    kind: "user",
    id: "a".repeat(499),
  })
})
