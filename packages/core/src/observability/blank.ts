import { toHex } from "../crypto/digest.js"
import { once } from "../primitives/awaitable.js"
import type { Secret } from "./collect-secrets.js"
import { fully, rangeIn, type View, viewsOf } from "./views.js"

/** Removes secrets from a text. */
export type Blank = (text: string) => string

/** What is written instead of a secret. */
export const redacted = "[redacted]"

/** A shorter secret could be part of an ordinary word, so it's removed only where it's a word of its own. */
const minLength = 8
/** A part of a secret that is at least this long is removed too. */
const minPart = 16
/** Of a shorter value whose name doesn't say that it's a secret, nothing is removed. */
const minUnnamed = 4

/** Bounds of the work for one log entry. */
const maxSecrets = 500
const maxEncoded = 256
const maxPerGram = 32
export const maxTextLength = 16_384

/**
 * Words that log messages have anyway. Although a form may send one, even as a password, its place in a sentence says
 * nothing. After `password=` and the like it's removed by `withoutLookalikes`.
 */
const ordinary: ReadonlySet<string> = new Set(
  "true false null undefined password passwort username user email name account token secret code session login credentials authorize error invalid wrong failed adapter database".split(
    " ",
  ),
)

/** Finds secrets in a text: as they are, encoded, in part, and wrapped. */
export interface SecretIndex {
  /** The last place of each gram. */
  readonly grams: ReadonlyMap<string, Place>
  readonly words: readonly string[]
  /** The same for bytes that are listed one by one. Made for a text that has such a list. */
  readonly dumps: () => ReadonlyMap<string, Place>
}

/** A list without arrays: nearly every gram has one place, and an entry of the log makes hundreds. */
interface Place {
  readonly needle: string
  readonly offset: number
  readonly before: Place | undefined
  readonly count: number
}

export function indexOf(secrets: Iterable<Secret>): SecretIndex {
  const words = new Set<string>()
  const long: string[] = []
  for (const secret of distinct(secrets)) {
    if (ordinary.has(secret.text.toLowerCase())) continue
    if (secret.text.length < minLength) for (const word of wordsOf(secret)) words.add(word)
    else long.push(secret.text)
  }
  return { grams: gramsOf(long, formsOf), words: [...words], dumps: once(() => gramsOf(long, dumpsOf)) }
}

function gramsOf(texts: readonly string[], formsOf: (text: string) => Iterable<string>): ReadonlyMap<string, Place> {
  const grams = new Map<string, Place>()
  for (const text of texts) for (const needle of formsOf(text)) add(grams, needle)
  return grams
}

function distinct(secrets: Iterable<Secret>): Iterable<Secret> {
  const found = new Map<string, Secret>()
  for (const secret of secrets) {
    if (found.size >= maxSecrets) break
    if (secret.isNamed || !found.has(secret.text)) found.set(secret.text, secret)
  }
  return found.values()
}

function wordsOf({ text, isNamed }: Secret): readonly string[] {
  if (text === "" || (!isNamed && text.length < minUnnamed)) return []
  return text.length < minUnnamed ? [text] : [text, base64(text, 0)]
}

/** Each eighth gram is enough to find every part of 16 characters. */
function add(grams: Map<string, Place>, needle: string): void {
  for (let offset = 0; offset + minLength <= needle.length; offset += minLength) {
    const gram = needle.slice(offset, offset + minLength)
    const before = grams.get(gram)
    const count = (before?.count ?? 0) + 1
    // Many equal grams come from a repeated text. A part is found at the first one.
    if (count > maxPerGram || (offset > 0 && before?.needle === needle)) continue
    grams.set(gram, { needle, offset, before, count })
  }
}

/** Case and the two alphabets of base64 don't count. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  const same = lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (part) => part.toLowerCase())
  return same.replaceAll("-", "+").replaceAll("_", "/")
}

function formsOf(text: string): ReadonlySet<string> {
  const start = text.slice(0, maxEncoded)
  const plain = fully({ text, origin: undefined }).text
  const encoded = new Set([start, percentEncoded(start), JSON.stringify(start).slice(1, -1)])
  const forms = new Set([text, plain, text.replaceAll(" ", "+"), text.replaceAll(/\s+/g, "")].map(folded))
  for (const each of encoded) for (const shift of [0, 1, 2]) forms.add(folded(base64(each, shift)))
  return forms.add(toHex(utf8(start)))
}

/** Bytes as Node prints a buffer, and as JSON has a list of them. */
function dumpsOf(text: string): readonly string[] {
  const bytes = utf8(text.slice(0, maxEncoded))
  return [toHex(bytes).replaceAll(/..(?=.)/g, "$& "), bytes.join(",")]
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Five numbers of up to three digits in a row, with anything between them that a log may have put there. */
const dump = /(?:[\da-f]{1,3}(?:[^\da-z](?:25|2c|20|0[ad]|[nrt])*)+){5}/i

function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a surrogate pair.
    return text
  }
}

/** The characters of base64 that only depend on this text if `shift` other bytes precede it. */
function base64(text: string, shift: number): string {
  const bytes = bytesAsText(text)
  const first = shift === 0 ? 0 : shift + 1
  return btoa("\0".repeat(shift) + bytes).slice(first, Math.floor(((bytes.length + shift) * 8) / 6))
}

/** Each byte of UTF-8 as one character. */
function bytesAsText(text: string): string {
  return /^[\0-\x7F]*$/.test(text) ? text : String.fromCharCode(...utf8(text))
}

type Range = readonly [start: number, end: number]

/** The text without the secrets of these indexes. A text that is longer than a log entry should be is cut. */
export function blanked(given: string, indexes: readonly SecretIndex[]): string {
  const text = given.length > maxTextLength ? given.slice(0, maxTextLength) : given
  const cut = given.length - text.length
  const used = indexes.filter(({ grams, words }) => grams.size > 0 || words.length > 0)
  const hasDump = dump.test(text)
  const found = (view: View) => used.flatMap((index) => find(view, index, hasDump))
  const ranges = used.length === 0 ? [] : viewsOf(text).flatMap(found)
  return without(text, ranges) + (cut === 0 ? "" : ` [${cut} more characters]`)
}

function without(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (start > at || (start === at && parts.length === 0)) parts.push(text.slice(at, start), redacted)
    at = Math.max(at, end)
  }
  return parts.join("") + text.slice(at)
}

function find(view: View, index: SecretIndex, hasDump: boolean): Range[] {
  const inDumps = hasDump ? findLong(view, index.dumps()) : []
  return [...findLong(view, index.grams), ...inDumps, ...findWords(view, index)]
}

function findLong(view: View, grams: SecretIndex["grams"]): Range[] {
  const text = folded(view.text)
  const found: Range[] = []
  for (let at = 0; at + minLength <= text.length; at++) {
    const matches: Range[] = []
    for (let place = grams.get(text.slice(at, at + minLength)); place !== undefined; place = place.before)
      matches.push(...matchAt(text, at, place))
    if (matches.length === 0) continue
    const start = Math.min(...matches.map(([from]) => from))
    const end = Math.max(...matches.map(([, to]) => to))
    found.push(rangeIn(view, start, end))
    at = end - 1
  }
  return found
}

const partOfToken = /[a-z0-9+/.~]/

function matchAt(text: string, at: number, { needle, offset }: Place): Range[] {
  let start = 0
  while (start < Math.min(at, offset) && text[at - start - 1] === needle[offset - start - 1]) start++
  let length = minLength
  while (offset + length < needle.length && text[at + length] === needle[offset + length]) length++
  if (start + length < Math.min(minPart, needle.length)) return []
  return [[at - start, needle.length < 2 * minPart ? at + length : endOfToken(text, at + length)]]
}

/** The rest of a long token that was found by its first characters. */
function endOfToken(text: string, from: number): number {
  let end = from
  while (partOfToken.test(text[end] ?? "")) end++
  return end
}

const letterOrDigit = /[\p{L}\p{N}_]/u

function findWords(view: View, { words }: SecretIndex): Range[] {
  const { text } = view
  return words.flatMap((word) => {
    const found: Range[] = []
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const isWord = !letterOrDigit.test(text[at - 1] ?? " ") && !letterOrDigit.test(text[at + word.length] ?? " ")
      if (isWord) found.push(rangeIn(view, at, at + word.length))
    }
    return found
  })
}
