import { describe, expect, test } from "vitest"
import { builtInTags } from "./tags.js"
import { acceptedTags, bestTag, canonicalTag, directionOf, listedTags } from "./negotiate.js"

function chosen(header: string, offered: readonly string[] = builtInTags): string | undefined {
  return bestTag(acceptedTags(header), offered, "en")
}

test.each([
  ["de", "de"],
  ["DE-at", "de"],
  ["de_CH", "de"],
  ["sw, fr;q=0.5", "fr"],
  ["de;q=0.4, pt-BR;q=0.5", "pt"],
  ["fr;q=0.3,de;Q=0.9", "de"],
  ["de;q=0, fr;q=0.1", "fr"],
  ["zh", "zh-CN"],
  ["zh-Hans", "zh-CN"],
  ["zh-SG", "zh-CN"],
  ["zh-Hant", "zh-TW"],
  ["zh-Hant-TW", "zh-TW"],
  ["zh-HK", "zh-TW"],
  ["no", "nb"],
  ["nn-NO, en;q=0.5", "nb"],
  ["nb-NO", "nb"],
  ["iw", "he"],
  ["en-GB, de", "en"],
  ["*", "en"],
  ["sw, *;q=0.1", "en"],
  ["ja;q=0.2, *;q=0.1", "ja"],
])("the header %j asks for %s", (header, tag) => expect(chosen(header)).toBe(tag))

test.each([
  "",
  "sw",
  "de;q=0",
  "de;q=banana",
  "de;q=-1",
  "de;q=2",
  "__proto__, constructor, toString, hasOwnProperty",
  "<script>, '; drop table, ../../etc/passwd, \u0000",
  `${"x,".repeat(300)}de`,
  "de-".repeat(90),
  "-, --, _, ;, ;;;q=, =",
])("the header %j asks for none of the languages", (header) => expect(chosen(header)).toBeUndefined())

describe("of several forms of a language", () => {
  test.each([
    ["de-CH", ["de", "de-CH"], "de-CH"],
    ["de-CH-1996", ["de", "de-CH"], "de-CH"],
    ["de-AT", ["de-CH", "de"], "de"],
    ["de-AT", ["de-CH"], "de-CH"],
    ["pt", ["pt-BR"], "pt-BR"],
    ["pt-br", ["pt_BR"], "pt_BR"],
    ["sr-Latn", ["sr"], undefined],
    ["zh-TW", ["zh-CN"], undefined],
  ])("%s gets the nearest of %j: %s", (wanted, offered, tag) => expect(bestTag([wanted], offered, "en")).toBe(tag))
})

test("`ui_locales` lists tags in the order of preference", () => {
  expect(listedTags("fr-CA  fr en")).toEqual(["fr-CA", "fr", "en"])
  expect(listedTags("")).toEqual([])
})

test("a tag is written in its usual form", () => {
  expect(["pt_br", "ZH-tw", "no such tag!"].map(canonicalTag)).toEqual(["pt-BR", "zh-TW", undefined])
})

test.each([
  ["ar", "rtl"],
  ["he", "rtl"],
  ["fa-IR", "rtl"],
  ["az-Arab", "rtl"],
  ["az", "ltr"],
  ["ja", "ltr"],
  ["not a tag", "ltr"],
])("text in %s runs %s", (tag, direction) => expect(directionOf(tag)).toBe(direction))
