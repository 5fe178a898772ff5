import fc from "fast-check"
import { createPool, type Pool, type RowDataPacket } from "mysql2/promise"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { normalIdentifier } from "../../packages/core/src/limits/one-spelling.js"

const url = inject("mariadb")
const collations = ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci", "utf8mb4_uca1400_ai_ci"]

/** All names with a character that hardly any name has share one key, so it may differ from that of an equal name. */
const shared = normalIdentifier("\u{1D41A}")

let pool: Pool
beforeAll(() => {
  if (url !== undefined) pool = createPool({ uri: url, charset: "utf8mb4" })
})
afterAll(async () => pool?.end())

/** Every character, by what a collation compares. The last code points have a script since Unicode 15. */
async function charactersByWeight(collation: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (let from = 1; from < 0x3_23_b0; from += 20_000) {
    const [rows] = await pool.query<RowDataPacket[]>(
      `select seq as code, hex(weight_string(convert(unhex(lpad(hex(seq), 8, '0')) using utf32) collate ${collation.replace("utf8mb4", "utf32")})) as weight from seq_${from}_to_${Math.min(from + 19_999, 0x3_23_af)} where seq not between 0xd800 and 0xdfff`,
    )
    for (const { code, weight } of rows) {
      const all = found.get(weight) ?? []
      found.set(weight, all)
      all.push(String.fromCodePoint(code))
    }
  }
  return found
}

/** One character for each part of a weight, such as `ss` for `ß`. A part has one or two units. `undefined`: not all are known. */
function expansion(weight: string, characters: ReadonlyMap<string, string>): string | undefined {
  let text = ""
  for (let at = 0; at < weight.length; ) {
    const part = [4, 8].map((length) => weight.slice(at, at + length)).find((each) => characters.has(each))
    if (part === undefined || part.length === weight.length) return undefined
    text += characters.get(part) ?? ""
    at += part.length
  }
  return text
}

describe.skipIf(url === undefined).each(collations)("two names that are equal in %s", (collation) => {
  test("count as one user, whichever characters they have", async () => {
    const byWeight = await charactersByWeight(collation)
    expect(byWeight.size).toBeGreaterThan(20_000)
    const known = [...byWeight].map(
      ([weight, all]) => [weight, all.filter((each) => normalIdentifier(each) !== shared)] as const,
    )
    const firsts = new Map(known.flatMap(([weight, [first]]) => (first === undefined ? [] : [[weight, first]])))
    const differing = known.flatMap(([weight, all]) => {
      // A character without weight is ignored.
      const long = weight === "" ? "" : expansion(weight, firsts)
      const keys = new Set([...all, ...(long === undefined ? [] : [long])].map((each) => normalIdentifier(`x${each}x`)))
      return keys.size > 1 ? [[...keys].join(" ")] : []
    })
    expect(differing).toEqual([])
  })

  test("count as one user, if the server compares them itself", async () => {
    const byWeight = await charactersByWeight(collation)
    const similar = [...byWeight.values()].filter(({ length }) => length > 1 && length < 1000)
    const letter = fc
      .constantFrom(...similar)
      .chain((all) => fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all)))
    const pairs = fc
      .sample(fc.array(letter, { minLength: 1, maxLength: 12 }), { numRuns: 2000, seed: 20_261 })
      .map((letters) => [0, 1].map((side) => letters.map((pair) => pair[side]).join("")))
    const [rows] = await pool.query<RowDataPacket[]>(
      pairs
        .map(() => `select cast(? as char character set utf8mb4) collate ${collation} = ? as same`)
        .join(" union all "),
      pairs.flat(),
    )
    const equal = pairs.filter((_, index) => rows[index]?.["same"] === 1)
    expect(equal.length).toBeGreaterThan(1500)
    const differing = equal
      .map((pair) => pair.map((each) => normalIdentifier(each)))
      .filter(([one, other]) => one !== shared && other !== shared && one !== other)
    expect(differing).toEqual([])
  })
})
