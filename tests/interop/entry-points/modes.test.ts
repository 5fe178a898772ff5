import { readFileSync } from "node:fs"
import { customFetch } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { doors } from "./doors.js"
import { rows } from "./rows.js"
import { opener } from "./site.js"

const modes = ["compatible", "strict"] as const

/** The first cells of the tables in docs/security-modes.md that have a column for each mode. */
function documented(): readonly string[] {
  const text = readFileSync(new URL("../../../docs/security-modes.md", import.meta.url), "utf8")
  const tables = text.split(/\n(?!\|)/).filter((block) => /^\| .*`"compatible"`.*`"strict"`/m.test(block))
  return tables.flatMap((table) =>
    table
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(2)
      .map((line) => line.slice(2, line.indexOf(" |"))),
  )
}

test("every row of the documentation of the modes has a test, and no test is left over", () => {
  expect(Object.keys(rows).toSorted()).toEqual(documented().toSorted())
})

describe.each(Object.keys(doors))("through %s", (name) => {
  const door = doors[name]
  if (door === undefined) throw new Error("There is no such entry point")

  for (const [what, row] of Object.entries(rows)) {
    test.each(modes)(`the mode decides about ${what}: %s`, async (mode) => {
      expect(await row.observe(opener(door, mode))).toEqual(row[mode])
    })
  }

  test.each(modes)("production logs settings that make it less secure: %s", async (mode) => {
    const { log, status } = await opener(door, mode)({ config: { debug: true } })
    expect(await status("/auth/providers")).toBe(200)
    const warnings = log.entries.filter(({ message }) => message === "weakened-settings")
    // And `rateLimit`, which is off in these tests.
    expect(warnings.map(({ text }) => text)).toEqual([expect.stringMatching(/less secure: debug, rateLimit\. /)])
  })

  test.each([
    ["compatible", 1],
    ["strict", 0],
  ] as const)("a public site sends requests to providers on its own machine: %s, %i", async (mode, requests) => {
    let sent = 0
    const inside = async () => {
      sent += 1
      return Response.json({}, { status: 404 })
    }
    const provider = { id: "inside", name: "Inside", type: "oidc", issuer: "https://127.0.0.1:8443" } as const
    const client = { clientId: "client", clientSecret: "secret", [customFetch]: inside }
    const { browser } = await opener(door, mode)({ config: { providers: [{ ...provider, ...client }] } })
    await browser.signIn("inside")
    expect(Math.min(sent, 1)).toBe(requests)
  })
})
