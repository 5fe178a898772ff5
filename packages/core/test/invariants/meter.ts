import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

/** What the built-in functions were given while something ran. */
export interface Work {
  /** Characters that were parsed, normalized, decoded or split. */
  readonly characters: number
  /** Steps of the functions whose cost grows with the square: sorting combining marks, and Punycode. */
  readonly steps: number
  /** Tokens that were decrypted. */
  readonly opened: number
}

const textMethods = ["normalize", "split", "replace", "replaceAll", "match", "toLowerCase", "trim"] as const

/** Counts without a clock, so a busy machine doesn't matter. The functions do the same as before. */
export async function measure(run: () => Promise<unknown>): Promise<Work> {
  const work = { characters: 0, steps: 0, opened: 0 }
  const undo: (() => void)[] = []
  const watch = (owner: object, name: string, see: (self: unknown, args: readonly unknown[]) => void) => {
    const original: unknown = Reflect.get(owner, name)
    if (typeof original !== "function") throw new Error(`There is no function ${name}`)
    const watched = new Proxy(original, {
      apply(target, self: unknown, args: unknown[]) {
        see(self, args)
        return Reflect.apply(target, self, args)
      },
      construct(target, args: unknown[], newTarget) {
        see(undefined, args)
        return Reflect.construct(target, args, newTarget) as object
      },
    })
    Reflect.set(owner, name, watched)
    undo.push(() => Reflect.set(owner, name, original))
  }
  const count = (text: unknown) => {
    if (typeof text === "string") work.characters += text.length
  }
  for (const name of textMethods) {
    watch(String.prototype, name, (self) => {
      count(self)
      if (name === "normalize") work.steps += marksIn(String(self)) ** 2
    })
  }
  const parse = (_: unknown, [text]: readonly unknown[]) => {
    count(text)
    work.steps += longestPart(String(text)) ** 2
  }
  watch(URL, "canParse", parse)
  watch(globalThis, "URL", parse)
  watch(JSON, "parse", (_, [text]) => count(text))
  for (const name of ["decodeURIComponent", "atob"]) watch(globalThis, name, (_, [text]) => count(text))
  for (const name of ["exec", "test"]) {
    watch(RegExp.prototype, name, (self, [text]) => {
      // A global one goes on from its last match, and `replace` counts the whole text.
      const isContinued = self instanceof RegExp && self.lastIndex > 0
      count(isContinued ? "-" : text)
    })
  }
  watch(crypto, "createDecipheriv", () => void (work.opened += 1))
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    for (const each of undo.toReversed()) each()
    syncBuiltinESMExports()
  }
  return work
}

const mark = /\p{M}/u

function marksIn(text: string): number {
  let marks = 0
  for (const character of text) if (mark.test(character)) marks++
  return marks
}

/** Of the parts that may be a host, the longest one that isn't ASCII. */
function longestPart(url: string): number {
  const end = url.search(/[?#]/)
  const before = end === -1 ? url : url.slice(0, end)
  let [longest, start, isAscii] = [0, 0, true]
  for (let index = 0; index <= before.length; index++) {
    const code = before.charCodeAt(index)
    isAscii &&= !(code > 0x7f)
    // The end, a slash or a backslash.
    if (index < before.length && code !== 0x2f && code !== 0x5c) continue
    if (!isAscii) longest = Math.max(longest, index - start)
    start = index + 1
    isAscii = true
  }
  return longest
}
