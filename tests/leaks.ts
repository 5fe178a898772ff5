import { wholeText } from "../packages/testing/src/log.js"
import { trackLog, type KnownSecret } from "../packages/testing/src/secrets.js"

export const levels = ["error", "warn", "log", "info", "debug"] as const

type Write = (...args: unknown[]) => void

const heard = new WeakSet<Write>()

/** Tracks everything this console writes from now on. Test files that share a console listen to it once. */
export function listenTo(console: { [level in (typeof levels)[number]]?: Write }): void {
  for (const level of levels) {
    const write = console[level]
    if (write === undefined || heard.has(write)) continue
    const listening: Write = (...args) => {
      trackLog(() => textOf(args))
      write(...args)
    }
    heard.add(listening)
    console[level] = listening
  }
}

/** The full text of the arguments, with all nested values. */
export function textOf(args: readonly unknown[]): string {
  return args.map(wholeText).join(" ")
}

/** Describes each log text that contains a known secret, without the secret itself. */
export function leaksIn(texts: readonly string[], secrets: readonly KnownSecret[]): readonly string[] {
  const spelled = secrets
    .flatMap(({ kind, value }) => spellings(value).map((spelling) => ({ kind, spelling })))
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
  return [...new Set(texts)].flatMap((text) => {
    const kinds = new Set(spelled.filter(({ spelling }) => text.includes(spelling)).map(({ kind }) => kind))
    if (kinds.size === 0) return []
    const hidden = spelled.reduce((rest, { kind, spelling }) => rest.replaceAll(spelling, `<${kind}>`), text)
    return [`A log contains a ${[...kinds].join(", a ")}: ${excerpt(hidden, kinds)}`]
  })
}

/** The secret as it is, and as URLs and forms encode it. */
function spellings(value: string): readonly string[] {
  return [...new Set([value, new URLSearchParams({ "": value }).toString().slice(1)])]
}

/** The text around the first secret. An error can be long. */
function excerpt(text: string, kinds: ReadonlySet<string>): string {
  const places = [...kinds].map((kind) => text.indexOf(`<${kind}>`)).filter((place) => place >= 0)
  const at = Math.min(...places)
  return text.slice(Math.max(0, at - 300), at + 300)
}
