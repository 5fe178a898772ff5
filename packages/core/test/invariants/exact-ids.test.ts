import fc from "fast-check"
import { expect, test } from "vitest"
import { ExactResponse, isInexact, parseExactJson } from "../../src/primitives/exact-json.js"
import { usableId, roundedSource } from "../../src/signin/stored-users.js"
import { holds, patience } from "../fuzz/holds.js"

const bigger = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const near = fc
  .tuple(fc.bigInt({ min: 40n, max: 90n }), fc.bigInt({ min: -3n, max: 3n }))
  .map(([power, by]) => 2n ** power + by)
const integer = fc.oneof(bigger, near, fc.maxSafeInteger().map(BigInt))

test(
  "two integers in JSON that differ stay different, as numbers or texts",
  () =>
    holds(
      fc.asyncProperty(integer, integer, async (one, other) => {
        const read = await new ExactResponse(`{"id":${one},"of":[${other}]}`).clone().json()
        const { id, of } = read as { id: unknown; of: readonly unknown[] }
        expect(String(id)).toBe(String(one))
        expect(usableId(id)).toBe(String(one))
        expect(usableId(of[0]) === usableId(id)).toBe(one === other)
      }),
    ),
  patience,
)

/** JSON without integers that are rounded. */
const exact = fc.jsonValue().filter((value) => !/(?<![\d.e+-])-?\d{16,}(?![\d.e])/.test(JSON.stringify(value)))
const text = fc.oneof(fc.string(), integer.map(String), fc.constantFrom('"', "\\", '\\"', '":9007199254740993,"'))

test(
  "everything else in JSON is read as usual",
  () =>
    holds(
      fc.property(exact, text, text, integer, fc.boolean(), (value, key, content, big, isPretty) => {
        const document = { value, [`k${key}`]: content, list: [content, content] }
        const json = JSON.stringify(document, undefined, isPretty ? 2 : undefined)
        expect(parseExactJson(json)).toEqual(JSON.parse(json))
        expect(parseExactJson(`[${json},${big}]`)).toEqual([
          JSON.parse(json),
          isInexact(Number(big)) ? String(big) : Number(big),
        ])
      }),
    ),
  patience,
)

test(
  "an id that was made from a rounded number is recognized, however it was written",
  () =>
    holds(
      fc.property(
        near,
        fc.constantFrom(
          String,
          (value: number) => `acme-${String(value)}`,
          (value: number) => `acme:${BigInt(value)}`,
        ),
        (big, write) => {
          const rounded = Number(big)
          fc.pre(isInexact(rounded))
          expect(usableId(rounded)).toBeUndefined()
          const id = write(rounded)
          expect(usableId(id) === undefined || roundedSource(id, { user: [{ id: rounded }] }) === "user.0.id").toBe(
            true,
          )
          expect(roundedSource(String(big), { user: { id: String(big) } })).toBeUndefined()
        },
      ),
    ),
  patience,
)
